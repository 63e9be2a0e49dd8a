"""What stays of WARC and WET files: the same records, byte for byte."""

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from webecho.formats import files
from webecho.formats.records import layout_of
from webecho.read.limits import USUAL, Limits
from webecho.write.arc import is_sound, own_name, warc_name, write_arc
from webecho.write.archive import ArchiveSource, Copying
from webecho.write.replacing import Replacing
from webecho.write.selection import (
    Originals,
    Selection,
    Tally,
    Written,
    from_first_gone,
    stretches,
)

_BLOCK = 1 << 20


def write_warc(
    source: ArchiveSource,
    selections: Iterable[Selection],
    out: Path,
    originals: Originals | None,
    limits: Limits = USUAL,
) -> Written:
    """Copies the records that stay to the file `out`."""
    tally = Tally(selections)
    judge = source.judge()
    with at_hand(source.name, out.parent) as name, closing(Replacing(limits)) as replacing:
        opened = partial(files.open_file, name)
        with opened() as file:
            layout = layout_of(file, limits.window)
        going = from_first_gone(tally)
        # What cannot be read, and of which nothing goes, is passed on as what it says it is.
        arc = layout.arc and (going is not None or is_sound(opened, layout, judge))
        out = warc_name(out) if arc else own_name(out)
        gone = None if going is None else stretches(going, originals)
        with out.open("wb") as made:
            if arc:
                lost = write_arc(opened, layout, judge, gone or (), made, replacing.replace)
            else:
                with closing(Copying(opened, layout, judge, made, limits.page)) as copying:
                    copying.copy(gone, replacing.replace)
                lost = copying.lost
            size = made.tell()
    tally.finish()
    return written(source, out, size, tally, replacing, lost)


def written(
    source: ArchiveSource,
    out: Path,
    size: int,
    tally: Tally,
    replacing: Replacing,
    lost: Iterable[str],
) -> Written:
    """What there is to say of an archive that was written."""
    full = tuple(replacing.in_full)
    return Written(
        out,
        size,
        tally.kept + len(full),
        tally.left_out - len(full),
        replacing.revisits,
        replacing.repeated,
        full,
        tuple(f"{source.name}: {what}" for what in lost),
    )


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
