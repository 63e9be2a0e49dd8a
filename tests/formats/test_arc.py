"""Lines of ARC records, and the WARC headers that they become."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from webecho.formats.arc import ARC_LINE, arc_fields, warc_header

# The same lines, said plainly: this takes quadratic time on some.
PLAIN = re.compile(
    rb"([A-Za-z][A-Za-z0-9+.\-]{1,20}:[^\s][^\r\n]{0,4096}?) "
    rb"(\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,40}|-|0) (\d{8,18}|null|-) "
    rb"([^ \r\n]{1,256})(?: [^\r\n]{0,1024})? (-?\w{1,20})\r?\n"
)
ARC = re.compile(ARC_LINE)
WORDS = (
    *(b"http://a.org/", b"192.0.2.1", b"::1", b"-", b"0", b"20040131120000", b"null", b"text/html"),
    *(b"200", b"12345", b"-1", b"", b"x" * 300, b"\r", b"\n", b"!", b"x" * 1025, b"y" * 4090),
)


@given(some.lists(some.sampled_from(WORDS), max_size=14), some.sampled_from([b"\n", b"\r\n", b""]))
def test_lines_of_arc_files_are_those_of_the_plain_pattern(words: list[bytes], end: bytes) -> None:
    line = b"http://a.org/" + b" ".join(words) + end
    plain, found = PLAIN.match(line), ARC.match(line)
    assert (found and found.groups()) == (plain and plain.groups())


@pytest.mark.parametrize("end", [b" !\n", b" x" * 3000 + b" 12\n", b" " + b"9" * 23 + b"\n"])
def test_lines_of_almost_fields_are_seen_through(end: bytes) -> None:
    """A megabyte of them took some seconds."""
    lines = (b"\nab:c" + b" - - x y" * 500 + end) * 200
    assert re.compile(rb"\n(?=" + ARC_LINE + rb")").search(lines) is None


def made(head: bytes, place: int, size: int, otherwise: bytes) -> tuple[bytes, int, int]:
    found = warc_header(head, place, size, otherwise)
    assert found is not None
    return found


def test_the_fields_of_a_line() -> None:
    line = ARC.match(b"http://a.org/x 192.0.2.1 20040131120001 text/html 200 - - 17 a.arc 345\n")
    assert line is not None
    assert arc_fields(line) == {
        b"warc-type": b"response",
        b"warc-target-uri": b"http://a.org/x",
        b"warc-ip-address": b"192.0.2.1",
        b"content-type": b"text/html",
        b"content-length": b"345",
        b"warc-date": b"2004-01-31T12:00:01Z",
    }


@pytest.mark.parametrize("none", [b"0", b"-", b"0.0.0.0"])
def test_what_stands_for_no_ip_is_none(none: bytes) -> None:
    line = ARC.match(b"filedesc://a.arc %b 20040131120001 text/plain 10\n" % none)
    assert line is not None
    assert b"warc-ip-address" not in arc_fields(line)
    head = b"http://a.org/x %b 20040131120001 text/plain 2\nab" % none
    assert b"IP-Address" not in warc_header(head, 0, len(head), b"")[0]


def test_a_date_without_a_time_is_none_to_the_reader() -> None:
    line = ARC.match(b"filedesc://a.arc 0.0.0.0 20040131 text/plain 10\n")
    assert line is not None
    fields = arc_fields(line)
    assert (fields[b"warc-type"], b"warc-date" in fields) == (b"filedesc", False)


LINE = b"http://a.org/x 192.0.2.1 %b text/html 23\n"
BLOCK = b"HTTP/1.0 200 OK\r\n\r\nabcd"


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        (b"20040131120001", b"2004-01-31T12:00:01Z"),
        (b"20040131", b"2004-01-31T00:00:00Z"),
        (b"20041301120001", b"1999-12-31T00:00:00Z"),
    ],
)
def test_a_response_as_a_warc_record(date: bytes, expected: bytes) -> None:
    line = LINE % date
    head = line + BLOCK
    header, skipped, length = made(head, 7, len(head), b"1999-12-31T00:00:00Z")
    assert (skipped, length) == (len(line), 23)
    fields = header.split(b"\r\n")
    del fields[2]  # the id, made of address, date and place
    assert fields == [
        b"WARC/1.0",
        b"WARC-Type: response",
        b"WARC-Date: " + expected,
        b"WARC-Target-URI: http://a.org/x",
        b"WARC-IP-Address: 192.0.2.1",
        b"Content-Type: application/http; msgtype=response",
        b"Content-Length: 23",
        b"",
        b"",
    ]


def test_the_id_depends_on_address_date_and_place_alone() -> None:
    head = LINE % b"20040131120001" + BLOCK

    def id_of(head: bytes, place: int) -> bytes:
        return made(head, place, len(head), b"")[0].split(b"\r\n")[2]

    assert id_of(head, 7) == id_of(head[:-4] + b"efgh", 7)
    assert id_of(head, 7) != id_of(head, 8)


def test_a_length_that_is_known_to_be_wrong_is_put_right() -> None:
    head = LINE % b"20040131120001" + BLOCK
    found = warc_header(head, 0, len(head), b"", len(BLOCK) - 3)
    assert found is not None
    assert found[2] == len(BLOCK) - 3
    assert b"Content-Length: %d\r\n" % (len(BLOCK) - 3) in found[0]
    assert b"WARC-Truncated" not in found[0]


def test_what_is_cut_off_says_so() -> None:
    head = LINE % b"20040131120001" + BLOCK[:-4]
    header, _, length = made(head, 0, len(head), b"")
    assert length == 19
    assert b"WARC-Truncated: unspecified\r\n" in header


def test_bytes_that_are_no_record_have_no_header() -> None:
    assert warc_header(b"stray", 12, 5, b"2004-01-31T12:00:01Z") is None
