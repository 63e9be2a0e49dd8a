"""The longest page is a setting of a workspace: it does not follow the memory of later runs."""

import json
import shutil
from pathlib import Path

import pytest

from tests.command import contents, counts, done, manifest, webecho, write_manifest

LEAST, MORE = "260MB", "900MB"
# What 260MB allow, and 900MB too: (260,000,000 − 100 MiB) / 16.
LONGEST = (260_000_000 - (100 << 20)) // 16
OVER = "failed: too long for the memory"


def lines(path: Path, *lengths: int) -> Path:
    """Pages of so many bytes of text."""
    rows = (json.dumps({"text": "word " * (length // 5)}) for length in lengths)
    path.write_text("".join(f"{row}\n" for row in rows))
    return path


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A workspace that was begun with little memory, of a short page and one that is too long."""
    given = lines(tmp_path / "a.jsonl", 100, LONGEST + 100)
    done("sketch", given, "-o", tmp_path / "w.echo", "--memory", LEAST)
    return tmp_path / "w.echo"


def test_it_is_recorded_when_a_workspace_is_begun(begun: Path) -> None:
    assert manifest(begun)["longest_page"] == LONGEST
    assert counts(begun)[OVER] == 1
    assert counts(begun)["pages"] == 1


def test_without_a_memory_there_is_none(tmp_path: Path) -> None:
    done("sketch", lines(tmp_path / "a.jsonl", 100), "-o", tmp_path / "w.echo")
    assert "longest_page" not in manifest(tmp_path / "w.echo")


@pytest.mark.parametrize("memory", [(), ("--memory", MORE)])
def test_more_memory_appends_by_the_same(begun: Path, memory: tuple[str, ...]) -> None:
    more = lines(begun.parent / "b.jsonl", LONGEST + 100, 200)
    done("sketch", more, "-o", begun, "--append", *memory)
    both = begun.parent / "both.echo"
    done("sketch", begun.parent / "a.jsonl", more, "-o", both, "--memory", LEAST)
    assert contents(begun) == contents(both)
    assert counts(begun)[OVER] == 2


@pytest.mark.parametrize("memory", [(), ("--memory", MORE)])
def test_a_run_that_goes_on_ends_with_the_same_bytes(begun: Path, memory: tuple[str, ...]) -> None:
    expected = contents(begun)
    found = manifest(begun)
    write_manifest(begun, found | {"parts": [], "complete": False})
    done("sketch", begun.parent / "a.jsonl", "-o", begun, *memory)
    assert contents(begun) == expected


def test_less_memory_is_refused_with_what_is_enough(tmp_path: Path) -> None:
    first, second = (lines(tmp_path / f"{name}.jsonl", 100) for name in "ab")
    done("sketch", first, "-o", tmp_path / "w.echo", "--memory", MORE)
    before = contents(tmp_path / "w.echo")
    ended = webecho(
        *("sketch", second, "-o", tmp_path / "w.echo", "--append", "--memory", LEAST),
    )
    assert ended.exit_code == 1
    (line,) = ended.stderr.strip().splitlines()
    assert "pages of up to 49,696,400 bytes" in line
    assert "--memory 900MB" in line
    assert contents(tmp_path / "w.echo") == before


def test_a_dedup_goes_on_by_the_same(tmp_path: Path) -> None:
    given = lines(tmp_path / "a.jsonl", 100, LONGEST + 100, 150)
    done("dedup", given, "-o", tmp_path / "out", "--memory", LEAST)
    expected = contents(tmp_path / "out.echo")
    shutil.rmtree(tmp_path / "out")
    done("dedup", given, "-o", tmp_path / "out", "--memory", MORE)
    assert contents(tmp_path / "out.echo") == expected


def test_what_a_dedup_replaces_may_have_been_begun_with_another_memory(tmp_path: Path) -> None:
    given = lines(tmp_path / "a.jsonl", 100, LONGEST + 100, 150)
    done("dedup", given, "-o", tmp_path / "out", "--memory", MORE)
    assert counts(tmp_path / "out.echo")["pages"] == 3
    done("dedup", given, "-o", tmp_path / "out", "--memory", LEAST, "--force")
    assert manifest(tmp_path / "out.echo")["longest_page"] == LONGEST
    assert counts(tmp_path / "out.echo")["pages"] == 2


def test_what_is_kept_is_added_by_the_same(begun: Path) -> None:
    more = lines(begun.parent / "b.jsonl", LONGEST + 100, 200)
    out, columns = begun.parent / "out", ("--columns", "features,supershingles")
    old = begun.parent / "old.echo"
    done("sketch", begun.parent / "a.jsonl", "-o", old, "--memory", LEAST, *columns)
    added = ("--against", old, "--append-kept", "--memory", MORE)
    done("dedup", more, "-o", out, *added)
    assert manifest(begun.parent / "out.echo")["longest_page"] == LONGEST
    assert counts(old)[OVER] == 2


def test_what_was_begun_without_a_memory_goes_on_without_one(tmp_path: Path) -> None:
    done("sketch", lines(tmp_path / "a.jsonl", 100), "-o", tmp_path / "w.echo")
    more = lines(tmp_path / "b.jsonl", 200)
    result = webecho("sketch", more, "-o", tmp_path / "w.echo", "--append", "--memory", "2GB")
    assert result.exit_code == 1
    assert result.stderr.endswith(" or more, or leave it out, as when that was begun\n")
