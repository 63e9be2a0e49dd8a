"""What pairs are verified by: the sets from the source, those kept aside, or an estimate."""

import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import (
    Page,
    as_folder,
    as_jsonl,
    as_parquet,
    as_warc,
    edited,
    markup,
    page,
    prose,
)
from tests.command import contents, done
from tests.command import webecho as run
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.group.pairs import write_pairs
from webecho.group.rules.registry import rule
from webecho.read.collection import ReadOptions, open_collection
from webecho.sketches.pipeline import Pipeline
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.reread import Reread
from webecho.workspace.resume import SketchSettings

FORMATS = {
    "pages.jsonl": as_jsonl,
    "pages.parquet": as_parquet,
    "pages.warc.gz": as_warc,
    "pages.warc": as_warc,
    "pages": as_folder,
}


def web() -> list[Page]:
    """Ten texts, each with copies of which 1, 2, … words are changed, in some order."""
    pages = []
    for seed in range(10):
        text = prose(seed, 204)
        for edits in range(6):
            pages.append(markup(edited(text, *(20 * place + 9 for place in range(edits)))))
    order = [number * 37 % len(pages) for number in range(len(pages))]
    return [page(number, pages[at]) for number, at in enumerate(order)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return as_parquet(tmp_path / "pages.parquet", web(), rows=7)


def sketched(source: Path, name: str, *options: object) -> Path:
    path = source.parent / name
    done("sketch", source, "-o", path, "--part-pages", 11, *options)
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_kept_and_read_again_give_identical_pairs(tmp_path: Path, name: str) -> None:
    source = FORMATS[name](tmp_path / name, web())
    kept, reread = sketched(source, "kept.echo", "--keep-shingles"), sketched(source, "again.echo")
    for path in (kept, reread):
        done("pairs", path, "--resemblance", 0.7)
        done("clusters", path, "--resemblance", 0.7)
    written = [file for file in contents(kept) if file.startswith(("clusters", "pairs"))]
    assert len(written) == 2
    assert [contents(kept)[file] for file in written] == [
        contents(reread)[file] for file in written
    ]
    table = webecho.pairs(str(reread))
    assert table.num_rows > 100
    assert not any(table["estimated"].to_pylist())
    assert (kept / "shingles").exists() and not (reread / "shingles").exists()


def test_kept_shingles_need_no_source(source: Path) -> None:
    kept = sketched(source, "kept.echo", "--keep-shingles")
    before = webecho.pairs(str(kept))
    source.unlink()
    assert webecho.pairs(str(kept)).equals(before)


def test_without_the_source_pairs_are_estimated_and_say_so(source: Path) -> None:
    path = sketched(source, "w.echo")
    exact = {(row["left"], row["right"]): row for row in webecho.pairs(str(path)).to_pylist()}
    source.unlink()
    found = webecho.pairs(str(path)).to_pylist()
    assert len(found) > 100
    for row in found:
        # What has the same tokens is no estimate, nor is its resemblance of 1.
        assert row["estimated"] or row["resemblance"] == 1.0
        if row["estimated"]:
            # Features tell how many of 84 agree, and nothing of how long each page is.
            assert row["resemblance"] * 84 == pytest.approx(round(row["resemblance"] * 84))
            assert row["left_containment"] is None and row["right_containment"] is None
        known = exact.get((row["left"], row["right"]))
        if known:
            assert abs(known["resemblance"] - row["resemblance"]) < 0.2
    both = set(exact) & {(row["left"], row["right"]) for row in found}
    assert len(both) > 0.8 * len(exact)
    assert any(row["estimated"] for row in found)


def test_estimated_clusters_say_so_where_they_are_printed(source: Path) -> None:
    path = sketched(source, "w.echo")
    assert "estimated" not in done("clusters", path).stdout
    source.unlink()
    shown = done("clusters", path).stdout
    assert "estimated from features: " in shown
    assert str(source) in shown
    # Other rules need no source.
    assert "estimated" not in done("clusters", path, "--rule", "very-similar").stdout


@pytest.mark.parametrize("verb", ["pairs", "clusters"])
def test_a_changed_source_is_an_error_that_names_it(source: Path, verb: str) -> None:
    path = sketched(source, "w.echo")
    before = contents(path)
    changed = web()
    as_parquet(source, [*changed[:-1], page(59, "<p>changed</p>")], rows=7)
    result = run(verb, path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        f"webecho: {source} has changed since it was sketched; "
        "sketch it again into a new workspace\n"
    )
    assert contents(path) == before


def test_a_file_more_in_a_folder_is_a_change(tmp_path: Path) -> None:
    folder = as_folder(tmp_path / "pages", web())
    path = sketched(folder, "w.echo")
    (folder / "00010a.html").write_text("one page more")
    result = run("pairs", path)
    assert result.exit_code == 1
    assert str(folder) in result.stderr


def test_one_source_of_several_gone_is_an_estimate(tmp_path: Path) -> None:
    pages = web()
    one = as_jsonl(tmp_path / "one.jsonl", pages[:30])
    two = as_jsonl(tmp_path / "two.jsonl", pages[30:])
    done("sketch", one, two, "-o", tmp_path / "w.echo")
    one.unlink()
    found = webecho.pairs(str(tmp_path / "w.echo"))
    assert any(found["estimated"].to_pylist())


def test_a_source_that_moved_with_its_workspace_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are kept as they were given: relative ones are looked for where one stands."""
    (tmp_path / "here").mkdir()
    as_jsonl(tmp_path / "here" / "pages.jsonl", web())
    monkeypatch.chdir(tmp_path / "here")
    done("sketch", "pages.jsonl", "-o", "w.echo")
    shutil.move(tmp_path / "here", tmp_path / "there")
    monkeypatch.chdir(tmp_path / "there")
    assert not any(webecho.pairs("w.echo")["estimated"].to_pylist())


def test_streams_always_keep_their_shingles(tmp_path: Path) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", web())
    done("sketch", "-", "-o", tmp_path / "w.echo", stdin=pages.read_bytes())
    done("sketch", pages, "-o", tmp_path / "file.echo")
    pairs = webecho.pairs(str(tmp_path / "w.echo"))
    assert pairs.equals(webecho.pairs(str(tmp_path / "file.echo")))
    assert not any(pairs["estimated"].to_pylist())


def test_tables_that_were_sketched_into_a_workspace_are_not_estimated(tmp_path: Path) -> None:
    """A table in memory is gone with its program: like a stream, it cannot be read twice."""
    table = pa.Table.from_pylist([{"html": each.html} for each in web()])
    webecho.sketch(table, tmp_path / "w.echo")
    pairs = webecho.pairs(str(tmp_path / "w.echo"))
    assert not any(pairs["estimated"].to_pylist())
    assert pairs.equals(webecho.pairs(table))


@pytest.mark.parametrize("recipe", ["fetterly2004", "henzinger2006"])
def test_the_recipe_of_the_workspace_is_used_again(source: Path, recipe: str) -> None:
    kept = sketched(source, "kept.echo", "--recipe", recipe, "--keep-shingles")
    reread = sketched(source, "again.echo", "--recipe", recipe)
    assert webecho.pairs(str(reread)).equals(webecho.pairs(str(kept)))
    assert webecho.pairs(str(reread)).num_rows > 50


def test_the_options_of_reading_are_used_again(tmp_path: Path) -> None:
    """Other columns than those that would be found by themselves, and responses of status 404."""
    table = pa.Table.from_pylist([{"html": "no", "mine": each.html} for each in web()])
    pq.write_table(table, tmp_path / "pages.parquet")
    path = sketched(tmp_path / "pages.parquet", "w.echo", "--html", "mine")
    found = webecho.pairs(str(path))
    assert found.num_rows > 100
    assert max(found["resemblance"].to_pylist()) <= 1.0
    assert not any(found["estimated"].to_pylist())
    kept = sketched(tmp_path / "pages.parquet", "k.echo", "--html", "mine", "--keep-shingles")
    assert webecho.pairs(str(kept)).equals(found)


def test_a_source_is_found_from_wherever_one_stands(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(source.parent)
    done("sketch", source.name, "-o", tmp_path / "w.echo")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    found = webecho.pairs("../w.echo")
    assert found.num_rows
    assert not any(found["estimated"].to_pylist())


def test_only_sources_that_are_needed_are_opened(source: Path, tmp_path: Path) -> None:
    """Standard input beside a file: its shingles are kept, so nobody waits for it again."""
    crawl = tmp_path / "w.echo"
    done("sketch", source, "-o", crawl)
    lines = as_jsonl(tmp_path / "more.jsonl", web()).read_bytes()
    done("sketch", "-", "-o", crawl, "--append", stdin=lines)
    found = webecho.pairs(str(crawl))
    assert found.num_rows
    assert not any(found["estimated"].to_pylist())


def test_estimates_are_told_everywhere(source: Path) -> None:
    path = sketched(source, "w.echo")
    source.unlink()
    with pytest.warns(UserWarning, match="estimated from features"):
        webecho.pairs(str(path))
    for verb in ("pairs", "clusters"):
        result = run(verb, path, "--quiet", "--strict", "--format", "csv")
        assert result.exit_code == 3
        assert "estimated from features, not counted" in result.stderr


@pytest.mark.parametrize(("room", "shelved"), [(0, 0), (40_000, 28), (1 << 30, 60)])
def test_a_shelf_with_room_for_no_some_or_all_pages_gives_the_same(
    tmp_path: Path, room: int, shelved: int
) -> None:
    """60 pages of 204 words have some 1,600 bytes of shingles each; a file has 7 pages, of which
    all are taken or none: 28 are the first that have 40,000 bytes."""
    pages = web()
    files = [
        str(as_jsonl(tmp_path / f"{start}.jsonl", pages[start : start + 7]))
        for start in range(0, len(pages), 7)
    ]
    run, options = local_run(), ReadOptions()
    collection = open_collection(files, options)
    shelf = _core.Shelf(tmp_path, run.threads)
    workspace = sketch_collection(
        collection,
        options,
        tmp_path / "w.echo",
        SketchSettings(),
        run,
        Pipeline(shelf, most_shelved=room),
        temporary=True,
    )
    missing = shelf.missing(pa.array(range(60), pa.uint32()))
    assert 60 - len(missing) == shelved
    similar = rule("similar", resemblance=0.7)
    found = write_pairs(workspace, similar, run=run, reread=Reread.of(collection, shelf))
    table = pq.read_table(found.file)
    assert table.num_rows > 100
    done("sketch", *files, "-o", tmp_path / "again.echo")
    assert table.equals(webecho.pairs(str(tmp_path / "again.echo"), "similar", 0.7))
