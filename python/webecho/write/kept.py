"""What stays of one source, written in the source's own format."""

from collections.abc import Iterable
from pathlib import Path

from webecho.errors import InputError
from webecho.read.folders import FolderSource
from webecho.read.lines import LinesSource
from webecho.read.pages import Source
from webecho.read.parquet import ParquetSource
from webecho.read.wacz import WaczSource
from webecho.read.warc import WarcSource
from webecho.write.folders import write_folder
from webecho.write.lines import write_lines
from webecho.write.parquet import write_parquet
from webecho.write.verdicts import Original, Originals, Verdicts, Written
from webecho.write.wacz import write_wacz
from webecho.write.warc import write_warc

__all__ = ["Original", "Verdicts", "Written", "write_kept"]


def write_kept(
    source: Source,
    verdicts: Iterable[Verdicts],
    out: Path,
    *,
    originals: Originals | None = None,
) -> Written:
    """Copies the source to `out`, a file or for a folder of pages a folder, less what goes.

    `verdicts` lists the records that the reader found; what it does not list stays. Where
    `originals` names one for a record that goes, a WARC file gets a revisit record in its place if
    both hold the same bytes.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    match source:
        case WarcSource():
            return write_warc(source, verdicts, out, originals)
        case WaczSource():
            return write_wacz(source, verdicts, out)
        case ParquetSource():
            return write_parquet(source, verdicts, out)
        case LinesSource():
            return write_lines(source, verdicts, out)
        case FolderSource():
            return write_folder(source, verdicts, out)
    raise InputError(f"{source.name}: a {source.format} in memory has no file to copy; filter it")
