"""The difference of two pages for people: what was removed and added, in what is around it.

On a terminal they are coloured; elsewhere they stand in `[-removed-]` and `{+added+}`, as in
`git diff --word-diff`; what is rewritten is as if it were removed and added again. Long stretches
of equal words are folded to their number.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Literal

from rich.cells import cell_len, chop_cells
from rich.text import Text

from webecho.group.difference import Stretch
from webecho.safe_text import plain
from webecho.show.scripts import is_unspaced

# Words that stay of an equal stretch next to a change, by default.
CONTEXT = 8
# Folding fewer words would save no line.
LEAST_FOLDED = 10
# Words after which a row ends at the next equal stretch, so that the sides do not drift apart.
ROW = 40
# Between the columns of two pages.
RULE = " │ "

Shown = Literal["equal", "removed", "added"]
STYLES: dict[Shown, str] = {"equal": "", "removed": "red strike", "added": "green"}
MARKS: dict[Shown, tuple[str, str]] = {
    "equal": ("", ""),
    "removed": ("[-", "-]"),
    "added": ("{+", "+}"),
}

Word = tuple[str, str, bool]  # with its style, and whether a space stands before it


@dataclass(frozen=True)
class Fold:
    """Equal words that are not shown."""

    count: int

    @property
    def text(self) -> Text:
        return Text(f"… {self.count:,} equal word{'s'[: self.count != 1]} …", "dim")


def unified(
    difference: Sequence[Stretch], width: int, coloured: bool, context: int = CONTEXT
) -> Iterator[Text]:
    """The lines of both pages in one, what was removed before what was added."""
    for row in rows(folded(difference, context)):
        if isinstance(row, Fold):
            yield row.text
        else:
            words = (word for each in row for word in in_one(each, coloured))
            yield from wrapped(words, width)


def side_by_side(
    difference: Sequence[Stretch], width: int, coloured: bool, context: int = CONTEXT
) -> Iterator[Text]:
    """The lines of both pages next to each other."""
    column = max(10, (width - len(RULE)) // 2)
    for row in rows(folded(difference, context), most=ROW):
        if isinstance(row, Fold):
            yield row.text
            continue
        left = (word for each in row for word in marked(kinds(each)[0], each.left, coloured))
        right = (word for each in row for word in marked(kinds(each)[1], each.right, coloured))
        lines = zip_longest(wrapped(left, column), wrapped(right, column))
        for ours, theirs in lines:
            line = ours or Text()
            line.append(" " * (column - line.cell_len) + RULE)
            line.append_text(theirs or Text())
            line.rstrip()
            yield line


def folded(difference: Sequence[Stretch], context: int) -> Iterator[Stretch | Fold]:
    """The stretches, of equal ones only the words next to a change."""
    last = len(difference) - 1
    for number, stretch in enumerate(difference):
        before = context if number else 0
        after = context if number != last else 0
        count = len(stretch.words) - before - after
        if stretch.kind != "equal" or count < LEAST_FOLDED:
            yield stretch
            continue
        if before:
            yield part(stretch, 0, before)
        yield Fold(count)
        if after:
            yield part(stretch, before + count, None)


def part(stretch: Stretch, start: int, end: int | None) -> Stretch:
    return replace(stretch, left=stretch.left[start:end], right=stretch.right[start:end])


def rows(
    parts: Iterable[Stretch | Fold], most: int | None = None
) -> Iterator[list[Stretch] | Fold]:
    """What stands between folds; with `most`, cut at equal stretches beyond so many words."""
    row: list[Stretch] = []
    count = 0
    for each in parts:
        full = most is not None and count >= most and isinstance(each, Stretch)
        if row and (isinstance(each, Fold) or (full and each.kind == "equal")):
            yield row
            row, count = [], 0
        if isinstance(each, Fold):
            yield each
        else:
            row.append(each)
            count += len(each.words)
    if row:
        yield row


def kinds(stretch: Stretch) -> tuple[Shown, Shown]:
    """As what the words of the left and of the right page are shown."""
    if stretch.kind == "rewritten":
        return "removed", "added"
    return stretch.kind, stretch.kind


def in_one(stretch: Stretch, coloured: bool) -> Iterator[Word]:
    """The words of both pages, once where they are the same."""
    left, right = kinds(stretch)
    if left == right:
        return marked(left, stretch.words, coloured)
    return chain(marked(left, stretch.left, coloured), marked(right, stretch.right, coloured))


def marked(kind: Shown, words: Sequence[str], coloured: bool) -> Iterator[Word]:
    """The words in the colour of their kind, or between its marks."""
    style = STYLES[kind] if coloured else ""
    before, after = ("", "") if coloured else MARKS[kind]
    joined = False
    for number, word in enumerate(words):
        start = before if number == 0 else ""
        end = after if number == len(words) - 1 else ""
        unspaced = is_unspaced(word)
        yield f"{start}{plain(word)}{end}", style, not (joined and unspaced)
        joined = unspaced


def wrapped(words: Iterable[Word], width: int) -> Iterator[Text]:
    """The words in lines of at most this many cells."""
    line, used, last = Text(), 0, ""
    for word, style, spaced in words:
        for piece in [word] if cell_len(word) <= width else chop_cells(word, width):
            size = cell_len(piece)
            if used and used + spaced + size > width:
                yield line
                line, used = Text(), 0
            if used and spaced:
                line.append(" ", style if style == last else "")
                used += 1
            line.append(piece, style)
            used += size
            last = style
    if used:
        yield line
