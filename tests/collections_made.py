"""Small collections made in code, in which it is known what repeats what.

`small_web` has a page of every kind that the stages treat differently; `prose` and `edited` make
texts of known likeness; `as_parquet`, `as_jsonl`, `as_csv`, `as_warc` and `as_folder` write the
same pages in the formats people have. Everything is made from seeds: the same bytes every time.
"""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATE = "2004-01-31T12:00:00Z"


@dataclass(frozen=True)
class Page:
    """A page as a person would hand it in."""

    id: str
    url: str
    html: str


def prose(seed: int, words: int) -> list[str]:
    """Words of a made-up language; two seeds share no run of five words."""
    chance = random.Random(seed)
    return ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(words)]


def edited(words: Sequence[str], *places: int) -> list[str]:
    """The words with new ones at some places.

    Each change far from others and from the ends replaces k = 5 shingles of len(words) − 4. So of
    n + 4 words with e such changes the resemblance is (n − 5e) / (n + 5e).
    """
    return [f"new{place}" if place in places else word for place, word in enumerate(words)]


def page(number: int, html: str, host: str = "www.example.org") -> Page:
    return Page(f"doc-{number}", f"http://{host}/{number}.html", html)


def markup(words: Iterable[str], title: str = "") -> str:
    head = f"<title>{title}</title>" if title else ""
    return f"<html><head>{head}</head><body><p>{' '.join(words)}</p></body></html>"


def small_web() -> list[Page]:
    """Sixteen pages; `EXACT` says which are exact copies, `NEAR` which are near-duplicates."""
    text, other = prose(1, 204), prose(2, 204)
    bodies = [
        markup(text, "First"),  # 0
        markup(other, "Other"),  # 1
        markup(text, "First"),  # 2: the bytes of 0
        f"<div><title>First</title> {'<br>'.join(text)} </div>",  # 3: the tokens of 0
        markup(edited(text, 100), "First"),  # 4: near 0
        markup(edited(other, 30, 100), "Other"),  # 5: near 1
        "",  # 6: empty
        "",  # 7: empty
        "<p><!-- no words --></p>",  # 8: no tokens
        "<p><!-- no words --></p>",  # 9: the bytes of 8
        "<p><!-- none here --></p>",  # 10: no tokens either, but other bytes
        "<p>two words</p>",  # 11
        "<p>three words</p>",  # 12
        "<b>Two</b> words",  # 13: the tokens of 11
        markup(prose(3, 300)),  # 14
        markup(prose(4, 300)),  # 15
    ]
    hosts = ["a.example.org", "b.example.org", "www.example.net"]
    return [page(number, html, hosts[number % 3]) for number, html in enumerate(bodies)]


EXACT = [{0, 2, 3}, {8, 9}, {11, 13}]
NEAR = [{0, 2, 3, 4}, {1, 5}, {8, 9}, {11, 13}]


def many_pages(count: int, seed: int = 0, words: int = 60) -> list[Page]:
    """Pages of which every seventh copies an earlier one, and every eleventh is near to one."""
    chance = random.Random(seed)
    texts: list[list[str]] = []
    for number in range(count):
        if number and number % 7 == 0:
            texts.append(chance.choice(texts))
        elif number and number % 11 == 0:
            texts.append(edited(chance.choice(texts), chance.randrange(words)))
        else:
            texts.append(prose(seed * 1_000_003 + number, words))
    return [
        page(number, markup(text, f"Page {number % 5}"), f"h{number % 4}.example.org")
        for number, text in enumerate(texts)
    ]


def as_table(pages: Sequence[Page]) -> pa.Table:
    return pa.Table.from_pylist([asdict(each) for each in pages])


def as_parquet(file: Path, pages: Sequence[Page], rows: int = 100) -> Path:
    pq.write_table(as_table(pages), file, row_group_size=rows)
    return file


