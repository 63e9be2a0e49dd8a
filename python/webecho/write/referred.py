"""The records that revisits refer to, and the bodies that those left out.

A revisit names its original by the id of its record, by its address and date, or by the digest of
its body, and may name another revisit instead. Files are read for the names that are referred to,
and then for where such records stand. Only these are held.
"""

import hashlib
from collections.abc import Iterable

from webecho.formats.headers import Fields
from webecho.write.originals import RecordReader
from webecho.write.revisits import Response, agrees, filled, fits, is_ours, parsed, undone

# Of records that share a name no more than so many are tried.
_NAMESAKES = 8
# A revisit may refer to one that an earlier run had made, and that to another.
_LONGEST_WAY = 32
_HOLDS = (b"response", b"resource", b"conversion")


def names_given(fields: Fields) -> list[int]:
    """The fingerprints of what a record can be referred to by."""
    kind = fields.get(b"warc-type", b"").lower()
    if kind not in (*_HOLDS, b"revisit"):
        return []
    # By its digest a revisit refers to others, for it holds no body.
    digest = fields.get(b"warc-payload-digest", b"") if kind in _HOLDS else b""
    names = (b"warc-record-id", b"warc-target-uri", b"warc-date")
    id, url, date = (fields.get(name, b"") for name in names)
    return _names(id, url, date, digest)


def names_referred(fields: Fields) -> list[int]:
    """Those that a revisit refers to."""
    names = (b"warc-refers-to", b"warc-refers-to-target-uri", b"warc-refers-to-date")
    id, url, date = (fields.get(name, b"") for name in names)
    return _names(id, url, date, fields.get(b"warc-payload-digest", b""))


def _names(id: bytes, url: bytes, date: bytes, digest: bytes) -> list[int]:
    """The surest first."""
    found = [b"id " + id.strip(b"<>")] if id else []
    found += [b"at " + url.strip(b"<>") + b" " + date] if url and date else []
    found += [b"payload " + digest] if digest else []
    return [_fingerprint(name) for name in found]


def _fingerprint(name: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little")


class Referred:
    """Where the records stand that revisits refer to, by the files' names and places in them."""

    def __init__(self) -> None:
        self.names: set[int] = set()
        self._records = RecordReader()
        self._places: dict[int, list[tuple[str, int]]] = {}
        self._last: tuple[tuple[int, ...], Response] | None = None

    def close(self) -> None:
        self._records.close()

    def note(self, fields: Fields, file: str, place: int) -> None:
        """Notes a record that may be referred to."""
        for name in names_given(fields):
            if name in self.names:
                known = self._places.setdefault(name, [])
                if len(known) < _NAMESAKES:
                    known.append((file, place))

    def restored(self, revisit: Response) -> bytes | None:
        """The record that the revisit stands for, if its original is there and is what it was."""
        original = self._original(revisit)
        if original is None:
            return None
        if is_ours(revisit):
            return undone(revisit, original.body)
        return filled(revisit, original)

    def _original(self, revisit: Response, way: int = 0) -> Response | None:
        names = tuple(names_referred(_fields(revisit)))
        # Copies of one page often come one after the other.
        if self._last is not None and self._last[0] == names and _suits(revisit, self._last[1]):
            return self._last[1]
        for file, place in self._candidates(names):
            data = self._records.read(file, place) or b""
            original, earlier = parsed(data), parsed(data, b"revisit")
            if earlier is not None and way < _LONGEST_WAY:
                original = self._original(earlier, way + 1)
            if original is not None and _suits(revisit, original):
                self._last = names, original
                return original
        return None

    def _candidates(self, names: Iterable[int]) -> list[tuple[str, int]]:
        found = (each for name in names for each in self._places.get(name, ()))
        return list(dict.fromkeys(found))


def _suits(revisit: Response, original: Response) -> bool:
    return fits(revisit, original.body) if is_ours(revisit) else agrees(revisit, original)


def _fields(record: Response) -> Fields:
    lines = (line.partition(b":") for line in record.lines[1:])
    return {name.strip().lower(): value.strip() for name, _, value in lines}
