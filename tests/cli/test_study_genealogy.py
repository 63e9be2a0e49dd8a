"""`webecho study genealogy` as a user sees it."""

from pathlib import Path

import pytest

from tests.command import contents, done
from tests.command import webecho as run
from tests.study.kin_reference import written

A, B = "abcdefghijklmnop", "qrstuvwxyzABCDEF"
URL = "http://{}.example/1".format
# Written in a workspace's place, nothing but times may differ.
TABLES = ("documents", "descendants", "counts", "content", "families", "left_out", "genealogy")


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    return written(tmp_path, [[(URL("a"), A), (URL("b"), B)], [(URL("b"), B), (URL("c"), A)]])


def test_what_is_written_and_printed(two: list[Path], tmp_path: Path) -> None:
    result = done("study", "genealogy", *two, "-o", tmp_path / "out")
    written_ = {file.stem for file in (tmp_path / "out").glob("*.parquet")}
    assert {*TABLES, "copied_sites", "copying_sites"} == written_
    assert "Tables 7 and 8. Parents, children and equivalents" in result.stdout
    assert "1 documents of shot0 are parents of 1 documents of shot1" in result.stdout
    assert "1 child at an address that shot0 does not have" in result.stdout


def test_the_same_bytes_again(two: list[Path], tmp_path: Path) -> None:
    for name in ("one", "other"):
        done("study", "genealogy", *two, "-o", tmp_path / name, "-q")
    assert contents(tmp_path / "one") == contents(tmp_path / "other")


def test_tables_that_are_missing_are_made(tmp_path: Path, two: list[Path]) -> None:
    assert len(two) == 2
    for number in (0, 1):
        source, out = tmp_path / f"shot{number}.parquet", tmp_path / f"bare{number}.echo"
        done("sketch", source, "-o", out, "--columns", "none", "-q")
    done(
        "study", "genealogy", tmp_path / "bare0.echo", tmp_path / "bare1.echo", "-o", tmp_path / "o"
    )
    for name in ("paragraphs", "sentences"):
        assert (tmp_path / "bare0.echo" / name).is_dir()


def test_wrong_use(two: list[Path], tmp_path: Path) -> None:
    out = ["-o", tmp_path / "out"]
    assert "two snapshots or more" in run("study", "genealogy", two[0], *out).stderr
    assert "give a folder" in run("study", "genealogy", *two).stderr
    result = run("study", "genealogy", *two, *out, "--sample", "some")
    assert result.exit_code == 2
    assert "some is no number of documents; give one, or all" in result.stderr
    assert run("study", "genealogy", *two, *out, "--sample", "all").exit_code == 0
