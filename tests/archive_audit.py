"""What an archive holds, by warcio alone: payloads, revisits, and what `warcio check` finds wrong.

Nothing here is read by our own readers, so that these cannot hide what they lose.
"""

import hashlib
import io
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

HOLDS = ("response", "resource", "conversion")
# Of a record without a body nothing can be lost.
EMPTY = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True)
class Capture:
    """A record that holds a page or says which other one does."""

    kind: str
    id: str
    url: str
    date: str
    digest: str
    refers: tuple[str, str, str]
    payload: str


@dataclass
class Holdings:
    """The captures of some archives, and where the payloads are, by all that can name a record."""

    files: list[Path] = field(default_factory=list)
    captures: list[Capture] = field(default_factory=list)
    payloads: set[str] = field(default_factory=set)
    by_id: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    by_url: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    by_moment: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    by_digest: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, capture: Capture) -> None:
        self.captures.append(capture)
        if capture.kind in HOLDS:
            self.payloads |= {capture.payload} - {EMPTY}
            self.by_id[capture.id].add(capture.payload)
            self.by_url[capture.url].add(capture.payload)
            self.by_moment[capture.url, capture.date].add(capture.payload)
            self.by_digest[capture.digest].add(capture.payload)

    def restored(self, revisit: Capture, seen: frozenset[str] = frozenset()) -> set[str]:
        """The payloads that a revisit may stand for, also by way of other revisits."""
        id, url, date = revisit.refers
        found = (self.by_id.get(id) if id else None) or self.by_moment.get((url, date)) or set()
        if not found and revisit.digest:
            found = self.by_digest.get(revisit.digest, set())
        for other in self.captures if not found and id and id not in seen else ():
            if other.kind == "revisit" and other.id == id:
                found = found | self.restored(other, seen | {id})
        return found


def lost_payloads(before: Holdings, after: Holdings) -> set[str]:
    """The payloads of the input that are not in the output.

    A record may stand in the output as it stood in the input, with its body in a gzip member of its
    own, so that warcio does not read that: then the body's bytes are there.
    """
    missing = before.payloads - after.payloads
    if not missing:
        return missing
    bodies = {}
    for file in before.files:
        for stream in streams(file):
            with suppress(Exception):
                for record in ArchiveIterator(stream, arc2warc=".arc" in file.name):
                    body = stored_body(record)
                    bodies[hashlib.sha256(body).hexdigest()] = body
    there = [unpacked(file.read_bytes()) for file in after.files]
    return {each for each in missing if not any(bodies[each] in data for data in there)}


def unpacked(data: bytes) -> bytes:
    """The bytes of a file, all members of it decompressed if it is a gzip file."""
    found = []
    while data.startswith(b"\x1f\x8b"):
        inflate = zlib.decompressobj(wbits=31)
        with suppress(zlib.error):
            found.append(inflate.decompress(data))
        data = inflate.unused_data
    return b"".join([*found, data])


def holdings(files: Iterable[Path]) -> Holdings:
    """What warcio reads of the files, each up to where it stops or gives up."""
    found = Holdings(list(files))
    for file in found.files:
        for stream in streams(file):
            with suppress(Exception):
                for capture in captures(stream, ".arc" in file.name):
                    found.add(capture)
    return found


def streams(file: Path) -> Iterator[Any]:
    """The file, or of a WACZ the archives in it."""
    if file.suffix == ".wacz":
        with suppress(Exception), ZipFile(file) as packed:
            for name in sorted(packed.namelist()):
                if name.startswith("archive/"):
                    yield io.BytesIO(packed.read(name))
        return
    with file.open("rb") as stream:
        yield stream


def captures(stream: Any, arc: bool) -> Iterator[Capture]:
    for record in ArchiveIterator(stream, arc2warc=arc):
        value = record.rec_headers.get_header
        if record.rec_type not in (*HOLDS, "revisit"):
            continue
        names = ("WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date")
        yield Capture(
            record.rec_type,
            value("WARC-Record-ID") or "",
            (value("WARC-Target-URI") or "").strip("<>"),
            value("WARC-Date") or "",
            value("WARC-Payload-Digest") or "",
            tuple(value(name) or "" for name in names),
            hashlib.sha256(stored_body(record)).hexdigest(),
        )


def stored_body(record: Any) -> bytes:
    """The body as it is stored, neither unchunked nor decompressed; line ends beyond the length
    that the HTTP header tells are what stands between two records."""
    body: bytes = record.raw_stream.read()
    told = record.http_headers.get_header("Content-Length") if record.http_headers else None
    length = int(told) if told and told.isdigit() else len(body)
    return body if body[length:].strip(b"\r\n") else body[:length]


def lost_contents(out: Path, before: Holdings, after: Holdings, earlier: Holdings) -> list[str]:
    """The removed pages for which the page that is named as kept has its content nowhere."""
    lost = []
    gone = lost_payloads(before, after)
    for row in pq.read_table(out / "duplicates.parquet").to_pylist():
        where = before if row["kept_in"] is None else earlier
        id, url = row["kept_id"] or "", (row["kept_url"] or "").strip("<>")
        known = where.by_id.get(id) or set()
        revisits = [each for each in where.captures if each.kind == "revisit" and each.id == id]
        if not known and revisits:
            known = set().union(*map(where.restored, revisits))
            if not known:
                lost.append(f"page {row['page']} ({row['url']}) went for a revisit of nothing")
        elif not known:
            known = where.by_url.get(url) or set()
        # What warcio cannot read of the input it cannot miss in the output.
        if known and where is before and known <= gone:
            lost.append(f"page {row['page']} ({row['url']}) went for {url} {id}")
    return lost


def dangling(before: Holdings, after: Holdings) -> list[str]:
    """Revisits of the output that stood for something in the input, and now do not."""
    had = {each.id for each in before.captures if each.kind != "revisit" or before.restored(each)}
    return [
        f"{each.url} {each.id}"
        for each in after.captures
        if each.kind == "revisit" and each.id in had and not after.restored(each)
    ]


def errors_of(files: Iterable[Path]) -> int:
    """How many problems `warcio check` names in the files."""
    found = 0
    for file in files:
        said, checker = io.StringIO(), Checker(SimpleNamespace(inputs=[str(file)], verbose=False))
        with redirect_stdout(said):
            try:
                checker.process_all()
            except Exception:
                # It does not expect everything that files are made of.
                found += 1
        lines = said.getvalue().splitlines()
        found += sum(line.startswith(("    ", "  saw exception")) for line in lines)
    return found
