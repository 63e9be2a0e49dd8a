"""A table on a screen: nothing is cut off at its edge, and no digit is lost.

Where there is not enough room, first columns that are the same in all rows are told once below, as
is how all addresses of a column begin, and ids of records are left out; then the names of columns
are broken into lines, then text is shortened in its middle, or sentences broken into lines, and at
last the columns stand in several blocks of much the same width, each with those that name a row.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import pyarrow as pa
from rich.cells import cell_len, set_cell_size

from webecho.safe_text import plain

GAP = "  "
# Text is not made shorter than this, unless it is, and not at all where little is won.
SHORTEST = 16
SHORT = 20
MIDDLE = "…"
# The most columns by which rows are told apart.
NAMING = 3
# The most digits behind the point, and of numbers over 1 the most that tell something.
DIGITS = 4
# How ids of archives' records begin, and addresses.
RECORD = "<urn:uuid:"
SCHEMES = ("http://", "https://")
SIGNIFICANT = 4
# What parts the lines of a text, which stands in one.
LINE_ENDS = re.compile(r"\s*[\t\n\r]\s*")
# Sentences are not broken into shorter lines.
LINE = 24


@dataclass(frozen=True)
class Column:
    """The name and the cells of a column, how wide it is to be, and at the least; of sentences
    nothing is left out."""

    name: str
    cells: tuple[str, ...]
    is_number: bool
    width: int
    floor: int = SHORTEST
    is_sentence: bool = False

    @property
    def natural(self) -> int:
        return widest(self.cells)

    @property
    def least(self) -> int:
        """The width below which nothing of it can be read."""
        fixed = self.is_number or self.natural <= SHORT
        cells = self.natural if fixed else min(self.natural, self.floor)
        if self.is_sentence:
            # Lines after the first are indented.
            longest = widest(word for each in self.cells for word in each.split())
            cells = max(cells, min(self.natural, len(GAP) + longest))
        return max(cells, widest(map(str.lstrip, words_of(self.name))))

    def lines(self, width: int) -> list[str]:
        """Its name in lines of so many characters."""
        found: list[str] = []
        for word in words_of(self.name):
            if found and cell_len(found[-1] + word) <= width:
                found[-1] += word
            else:
                found.append(word.lstrip())
        return found

    def lines_in(self, row: int) -> list[str]:
        """A cell of it, in as many lines as it takes."""
        text = self.cells[row]
        return broken(text, self.width) if self.is_sentence else [text]

    def set(self, text: str) -> str:
        """A cell, or a line of the name, at its width."""
        text = shortened(text, self.width)
        room = " " * (self.width - cell_len(text))
        return room + text if self.is_number else text + room


def words_of(name: str) -> list[str]:
    """Where the name of a column can be broken, with the blanks: at these, and behind `_`."""
    return re.findall(r"\s*(?:[^\s_]*_+|[^\s_]+)", name)


def in_full(rows: pa.Table) -> list[str]:
    """The lines of a table as wide as it must be, all columns of it, for files and programs."""
    columns = [column(name, rows[name], DIGITS) for name in rows.column_names]
    return drawn(columns, len(rows))


def laid_out(rows: pa.Table, screen: int, sentences: Sequence[str] = ()) -> list[str]:
    """The lines of a table on a screen so many characters wide; in the columns that are called so
    are sentences."""
    columns = [on_screen(column(name, rows[name])) for name in rows.column_names]
    columns = [as_sentence(each) if each.name in sentences else each for each in columns]
    columns = [each for each in columns if any(each.cells)]
    said: list[str] = []
    if together(each.width for each in columns) > screen and len(rows) > 1:
        columns, constant = without_constant(columns)
        same = ", ".join(f"{each.name} {each.cells[0]}" for each in constant)
        said += [f"in all rows: {same}"] * bool(constant)
    if together(each.width for each in columns) > screen:
        columns, more = with_room(columns)
        said += more
    lines: list[str] = []
    for block in blocks(columns, screen):
        lines += [""] * bool(lines) + drawn(shrunk(block, screen), len(rows))
    return lines + [line for each in said for line in broken(each, screen)]


def without_constant(columns: Sequence[Column]) -> tuple[list[Column], list[Column]]:
    """The columns that differ from row to row, and those that can be told once. Where nothing would
    be left but what names the rows, numbers stay."""
    varying = [each for each in columns if len({*each.cells}) > 1]
    if not varying:
        return [*columns], []
    bare = len(varying) == len(naming(varying))
    told = [each for each in columns if each not in varying and not (bare and each.is_number)]
    return [each for each in columns if each not in told], told


def with_room(columns: Sequence[Column]) -> tuple[list[Column], list[str]]:
    """The columns without what takes room and tells little, and what is said of that: numbers of
    archives' records beside other columns, and how all addresses of a column begin."""
    kept = [each for each in columns if not begins(each, RECORD)]
    gone = [each.name for each in columns if each not in kept]
    if not kept:
        kept, gone = [*columns], []
    said = [f"not shown: {', '.join(gone)}, the ids of records"] * bool(gone)
    for scheme in SCHEMES:
        without = [each.name for each in kept if begins(each, scheme)]
        kept = [stripped(each, scheme) if each.name in without else each for each in kept]
        said += [f"all begin with {scheme}: {', '.join(without)}"] * bool(without)
    return kept, said


