import io
import zipfile
from pathlib import Path

import pytest

from tests.read.archives import gzipped, record, response, saved
from tests.read.reading import check_again, everything
from webecho.errors import InputError
from webecho.formats.wacz import _Deflated
from webecho.read.wacz import WaczSource

ONE = response("http://a.example/1", b"<p>one</p>")
TWO = response("http://a.example/2", b"<p>two</p>")
THREE = response("http://a.example/3", b"<p>three</p>")
REQUEST = record("request", b"GET / HTTP/1.1\r\n\r\n")


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as packed:
        for name, content in members.items():
            packed.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_the_archives_of_a_wacz_in_the_order_of_their_names(tmp_path: Path, method: int) -> None:
    members = {
        "archive/b.warc.gz": gzipped(REQUEST, TWO),
        "archive/a.warc.gz": gzipped(ONE),
        "archive/c.warc": THREE,
        "indexes/index.cdx": b"no pages here",
        "datapackage.json": b"{}",
        "copy/a.warc.gz": gzipped(ONE),
    }
    source = WaczSource(saved(tmp_path, "a.wacz", zipped(members, method)))
    pages, skipped = everything(source)
    assert [(page["url"], page["place"]) for page in pages] == [
        ("http://a.example/1", 0),
        ("http://a.example/2", 2**42 + len(gzipped(REQUEST))),
        ("http://a.example/3", 2 * 2**42),
    ]
    assert [(one.reason, one.place) for one in skipped] == [("request", 2**42)]
    assert source.format == "wacz"
    check_again(source)


def test_a_damaged_archive_does_not_stop_the_others(tmp_path: Path) -> None:
    members = {"archive/a.warc.gz": gzipped(ONE)[:-20], "archive/b.warc.gz": gzipped(TWO)}
    source = WaczSource(saved(tmp_path, "a.wacz", zipped(members)))
    (page,), (failed,) = everything(source)
    assert page["url"] == "http://a.example/2"
    assert (failed.place, failed.reason, failed.failed) == (0, "truncated gzip", True)


def test_a_damaged_zip_member(tmp_path: Path) -> None:
    long = b"".join(response(f"http://a.example/{n}", b"%d" % n**9) for n in range(500))
    data = bytearray(zipped({"archive/a.warc": long, "archive/b.warc": TWO}, zipfile.ZIP_DEFLATED))
    at = len(data) // 2
    data[at : at + 40] = b"\xff" * 40
    source = WaczSource(saved(tmp_path, "a.wacz", bytes(data)))
    pages, skipped = everything(source)
    assert pages[0]["url"] == "http://a.example/0"
    assert pages[-1]["url"] == "http://a.example/2"
    assert [one.reason for one in skipped if one.failed][-1] == "corrupt zip"
    check_again(source)


@pytest.mark.parametrize(
    "data",
    [b"", b"no zip", zipped({}), zipped({"archive/a.warc": ONE})[:-30], zipped({"a.warc": ONE})],
)
def test_what_is_no_wacz(tmp_path: Path, data: bytes) -> None:
    source = WaczSource(saved(tmp_path, "a.wacz", data))
    pages, (failed,) = everything(source)
    assert (pages, failed.place, failed.reason, failed.failed) == ([], 0, "corrupt zip", True)
    with pytest.raises(InputError, match="no page at 5"):
        source.read([5])


@pytest.mark.parametrize("packed", [False, True])
def test_reading_again_in_many_calls_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    """A compressed archive that began at its front for each call would take quadratic time."""
    begun: list[int] = []
    begin = _Deflated._begin
    monkeypatch.setattr(_Deflated, "_begin", lambda self: (begun.append(1), begin(self))[1])
    records = [response(f"http://a.example/{n}", b"<p>%d</p>" % n) for n in range(200)]
    content = gzipped(*records) if packed else b"".join(records)
    name = "archive/a.warc.gz" if packed else "archive/a.warc"
    source = WaczSource(saved(tmp_path, "a.wacz", zipped({name: content}, zipfile.ZIP_DEFLATED)))
    pages, _ = everything(source)
    begun.clear()
    for page in pages:
        assert source.read([page["place"]])["url"].to_pylist() == [page["url"]]
    assert len(begun) < 10
