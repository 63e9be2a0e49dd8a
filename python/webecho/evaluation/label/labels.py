"""The file of labels: a line for each thing that a labeller said, as JSON, never changed later.

```
{"left_url": …, "right_url": …, "left_id": …, "right_id": …, "left": 12, "right": 48,
 "label": "correct", "reasons": ["time-stamp"], "note": "", "labeller": "ada", "time": "2026-…Z"}
```

Of several lines by one labeller on one pair the last holds; one whose label is null takes back what
was said before. `"undo": true` marks what was written to undo the labeller's line before it, and
`"guess": true` what no person said. `check` at its end is a checksum of what stands before it;
a line that somebody wrote by hand has none.
A line is on disk before anybody is told that it was saved.
"""

import fcntl
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from webecho import _core
from webecho.errors import InputError, SettingsError
from webecho.evaluation.label.reasons import LABELS, LabelName, fitting
from webecho.workspace.mirror import push


@dataclass(frozen=True)
class Label:
    """What one labeller said of one pair of pages, `left` < `right`."""

    left_url: str | None
    right_url: str | None
    left_id: str | int | None
    right_id: str | int | None
    left: int
    right: int
    label: LabelName | None
    reasons: tuple[str, ...]
    note: str
    labeller: str
    time: str
    undo: bool = False
    guess: bool = False

    @property
    def pair(self) -> tuple[int, int]:
        return self.left, self.right


@dataclass(frozen=True)
class Lines:
    """What a file of labels holds, line by line, and which lines are left out."""

    labels: tuple[Label, ...]
    broken: tuple[str, ...] = ()  # where, and why


# No line is longer, whatever the addresses in it.
LONGEST = 16 << 20
FIELDS = {each.name for each in fields(Label)}
# A line that has its checksum: what stands before it, and the checksum.
CHECKED = re.compile(rb'(\{.*), "check": "([0-9a-f]{16})"\}\s*', re.DOTALL)


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def append(file: Path, labels: Iterable[Label]) -> None:
    """Adds labels to the file, and returns when they are on disk, or where the workspace lies."""
    lines = "".join(line(label) for label in labels).encode()
    file.parent.mkdir(parents=True, exist_ok=True)
    new = not file.exists()
    with file.open("ab+") as out:
        # Several labellers may write at the same time.
        fcntl.flock(out, fcntl.LOCK_EX)
        if not ends_whole(out.fileno()):
            # What a crash left of a line stays by itself, and harms no other.
            lines = b"\n" + lines
        out.write(lines)
        out.flush()
        os.fsync(out.fileno())
    if new:
        # The name of a new file is on disk when its folder is.
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    push(file)


def line(label: Label) -> str:
    values = asdict(label)
    for name in ("undo", "guess"):
        if not values[name]:
            del values[name]
    text = json.dumps(values, ensure_ascii=False)[:-1]
    try:
        check = check_of(text.encode())
    except UnicodeEncodeError as error:
        half = ascii(text[error.start])
        raise SettingsError(f"a label holds half of a character ({half}); leave it out") from None
    return f'{text}, "check": "{check}"}}\n'


def check_of(text: bytes) -> str:
    """The checksum of a line, of which this is all that stands before it."""
    return _core.checksum_of(text)[:16]