def begins(of: Column, prefix: str) -> bool:
    """Whether all that stands in a column begins alike."""
    found = [*filter(None, of.cells)]
    return bool(found) and all(each.startswith(prefix) for each in found)


def stripped(of: Column, prefix: str) -> Column:
    cells = tuple(each.removeprefix(prefix) for each in of.cells)
    return replace(of, cells=cells, width=max(widest(cells), cell_len(of.name)))


def column(name: str, values: pa.ChunkedArray, digits: int | None = None) -> Column:
    """A column as it is shown, with so many digits behind the point, or as many as it needs. Names
    and texts come from the crawl."""
    kind = values.type
    found = values.to_pylist()
    if digits is None:
        digits = decimals([each for each in found if isinstance(each, float)])
    cells = tuple(plain(cell(each, digits)) for each in found)
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    return Column(plain(name), cells, is_number, max(widest(cells), cell_len(plain(name))))


def on_screen(of: Column) -> Column:
    """A column with percentages and numerals as numbers, one below the other."""
    return replace(of, is_number=of.is_number or all(map(is_numeral, of.cells)))


def as_sentence(of: Column) -> Column:
    return replace(of, is_sentence=True, floor=LINE)


def is_numeral(text: str) -> bool:
    """Whether a cell is a whole number or a percentage, or has none."""
    bare = text.removesuffix("%")
    return not text or (
        bare[-1:].isdigit() and (bare.isdigit() or (bare != text and " " not in bare))
    )


