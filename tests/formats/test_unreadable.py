"""Damaged bytes as records in order, read by warcio."""

from io import BytesIO

from warcio.archiveiterator import ArchiveIterator

from tests.read.archives import http, record
from webecho.formats.unreadable import lengthened, wrapped


def test_bytes_are_in_a_record_that_others_read() -> None:
    data = b"these are\n\nno records"
    made = wrapped(data, 12)
    assert wrapped(data, 12) == made != wrapped(data, 13)
    found = [(one.rec_type, one.raw_stream.read()) for one in ArchiveIterator(BytesIO(made * 2))]
    assert found == [("resource", data)] * 2
    assert b"WARC-Target-URI: urn:webecho:unreadable:12\r\n" in made


def test_a_record_gets_the_length_that_it_has() -> None:
    block = http(b"<p>one")
    right = record("response", block, target_uri="http://a/")
    wrong = record("response", block, target_uri="http://a/", length=len(block) + 7)
    assert lengthened(wrong, len(block)) == right
    assert lengthened(wrong, len(block) + 20) is None
    assert lengthened(b"no header", 3) is None
    assert lengthened(b"WARC/1.0\r\nContent-Type: x\r\n\r\nabc", 3) is None
