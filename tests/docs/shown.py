"""What a page shows of what a command prints, beside what it does print.

A line `…` stands for any number of lines that are not shown. What differs from run to run
(`tests.golden.volatile`) is not compared.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from tests.golden import volatile

LEFT_OUT = "…"
_NUMBERS = re.compile(r"[-+]?\d[\d,.]*")
_SPACES = re.compile(r"[\s─-]+")


def printed(text: str) -> list[str]:
    """What was printed, as lines, without progress and blank lines around it."""
    return stripped([line.rstrip() for line in volatile.without_progress(text).split("\n")])


def stripped(lines: Sequence[str]) -> list[str]:
    """Without blank lines at the beginning and at the end."""
    full = [number for number, line in enumerate(lines) if line.strip()]
    return [line.rstrip() for line in lines[full[0] : full[-1] + 1]] if full else []


def steady(line: str) -> str:
    """A line without what differs from run to run."""
    return volatile.blanked(volatile.output(line + "\n"), volatile.SIZES).rstrip("\n")


def agrees(shown: Sequence[str], found: Sequence[str]) -> bool:
    """Whether a page shows what was printed."""
    lines = [steady(line) for line in found]
    pieces = _pieces([steady(line) for line in stripped(shown)])
    at = 0
    for number, piece in enumerate(pieces):
        if number == 0:
            places = [0]
        elif number == len(pieces) - 1:
            places = [len(lines) - len(piece)]
        else:
            places = [*range(at, len(lines) - len(piece) + 1)]
        there = [each for each in places if each >= at and lines[each : each + len(piece)] == piece]
        if not there:
            return False
        at = there[0] + len(piece)
    return len(pieces) > 1 or at == len(lines)


def _pieces(lines: Sequence[str]) -> list[list[str]]:
    """The lines between those that stand for others; the first and the last may be empty."""
    pieces: list[list[str]] = [[]]
    for line in lines:
        if line == LEFT_OUT:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces


def renewed(shown: Sequence[str], found: Sequence[str]) -> list[str]:
    """What a page should show: what was printed, less the lines that it leaves out now; nothing of
    it changes where only that changed which differs from run to run."""
    if agrees(shown, found):
        return [*shown]
    lines = [*found]
    pieces = _pieces(stripped(shown))
    if len(pieces) == 1:
        return lines
    # Which of the lines are those that were shown is told by what numbers do not change.
    wanted = [_shape(line) for piece in pieces for line in piece]
    matcher = SequenceMatcher(None, wanted, [_shape(line) for line in lines], autojunk=False)
    place = {
        match.a + offset: match.b + offset
        for match in matcher.get_matching_blocks()
        for offset in range(match.size)
    }
    made: list[str] = []
    number, after = 0, 0
    for position, piece in enumerate(pieces):
        there = [place[number + offset] for offset in range(len(piece)) if number + offset in place]
        number += len(piece)
        begin, end = (there[0], there[-1] + 1) if there else (after, after)
        if position == 0:
            begin = 0
        if position == len(pieces) - 1 and piece:
            end = len(lines)
        if position and made[-1:] != [LEFT_OUT]:
            made.append(LEFT_OUT)
        made += lines[begin:end]
        after = end
    return made


def _shape(line: str) -> str:
    return _SPACES.sub(" ", _NUMBERS.sub("0", line)).strip()
