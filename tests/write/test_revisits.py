"""Exact copies become revisit records that others read."""

import base64
import gzip
import hashlib
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

import webecho
from tests.read.archives import gzipped, http
from tests.write.keeping import unpacked
from tests.write.revisited import BODY, FILES, page, replaced


def test_what_a_revisit_says(tmp_path: Path) -> None:
    written = replaced(tmp_path, FILES)["b.warc.gz"]
    first, second = unpacked(written.file.read_bytes())
    head = http(BODY)[: -len(BODY)]
    sha1 = base64.b32encode(hashlib.sha1(head).digest())
    assert first == (
        b"WARC/1.1\r\n"
        b"Content-Length: %d\r\n"
        b"WARC-Record-ID:<urn:uuid:00000004>\r\n"
        b"X-Odd :\tyes: and no \r\n"
        b"WARC-Type: revisit\r\n"
        b"WARC-Target-URI: <http://a/4>\r\n"
        b"WARC-Block-Digest: sha1:%b\r\n"
        b"WARC-Date: 2020-01-31T23:59:58.123456Z\r\n"
        b"WARC-Payload-Digest: sha1:ABC\r\n"
        b"Content-Type: application/http; msgtype=response\r\n"
        b"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
        b"WARC-Refers-To: <urn:uuid:00000001>\r\n"
        b"WARC-Refers-To-Target-URI: http://a/1\r\n"
        b"WARC-Refers-To-Date: 2020-01-31T23:59:58Z\r\n"
        b"Webecho-Was: content-length:%d  \r\n"
        b"Webecho-Was: WARC-TYPE:   Response\r\n"
        b"Webecho-Was: warc-block-digest: md5:0123\r\n"
        b"Webecho-Body: sha256:%b"
        b"\r\n\r\n%b\r\n\r\n"
    ) % (len(head), sha1, len(http(BODY)), hashlib.sha256(BODY).hexdigest().encode(), head)
    assert b"warc/1.0/revisit/identical-payload-digest\r\n" in second
    assert second.count(b"WARC-Payload-Digest: sha1:") == 1


def test_others_read_them(tmp_path: Path) -> None:
    written = replaced(tmp_path, FILES)["a.warc.gz"]
    with written.file.open("rb") as file:
        kinds = []
        for one in ArchiveIterator(file, check_digests="raise"):
            kinds.append(one.rec_type)
            if one.rec_type == "revisit":
                assert one.rec_headers["WARC-Refers-To"] == "<urn:uuid:00000001>"
                assert one.http_headers.get_statuscode() == "200"
                assert one.content_stream().read() == b""
    assert kinds == ["warcinfo", "response", "revisit", "request", "revisit"]
    with written.file.open("rb") as file:
        found = [one.record_type for one in FastIterator(file)]
    assert found.count(WarcRecordType.revisit) == 2
    table = webecho.sketch([written.file])
    assert table["revisit_of"].to_pylist() == [None, 0, 0]
    assert len(set(table["digest"].to_pylist())) == 1


@pytest.mark.parametrize(
    "copy",
    [
        page(2, http(BODY + b" ")),
        page(2, http(gzip.compress(BODY), content_encoding="gzip")),
        page(2, http(BODY), eol="\n"),
        page(2, http(BODY)) + b"\r\n",
        page(2, http(BODY)).replace(b"\r\nWARC-Ip", b"\r\n folded\r\nWARC-Ip"),
        page(2, http(BODY), profile="own"),
        page(1, http(BODY, server="another")),
        page(2, http(BODY).replace(b"\r\n\r\n", b"\n\n", 1)),
    ],
)
def test_a_copy_that_cannot_be_brought_back_is_kept(tmp_path: Path, copy: bytes) -> None:
    files = {"a.warc.gz": [page(1, http(BODY)), copy, page(3, http(BODY))]}
    written = replaced(tmp_path, files)["a.warc.gz"]
    first, second, third = unpacked(written.file.read_bytes())
    assert [first, second] == files["a.warc.gz"][:2]
    assert b"revisit" in third
    place = len(gzipped(files["a.warc.gz"][0]))
    assert (written.revisits, written.in_full, written.left_out) == (1, (place,), 1)


def test_the_very_record_that_stays_needs_no_revisit(tmp_path: Path) -> None:
    files = {"a.warc.gz": [page(1, http(BODY)), page(1, http(BODY))]}
    written = replaced(tmp_path, files)["a.warc.gz"]
    assert unpacked(written.file.read_bytes()) == files["a.warc.gz"][:1]
    assert (written.revisits, written.repeated, written.in_full) == (0, 1, ())


def test_an_original_without_an_id_cannot_be_referred_to(tmp_path: Path) -> None:
    first = page(1, http(BODY)).replace(b"WARC-Record-Id", b"X-Record-Id")
    files = {"a.warc.gz": [first, page(2, http(BODY))]}
    written = replaced(tmp_path, files)["a.warc.gz"]
    assert unpacked(written.file.read_bytes()) == files["a.warc.gz"]
    assert (written.revisits, len(written.in_full)) == (0, 1)


def test_a_copy_that_is_a_revisit_already_stays(tmp_path: Path) -> None:
    written = replaced(tmp_path, FILES)
    files = {"c.warc.gz": unpacked(written["a.warc.gz"].file.read_bytes())}
    again = replaced(tmp_path, files)["c.warc.gz"]
    assert again.revisits == 2
    assert again.file.read_bytes() == (tmp_path / "c.warc.gz").read_bytes()


def test_the_address_of_the_original_has_no_brackets(tmp_path: Path) -> None:
    """As wget writes those of records: in them the standard has ids alone."""
    original = page(1, http(BODY)).replace(b"http://a/1", b"<http://a/1>")
    (tmp_path / "a.warc.gz").write_bytes(gzipped(original, page(2, http(BODY))))
    webecho.dedup(tmp_path / "a.warc.gz", tmp_path / "out", rule="payload", revisit=True)
    kept, revisit = unpacked((tmp_path / "out" / "data" / "a.warc.gz").read_bytes())
    assert kept == original
    assert b"\r\nWARC-Refers-To-Target-URI: http://a/1\r\n" in revisit
    assert webecho.restore(tmp_path / "out" / "data", tmp_path / "back").restored == 1
