"""Lines of an index, worked out by hand and by warcio's offsets."""

import gzip
import io
import json
from typing import Any

from tests.read.archives import gzipped, http, record
from webecho.formats.captures import capture_lines
from webecho.formats.records import layout_of

ID = "<urn:uuid:1>"
RECORDS = [
    record("warcinfo", b"software: none\r\n"),
    record("response", http(b"<p>b", kind="text/html; charset=x"), target_uri="http://www.b.org/"),
    record("request", b"GET / HTTP/1.0\r\n\r\n", target_uri="http://b.org/"),
    record("revisit", http(b""), target_uri="<http://a.org/>", payload_digest="sha1:ABC"),
    record("resource", b"text", target_uri="http://c.org/", content_type="text/plain"),
    record("response", http(b"", "404 Not Found", kind=None), target_uri="http://d.org/x y"),
    record("resource", b"??", target_uri="urn:webecho:unreadable:7"),
]


def lines(data: bytes) -> list[tuple[str, str, dict[str, Any]]]:
    file = io.BytesIO(data)
    found = []
    for line in capture_lines(file, layout_of(file), "x/a.warc.gz"):
        key, time, fields = line.decode().split(" ", 2)
        found.append((key, time, json.loads(fields)))
    return found


def test_a_line_for_each_capture_with_where_it_stands() -> None:
    data = gzipped(*RECORDS)
    found = lines(data)
    assert [(key, time) for key, time, _ in found] == [
        (key, "20200131235958") for key in ("org,b)/", "org,a)/", "org,c)/", "org,d)/x%20y")
    ]
    places = [int(fields["offset"]) for _, _, fields in found]
    sizes = [int(fields["length"]) for _, _, fields in found]
    captures = [gzip.decompress(data[at : at + n]) for at, n in zip(places, sizes, strict=True)]
    assert captures == [RECORDS[1], RECORDS[3], RECORDS[4], RECORDS[5]]
    told = [(f.get("mime"), f.get("status"), f.get("digest"), f["url"]) for _, _, f in found]
    assert told == [
        ("text/html", "200", None, "http://www.b.org/"),
        ("warc/revisit", "200", "sha1:ABC", "http://a.org/"),
        ("text/plain", None, None, "http://c.org/"),
        (None, "404", None, "http://d.org/x y"),
    ]
    assert {fields["filename"] for _, _, fields in found} == {"x/a.warc.gz"}


def test_what_is_damaged_or_shares_its_frame_has_no_line() -> None:
    data = gzipped(RECORDS[0], RECORDS[1]) + b"stray" * 5 + gzipped(RECORDS[3] + RECORDS[4])
    # One can go to the first of two in a frame, and not to the second.
    assert [key for key, _, _ in lines(data)] == ["org,b)/", "org,a)/"]
