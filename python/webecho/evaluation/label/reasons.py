"""*Label* and *reason*: what a person says of a pair, and why (Henzinger 2006, section 3.1).

| label | the pages | reasons |
| --- | --- | --- |
| `correct` | differ in nothing that matters, or are entry pages of one site | what they differ in |
| `incorrect` | have different main items | `main-item` |
| `undecided` | neither | a form that is filled in differently, a minor item, … |

A *combination* is two or more reasons.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from webecho.errors import SettingsError

LabelName = Literal["correct", "incorrect", "undecided"]
LABELS: tuple[LabelName, ...] = ("correct", "incorrect", "undecided")
COMBINATION, NO_REASON = "combination", "no reason given"


@dataclass(frozen=True)
class Reason:
    """A reason as people read it, and the label that it is one for; None is any."""

    code: str
    name: str
    label: LabelName | None
    # What a labeller presses.
    key: str


REASONS = (
    Reason("url", "URL", "correct", "u"),
    Reason("time-stamp", "time stamp", "correct", "t"),
    Reason("execution-time", "execution time", "correct", "e"),
    Reason("visitor-count", "visitor count", "correct", "v"),
    Reason("message-id", "message id", "correct", "m"),
    Reason("session-id", "session id", "correct", "s"),
    Reason("server-name", "server name", "correct", "n"),
    Reason("invisible", "invisible", "correct", "i"),
    Reason("entry-page", "entry page of one site", "correct", "p"),
    Reason("main-item", "main item differs", "incorrect", "d"),
    Reason("form", "form", "undecided", "f"),
    Reason("minor-item", "minor item differs", "undecided", "b"),
    Reason("cannot-evaluate", "cannot evaluate", "undecided", "x"),
    Reason("other", "other", None, "o"),
)
BY_CODE = {reason.code: reason for reason in REASONS}


@dataclass(frozen=True)
class Judgement:
    """A label with its reasons, whoever gave them."""

    label: LabelName
    reasons: tuple[str, ...]


def known_label(label: str) -> LabelName:
    """The label of that name."""
    for known in LABELS:
        if label == known:
            return known
    raise SettingsError(f"no label is called {label!r}; there are {', '.join(LABELS)}")


def fitting(label: LabelName, codes: Iterable[str]) -> tuple[str, ...]:
    """The reasons that can be given for a label, each once, in the order of `REASONS`."""
    given = set(codes)
    unknown = sorted(given - BY_CODE.keys())
    if unknown:
        known = ", ".join(BY_CODE)
        raise SettingsError(f"no reason is called {', '.join(unknown)}; there are {known}")
    return tuple(
        reason.code for reason in REASONS if reason.code in given and reason.label in (label, None)
    )


def implied(codes: Iterable[str]) -> LabelName:
    """The label for which these reasons speak: one main item that differs outweighs all else."""
    given = {BY_CODE[code].label for code in codes}
    if "incorrect" in given:
        return "incorrect"
    return "correct" if given == {"correct"} else "undecided"


def category(codes: Iterable[str]) -> str:
    """The row of Tables 3, 4, 6 and 7 that a pair counts for: its only reason, or a combination."""
    given = tuple(codes)
    if len(given) > 1:
        return COMBINATION
    return given[0] if given else NO_REASON
