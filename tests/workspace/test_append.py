"""`sketch A B` equals `sketch A` and then `sketch --append B`, byte for byte."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import (
    WarcFile,
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_warc,
    many_pages,
    small_web,
)
from tests.command import contents, counts, done, manifest, webecho, write_manifest
from webecho import pairs, sketch


def parquet(folder: Path) -> list[Path]:
    web = many_pages(30)
    return [as_parquet(folder / "a.parquet", web[:11]), as_parquet(folder / "b.parquet", web[11:])]


def three_formats(folder: Path) -> list[Path]:
    web = many_pages(40)
    return [
        as_warc(folder / "a.warc.gz", web[:10], requests=True),
        as_jsonl(folder / "b.jsonl", web[10:20], {0: "broken", 4: "{", 9: "[]"}),
        as_csv(folder / "c.csv", web[20:24]),
        as_folder(folder / "d", web[24:31]),
        as_parquet(folder / "e.parquet", web[31:]),
    ]


def exact_multiples(folder: Path) -> list[Path]:
    """The inputs end just where a part does."""
    web = many_pages(20)
    return [as_jsonl(folder / "a.jsonl", web[:10]), as_jsonl(folder / "b.jsonl", web[10:])]


def nothing_in_one(folder: Path) -> list[Path]:
    with WarcFile(folder / "b.warc") as warc:
        warc.request("http://a.example.org/")
    web = many_pages(12)
    return [
        as_jsonl(folder / "a.jsonl", web[:7]),
        warc.file,
        as_jsonl(folder / "c.jsonl", web[7:]),
    ]


def same_bytes(folder: Path) -> list[Path]:
    """Two files with the same content are two inputs."""
    a = as_jsonl(folder / "a.jsonl", small_web())
    return [a, Path(shutil.copy(a, folder / "b.jsonl"))]


@pytest.mark.parametrize(
    "made", [parquet, three_formats, exact_multiples, nothing_in_one, same_bytes]
)
def test_one_run_equals_many_appends(tmp_path: Path, made: Callable[[Path], list[Path]]) -> None:
    inputs = made(tmp_path)
    settings = ("--part-pages", 5, "--keep-shingles")
    together, apart = tmp_path / "together.echo", tmp_path / "apart.echo"
    done("sketch", *inputs, "-o", together, *settings)
    done("sketch", inputs[0], "-o", apart, *settings)
    for each in inputs[1:]:
        done("sketch", each, "-o", apart, "--append", *settings)
    assert contents(apart) == contents(together)


def test_several_inputs_can_be_appended_at_once(tmp_path: Path) -> None:
    a, b, *rest = three_formats(tmp_path)
    done("sketch", a, b, *rest, "-o", tmp_path / "together.echo")
    done("sketch", a, b, "-o", tmp_path / "apart.echo")
    done("sketch", *rest, "-o", tmp_path / "apart.echo", "--append")
    assert contents(tmp_path / "apart.echo") == contents(tmp_path / "together.echo")


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A workspace of `a.jsonl`, with `b.jsonl` beside it that could be appended."""
    as_jsonl(tmp_path / "a.jsonl", small_web())
    as_jsonl(tmp_path / "b.jsonl", many_pages(20))
    done("sketch", tmp_path / "a.jsonl", "-o", tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def refused(crawl: Path, *arguments: object) -> str:
    """The message with which a command fails that must leave the workspace alone."""
    before = contents(crawl)
    result = webecho("sketch", *arguments, "-o", crawl, "--quiet")
    assert result.exit_code == 1, result.stdout
    assert result.stdout == ""
    assert contents(crawl) == before
    return result.stderr


def test_what_is_there_already_is_not_appended_again(crawl: Path) -> None:
    a, b = crawl.parent / "a.jsonl", crawl.parent / "b.jsonl"
    already = f"webecho: {a} is in {crawl} already; nothing was appended\n"
    assert refused(crawl, a, "--append") == already
    assert refused(crawl, b, a, "--append") == already
    done("sketch", b, "-o", crawl, "--append")
    assert refused(crawl, a, "--append") == already
    assert refused(crawl, a, b, "--append") == already


def test_the_last_append_may_be_given_again(crawl: Path) -> None:
    """It may have been killed at its very end; then nothing is left to do."""
    arguments = ("sketch", crawl.parent / "b.jsonl", "-o", crawl, "--append")
    done(*arguments)
    before = contents(crawl)
    done(*arguments)
    assert contents(crawl) == before
    assert counts(crawl)["pages"] == 36


@pytest.mark.parametrize(
    ("option", "name"),
    [
        (("--recipe", "fetterly2004"), "recipe"),
        (("--columns", "features"), "columns"),
        (("--keep-shingles",), "keep_shingles"),
        (("--part-pages", 7), "part_pages"),
    ],
)
def test_other_settings_are_refused(crawl: Path, option: tuple[object, ...], name: str) -> None:
    for arguments in (("b.jsonl", "--append"), ("a.jsonl",)):
        message = refused(crawl, crawl.parent / arguments[0], *arguments[1:], *option)
        assert message.startswith(f"webecho: {crawl} was made with --{name.replace('_', '-')} ")
        assert message.endswith("; give the same settings, or another -o\n")


def test_other_inputs_are_refused_without_append(crawl: Path) -> None:
    a, b = crawl.parent / "a.jsonl", crawl.parent / "b.jsonl"
    for inputs in ((b,), (a, b), (b, a)):
        message = refused(crawl, *inputs)
        assert f"{crawl} holds other inputs ({a} …)" in message
        assert "remove it, choose another -o, or sketch into it with --append" in message
    # Nor is it told before that nothing is to be done.
    assert "is complete" not in webecho("sketch", b, "-o", crawl).stderr


@pytest.mark.parametrize(
    "option", [("--text", "html"), ("--id", "url"), ("--status", 404), ("--type", "text/html")]
)
def test_the_same_input_read_in_another_way_is_refused(crawl: Path, option: tuple[object]) -> None:
    message = refused(crawl, crawl.parent / "a.jsonl", *option)
    assert "the same read in another way" in message
    assert "choose another -o" in message


def test_a_changed_source_is_refused(crawl: Path) -> None:
    a = crawl.parent / "a.jsonl"
    a.write_text(a.read_text().replace("two words", "new words"))
    assert refused(crawl, a) == (
        f"webecho: {a} has changed since it was sketched; sketch it again into a new workspace\n"
    )


def test_a_changed_folder_is_refused(tmp_path: Path) -> None:
    folder = as_folder(tmp_path / "pages", small_web())
    done("sketch", folder, "-o", tmp_path / "w.echo")
    (folder / "00003.html").write_text("changed")
    assert "has changed since it was sketched" in refused(tmp_path / "w.echo", folder)
    (folder / "00003.html").unlink()
    assert "sketch" in refused(tmp_path / "w.echo", folder)


def test_the_same_command_again_only_tells_the_counts_again(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl.echo"
    arguments = ("sketch", as_jsonl(tmp_path / "a.jsonl", small_web()), "-o", crawl)
    first = done(*arguments)
    before = contents(crawl)
    again = done(*arguments)
    assert "pages                 16\n" in again.stdout
    assert again.stdout == first.stdout
    assert f"{crawl} is complete; nothing is sketched again\n" in again.stderr
    assert contents(crawl) == before


def test_only_a_workspace_can_be_appended_to(tmp_path: Path) -> None:
    a = as_jsonl(tmp_path / "a.jsonl", small_web())
    result = webecho("sketch", a, "-o", tmp_path / "new.echo", "--append", "--quiet")
    assert result.exit_code == 1
    new = tmp_path / "new.echo"
    assert result.stderr == f"webecho: {new} is no workspace to append to; leave out --append\n"
    assert not new.exists()


def test_an_unfinished_workspace_is_not_appended_to(crawl: Path) -> None:
    write_manifest(crawl, manifest(crawl) | {"complete": False})
    message = refused(crawl, crawl.parent / "b.jsonl", "--append")
    assert "is not finished; first run the command that began it again" in message


def test_a_second_stream_is_appended_not_taken_for_the_first(tmp_path: Path) -> None:
    a = as_jsonl(tmp_path / "a.jsonl", small_web())
    b = as_jsonl(tmp_path / "b.jsonl", many_pages(20))
    crawl = tmp_path / "crawl.echo"
    done("sketch", "-", "-o", crawl, stdin=a.read_bytes())
    done("sketch", "-", "-o", crawl, "--append", stdin=b.read_bytes())
    assert counts(crawl)["pages"] == 36


def test_another_stream_is_not_taken_for_the_first(tmp_path: Path) -> None:
    """Nothing is lost silently: a stream that was not read is an error."""
    a = as_jsonl(tmp_path / "a.jsonl", small_web())
    b = as_jsonl(tmp_path / "b.jsonl", many_pages(20))
    crawl = tmp_path / "crawl.echo"
    done("sketch", "-", "-o", crawl, stdin=a.read_bytes())
    result = webecho("sketch", "-", "-o", crawl, stdin=b.read_bytes())
    assert result.exit_code == 1
    assert "remove it, choose another -o, or sketch into it with --append" in result.stderr
    assert counts(crawl)["pages"] == 16


def test_tables_are_appended_one_after_the_other(tmp_path: Path) -> None:
    one = pa.table({"text": ["one page", "two pages"], "id": ["a", "b"]})
    two = pa.table({"text": ["two pages", "three pages"], "id": ["c", "d"]})
    sketch(one, tmp_path / "w.echo")
    apart = sketch(two, tmp_path / "w.echo", append=True)
    assert apart.drop_columns("source").equals(sketch([one, two]).drop_columns("source"))
    found = pairs(str(tmp_path / "w.echo"), "exact").to_pylist()
    assert [(row["left_id"], row["right_id"]) for row in found] == [("b", "c")]


def test_pages_of_several_folders_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`index.html` may be in each; a page of the first is called as if it were the only one."""
    monkeypatch.chdir(tmp_path)
    for folder in ("old", "new", "deep/a"):
        Path(folder).mkdir(parents=True)
        Path(folder, "index.html").write_text("<p>a page")
    Path("one.html").write_text("<p>a page")
    inputs = ("old", "new/", "deep/*", "one.html")
    expected = ["index.html", "new/index.html", "deep/a/index.html", "one.html"]
    found = sketch(inputs)
    assert found["url"].to_pylist() == found["id"].to_pylist() == expected
    assert found["host"].to_pylist() == [None] * 4
    assert sketch("new")["url"].to_pylist() == ["index.html"]
    done("sketch", *inputs, "-o", "together.echo")
    done("sketch", inputs[0], "-o", "apart.echo")
    for each in inputs[1:]:
        done("sketch", each, "-o", "apart.echo", "--append")
    assert contents(Path("apart.echo")) == contents(Path("together.echo"))
