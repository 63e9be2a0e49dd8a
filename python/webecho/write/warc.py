"""What stays of WARC and WET files: the same records, byte for byte."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from webecho.formats import files
from webecho.formats.records import layout_of
from webecho.write.arc import warc_name, write_arc
from webecho.write.archive import ArchiveSource, Copying
from webecho.write.originals import RecordReader
from webecho.write.revisits import is_revisit, parsed, revisit
from webecho.write.selection import (
    Originals,
    Selection,
    Stretch,
    Tally,
    Written,
    from_first_gone,
    stretches,
)

_BLOCK = 1 << 20


def write_warc(
    source: ArchiveSource, selections: Iterable[Selection], out: Path, originals: Originals | None
) -> Written:
    """Copies the records that stay to the file `out`."""
    tally = Tally(selections)
    judge = source.judge()
    lost: list[str] = []
    revisits = 0
    with at_hand(source.name, out.parent) as name:
        opened = partial(files.open_file, name)
        with opened() as file:
            layout = layout_of(file)
        going = from_first_gone(tally)
        out = warc_name(out) if layout.arc else out
        with out.open("wb") as made, closing(RecordReader()) as records:
            if layout.arc:
                lost = write_arc(opened, layout, judge, stretches(going or ()), made)
            else:
                with closing(Copying(opened, layout, judge, made)) as copying:
                    replace = partial(_revisit, records)
                    # If nothing goes, not even the compression changes, nor what is damaged.
                    copying.copy(None if going is None else stretches(going, originals), replace)
                lost, revisits = copying.lost, copying.replaced
            size = made.tell()
    tally.finish()
    named = tuple(f"{source.name}: {what}" for what in lost)
    return Written(out, size, tally.kept, tally.left_out, revisits, named)


def _revisit(records: RecordReader, stretch: Stretch, data: bytes) -> bytes | None:
    """The revisit record for a copy that goes; a copy that is a revisit already stays as it is."""
    if is_revisit(data):
        return data
    copy, original = parsed(data), stretch.original
    if copy is None or original is None:
        return None
    found = records.standing(original.file, original.place)
    return None if found is None else revisit(copy, found)


@contextmanager
def at_hand(name: str, folder: Path) -> Iterator[str]:
    """The name of the file; one that is far away is first copied into the folder, for a while.

    To go to and fro in it would fetch much of it many times.
    """
    if not files.is_remote(name):
        yield name
        return
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".", suffix=".spool") as spool:
        with files.open_file(name) as file:
            shutil.copyfileobj(file, spool, _BLOCK)
        spool.flush()
        yield spool.name