def ends_whole(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"


def read_labels(file: Path, *, strict: bool = False) -> Lines:
    """All lines of a file of labels; none if there is no file yet. A `strict` reader takes no line
    that says more than lines do."""
    if not file.exists():
        return Lines(())
    labels: list[Label] = []
    broken: list[str] = []
    with file.open("rb") as lines:
        for number, text in enumerate(iter(partial(lines.readline, LONGEST), b""), 1):
            if not text.strip():
                continue
            if len(text) == LONGEST:
                raise InputError(
                    f"{file}, line {number}: has over {LONGEST:,} bytes; mend it, or remove it"
                )
            try:
                labels.append(as_label(parsed(text, strict)))
            except (InputError, SettingsError) as error:
                broken.append(f"{file}, line {number}: {error}")
    return Lines(tuple(labels), tuple(broken))


def parsed(text: bytes, strict: bool = False) -> Any:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError("it is no JSON; mend the line, or remove it") from error
    written = CHECKED.fullmatch(text)
    if isinstance(values, dict) and "check" in values:
        if written is None or check_of(written[1]).encode() != written[2]:
            raise InputError("it is not what was written there; mend it and remove its check")
    elif isinstance(values, dict) and strict and not values.keys() <= FIELDS:
        raise InputError(f"it says {', '.join(values.keys() - FIELDS)}, which no line does")
    return values


def as_label(values: Any) -> Label:
    """A label from a line's values; an InputError or SettingsError where they are none."""
    if not isinstance(values, dict):
        raise InputError("it is no JSON object, as in {…}; mend the line, or remove it")
    missing = [name for name in ("left", "right", "label", "labeller") if name not in values]
    if missing:
        raise InputError(
            f"it has no {', '.join(missing)}; add what is missing (or take labels without page "
            "numbers in with: webecho label --import)"
        )
    label = values["label"]
    if label is not None and label not in LABELS:
        raise InputError(f"no label is called {label!r}; write {', '.join(LABELS)}")
    left, right = (page_number(values, side) for side in SIDES)
    names = {f"{side}_{name}": page_name(values, side, name) for side in SIDES for name in NAMES}
    if left > right:
        left, right = right, left
        names = {
            f"{side}_{name}": names[f"{OTHER[side]}_{name}"] for side in SIDES for name in NAMES
        }
    return Label(
        **names,
        left=left,
        right=right,
        label=label,
        reasons=() if label is None else reasons_of(label, values),
        note=str(values.get("note") or ""),
        labeller=str(values["labeller"]),
        time=str(values.get("time") or ""),
        undo=bool(values.get("undo")),
        guess=bool(values.get("guess")),
    )


def page_number(values: Mapping[str, Any], side: str) -> int:
    number = values[side]
    known = isinstance(number, int | str) and not isinstance(number, bool)
    if not known or len(str(number)) > _MOST_DIGITS or not str(number).isdecimal():
        raise InputError(f"{side} is {number!r}; write the number of a page, such as 12")
    return int(number)


def page_name(values: Mapping[str, Any], side: str, name: str) -> Any:
    """The address or id of a page, if the line tells it."""
    said = values.get(f"{side}_{name}")
    if isinstance(said, bool) or not isinstance(said, NAMES[name]) or not is_text(str(said)):
        raise InputError(f"{side}_{name} is {said!r}; write what the page is called, as text")
    return said


def is_text(said: str) -> bool:
    """Whether no half of a character is in it, which JSON can spell out and nothing can store."""
    return not any("\ud800" <= letter <= "\udfff" for letter in said)


def reasons_of(label: LabelName, values: Mapping[str, Any]) -> tuple[str, ...]:
    reasons = values.get("reasons") or []
    if not isinstance(reasons, list) or not all(isinstance(each, str) for each in reasons):
        raise InputError(f'reasons is {reasons!r}; write a list, such as ["time-stamp"]')
    return fitting(label, reasons)


# Pages have smaller numbers.
_MOST_DIGITS = 15
SIDES = ("left", "right")
OTHER = {"left": "right", "right": "left"}
# What names a page, and what it may be.
NAMES = {"url": str | None, "id": str | int | None}


def standing(labels: Iterable[Label]) -> dict[tuple[int, int], dict[str, Label]]:
    """What holds: for each pair the last label of each labeller, unless it was taken back."""
    found: dict[tuple[int, int], dict[str, Label]] = {}
    for label in labels:
        by_labeller = found.setdefault(label.pair, {})
        by_labeller.pop(label.labeller, None)
        if label.label is not None:
            by_labeller[label.labeller] = label
    return {pair: by_labeller for pair, by_labeller in found.items() if by_labeller}


def undone(labels: Iterable[Label], labeller: str) -> Label | None:
    """The line that undoes the last of these by the labeller; None if there is none left.

    It brings back what the labeller had said of the pair before.
    """
    said: dict[tuple[int, int], list[Label]] = {}
    order: list[tuple[int, int]] = []
    for label in labels:
        if label.labeller != labeller:
            continue
        if not label.undo:
            said.setdefault(label.pair, []).append(label)
            order.append(label.pair)
        elif label.pair in order:
            said[label.pair].pop()
            del order[len(order) - 1 - order[::-1].index(label.pair)]
    if not order:
        return None
    history = said[order[-1]]
    last, before = history[-1], history[-2] if len(history) > 1 else None
    back = before or replace(last, label=None, reasons=(), note="")
    return replace(back, time=now(), undo=True)


def settled(labels: Iterable[Label]) -> LabelName:
    """What several labellers say together of a pair: what most say, else undecided."""
    counts = dict.fromkeys(LABELS, 0)
    for label in labels:
        if label.label is not None:
            counts[label.label] += 1
    most = max(counts.values())
    winners = [name for name, count in counts.items() if count == most]
    return winners[0] if len(winners) == 1 else "undecided"


def by_labeller(labels: Iterable[Label]) -> Iterator[tuple[tuple[int, int], str, LabelName]]:
    """(pair, labeller, label) of all that holds."""
    for pair, given in standing(labels).items():
        for labeller, label in given.items():
            if label.label is not None:
                yield pair, labeller, label.label
