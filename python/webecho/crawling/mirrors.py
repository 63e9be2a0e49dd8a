"""*Mirror* as a crawler takes it: a folder of a host, and the one that stands for it, as the study
of mirrors told them. They are candidates here and no more: each is held against the pages of this
workspace, as other URL rules are, before it goes into a list. Where a folder as a whole does not
hold, folders in it may, up to three levels down.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.csv

from webecho.crawling.url_forms import DEEPER, Address, Form, address, prefixes
from webecho.errors import InputError, setting
from webecho.workspace.listed import LIST, check_listed
from webecho.workspace.stored import read_file

# The table of the study of mirrors, and its columns.
TABLE = "crawler"
COLUMNS = ("mirror host", "mirror path", "canonical host", "canonical path")
FIX = "give the folder that `webecho study mirrors` wrote, or its crawler.parquet or crawler.csv"


class Mirror(NamedTuple):
    """A folder, and the one that stands for it."""

    host: str
    path: str
    into_host: str
    into_path: str

    @property
    def is_within(self) -> bool:
        """Whether both are of one host."""
        return self.host == self.into_host


# For each host, and each folder of it that is mirrored, what stands for that.
Mirrors = dict[str, dict[str, list[tuple[str, str]]]]


def read_mirrors(given: Path) -> tuple[Mirror, ...]:
    """The mirrors of a study's folder, or of its table."""
    file = given / f"{TABLE}.parquet" if given.is_dir() else given
    if not file.is_file():
        raise InputError(f"{file} is not there, which ", setting("mirrors"), f" asks for; {FIX}")
    rows = read_table(file)
    found = [
        Mirror(*row) for row in zip(*(rows[name].to_pylist() for name in COLUMNS), strict=True)
    ]
    for each in found:
        check(each, file)
    return tuple(dict.fromkeys(found))


def read_table(file: Path) -> pa.Table:
    """The columns of the table, as Parquet or as CSV."""
    if (file.parent / LIST).is_file():
        check_listed(file, "study the mirrors again")
    if file.suffix != ".csv":
        return read_file(file, FIX, COLUMNS, InputError)
    texts = pa.csv.ConvertOptions(
        column_types=dict.fromkeys(COLUMNS, pa.string()), include_columns=COLUMNS
    )
    try:
        return pa.csv.read_csv(file, convert_options=texts)
    except (OSError, pa.ArrowInvalid, pa.ArrowKeyError) as error:
        raise InputError(f"{file} cannot be read ({error}); {FIX}") from error


def check(mirror: Mirror, file: Path) -> None:
    """Refuses what is no folder of a host: it will stand in patterns."""
    for host, path in (mirror[:2], mirror[2:]):
        whole = None if host is None or path is None else f"http://{host}{path}"
        parts = address(whole)
        if parts is None or parts.query or parts.host != host or not path.endswith("/"):
            raise InputError(
                f"{file} has {host!r} with {path!r}, which is no folder of a host; {FIX}"
            )
    if mirror[:2] == mirror[2:]:
        raise InputError(f"{file} has {mirror.host}{mirror.path} as a mirror of itself; {FIX}")


def by_folder(mirrors: Iterable[Mirror]) -> Mirrors:
    """The mirrors between two hosts, by where they are."""
    found: Mirrors = {}
    for each in mirrors:
        if not each.is_within:
            into = found.setdefault(each.host, {}).setdefault(each.path, [])
            into.append((each.into_host, each.into_path))
    return found


def mirror_forms(of: Address, known: Mirrors) -> Iterator[Form]:
    """The places that an address leads to by the mirrors of its host, and by what is in them."""
    mirrored = known.get(of.host, {})
    folders = [*prefixes(of.path)] if mirrored else []
    for level, folder in enumerate(folders):
        for host, path in mirrored.get(folder, ()):
            place = of._replace(host=host, path=path + of.path[len(folder) :]).text
            for inner in folders[level : level + 1 + DEEPER]:
                into = host + path + inner[len(folder) :]
                yield Form("mirror", of.host, of.host + inner, into, place)
