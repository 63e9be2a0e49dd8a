"""*Shared passages*: runs of chunks that two pages have in common, as they stand on both."""

from collections.abc import Sequence
from dataclasses import dataclass

from webecho.sketches.passages import Passage

# What stands between two passages that do not meet.
GAP = "\n"


@dataclass(frozen=True)
class SharedPassage:
    """A run of chunks that stands on both pages: on which lines of each, and its text on each."""

    chunks: int
    left_lines: tuple[int, int]
    right_lines: tuple[int, int]
    left_text: str
    right_text: str


def shared_passages(
    left: Sequence[Passage], right: Sequence[Passage], bits: int = 64
) -> list[SharedPassage]:
    """The runs of chunks on the left page that stand on the right one too, in the order of the left
    page."""
    ours, theirs = ([each.chunk for each in side] for side in (left, right))
    return [
        shared([left[one] for one, _ in run], [right[other] for _, other in run])
        for run in shared_runs(ours, theirs, bits)
    ]


def shared_runs(
    left: Sequence[int], right: Sequence[int], bits: int = 64
) -> list[list[tuple[int, int]]]:
    """The same as places of chunks on both. A chunk that stands on the right page several times is
    taken where the run goes on, or else where it stands first."""
    mask = (1 << bits) - 1
    ours, theirs = ([chunk & mask for chunk in side] for side in (left, right))
    places: dict[int, int] = {}
    for place, chunk in reversed([*enumerate(theirs)]):
        places[chunk] = place
    runs: list[list[tuple[int, int]]] = []
    for at, chunk in enumerate(ours):
        if chunk not in places:
            continue
        if runs and runs[-1][-1][0] == at - 1:
            after = runs[-1][-1][1] + 1
            if after < len(theirs) and theirs[after] == chunk:
                runs[-1].append((at, after))
                continue
        runs.append([(at, places[chunk])])
    return runs


def shared(left: Sequence[Passage], right: Sequence[Passage]) -> SharedPassage:
    return SharedPassage(
        len(left),
        (left[0].first_line, left[-1].last_line),
        (right[0].first_line, right[-1].last_line),
        joined(left),
        joined(right),
    )


def joined(passages: Sequence[Passage]) -> str:
    """The text of passages that follow each other: what two of them have in common comes once."""
    text, end = b"", None
    for each in passages:
        own = each.text.encode()
        if end is None:
            text = own
        elif each.start <= end:
            text += own[end - each.start :]
        else:
            text += GAP.encode() + own
        end = max(end or 0, each.start + len(own))
    return text.decode()