def as_jsonl(file: Path, pages: Sequence[Page], broken: Mapping[int, str] | None = None) -> Path:
    """One object a line; `broken` has lines to stand before the page of that number."""
    lines = []
    for number, each in enumerate(pages):
        if broken and number in broken:
            lines.append(broken[number])
        lines.append(json.dumps(asdict(each)))
    file.write_text("\n".join(lines) + "\n")
    return file


def as_csv(file: Path, pages: Sequence[Page]) -> Path:
    pyarrow.csv.write_csv(as_table(pages), file)
    return file


def as_folder(folder: Path, pages: Sequence[Page]) -> Path:
    """A file a page, named so that they sort as they are numbered."""
    folder.mkdir()
    for number, each in enumerate(pages):
        (folder / f"{number:05d}.html").write_text(each.html)
    return folder


class WarcFile:
    """A WARC file that is written record by record; ids and dates are made, never random."""

    def __init__(self, file: Path, gzip: bool = True) -> None:
        self.file = file
        self._out = file.open("wb")
        self._writer = WARCWriter(self._out, gzip=gzip)
        self._count = 0

    def __enter__(self) -> "WarcFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._out.close()

    def next_id(self) -> str:
        self._count += 1
        return f"<urn:uuid:{self.file.name}-{self._count}>"

    def response(
        self,
        url: str,
        body: bytes,
        status: str = "200 OK",
        kind: str = "text/html; charset=utf-8",
        digest: bool = True,
        ip: str | None = "192.0.2.1",
        **headers: str,
    ) -> str:
        """Adds a response and gives its record id."""
        id_ = self.next_id()
        fields = {"WARC-Record-ID": id_, "WARC-Date": DATE}
        if ip is not None:
            fields["WARC-IP-Address"] = ip
        if not digest:
            fields["WARC-Payload-Digest"] = f"sha1:{id_}"
        more = [(name.replace("_", "-"), value) for name, value in headers.items()]
        http = StatusAndHeaders(status, [("Content-Type", kind), *more], protocol="HTTP/1.1")
        self._write(url, "response", body, fields, http)
        return id_

    def revisit(self, url: str, block: bytes = b"", **refers: str) -> str:
        """Adds a revisit; `Refers_To="<…>"` becomes the field `WARC-Refers-To`."""
        id_ = self.next_id()
        fields = {"WARC-Record-ID": id_, "WARC-Date": "2004-02-29T12:00:00Z"}
        fields["WARC-Profile"] = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
        fields |= {f"WARC-{name.replace('_', '-')}": value for name, value in refers.items()}
        self._write(url, "revisit", block, fields, None)
        return id_

    def request(self, url: str, **more: str) -> None:
        """Adds a request; `Concurrent_To="<…>"` becomes the field `WARC-Concurrent-To`."""
        fields = {"WARC-Record-ID": self.next_id(), "WARC-Date": DATE}
        fields |= {f"WARC-{name.replace('_', '-')}": value for name, value in more.items()}
        self._write(url, "request", b"GET / HTTP/1.1\r\n\r\n", fields, None)

    def raw(self, data: bytes) -> None:
        """Adds bytes that are no record, or a broken one."""
        self._out.write(data)

    def _write(
        self,
        url: str,
        kind: str,
        body: bytes,
        fields: dict[str, str],
        http: StatusAndHeaders | None,
    ) -> None:
        record = self._writer.create_warc_record(
            url,
            kind,
            payload=BytesIO(body),
            length=len(body),
            warc_headers_dict=fields,
            http_headers=http,
            warc_content_type="application/http; msgtype=request" if kind == "request" else "",
        )
        self._writer.write_record(record)


def as_warc(file: Path, pages: Sequence[Page], requests: bool = False) -> Path:
    """A response a page, and before each its request if asked for."""
    with WarcFile(file, gzip=file.suffix == ".gz") as warc:
        for each in pages:
            if requests:
                warc.request(each.url)
            warc.response(each.url, each.html.encode())
    return file
