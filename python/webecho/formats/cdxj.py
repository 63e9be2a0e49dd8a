"""CDXJ indexes of archive files, renewed after records have moved or gone.

A line has a sort key, a timestamp and a JSON object, which says in which file a capture stands and
where. Lines of records that are gone go; in the others only the offset changes, and where a revisit
took the place of a record also length and type. Large indexes are compressed in blocks of lines,
and an `.idx` file tells where each block stands.
"""

import hashlib
import json
import re
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from webecho.formats import json_text

_LINE = re.compile(rb"(\S+) (\d{4,17}) (\{.*\})\s*\Z", re.DOTALL)
# Of more digits than any file has bytes it is none.
_OFFSET = re.compile(rb'("offset"\s*:\s*"?)(\d{1,18})(?!\d)')
_BLOCK = 3000


@dataclass(frozen=True, slots=True)
class Moved:
    """Bytes that were copied, or a record that was replaced: where they stood and now stand."""

    old: int
    new: int
    size: int
    replaced: bool = False


@dataclass
class Moves:
    """Where the bytes of the archive files stand now, and which captures went with the others.

    `gone` and `kept` have the fingerprints of addresses, and of addresses with times; `kept` only
    those that are also gone, for an address may have been captured more than once.
    """

    files: dict[str, list[Moved]] = field(default_factory=dict)
    rewritten: dict[str, list[range]] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)
    dropped: int = 0

    def moved(self, name: str, offset: int) -> Moved | None:
        """What stood at an offset of a file, as far as it is copied with it, if it is still there;
        of what was replaced only where it began is known."""
        moved = self.files[name]
        at = bisect_right(moved, offset, key=lambda one: one.old) - 1
        if at < 0 or (moved[at].replaced and moved[at].old < offset):
            return None
        found = moved[at]
        past = offset - found.old
        if found.replaced:
            return found
        return Moved(offset, found.new + past, found.size - past) if past < found.size else None


def renewed(lines: Iterable[bytes], moves: Moves) -> Iterator[bytes]:
    """The lines of the index of the files as they are now."""
    for line in lines:
        found = _LINE.match(line)
        fields = _parsed(found[3]) if found else None
        if found is None or fields is None:
            if line.strip() and not line.startswith(b"!"):
                moves.dropped += 1
            else:
                yield line
            continue
        name = json_text.text_of(fields.get("filename")).removeprefix("archive/")
        if name not in moves.files:
            yield line
            continue
        where = _OFFSET.search(line, found.start(3))
        if where is None:
            # Where it is now cannot be told.
            moves.dropped += 1
            continue
        old = int(where[2])
        moved = moves.moved(name, old)
        if any(old in some for some in moves.rewritten.get(name, ())):
            moves.dropped += 1
            moves.gone.update(_names(fields.get("url"), found[2].decode()))
        elif moved is None:
            moves.gone.update(_names(fields.get("url"), found[2].decode()))
        elif moved.replaced:
            try:
                yield b" ".join((found[1], found[2], _replaced(fields, moved))) + b"\n"
            except ValueError:
                moves.dropped += 1
        else:
            yield line[: where.start(2)] + b"%d" % moved.new + line[where.end(2) :]


def _replaced(fields: dict[str, Any], moved: Moved) -> bytes:
    """The object for a capture that is a revisit now, with numbers written as they were."""
    changed: dict[str, Any] = {"mime": "warc/revisit"}
    for name, value in (("offset", moved.new), ("length", moved.size)):
        if name in fields:
            changed[name] = str(value) if isinstance(fields[name], str) else value
    return json_text.as_bytes(fields | changed)


def note_kept(lines: Iterable[bytes], moves: Moves) -> None:
    """Notes which of the captures that are gone are there once more."""
    for line in lines:
        found = _LINE.match(line)
        fields = _parsed(found[3]) if found else None
        if found is not None and fields is not None:
            moves.kept |= moves.gone.intersection(_names(fields.get("url"), found[2].decode()))


def _names(url: Any, time: str) -> tuple[int, int]:
    """The fingerprints of an address, and of it with a time to the second."""
    digits, address = re.sub(r"\D", "", time)[:14], json_text.text_of(url)
    return _fingerprint(address), _fingerprint(f"{address} {digits}")


def is_gone(url: Any, time: str, moves: Moves) -> bool:
    """Whether the capture of a page with this address and time went, or every one it may be."""
    address, exact = _names(url, time)
    # The time of a page is when its loading began, and often not that of the record.
    name = exact if exact in moves.gone else address
    return name in moves.gone and name not in moves.kept


def blocks(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Key and time of the first line of each block, and the block, compressed."""
    rest = iter(lines)
    while some := list(islice(rest, _BLOCK)):
        pack = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
        first = b" ".join(some[0].split(b" ", 2)[:2])
        yield first, pack.compress(b"".join(some)) + pack.flush()


def no_block() -> bytes:
    """What an index without lines is compressed to."""
    return zlib.compressobj(wbits=zlib.MAX_WBITS | 16).flush()


def block_line(first: bytes, block: bytes, offset: int, name: str) -> bytes:
    """The line of an `.idx` file for a block."""
    digest = "sha256:" + hashlib.sha256(block).hexdigest()
    fields = {"offset": offset, "length": len(block), "digest": digest, "filename": name}
    return first + b" " + json.dumps(fields).encode() + b"\n"


def _parsed(data: bytes) -> dict[str, Any] | None:
    try:
        fields = json_text.parsed(data)
    except ValueError:
        return None
    return fields if isinstance(fields, dict) else None


def _fingerprint(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
