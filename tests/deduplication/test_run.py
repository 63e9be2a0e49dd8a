"""A dedup from end to end: the same bytes whatever happens, and nothing of anybody's is lost."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import (
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_warc,
    many_pages,
    prose,
    small_web,
)
from tests.command import contents, done, started
from tests.command import webecho as run
from tests.deduplication.results import check_tables, summary
from tests.workspace.test_resume import killed_at_rename
from webecho.api.dedup import DedupRequest, FolderRequest, run_into_folder
from webecho.api.runs import as_run
from webecho.errors import ChangedError, WebechoError
from webecho.run import Progress


def test_odd_collections(tmp_path: Path) -> None:
    """Only copies, one page, null bodies, repeated ids, no value to keep by."""
    text = " ".join(prose(1, 30))
    rows = [
        {"id": "same", "text": text, "score": None},
        {"id": "same", "text": text, "score": None},
        {"id": "same", "text": text, "score": 7},
    ]
    for count, kept in ((3, [2]), (1, [0])):
        file = tmp_path / f"{count}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows[:count]))
        out = tmp_path / f"out-{count}"
        done("dedup", file, "--keep", "max:score", "-o", out)
        lines = file.read_bytes().splitlines(keepends=True)
        assert (out / "data" / file.name).read_bytes() == b"".join(lines[row] for row in kept)
    nulls = pa.table({"text": pa.array([None, "", None], pa.string())})
    result = webecho.dedup(nulls)
    assert result.kept == nulls
    assert result.summary["counts"]["kept, not compared"] == 3
    empty = nulls.slice(0, 0)
    assert webecho.dedup(empty).kept == empty


def test_an_empty_input_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    result = run("dedup", tmp_path / "empty.jsonl", "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "empty.jsonl: is empty" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.jsonl"]


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    out = tmp_path / "out"
    done("dedup", file, "-o", out)
    result = run("dedup", file, "--rule", "exact", "-o", out)
    assert (result.exit_code, "--force" in result.stderr) == (2, True)
    check_tables(out)
    done("dedup", file, "--rule", "exact", "-o", out, "--force")
    assert summary(out)["counts"]["removed, near"] == 0
    other = tmp_path / "mine"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    result = run("dedup", file, "-o", other, "--force")
    assert (result.exit_code, "no dedup wrote it" in result.stderr) == (2, True)
    assert (other / "letter.txt").read_text() == "dear"


def test_force_replaces_a_dedup_of_other_inputs_and_what_a_kill_left(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done("dedup", as_jsonl(tmp_path / "a.jsonl", small_web()), "-o", out)
    (tmp_path / ".out.old").mkdir()
    (tmp_path / ".out.old" / "left").touch()
    other = as_jsonl(tmp_path / "b.jsonl", many_pages(20))
    done("dedup", other, "-o", out, "--force")
    assert summary(out)["counts"]["read"] == 20
    done("dedup", "-", "-o", out, "--force", stdin=other.read_bytes())
    done(
        "dedup",
        "-",
        "-o",
        out,
        "--force",
        stdin=as_jsonl(tmp_path / "c.jsonl", many_pages(9)).read_bytes(),
    )
    assert summary(out)["counts"]["read"] == 9
    assert not (tmp_path / ".out.old").exists()


def test_force_removes_no_labels(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    other = as_jsonl(tmp_path / "b.jsonl", many_pages(20))
    out, labels = tmp_path / "out", tmp_path / "out.echo" / "labels" / "labels.jsonl"
    done("dedup", file, "-o", out)
    labels.parent.mkdir()
    labels.write_text('{"left": 0, "right": 1, "label": "correct", "labeller": "ada"}\n')
    said = labels.read_bytes()
    result = run("dedup", other, "-o", out, "--force")
    assert result.exit_code == 1
    assert f"{labels.parent} holds labels of other inputs" in result.stderr
    assert labels.read_bytes() == said
    # Those of the same inputs stay with their pages.
    done("dedup", file, "-o", out, "--force", "--rule", "exact")
    assert labels.read_bytes() == said
    # Neither is anything lost that somebody put into the output.
    (out / "labels.jsonl").write_bytes(said)
    result = run("dedup", file, "-o", out, "--force")
    assert (result.exit_code, "labels.jsonl is no dedup's" in result.stderr) == (2, True)
    assert (out / "labels.jsonl").read_bytes() == said


def test_force_removes_no_workspace_that_is_not_a_dedups(tmp_path: Path) -> None:
    done("sketch", as_jsonl(tmp_path / "a.jsonl", small_web()), "-o", tmp_path / "out.echo")
    before = contents(tmp_path / "out.echo")
    other = as_jsonl(tmp_path / "b.jsonl", many_pages(5))
    assert run("dedup", other, "-o", tmp_path / "out", "--force").exit_code == 1
    assert contents(tmp_path / "out.echo") == before


def test_the_same_bytes_with_one_and_two_threads(tmp_path: Path) -> None:
    for name, write in (("a.warc.gz", as_warc), ("b.parquet", as_parquet), ("c.jsonl", as_jsonl)):
        file = write(tmp_path / name, many_pages(120))
        for threads in (1, 2):
            done("dedup", file, "-o", tmp_path / f"{name}-{threads}", "--threads", threads)
        assert contents(tmp_path / f"{name}-1") == contents(tmp_path / f"{name}-2")


def test_killed_at_some_renames_and_run_again(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "web.warc.gz", many_pages(40))
    done("dedup", file, "-o", tmp_path / "whole")
    expected = contents(tmp_path / "whole")
    for number in (0, 4, 9):
        out = tmp_path / f"killed-{number}"
        assert killed_at_rename(number, "dedup", file, "-o", out, "--quiet")
        assert not out.exists()
        done("dedup", file, "-o", out)
        assert contents(out) == expected
        assert contents(out.with_name(f"{out.name}.echo")) == contents(tmp_path / "whole.echo")


@pytest.mark.soak
def test_killed_at_twenty_random_points(tmp_path: Path) -> None:
    import random
    import time

    file = as_warc(tmp_path / "web.warc.gz", many_pages(4_000))
    begun = time.monotonic()
    done("dedup", file, "-o", tmp_path / "whole")
    took = time.monotonic() - begun
    chance = random.Random(1)
    out = tmp_path / "out"
    for _ in range(20):
        for path in (out, tmp_path / "out.echo"):
            shutil.rmtree(path, ignore_errors=True)
        child = started("dedup", file, "-o", out)
        time.sleep(chance.uniform(0, took + 1.5))
        child.kill()
        child.wait()
        if not out.exists():
            done("dedup", file, "-o", out)
        assert contents(out) == contents(tmp_path / "whole")


def test_two_dedups_do_not_write_at_once(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    out = tmp_path / "out"
    tried: list[int] = []

    def meanwhile(now: Progress) -> None:
        if now.phase == "writing":
            # A second run, while the first one writes.
            result = run("dedup", file, "-o", out, "--force")
            tried.append(result.exit_code)
            assert "another process is writing" in result.stderr

    request = FolderRequest(DedupRequest((str(file),)), out)
    run_into_folder(request, as_run(report=meanwhile))
    assert tried == [1]
    check_tables(out)


def replaced(file: Path) -> None:
    """Another file takes its place."""
    other = as_jsonl(file.with_name("other"), small_web()[3:])
    other.replace(file)


def appended(file: Path) -> None:
    with file.open("ab") as end:
        end.write(b'{"id": "new", "html": "<p>a page that came later"}\n')


def truncated(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


COLLECTIONS = {
    "jsonl": lambda file: as_jsonl(file, small_web()),
    "parquet": lambda file: as_parquet(file, small_web()),
    "csv": lambda file: as_csv(file, small_web()),
    "warc.gz": lambda file: as_warc(file, small_web()),
}


def changed_at(phase: str, given: Path, write: Callable[[], object], out: Path) -> str:
    """What a dedup says if this is done when it begins the phase."""
    seen: list[str] = []

    def report(now: Progress) -> None:
        if now.phase == phase and not seen:
            seen.append(phase)
            write()

    request = FolderRequest(DedupRequest((str(given),)), out)
    with pytest.raises(WebechoError) as error:
        run_into_folder(request, as_run(1, report=report))
    assert seen == [phase]
    return str(error.value)


@pytest.mark.parametrize("phase", ["reading", "comparing", "writing"])
@pytest.mark.parametrize("write", [replaced, appended, truncated])
@pytest.mark.parametrize("form", COLLECTIONS)
def test_an_input_that_changes_meanwhile(
    tmp_path: Path, form: str, write: Callable[[Path], None], phase: str
) -> None:
    file = COLLECTIONS[form](tmp_path / f"web.{form}")
    said = changed_at(phase, file, lambda: write(file), tmp_path / "out")
    assert str(file) in said
    assert not (tmp_path / "out").exists()
    if phase == "reading":
        # Nothing stays of it, and the same command does what it does to the new file.
        assert f"{file} has changed while it was read; nothing was written" in said
        assert not (tmp_path / "out.echo/manifest.json").exists()
        if form == "jsonl":
            done("dedup", file, "-o", tmp_path / "out")


@pytest.mark.parametrize("phase", ["reading", "comparing", "writing"])
def test_a_file_of_a_folder_that_changes_or_goes_meanwhile(tmp_path: Path, phase: str) -> None:
    folder = as_folder(tmp_path / "web", small_web())
    page = folder / "00015.html"
    said = changed_at(phase, folder, lambda: page.write_text("<p>other"), tmp_path / "out")
    assert f"{page} has changed while it was read" in said
    assert not (tmp_path / "out").exists()
    shutil.rmtree(tmp_path / "out.echo")
    said = changed_at(phase, folder, page.unlink, tmp_path / "out")
    assert str(page) in said
    assert not (tmp_path / "out").exists()


def test_what_was_there_before_an_append_stays(tmp_path: Path) -> None:
    one, two = (as_jsonl(tmp_path / name, small_web()) for name in ("1.jsonl", "2.jsonl"))
    done("sketch", one, "-o", tmp_path / "w.echo")
    before = contents(tmp_path / "w.echo")
    with pytest.raises(ChangedError, match=r"2\.jsonl has changed"):
        webecho.sketch(
            two, tmp_path / "w.echo", append=True, report=lambda _: appended(two), threads=1
        )
    assert contents(tmp_path / "w.echo") == before
    done("sketch", two, "-o", tmp_path / "w.echo", "--append")
