"""ARC files become WARC files in which every block is as it was."""

import gzip
import io
import uuid
from pathlib import Path
from typing import Any

import pytest
from warcio.archiveiterator import ArchiveIterator

from tests.read.archives import gzipped, http, saved
from tests.write.keeping import keep, opened, places_of
from webecho.read.warc import WarcSource

INFO = b"1 0 Nobody\nURL IP-address Archive-date Content-type Archive-length\n"


def arc(url: str, block: bytes, date: str = "20080430204825", length: int | None = None) -> bytes:
    size = len(block) if length is None else length
    return f"{url} 10.1.2.3 {date} text/html {size}\n".encode() + block + b"\n"


RECORDS = [
    b"filedesc://a.arc 0.0.0.0 20080430204820 text/plain %d\n" % len(INFO) + INFO + b"\n",
    arc("http://a/1", http(b"<p>one")),
    arc("http://a/2", http(b"<p>two\n\n")),
    arc("dns:a", b"20080430204825\na 60 IN A 10.1.2.3\n"),
    arc("http://a/3", b"<html>with no HTTP header at all"),
    arc("http://a/4", http(b"no date"), date="null"),
    arc("http://a/5", http(b"cut off")[:-3], length=len(http(b"cut off"))).rstrip(b"\n"),
]


def read(file: Path) -> list[dict[str, Any]]:
    """What warcio finds."""
    found = []
    with file.open("rb") as stream:
        for one in ArchiveIterator(stream, no_record_parse=True):
            headers = dict(one.rec_headers.headers)
            found.append(headers | {"block": one.raw_stream.read()})
    return found


@pytest.mark.parametrize("name", ["a.arc", "a.arc.gz"])
def test_each_record_has_its_block(tmp_path: Path, name: str) -> None:
    data = gzipped(*RECORDS) if name.endswith("gz") else b"".join(RECORDS)
    source = opened(saved(tmp_path, name, data))
    written = keep(source, tmp_path / "out" / name, lambda page: page == 1)
    assert written.file == tmp_path / "out" / name.replace(".arc", ".warc")
    assert written.bytes == written.file.stat().st_size
    assert not (tmp_path / "out" / name).exists()
    found = read(written.file)
    *rest, last = ((one["WARC-Type"], one.get("WARC-Target-URI"), one["block"]) for one in found)
    assert rest == [
        ("warcinfo", None, INFO),
        ("response", "http://a/1", http(b"<p>one")),
        ("resource", "dns:a", b"20080430204825\na 60 IN A 10.1.2.3\n"),
        ("resource", "http://a/3", b"<html>with no HTTP header at all"),
        ("response", "http://a/4", http(b"no date")),
    ]
    # A record that breaks off was no page, and does not become one.
    place = len(data) - len(gzipped(RECORDS[-1]) if name.endswith("gz") else RECORDS[-1])
    assert last == ("resource", f"urn:webecho:unreadable:{place}", RECORDS[-1])
    assert [one["WARC-Date"][11:19] for one in found] == [
        *("20:48:20", "20:48:25", "20:48:25", "20:48:25", "20:48:20", "00:00:00")
    ]
    assert found[1]["WARC-IP-Address"] == "10.1.2.3"
    assert found[1]["Content-Type"] == "application/http; msgtype=response"
    assert [one["Content-Type"] for one in found[2:4]] == ["text/html"] * 2
    place = places_of(source)[1][1]
    name = f"http://a/1 2008-04-30T20:48:25Z {place}"
    assert found[1]["WARC-Record-ID"] == f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>"
    again = keep(source, tmp_path / "again" / name.rpartition("/")[0], lambda page: page == 1)
    assert again.file.read_bytes() == written.file.read_bytes()


def test_none_and_all_removed(tmp_path: Path) -> None:
    sound = opened(saved(tmp_path, "sound.arc.gz", gzipped(*RECORDS[:-1])))
    assert len(read(keep(sound, tmp_path / "b.arc.gz").file)) == len(RECORDS) - 1
    # The last one is cut off: if nothing goes, the file is not made another.
    source = opened(saved(tmp_path, "a.arc.gz", gzipped(*RECORDS)))
    same = keep(source, tmp_path / "out" / "a.from-arc.arc.gz").file
    assert same == tmp_path / "out" / "a.arc.gz"
    assert same.read_bytes() == Path(source.name).read_bytes()
    left = read(keep(source, tmp_path / "c.arc.gz", lambda _: True).file)
    assert [one["WARC-Type"] for one in left] == ["warcinfo", "resource", "resource"]


