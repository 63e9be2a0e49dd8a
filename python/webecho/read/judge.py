"""Which records are pages, and why the others are not.

Pages are HTTP responses with a wanted status and type (by default 200, and HTML or plain text),
`resource` records of such a type, `conversion` records (the text of WET files), and `revisit`
records: these say that a page was fetched again and had not changed. The records of ARC files
come with the same fields as those of WARC files.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from webecho.read import http
from webecho.read.pages import Skipped

# A record's header, names in lower case.
Fields = Mapping[bytes, bytes]

HTML_TYPES = ("text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml")

# So much of a block is enough to judge it, as it holds any sane HTTP header.
HEAD = http.MAX_HEADER

# Kinds of records that are never pages.
NO_PAGES = ("warcinfo", "request", "metadata", "continuation", "filedesc")
# Records under these addresses describe a crawl or another page: wget's log and arguments, the
# text and the pictures that crawlers with a browser take of a page.
_ABOUT = ("metadata:", "urn:")


@dataclass(frozen=True)
class WarcOptions:
    """Which responses are pages: by HTTP status and by media type (`text/*` takes all texts).

    `convert` has the command that turns documents of a further type into text or HTML.
    """

    statuses: tuple[int, ...] = (200,)
    types: tuple[str, ...] = (*HTML_TYPES, "text/plain")
    convert: Mapping[str, str] = field(default_factory=dict)


class Wanted(NamedTuple):
    """What is known of a page before its block is decoded. No `type`: look at the body."""

    fields: Fields
    url: str | None
    type: str | None
    charset: str | None
    response: http.Response | None
    revisit: bool


def judge(options: WarcOptions, place: int, fields: Fields, head: bytes) -> Wanted | Skipped:
    """What the record is, by its header and the first `HEAD` bytes of its block."""
    kind = http.text(fields.get(b"warc-type", b"")).strip().lower()
    if kind in NO_PAGES:
        return Skipped(place, kind)
    url = _address(fields)
    if url is not None and url.startswith("dns:"):
        return Skipped(place, "dns", url=url)
    if kind in ("response", "revisit"):
        response = http.parse(head)
        if response is not None:
            return _by_response(options, place, fields, url, response, kind == "revisit")
        if kind == "revisit":
            return Wanted(fields, url, None, None, None, True)
        if fields.get(b"content-type", b"application/http").startswith(b"application/http"):
            return Skipped(place, "bad header", "no HTTP status", url, failed=True)
    elif kind not in ("resource", "conversion"):
        return Skipped(place, "unknown kind", kind[:40], url)
    elif url is not None and url.startswith(_ABOUT):
        return Skipped(place, "metadata", url=url)
    named, charset = http.content_type(fields.get(b"content-type", b""))
    if named is not None and not is_wanted(options, named):
        return Skipped(place, "type", named, url)
    return Wanted(fields, url, named, charset, None, False)


def is_wanted(options: WarcOptions, kind: str) -> bool:
    """Whether documents of this media type are pages."""
    if kind in options.types or kind in options.convert:
        return True
    return kind.partition("/")[0] + "/*" in options.types or "*/*" in options.types


def is_markup(kind: str) -> bool:
    """Whether documents of this media type are HTML, not plain text."""
    return kind in HTML_TYPES or kind.endswith(("+xml", "/xml"))


def _address(fields: Fields) -> str | None:
    value = http.text(fields.get(b"warc-target-uri", b"")).strip()
    # wget's are in angle brackets.
    if value.startswith("<") and value.endswith(">"):
        value = value[1:-1]
    return value or None


def _by_response(
    options: WarcOptions,
    place: int,
    fields: Fields,
    url: str | None,
    response: http.Response,
    revisit: bool,
) -> Wanted | Skipped:
    status = response.status
    # 304 is how a server says that the page is as it was, and a revisit repeats it.
    if status not in options.statuses and not (revisit and status == 304):
        if 300 <= status < 400 and status != 304:
            return Skipped(place, "redirect", str(status), url, response.location)
        return Skipped(place, "status", str(status), url)
    if response.type is not None and not is_wanted(options, response.type):
        return Skipped(place, "type", response.type, url)
    if response.start >= HEAD:
        return Skipped(place, "bad header", f"longer than {HEAD} bytes", url, failed=True)
    return Wanted(fields, url, response.type, response.charset, response, revisit)
