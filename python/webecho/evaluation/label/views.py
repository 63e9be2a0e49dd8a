"""*View* of a page beside another: its text in segments, those that differ marked, the rest cut.

All of it is text. Characters that would change how others are shown (those that turn the direction
of writing, controls, what is invisible by itself) become segments of their own with a name.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from webecho.evaluation.label.page_text import Change, PageText

Side = Literal["left", "right"]
Span = tuple[int, int]
Segment = dict[str, Any]

# Characters that are shown of what is equal: at the top of the page, and next to a change.
HEAD, AROUND = 1200, 300
# Of one change at the most, and of a page at once.
CHANGE, WHOLE = 3000, 40_000
# A gap of fewer is not worth a fold.
LEAST_GAP = 200
# Characters in which the end of a word is looked for.
LONGEST = 40
# Characters that are handed out when more is asked for.
MORE = 20_000

# Bidirectional controls, other format characters that are not seen, separators, and controls but
# line breaks and tabs. Joiners and soft hyphens stay: they belong to words of many scripts.
ODD = re.compile(
    "[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
ABBREVIATIONS = {
    **{0x200E: "LRM", 0x200F: "RLM", 0x061C: "ALM", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF"},
    **{0x202D: "LRO", 0x202E: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI"},
    **{0x200B: "ZWSP", 0x2060: "WJ", 0xFEFF: "BOM", 0x2028: "LS", 0x2029: "PS", 0x007F: "DEL"},
}
BLANK = re.compile(r"\s")
BLANKS = re.compile(r"[^\S\n]+")
LINES = re.compile(r" ?(?:\n ?)+")


@dataclass(frozen=True)
class Sheet:
    """One of two pages: which words each change has on it, and which characters."""

    page: PageText
    words: list[Span]
    spans: list[Span]


def sheet(page: PageText, changes: Sequence[Change], side: Side) -> Sheet:
    words = [change.left if side == "left" else change.right for change in changes]
    return Sheet(page, words, [characters(page, first, last) for first, last in words])


def characters(page: PageText, first: int, last: int) -> Span:
    """The characters of some words; where there are none, the place between two."""
    if first < last:
        return page.starts[first], page.ends[last - 1]
    at = page.ends[first - 1] if first else 0
    return at, at


def view(sheet: Sheet) -> list[Segment]:
    """The segments that a labeller sees first: what differs and what is around it."""
    segments: list[Segment] = []
    at = 0
    for start, end in shown(sheet):
        if at < start:
            segments.append(gap(sheet, at, start))
        segments += part(sheet, start, end)
        at = end
    if at < len(sheet.page.text):
        segments.append(gap(sheet, at, len(sheet.page.text)))
    if segments and "text" in segments[0]:
        segments[0]["text"] = segments[0]["text"].lstrip()
    return segments


def gap(sheet: Sheet, start: int, end: int) -> Segment:
    """Characters that are not shown, and how many changes are among them."""
    return {"gap": [start, end], "changes": len(within(sheet, start, end))}


def within(sheet: Sheet, start: int, end: int) -> range:
    """The changes that have characters here, or a place between two that is not this start."""
    first = bisect_right(sheet.spans, start, key=lambda span: span[1])
    last = bisect_left(sheet.spans, end, key=lambda span: span[0])
    if end == len(sheet.page.text):
        last = len(sheet.spans)
    if start == 0:
        first = 0
    return range(first, max(first, last))


def shown(sheet: Sheet) -> list[Span]:
    """Which characters to show: the top, and the changes with what is around them, so many."""
    length = len(sheet.page.text)
    spans = [whole_words(sheet.page.text, 0, HEAD)]
    total = spans[0][1]
    for start, end in sheet.spans:
        pieces = [(start - AROUND, end + AROUND)]
        if end - start > CHANGE:
            pieces = [(start - AROUND, start + CHANGE // 2), (end - CHANGE // 2, end + AROUND)]
        for piece in pieces:
            first, last = whole_words(sheet.page.text, *piece)
            before = spans[-1]
            if first <= before[1] + LEAST_GAP:
                spans[-1] = (before[0], max(before[1], last))
                total += spans[-1][1] - before[1]
            else:
                spans.append((first, last))
                total += last - first
        if total > WHOLE:
            break
    if length - spans[-1][1] < LEAST_GAP:
        spans[-1] = (spans[-1][0], length)
    return spans


def whole_words(text: str, start: int, end: int) -> Span:
    """A span within the text that begins and ends at white space, if there is some near."""
    start, end = max(0, start), min(end, len(text))
    if start > 0 and (blank := BLANK.search(text, start, start + LONGEST)):
        start = blank.start()
    if end < len(text) and (blank := BLANK.search(text, end, end + LONGEST)):
        end = blank.start()
    return start, end


def part(sheet: Sheet, start: int, end: int) -> list[Segment]:
    """Some characters as segments: equal, or of the change with that number, from 0."""
    text = sheet.page.text
    segments: list[Segment] = []
    at = start
    for number in within(sheet, start, end):
        first, last = sheet.spans[number]
        segments += texts(text[at : max(at, first)], None)
        segments += changed(sheet, number, max(start, first), min(end, last))
        at = max(at, min(end, last))
    segments += texts(text[at:end], None)
    return segments


def changed(sheet: Sheet, number: int, start: int, end: int) -> Iterator[Segment]:
    """What of a change stands in these characters; images by their terms."""
    page = sheet.page
    first, last = sheet.words[number]
    if first == last:
        yield {"change": number, "text": "", "absent": True}
        return
    at = start
    words = range(
        bisect_left(page.starts, start, first, last),
        bisect_right(page.starts, end, first, last),
    )
    for word in words:
        if page.starts[word] == page.ends[word]:
            yield from texts(page.text[at : page.starts[word]], number)
            yield {"change": number, "image": True, "text": visible(page.words[word])}
            at = page.starts[word]
    yield from texts(page.text[at:end], number)


def texts(text: str, number: int | None) -> Iterator[Segment]:
    """A text as segments; odd characters by their names, white space no more than is needed."""
    mark = {} if number is None else {"change": number}
    at = 0
    for odd in ODD.finditer(text):
        if at < odd.start():
            yield mark | {"text": tidy(text[at : odd.start()])}
        yield mark | {"text": name(odd[0]), "odd": True}
        at = odd.end()
    if at < len(text):
        yield mark | {"text": tidy(text[at:])}


def tidy(text: str) -> str:
    """White space as a reader wants it: single blanks, at the most one empty line."""
    lines = BLANKS.sub(" ", text)
    return LINES.sub(lambda found: "\n\n" if found[0].count("\n") > 1 else "\n", lines)


def name(character: str) -> str:
    """What an odd character is called."""
    code = ord(character)
    if code in ABBREVIATIONS:
        return ABBREVIATIONS[code]
    if code < 0x20:
        return chr(0x2400 + code)
    return unicodedata.name(character, f"U+{code:04X}") if code < 0xE0000 else f"U+{code:04X}"


def visible(text: str) -> str:
    """One line of text, odd characters by their names."""
    return ODD.sub(lambda odd: f"⟦{name(odd[0])}⟧", text.replace("\n", " ").replace("\t", " "))
