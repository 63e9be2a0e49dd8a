"""Single pages: from files and streams, and out of collections by name."""

import gzip
from pathlib import Path

import pytest

from tests.collections_made import WarcFile, as_jsonl, as_parquet, as_warc, page, small_web
from webecho.errors import InputError
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.single import only_page, pages_named

OPTIONS = ReadOptions()


def read(given: str | Path | bytes) -> tuple[bytes, bool]:
    row = only_page(given, OPTIONS)
    assert row.num_rows == 1
    body = row["body"][0].as_py()
    return body if isinstance(body, bytes) else body.encode(), row["markup"][0].as_py()


@pytest.mark.parametrize(
    ("name", "content", "markup"),
    [
        ("a.html", b"plain words", True),
        ("a.txt", b"<p>not markup", False),
        ("a", b"\xef\xbb\xbf \n<p>markup", True),
        ("a.bin", b"just words", False),
        ("a.unknown", b"\xff\xfe<\0p\0>\0", True),
    ],
)
def test_files_are_read_by_their_endings_or_first_bytes(
    tmp_path: Path, name: str, content: bytes, markup: bool
) -> None:
    (tmp_path / name).write_bytes(content)
    assert read(tmp_path / name) == (content, markup)


def test_bytes_and_compressed_files(tmp_path: Path) -> None:
    assert read(b"<p>one") == (b"<p>one", True)
    assert read(b"") == (b"", False)
    for name in ("page.html.gz", "page"):
        (tmp_path / name).write_bytes(gzip.compress(b"<p>one"))
        assert read(tmp_path / name) == (b"<p>one", True)


def test_an_archive_of_one_page_is_that_page(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "one.warc.gz", [page(0, "<p>one")], requests=True)
    assert read(file) == (b"<p>one", True)


def test_what_is_not_one_page_names_the_fix(tmp_path: Path) -> None:
    several = as_jsonl(tmp_path / "pages.jsonl", small_web())
    with pytest.raises(
        InputError, match=r"more than one page; name two of them: webecho diff --in"
    ):
        only_page(several, OPTIONS)
    with WarcFile(tmp_path / "none.warc") as none:
        none.request("http://a.example/")
    with pytest.raises(InputError, match=r"none\.warc: holds no page"):
        only_page(tmp_path / "none.warc", OPTIONS)
    with pytest.raises(InputError, match="no such file or folder"):
        only_page(tmp_path / "nothing.html", OPTIONS)
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7 \0\1\2")
    with pytest.raises(InputError, match=r"a\.pdf: is neither HTML nor text; name its format"):
        only_page(tmp_path / "a.pdf", OPTIONS)
    (tmp_path / "cut").write_bytes(gzip.compress(b"<p>one")[:-9])
    with pytest.raises(InputError, match="cut: "):
        only_page(tmp_path / "cut", OPTIONS)


def numbers(file: Path, one: str, other: str) -> list[int]:
    found = pages_named(open_collection([str(file)], OPTIONS), one, other)
    return [number for number, _ in found]


def test_pages_by_url_id_and_number(tmp_path: Path) -> None:
    file = as_parquet(tmp_path / "pages.parquet", small_web(), rows=3)
    assert numbers(file, "http://a.example.org/0.html", "doc-15") == [0, 15]
    assert numbers(file, "#15", "4") == [15, 4]
    with pytest.raises(InputError, match=r"no page is called 'doc-16' among 16; .* below #16"):
        numbers(file, "doc-16", "doc-1")


def test_a_number_is_a_name_first(tmp_path: Path) -> None:
    pages = [page(number, f"<p>{number}") for number in range(5)]
    named = [type(each)(str(4 - number), each.url, each.html) for number, each in enumerate(pages)]
    file = as_jsonl(tmp_path / "pages.jsonl", named)
    assert numbers(file, "0", "#0") == [4, 0]


def test_one_name_twice_is_the_first_two(tmp_path: Path) -> None:
    pages = [page(number // 2, f"<p>{number}") for number in range(6)]
    file = as_jsonl(tmp_path / "pages.jsonl", pages)
    assert numbers(file, "doc-1", "doc-1") == [2, 3]
    assert numbers(file, "doc-1", "doc-0") == [2, 0]
    assert numbers(file, "#1", "#1") == [1, 1]


def test_a_revisit_has_no_content_of_its_own(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc") as warc:
        warc.response("http://a.example/", b"<p>one")
        warc.revisit("http://b.example/", Refers_To_Target_URI="http://a.example/")
        warc.revisit("http://a.example/", Refers_To_Target_URI="http://a.example/")
    with pytest.raises(InputError, match=r"http://b\.example/ is a revisit, .*: webecho why"):
        numbers(tmp_path / "a.warc", "http://a.example/", "http://b.example/")
    with pytest.raises(InputError, match=r"http://a\.example/ is a revisit"):
        numbers(tmp_path / "a.warc", "http://a.example/", "http://a.example/")
