"""*Session*: one labeller at work on one sample: what to label next, what was said, how to undo it.

Other labellers may write to the same file meanwhile; what they say is read when it matters.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.errors import SettingsError, setting
from webecho.evaluation.label.labels import Label, append, now, read_labels, standing, undone
from webecho.evaluation.label.page_text import Change, PageText, PageTextReader, changes
from webecho.evaluation.label.reasons import Judgement, fitting, known_label
from webecho.evaluation.label.views import MORE, Segment, Sheet, Side, part, sheet, view, visible

# Pairs that are kept ready: the one that is shown, the next, and some before, up to so many
# characters of them. A character of text takes some 30 bytes as words with their places.
READY, HELD = 6, 20_000_000
# Characters of a note, and of a labeller's name.
NOTE, NAME = 2000, 100
CALLED = ("left_url", "right_url", "left_id", "right_id")

# Tells why two pages probably differ, given all that does.
Guesser = Callable[[PageText, PageText, Sequence[Change]], Judgement]


@dataclass(frozen=True)
class Compared:
    """Two pages that were read, what differs, and why it probably does."""

    left: Sheet
    right: Sheet
    guess: Judgement | None


@dataclass
class Session:
    """The pairs of a sample by their numbers from 1, and the file that labels go to."""

    pairs: list[dict[str, Any]]
    reader: PageTextReader
    file: Path
    labeller: str
    # None where a labeller is not to be led by guesses.
    guess: Guesser | None
    writing: threading.Lock = field(default_factory=threading.Lock)
    comparing: threading.Lock = field(default_factory=threading.Lock)
    ready: "OrderedDict[int, Compared]" = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        if not 0 < len(self.labeller.strip()) <= NAME or not self.labeller.isprintable():
            raise SettingsError(
                setting("labeller").to(repr(self.labeller)),
                f" is no name; give 1 to {NAME} printable characters",
            )

    @cached_property
    def wanted(self) -> dict[tuple[int, int], dict[str, Any]]:
        return {(pair["left"], pair["right"]): pair for pair in self.pairs}

    def own(self) -> dict[tuple[int, int], Label]:
        """What this labeller has said of each pair of the sample."""
        found = standing(read_labels(self.file).labels)
        return {
            pair: said[self.labeller]
            for pair, said in found.items()
            if self.labeller in said and self.is_here(said[self.labeller])
        }

    def is_here(self, label: Label) -> bool:
        """Whether a label is about a pair of the sample: its numbers alone may be of another
        workspace."""
        pair = self.wanted.get(label.pair)
        return pair is not None and all(getattr(label, name) == pair[name] for name in CALLED)

    def state(self) -> dict[str, Any]:
        """How far the labeller has come, and the first pair that has no label."""
        own = self.own()
        open_pairs = (
            number
            for number, pair in enumerate(self.pairs, 1)
            if (pair["left"], pair["right"]) not in own
        )
        return {
            "labeller": self.labeller,
            "total": len(self.pairs),
            "labelled": len(own),
            "next": next(open_pairs, None),
        }

    def compared(self, number: int) -> Compared:
        """The pages of a pair, read and compared, one pair at a time: the next one is asked for
        while this one is."""
        with self.comparing:
            found = self.ready.get(number)
            if found is None:
                pair = self.pairs[number - 1]
                left, right = (self.reader.page_text(pair[side]) for side in ("left", "right"))
                found = compared(left, right, self.guess)
                self.ready[number] = found
                while len(self.ready) > 1 and (len(self.ready) > READY or self.held() > HELD):
                    self.ready.popitem(last=False)
            return found

    def held(self) -> int:
        """Characters of the pages that are kept ready."""
        return sum(
            len(each.page.text) for two in self.ready.values() for each in (two.left, two.right)
        )

    def shown(self, number: int) -> dict[str, Any]:
        """All that the page shows of a pair."""
        pair, found = self.pairs[number - 1], self.compared(number)
        said = self.own().get((pair["left"], pair["right"]))
        return {
            "number": number,
            "left": page(pair, found.left, "left"),
            "right": page(pair, found.right, "right"),
            "changes": len(found.left.spans),
            "guess": None
            if found.guess is None
            else {"label": found.guess.label, "reasons": found.guess.reasons},
            "said": None
            if said is None
            else {"label": said.label, "reasons": said.reasons, "note": said.note},
        }

    def more(self, number: int, side: Side, start: int, end: int) -> list[Segment]:
        """Characters that were not shown, at most `MORE`."""
        found = self.compared(number)
        wanted = found.left if side == "left" else found.right
        length = len(wanted.page.text)
        start = min(max(0, start), length)
        return part(wanted, start, max(start, min(end, start + MORE, length)))

    def say(self, number: int, label: str, reasons: list[str], note: str) -> None:
        """Puts a label on disk."""
        if len(note) > NOTE:
            raise SettingsError(f"the note has {len(note)} characters, at most {NOTE} are kept")
        pair, chosen = self.pairs[number - 1], known_label(label)
        said = Label(
            **{name: pair[name] for name in CALLED},
            left=pair["left"],
            right=pair["right"],
            label=chosen,
            reasons=fitting(chosen, reasons),
            note=note,
            labeller=self.labeller,
            time=now(),
        )
        with self.writing:
            append(self.file, [said])

    def undo(self) -> int | None:
        """Takes back what was said last, and gives the number of that pair; None if nothing was."""
        with self.writing:
            own = (each for each in read_labels(self.file).labels if self.is_here(each))
            line = undone(own, self.labeller)
            if line is None:
                return None
            append(self.file, [line])
        places = {(pair["left"], pair["right"]): at for at, pair in enumerate(self.pairs, 1)}
        return places[line.pair]


def compared(left: PageText, right: PageText, guess: Guesser | None) -> Compared:
    found = changes(left, right)
    why = None if guess is None else guess(left, right, found)
    return Compared(sheet(left, found, "left"), sheet(right, found, "right"), why)


def page(pair: dict[str, Any], shown: Sheet, side: Side) -> dict[str, Any]:
    """One side of a pair as the page shows it."""
    text = shown.page
    url, id_ = pair[f"{side}_url"], pair[f"{side}_id"]
    return {
        "url": None if url is None else visible(url),
        "link": linked(url),
        "id": None if id_ is None or id_ == url else visible(str(id_)),
        "page": pair[side],
        "words": len(text.words),
        "characters": len(text.text),
        "gone": None if text.gone is None else visible(text.gone),
        "segments": view(shown),
    }


def linked(url: str | None) -> str | None:
    """The address to open a page by elsewhere: only such as a browser fetches, and shows as it is
    written here."""
    if url is None or visible(url) != url or not url.lower().startswith(("http://", "https://")):
        return None
    return url


def pairs_of(sample: pa.Table) -> list[dict[str, Any]]:
    """The pairs of a sample, each once, in the order of their numbers."""
    found = {row["number"]: row for row in sample.to_pylist()}
    return [found[number] for number in sorted(found)]