def cell(value: Any, digits: int) -> str:
    """A value for people: numbers with their groups, and text in one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.{digits}f}"
    return LINE_ENDS.sub(" ", str(value))


def decimals(values: Sequence[float]) -> int:
    """How many digits behind the point tell the values apart: none where all are whole, and fewer
    of large ones."""
    parts = [f"{abs(value):.{DIGITS}f}".rstrip("0").partition(".") for value in values]
    largest = max((len(whole) for whole, _, _ in parts), default=0)
    most = DIGITS if all(abs(value) <= 1 for value in values) else max(SIGNIFICANT - largest, 0)
    return min(max((len(rest) for _, _, rest in parts), default=0), most)


def fits(columns: Sequence[Column], screen: int) -> bool:
    """Whether the columns stand beside each other, if each is as narrow as it can be."""
    return together(each.least for each in columns) <= screen


def together(widths: Iterable[int]) -> int:
    """How wide columns are beside each other."""
    found = [*widths]
    return sum(found) + len(GAP) * (len(found) - 1)


def naming(columns: Sequence[Column]) -> list[Column]:
    """The first columns, as few as tell all rows apart; the first alone where no three do."""
    for count in range(1, 1 + NAMING):
        rows = [*zip(*(each.cells for each in columns[:count]), strict=True)]
        if len({*rows}) == len(rows):
            return [*columns[:count]]
    return [*columns[:1]]


def blocks(columns: Sequence[Column], screen: int) -> list[list[Column]]:
    """The columns, as many beside each other as fit; those that name the rows begin each block, and
    the widest of as many blocks as there must be is as narrow as it can be.

    Names are whole where that makes no more blocks, or as short as tells different rows apart; the
    columns of both sides stand together where that makes no more."""
    names = naming(columns)
    whole = [
        each if is_address(each) or each.is_sentence else replace(each, floor=each.natural)
        for each in names
    ]
    apart = [
        each if each.is_sentence else replace(each, floor=distinct_width(each.cells))
        for each in names
    ]
    others = columns[len(names) :]
    ways = [
        (each, units)
        for each in (whole, apart)
        for units in (twos(each, others, screen), ones(others))
    ]

    def is_named(found: list[list[Column]]) -> bool:
        return all(block[0].name == names[0].name for block in found)

    tried = [(named, units) for named, units in ways if is_named(beside(named, units, screen))]
    if not tried:
        return beside(names, ones(others), screen)
    named, units = min(tried, key=lambda way: len(beside(way[0], way[1], screen)))
    count = len(beside(named, units, screen))

    def as_few(width: int) -> bool:
        found = beside(named, units, width)
        return len(found) == count and is_named(found)

    width = screen if count == 1 else bisect_left(range(screen), True, key=as_few)
    return beside(named, units, width)


def ones(columns: Sequence[Column]) -> list[list[Column]]:
    """Each column by itself."""
    return [[each] for each in columns]


def twos(names: list[Column], columns: Sequence[Column], screen: int) -> list[list[Column]]:
    """The columns, those together that tell the same of two sides, or of us and a paper, where they
    fit beside the names."""
    found: list[list[Column]] = []
    for each in columns:
        before = found[-1][-1] if found else None
        if before is not None and goes_with(before.name, each.name):
            both = fits([*names, before, each], screen)
            found[-1:] = [[before, each]] if both else [[before], [each]]
        else:
            found.append([each])
    return found


def goes_with(one: str, other: str) -> bool:
    """Whether a column tells of the other side, or of a paper, what the one before it tells."""
    sides = one.startswith("left_") and other == one.replace("left", "right", 1)
    return sides or other == f"{one}, paper"


def beside(
    names: list[Column], units: Sequence[Sequence[Column]], screen: int
) -> list[list[Column]]:
    """The others, as many beside these names as fit, those of a unit together."""
    found = [names]
    for unit in units:
        if fits([*found[-1], *unit], screen):
            found[-1] = [*found[-1], *unit]
        else:
            found.append([*names, *unit] if fits([*names, *unit], screen) else [*unit])
    return found


def is_address(of: Column) -> bool:
    """Whether all that stands in a column is an address, or the end of one."""
    return all("/" in each for each in of.cells if each)


def distinct_width(texts: Sequence[str]) -> int:
    """How far texts can be shortened, if not to the shortest, with those that differ still
    different."""
    different = {*texts}
    for width in range(SHORTEST, widest(different)):
        if len({shortened(each, width) for each in different}) == len(different):
            return width
    return widest(different)


def shrunk(columns: Sequence[Column], screen: int) -> list[Column]:
    """The columns as wide as there is room: the widest gives first, its name before its cells."""
    found = list(columns)
    while together(each.width for each in found) > screen:
        wide = [at for at, each in enumerate(found) if each.width > each.least]
        if not wide:
            break
        at = max(wide, key=lambda at: (found[at].width > found[at].natural, found[at].width))
        found[at] = replace(found[at], width=found[at].width - 1)
    return found


def drawn(columns: Sequence[Column], rows: int) -> list[str]:
    """The lines of columns that fit: their names, at the foot of theirs, and the rows."""
    names = [each.lines(each.width)[::-1] for each in columns]
    heads = [*zip_longest(*names, fillvalue="")][::-1]
    cells = [
        line
        for row in range(rows)
        for line in zip_longest(*(each.lines_in(row) for each in columns), fillvalue="")
    ]
    return [
        GAP.join(each.set(text) for each, text in zip(columns, line, strict=True)).rstrip()
        for line in [*heads, *cells]
    ]


def shortened(text: str, width: int) -> str:
    """The text, without its middle if it is wider than that."""
    if cell_len(text) <= width:
        return text
    front = (width - 1) // 2
    back = width - 1 - front
    end = set_cell_size(text[::-1], back)[::-1] if back else ""
    return f"{set_cell_size(text, front)}{MIDDLE}{end}"


def broken(line: str, screen: int) -> list[str]:
    """A line of text on a screen: broken between words, what goes on below the last column of it
    that begins in the first half."""
    if cell_len(line) <= screen:
        return [line]
    begins = [0, *(found.end() for found in re.finditer(r" {2,}(?=\S)", line))]
    hang = " " * max(at for at in begins if at <= screen // 2) or GAP
    lines: list[str] = []
    for word in re.findall(r"\s*\S+", line):
        # A word that a new line brings no nearer to the edge stays in this one.
        nearer = cell_len(hang + word.lstrip()) < cell_len(lines[-1] + word) if lines else True
        if lines and (cell_len(lines[-1] + word) <= screen or not nearer):
            lines[-1] += word
        else:
            lines.append(hang + word.lstrip() if lines else word)
    return lines


def widest(texts: Iterable[str]) -> int:
    return max(map(cell_len, texts), default=0)
