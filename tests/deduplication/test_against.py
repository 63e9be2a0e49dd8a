"""`webecho dedup --against`: what an earlier collection has is removed from a new one."""

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import Page, WarcFile, as_jsonl, as_parquet, edited, markup, page, prose
from tests.command import contents, done
from tests.command import webecho as run
from tests.workspace.test_resume import killed_at_rename
from webecho.workspace.removed import save_removed
from webecho.workspace.workspace import Workspace


def texts(*seeds: int) -> list[Page]:
    return [page(seed, markup(prose(seed, 204))) for seed in seeds]


def near(seed: int) -> Page:
    return page(1000 + seed, markup(edited(prose(seed, 204), 100)))


def duplicates(out: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(out / "duplicates.parquet").to_pylist()
    return rows


def kept(out: Path, name: str = "new.jsonl") -> list[str]:
    lines = (out / "data" / name).read_text().splitlines()
    return [json.loads(line)["id"] for line in lines]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Pages 1 to 4, and 4 once more, deduplicated: its copy was removed."""
    file = as_jsonl(tmp_path / "old.jsonl", [*texts(1, 2, 3, 4), near(4)])
    done("dedup", file, "-o", tmp_path / "old")
    return tmp_path / "old.echo"


def test_what_an_earlier_collection_has_goes(tmp_path: Path, old: Path) -> None:
    new = as_jsonl(tmp_path / "new.jsonl", [*texts(9), near(2), *texts(3, 9, 8)])
    out = tmp_path / "out"
    before = contents(old)
    done("dedup", new, "--against", old, "-o", out)
    assert kept(out) == ["doc-9", "doc-8"]
    rows = duplicates(out)
    assert [(row["page"], row["kept_page"], row["rule"], row["kept_in"]) for row in rows] == [
        (1, 1, "similar", str(old)),
        (2, 2, "tokens", str(old)),
        (3, 0, "tokens", None),
    ]
    assert [row["kept_url"] for row in rows] == [
        "http://www.example.org/2.html",
        "http://www.example.org/3.html",
        "http://www.example.org/9.html",
    ]
    assert rows[0]["resemblance"] == pytest.approx(195 / 205)
    assert contents(old) == before


def test_only_pages_that_stayed_count(tmp_path: Path) -> None:
    """A page that is near to a removed one, but not to the one that stayed, stays."""
    text = prose(4, 204)
    between = edited(text, *range(20, 180, 15))
    far = edited(between, *range(27, 187, 15))
    old = as_jsonl(tmp_path / "old.jsonl", [page(0, markup(text)), page(1, markup(between))])
    done("dedup", old, "-o", tmp_path / "old", "--resemblance", 0.55)
    assert len(duplicates(tmp_path / "old")) == 1
    new = as_jsonl(tmp_path / "new.jsonl", [page(2, markup(far))])
    done(
        "dedup",
        new,
        "--against",
        tmp_path / "old.echo",
        "--resemblance",
        0.55,
        "-o",
        tmp_path / "a",
    )
    assert kept(tmp_path / "a") == ["doc-2"]
    done("sketch", old, "-o", tmp_path / "all.echo", "--columns", "features,supershingles")
    done(
        "dedup",
        new,
        "--against",
        tmp_path / "all.echo",
        "--resemblance",
        0.55,
        "-o",
        tmp_path / "b",
    )
    assert kept(tmp_path / "b") == []


def test_keep_orders_are_among_the_new_pages(tmp_path: Path, old: Path) -> None:
    new = as_jsonl(tmp_path / "new.jsonl", [near(7), *texts(7), near(1)])
    done("dedup", new, "--against", old, "--keep", "shortest-url", "-o", tmp_path / "out")
    # The earlier page stays, however long its address is.
    assert kept(tmp_path / "out") == ["doc-7"]


def test_survivors_are_added_and_count_the_next_time(tmp_path: Path, old: Path) -> None:
    done("clusters", old)
    assert (old / "clusters").exists()
    first = as_jsonl(tmp_path / "new.jsonl", [*texts(3, 10), near(10)])
    done("dedup", first, "--against", old, "--append-kept", "-o", tmp_path / "first")
    assert not (old / "clusters").exists()
    assert webecho.clusters(str(old), "exact").num_rows == 8
    (tmp_path / "next").mkdir()
    second = as_jsonl(tmp_path / "next" / "new.jsonl", [*texts(10, 11), near(2)])
    done("dedup", second, "--against", old, "--append-kept", "-o", tmp_path / "second")
    rows = duplicates(tmp_path / "second")
    assert kept(tmp_path / "second") == ["doc-11"]
    assert [(row["kept_url"], row["kept_page"]) for row in rows] == [
        ("http://www.example.org/10.html", 6),
        ("http://www.example.org/2.html", 1),
    ]


def test_an_appended_workspace_is_as_if_it_had_been_sketched(tmp_path: Path) -> None:
    a = as_jsonl(tmp_path / "a.jsonl", texts(1, 2))
    b = as_parquet(tmp_path / "b.parquet", [*texts(2, 3), near(3)])
    columns = ("--columns", "features,supershingles")
    done("sketch", a, "-o", tmp_path / "a.echo", *columns)
    shutil.copytree(tmp_path / "a.echo", tmp_path / "both.echo")
    done("sketch", b, "--append", "-o", tmp_path / "both.echo", *columns)
    done("dedup", b, "--against", tmp_path / "a.echo", "--append-kept", "-o", tmp_path / "out")
    one, two = (contents(tmp_path / name) for name in ("a.echo", "both.echo"))
    parts = [name for name in two if "part-" in name]
    assert {name: one[name] for name in parts} == {name: two[name] for name in parts}
    rows = webecho.pairs(str(tmp_path / "a.echo"))
    assert (
        rows["resemblance"].to_pylist()
        == webecho.pairs(str(tmp_path / "both.echo"))["resemblance"].to_pylist()
    )


def test_what_does_not_fit_is_refused_and_named(tmp_path: Path, old: Path) -> None:
    new = as_jsonl(tmp_path / "new.jsonl", texts(5))
    out = tmp_path / "out"
    result = run("dedup", new, "--against", old, "--recipe", "fetterly2004", "-o", out)
    assert result.exit_code == 1
    assert "--recipe webecho (version 2), not fetterly2004 (version 2)" in result.stderr
    result = run("dedup", tmp_path / "old.jsonl", "--against", old, "-o", out)
    assert (result.exit_code, "is in" in result.stderr) == (1, True)
    result = run("dedup", new, "--against", tmp_path / "nowhere.echo", "-o", out)
    assert "is no workspace" in result.stderr
    assert run("dedup", new, "--append-kept", "-o", tmp_path / "x").exit_code == 2
    # All of that is refused before any work.
    assert not out.exists()
    assert not (tmp_path / "out.echo").exists()


@pytest.mark.parametrize("option", [("--within", "host"), ("--link", "chain")])
def test_groups_and_chains_with_pages_that_were_removed(
    tmp_path: Path, old: Path, option: tuple[str, str]
) -> None:
    new = as_jsonl(tmp_path / "new.jsonl", [*texts(9), near(4), *texts(1)])
    done("dedup", new, "--against", old, *option, "-o", tmp_path / "out")
    assert kept(tmp_path / "out") == ["doc-9"]
    rows = pq.read_table(tmp_path / "out" / "clusters.parquet").to_pylist()
    assert [(row["cluster"], row["kept_in"]) for row in rows] == [
        (0, None),
        (3, str(old)),
        (0, str(old)),
    ]


def test_groups_by_a_column_must_be_known_of_both(tmp_path: Path) -> None:
    pages = [{"id": str(n), "text": " ".join(prose(1, 60)), "lang": "ab"[n % 2]} for n in range(3)]
    for name in ("old", "new"):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in pages))
    by = ("--by", "lang")
    done("dedup", tmp_path / "old.jsonl", *by, "-o", tmp_path / "old")
    done(
        "dedup",
        tmp_path / "new.jsonl",
        *by,
        "--against",
        tmp_path / "old.echo",
        "-o",
        tmp_path / "a",
    )
    assert [row["kept_page"] for row in duplicates(tmp_path / "a")] == [0, 1, 0]
    done("dedup", tmp_path / "old.jsonl", "-o", tmp_path / "plain")
    against = ("--against", tmp_path / "plain.echo")
    result = run("dedup", tmp_path / "new.jsonl", *by, *against, "-o", tmp_path / "b")
    assert (result.exit_code, "was not read with --by lang" in result.stderr) == (1, True)


def test_ids_of_another_type_are_added_as_they_can_be(tmp_path: Path, old: Path) -> None:
    rows = pa.table({"id": [7, 8], "html": [markup(prose(30, 50)), markup(prose(1, 204))]})
    pq.write_table(rows, tmp_path / "new.parquet")
    done(
        "dedup", tmp_path / "new.parquet", "--against", old, "--append-kept", "-o", tmp_path / "out"
    )
    (row,) = duplicates(tmp_path / "out")
    assert (row["id"], row["kept_id"]) == (8, "doc-1")
    assert webecho.clusters(str(old), "exact")["id"].to_pylist()[-2:] == ["7", "8"]


@pytest.mark.parametrize("step", ["remove_stale", "remember_locations", "save_removed"])
def test_an_append_that_was_killed_goes_on_and_is_not_done_twice(
    tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    from webecho.workspace import append as appending

    new = as_jsonl(tmp_path / "new.jsonl", texts(40, 41))
    out = tmp_path / "out"

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(appending, step, killed)
        result = run("dedup", new, "--against", old, "--append-kept", "-o", out)
        assert result.exit_code == 130
    written = contents(out)
    other = run("dedup", new, "--against", old, "--append-kept", "-o", out, "--link", "chain")
    assert (other.exit_code, "--force" in other.stderr) == (2, True)
    done("dedup", new, "--against", old, "--append-kept", "-o", out)
    assert contents(out) == written
    assert webecho.clusters(str(old), "exact").num_rows == 7
    grown = contents(old)
    result = done("dedup", new, "--against", old, "--append-kept", "-o", out)
    assert "written before; nothing is written again" in result.stderr
    assert (contents(out), contents(old)) == (written, grown)
    result = run("dedup", new, "--against", old, "--append-kept", "-o", out, "--force")
    assert (result.exit_code, "already" in result.stderr) == (1, True)
    assert kept(out) == ["doc-40", "doc-41"]


def test_tables_in_memory(old: Path) -> None:
    rows = pa.table({"html": [markup(prose(1, 204)), markup(prose(20, 204))], "n": [1, 2]})
    result = webecho.dedup(rows, against=str(old))
    assert result.kept["n"].to_pylist() == [2]
    assert result.duplicates["kept_in"].to_pylist() == [str(old)]


def test_a_revisit_of_the_earlier_collection_stands_for_nothing(tmp_path: Path) -> None:
    """It holds no content; what does is named, or if that was removed the new page stays."""
    text = markup(prose(1, 204)).encode()
    with WarcFile(tmp_path / "old.warc.gz") as old:
        old.revisit("http://x/1", Refers_To="<urn:uuid:old.warc.gz-2>")
        old.response("http://x/2", text)
    with WarcFile(tmp_path / "new.warc.gz") as new:
        new.response("http://x/3", text)
    columns = ("--columns", "features,supershingles")
    path = tmp_path / "old.echo"
    done("sketch", old.file, "-o", path, *columns)
    done("dedup", new.file, "--against", path, "-o", tmp_path / "one")
    assert [row["kept_url"] for row in duplicates(tmp_path / "one")] == ["http://x/2"]
    # As a dedup once left it that let the revisit stay.
    save_removed(Workspace.open(path), pa.array([1], pa.int64()))
    done("dedup", new.file, "--against", path, "-o", tmp_path / "two")
    assert duplicates(tmp_path / "two") == []


def test_append_kept_may_be_killed_at_every_rename_where_the_type_of_ids_changes(
    tmp_path: Path,
) -> None:
    """The old pages have no ids, the new ones numbers: the old parts are written anew, and get
    their names after the manifest is saved."""
    for name, seeds in (("old", (1, 2, 2)), ("new", (3, 2))):
        columns: dict[str, list[object]] = {"text": [" ".join(prose(seed, 204)) for seed in seeds]}
        if name == "new":
            columns["id"] = [7, 8]
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    done("dedup", tmp_path / "old.parquet", "-o", tmp_path / "old")
    shutil.copytree(tmp_path / "old.echo", tmp_path / "before.echo")
    old, out = tmp_path / "old.echo", tmp_path / "out"
    arguments = ("dedup", tmp_path / "new.parquet", "--against", old, "--append-kept", "-o", out)
    done(*arguments)
    expected = contents(old), contents(out)
    for number in range(1000):
        for each in (old, out, tmp_path / "out.echo"):
            shutil.rmtree(each)
        shutil.copytree(tmp_path / "before.echo", old)
        if not killed_at_rename(number, *arguments):
            break
        done(*arguments)
        assert (contents(old), contents(out)) == expected, f"killed at rename {number}"
        assert webecho.clusters(str(old), "exact")["id"].to_pylist() == [None, None, None, 7, 8]
    assert number > 10


def test_a_dedup_that_is_done_says_so(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", texts(1, 2, 2))
    done("dedup", file, "-o", tmp_path / "out")
    before = contents(tmp_path)
    second = done("dedup", file, "-o", tmp_path / "out")
    assert "what stays was written before; nothing is written again" in second.stderr
    assert contents(tmp_path).items() >= before.items() - run_files(before)
    # Of an input that is another now it is not done.
    as_jsonl(file, texts(1, 2, 3))
    changed = run("dedup", file, "-o", tmp_path / "out")
    assert (changed.exit_code, "has changed since it was sketched" in changed.stderr) == (1, True)


def run_files(found: dict[str, str]) -> set[tuple[str, str]]:
    return {(name, digest) for name, digest in found.items() if name.endswith("run.json")}


def test_three_dumps_are_done_whichever_command_is_given_again(tmp_path: Path) -> None:
    dumps = [as_jsonl(tmp_path / f"d{n}.jsonl", texts(n, 9, 9)) for n in range(3)]
    a = tmp_path / "a"
    further = ("--against", f"{a}.echo", "--append-kept")
    commands = [
        ("dedup", dumps[0], "-o", a, "--counts"),
        *(("dedup", dumps[n], *further, "-o", tmp_path / f"b{n}") for n in (1, 2)),
    ]
    for command in commands:
        done(*command)
    before = contents(tmp_path)
    for command in commands:
        second = done(*command)
        assert "what stays was written before; nothing is written again" in second.stderr
    assert contents(tmp_path).items() >= before.items() - run_files(before)
    # What is decided otherwise would be so among pages of the others too.
    other = run("dedup", dumps[0], "-o", a)
    assert (other.exit_code, "choose another -o" in other.stderr) == (2, True)


def test_force_forgets_nothing_that_was_added(tmp_path: Path, old: Path) -> None:
    new = as_jsonl(tmp_path / "new.jsonl", texts(9, 3))
    done("dedup", new, "--against", old, "--append-kept", "-o", tmp_path / "out")
    before = contents(tmp_path)
    for given in ("old.jsonl", "new.jsonl"):
        refused = run("dedup", tmp_path / given, "-o", tmp_path / "old", "--force")
        assert refused.exit_code == 2
        assert f"holds also what later dedups added to it ({new})" in " ".join(
            refused.stderr.split()
        )
    assert contents(tmp_path) == before


@pytest.mark.parametrize("engine", ["local", pytest.param("spark", marks=pytest.mark.spark)])
@pytest.mark.parametrize(
    "rule", [(), ("--rule", "overlap", "--chunk", "words:8:sliding", "--shared", 5)]
)
def test_only_what_the_earlier_collection_has_goes(
    tmp_path: Path, old: Path, engine: str, rule: tuple[object, ...]
) -> None:
    """Copies among the new pages stay, also those that are near to a page that goes."""
    if rule:
        done("sketch", tmp_path / "old.jsonl", "-o", tmp_path / "plain.echo")
        old = tmp_path / "plain.echo"
        done("clusters", old, *rule)
    new = as_jsonl(
        tmp_path / "new.jsonl", [*texts(9), near(2), *texts(3, 9), near(9), *texts(8, 3)]
    )
    out = tmp_path / "out"
    run_on = () if engine == "local" else ("--engine", engine)
    done("dedup", new, "--against", old, "--only-against", "-o", out, *rule, *run_on)
    assert kept(out) == ["doc-9", "doc-9", "doc-1009", "doc-8"]
    rows = duplicates(out)
    assert [(row["page"], row["kept_page"], row["kept_in"]) for row in rows] == [
        (1, 1, str(old)),
        (2, 2, str(old)),
        (6, 2, str(old)),
    ]
    assert run("verify", out).exit_code == 0


def test_only_against_needs_something_to_compare_with(tmp_path: Path, old: Path) -> None:
    new = as_jsonl(tmp_path / "new.jsonl", texts(9))
    alone = run("dedup", new, "--only-against", "-o", tmp_path / "out")
    assert (alone.exit_code, "--against; name one" in alone.stderr) == (2, True)
    chained = run("dedup", new, "--against", old, "--only-against", "--link", "chain")
    assert (chained.exit_code, "--link chain" in chained.stderr) == (2, True)
    found = webecho.dedup(["one text", "one text"], against=str(old), only_against=True)
    assert found.kept == ["one text", "one text"]
