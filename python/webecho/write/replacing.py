"""What takes the place of copies while an archive is written, and what became of each.

A copy becomes a revisit. One that is a revisit already stays as it is if its original stays, and
else becomes one of the record that stays, which has the same body. Where no revisit can stand for a
copy it is kept, so that no capture is lost; but what is the very record that stays is no other
capture.
"""

from webecho.read.limits import USUAL, Limits
from webecho.write.originals import RecordReader
from webecho.write.revisits import is_revisit, is_same, parsed, repointed, revisit
from webecho.write.selection import Stretch


class Replacing:
    """Makes the revisits of one archive, and counts them."""

    def __init__(self, limits: Limits = USUAL) -> None:
        self._records = RecordReader(limits)
        self.revisits = 0
        self.repeated = 0
        self.in_full: list[int] = []
        # The first place of the archive that is written, where a file holds several.
        self.base = 0

    def close(self) -> None:
        self._records.close()

    def replace(self, stretch: Stretch, data: bytes | None) -> bytes | None:
        """What stands in the place of a record that goes, which may be itself."""
        if data is not None and is_revisit(data):
            self.revisits += 1
            return self._revisit(stretch, data)
        made = None if data is None else self._made(stretch, data)
        if made is None:
            self.in_full.append(self.base + stretch.first)
            return data
        if not made:
            self.repeated += 1
            return None
        self.revisits += 1
        return made

    def _revisit(self, stretch: Stretch, data: bytes) -> bytes:
        original, known = stretch.original, parsed(data, b"revisit")
        if original is None or original.file is None or original.stands or known is None:
            # If its original went, that is a revisit now, which tells where the body is.
            return data
        found = self._records.standing(original.file, original.place)
        return data if found is None else repointed(known, found, original.container)

    def _made(self, stretch: Stretch, data: bytes) -> bytes | None:
        """The revisit for a copy: nothing at all if it needs none, None if it can have none."""
        copy, original = parsed(data), stretch.original
        if copy is None or original is None or original.file is None:
            return None
        found = self._records.standing(original.file, original.place)
        if found is None:
            return None
        return b"" if is_same(copy, found) else revisit(copy, found, original.container)
