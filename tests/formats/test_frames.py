"""What looks like a record or a frame and is none must not cost more than the bytes it takes."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.read.archives import gzipped, response
from webecho.formats import frames
from webecho.formats.arc import ARC_LINE

# The same lines, said plainly: this takes quadratic time on some.
PLAIN = re.compile(
    rb"([A-Za-z][A-Za-z0-9+.\-]{1,20}:[^\s][^\r\n]{0,4096}?) "
    rb"(\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,40}|-) (\d{8,18}|null|-) "
    rb"([^ \r\n]{1,256})(?: [^\r\n]{0,1024})? (-?\w{1,20})\r?\n"
)
ARC = re.compile(ARC_LINE)
WORDS = (
    *(b"http://a.org/", b"192.0.2.1", b"::1", b"-", b"20040131120000", b"null", b"text/html"),
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


def test_of_many_almost_frames_some_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    begins = frames._gzip_begins

    def counted(sample: bytes) -> bool:
        looked.append(sample)
        return begins(sample)

    monkeypatch.setattr(frames, "_gzip_begins", counted)
    monkeypatch.setattr(frames, "_PROBES", 100)
    almost = b"\x1f\x8b\x08\0\0\0\0\0\0\3" * 20_000
    (damage,) = frames.pieces(io.BytesIO(almost), 0, "gzip")
    assert damage.problem is not None
    assert len(looked) <= 100 + (len(almost) >> 10)


@pytest.mark.parametrize("almost", [1, 1000])
def test_a_frame_after_almost_frames_is_found(almost: int) -> None:
    page = gzipped(response("http://a.example/1", b"<p>one</p>"))
    data = b"\x1f\x8b\x08\0\0\0\0\0\0\3" * almost + page
    damage, found = frames.pieces(io.BytesIO(data), 0, "gzip")
    assert damage.problem is not None
    assert (found.frame, found.data[:5]) == (10 * almost, b"WARC/")
