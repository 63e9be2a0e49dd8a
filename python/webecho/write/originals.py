"""Single records of many archive files: those that revisits refer to."""

import zipfile
from collections import OrderedDict
from typing import BinaryIO

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.records import RecordLayout, layout_of, record_at
from webecho.formats.wacz import BROKEN, SPAN, archive_members, is_zip, open_archive
from webecho.read.limits import USUAL, Limits
from webecho.write.revisits import Standing, parsed, standing

_OPEN = 16
_REMEMBERED = 4096


class RecordReader:
    """Reads single records, with the files last used held open."""

    def __init__(self, limits: Limits = USUAL) -> None:
        self._limits = limits
        self._open: OrderedDict[tuple[str, int], tuple[BinaryIO, RecordLayout]] = OrderedDict()
        self._known: OrderedDict[tuple[str, int], Standing | None] = OrderedDict()

    def close(self) -> None:
        for file, _ in self._open.values():
            file.close()
        self._open.clear()

    def read(self, name: str, place: int) -> bytes | None:
        """The bytes of the record at a place of a file, if there is one; those of an ARC record are
        of the WARC record that it becomes."""
        number, inside = divmod(place, SPAN)
        key = name, number
        if key in self._open:
            self._open.move_to_end(key)
        else:
            opened = _opened(name, number)
            if opened is None:
                return None
            self._open[key] = opened, layout_of(opened, self._limits.window)
            if len(self._open) > _OPEN:
                self._open.popitem(last=False)[1][0].close()
        file, layout = self._open[key]
        return record_at(file, layout, inside, self._limits.page)

    def standing(self, name: str, place: int) -> Standing | None:
        """What a revisit says of the record; None if it cannot be referred to."""
        key = name, place
        if key not in self._known:
            original = parsed(self.read(name, place) or b"")
            self._known[key] = None if original is None else standing(original)
            if len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return self._known[key]


def _opened(name: str, number: int) -> BinaryIO | None:
    """The file, or of a WACZ the archive of this number in it; None if it is not there any more."""
    try:
        file = files.open_file(name, scattered=True)
        if not is_zip(file):
            return file
        members = archive_members(zipfile.ZipFile(file))
        return open_archive(file, members[number])
    except (OSError, InputError, IndexError, *BROKEN):
        return None
