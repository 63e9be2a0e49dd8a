"""What stays of one source, written in the source's own format.

Which writer a format has, and what else is so with it, stands in the table `FORMATS`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from webecho.errors import InputError
from webecho.read.limits import USUAL, Limits
from webecho.read.pages import Source
from webecho.write.annotations import RowFeed
from webecho.write.arrow import write_arrow
from webecho.write.folders import write_folder
from webecho.write.lines import write_lines
from webecho.write.parquet import write_parquet
from webecho.write.selection import Originals, Selection, Written
from webecho.write.wacz import write_wacz
from webecho.write.warc import write_warc


@dataclass(frozen=True)
class Format:
    """How what stays of a source of one format is written."""

    # Given a source of that format, the selections and the target; for archives also the originals.
    write: Callable[..., Written]
    # Whether records that are no pages are selected too, since they may go with a page, and a
    # revisit record may stand in the place of a copy.
    archive: bool = False
    # Whether its records have columns, of which there can be more.
    columns: bool = False


# By what a source says is its format.
FORMATS = {
    **dict.fromkeys(("warc", "wet", "arc"), Format(write_warc, archive=True)),
    "wacz": Format(write_wacz, archive=True),
    "parquet": Format(write_parquet, columns=True),
    "arrow": Format(write_arrow, columns=True),
    **dict.fromkeys(("jsonl", "csv"), Format(write_lines, columns=True)),
    "empty": Format(write_lines),
    "html": Format(write_folder),
}


def is_archive(name: str) -> bool:
    """Whether a source of the format of this name holds records that are no pages."""
    return name in FORMATS and FORMATS[name].archive


def takes_columns(name: str) -> bool:
    """Whether records of a source of the format of this name can get more columns."""
    return name in FORMATS and FORMATS[name].columns


def write_kept(
    source: Source,
    selections: Iterable[Selection],
    out: Path,
    *,
    originals: Originals | None = None,
    rest: bool = True,
    feed: RowFeed | None = None,
    limits: Limits = USUAL,
) -> Written:
    """Copies the source to `out`, a file or for a folder of pages a folder, less what goes.

    `selections` lists the records that the reader found; what it does not list stays, unless it is
    without the `rest`: of an archive it lists every record. A `feed` has more columns for rows.
    Where `originals` names one for a record that goes, an archive gets a revisit record in its
    place if both hold the same bytes. What is larger than the `limits` allow is told, where it
    cannot be passed on bit by bit.
    """
    form = FORMATS.get(source.format)
    if form is None:
        raise InputError(
            f"{source.name}: a {source.format} in memory has no file to copy; filter it"
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    if form.archive:
        return form.write(source, selections, out, originals, limits)
    if form.columns:
        return form.write(source, selections, out, rest=rest, feed=feed, limits=limits)
    return form.write(source, selections, out, rest=rest)