def test_bytes_that_are_no_record_are_there(tmp_path: Path) -> None:
    stray = b"these are no records\n" * 3
    data = b"".join([*RECORDS[:2], stray, RECORDS[2]])
    written = keep(
        opened(saved(tmp_path, "a.arc", data)), tmp_path / "a.arc", lambda page: page == 0
    )
    found = read(written.file)
    assert [one["block"] for one in found] == [INFO, stray, http(b"<p>two\n\n")]
    at = len(RECORDS[0] + RECORDS[1])
    assert found[1]["WARC-Target-URI"] == f"urn:webecho:unreadable:{at}"


def test_a_file_that_nobody_can_read_keeps_its_name(tmp_path: Path) -> None:
    data = RECORDS[0].replace(b" %d\n" % len(INFO), b" -1\n") + arc("http://a/1", b"x", length=-1)
    written = keep(opened(saved(tmp_path, "a.arc", data)), tmp_path / "out" / "a.arc")
    assert written.file == tmp_path / "out" / "a.arc"
    assert written.file.read_bytes() == data


def test_a_file_that_is_compressed_as_a_whole_and_damaged(tmp_path: Path) -> None:
    packed = gzip.compress(b"".join(RECORDS) + RECORDS[1] * 1000)
    source = opened(saved(tmp_path, "a.arc.gz", packed[:-30]))
    written = keep(source, tmp_path / "b.arc.gz", lambda page: page == 0)
    assert read(written.file)[1]["WARC-Target-URI"] == "http://a/2"
    (lost,) = written.lost
    assert lost.startswith(f"{source.name}: at 0: truncated gzip")


@pytest.mark.data
def test_files_of_other_projects(data: Path, tmp_path: Path) -> None:
    """The pages are the same when they are read from the WARC files."""
    found = [file for file in sorted((data / "warcs").rglob("*.arc*")) if file.is_file()]
    for file in found:
        source = WarcSource(str(file))
        written = keep(source, tmp_path / file.name, lambda page: page == 0)
        if not places_of(source)[0]:
            assert written.file.read_bytes() == file.read_bytes()
            continue
        before, after = (
            [row for batch in each.batches() for row in batch.pages.to_pylist()]
            for each in (source, WarcSource(str(written.file)))
        )
        said = ("url", "ip", "markup", "charset", "body")
        for row in before + after:
            # With a length that is too large, it is not known whether the last line end is theirs.
            row["body"] = row["body"].rstrip()
        same = [[row[name] for name in said] for row in before[1:]]
        assert [[row[name] for name in said] for row in after] == same, file
        assert len(read(written.file)) == len(places_of(source)[1]) - len(written.lost) - 1
    assert len(found) > 5


def test_warcio_checks_it(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.arc.gz", gzipped(*RECORDS)))
    written = keep(source, tmp_path / "b.arc.gz", lambda page: page == 1)
    stream = io.BytesIO(written.file.read_bytes())
    one = next(each for each in ArchiveIterator(stream) if each.rec_type == "response")
    assert one.content_stream().read() == b"<p>one"


@pytest.mark.parametrize("kind", ["text/html", "text/html;charset=x", "no-type", 'text/plain"'])
@pytest.mark.parametrize(
    "start",
    ["HTTP/1.1 200 OK", "HTTP/1.1 9223372036854775808", "HTTP/1.x 200", "ICY 200", "http/1 200"],
)
def test_a_page_is_one_in_the_warc_file_too(tmp_path: Path, kind: str, start: str) -> None:
    block = f"{start}\r\nContent-Type: text/html\r\n\r\n<p>some words".encode()
    page = arc("http://a/1", block).replace(b"text/html", kind.encode(), 1)
    source = opened(saved(tmp_path, "a.arc", RECORDS[0] + page + RECORDS[2]))
    written = keep(source, tmp_path / "out" / "a.arc", lambda page: page == 1)

    def bodies(file: Any) -> list[bytes]:
        return [body for batch in file.batches() for body in batch.pages["body"].to_pylist()]

    first, _ = bodies(source)
    assert bodies(opened(written.file)) == [first]
