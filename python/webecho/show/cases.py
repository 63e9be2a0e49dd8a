"""Cases of new pages made from old ones, on the terminal: the query, the pages, what they share."""

from collections.abc import Sequence

from webecho.safe_text import plain
from webecho.show.terminal import Format
from webecho.study.reuse_passages import MarkedCase, MarkedPage

# So much of a passage is shown, and so many lines of them.
LONGEST, LINES = 300, 12


def show_cases(cases: Sequence[MarkedCase], output: Format) -> None:
    """Prints the cases for people; programs have the table."""
    if output != "table" or not cases:
        return
    print()
    print("What they share: [1] with the first old page, [2] with the second, [1+2] with both")
    for number, each in enumerate(cases, 1):
        case = each.case
        print()
        print(f"{number}. {plain(each.pair)}, {plain(case.log)}: {plain(case.query)}")
        for place, old in enumerate(each.old):
            told = f"rank {case.ranks[place]}, {case.shared[place]} identical paragraphs"
            print(f"   old {place + 1}  {name_of(old)} ({told})")
        print(f"   new    {name_of(each.new)}")
        for line in passage_lines(each.new):
            print(f"   {line}")


def name_of(page: MarkedPage) -> str:
    return plain(page.url or f"#{page.page}")


def passage_lines(page: MarkedPage) -> list[str]:
    """The first passages of a page that it shares, each behind what it shares it with."""
    lines = []
    for passage in page.passages:
        if passage.sources:
            lines.append(f"[{'+'.join(map(str, passage.sources))}] {short(passage.text)}")
        elif lines and lines[-1] != "…":
            lines.append("…")
    return lines if len(lines) <= LINES else [*lines[:LINES], "…"]


def short(text: str) -> str:
    """The beginning of a long passage, and its end."""
    shown = plain(text)
    if len(shown) <= LONGEST:
        return shown
    half = LONGEST // 2
    return f"{shown[:half].rstrip()} […] {shown[-half:].lstrip()}"
