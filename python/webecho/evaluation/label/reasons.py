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


# What each label says of two pages.
MEANINGS: dict[LabelName, str] = {
    "correct": "the pages differ in nothing that matters to a reader, or are entry pages of one "
    "site",
    "incorrect": "the main items of the pages differ: other products, people, articles or records",
    "undecided": "neither: what differs may matter to some, or cannot be judged",
}


@dataclass(frozen=True)
class Reason:
    """A reason as people read it, what it means, and the label that it is one for; None is any."""

    code: str
    name: str
    label: LabelName | None
    # What a labeller presses.
    key: str
    meaning: str


REASONS = (
    Reason("url", "URL", "correct", "u", "an address that stands on the page, often its own"),
    Reason("time-stamp", "time stamp", "correct", "t", "a date or time, such as when it was made"),
    Reason(
        *("execution-time", "execution time", "correct", "e"),
        meaning="how long it took to make the page",
    ),
    Reason("visitor-count", "visitor count", "correct", "v", "how many have seen the page"),
    Reason("message-id", "message id", "correct", "m", "the number of a message or posting"),
    Reason("session-id", "session id", "correct", "s", "what tells one visit from another"),
    Reason("server-name", "server name", "correct", "n", "which machine has answered"),
    Reason("invisible", "invisible", "correct", "i", "only what a reader does not see"),
    Reason(
        *("entry-page", "entry page of one site", "correct", "p"),
        meaning="both are the page by which one enters the same site",
    ),
    Reason(
        *("main-item", "main item differs", "incorrect", "d"),
        meaning="what the page is about is another product, person, article or record",
    ),
    Reason("form", "form", "undecided", "f", "only a form is filled in differently"),
    Reason(
        *("minor-item", "minor item differs", "undecided", "b"),
        meaning="something beside the main item, such as an advertisement or a list of news",
    ),
    Reason(
        *("cannot-evaluate", "cannot evaluate", "undecided", "x"),
        meaning="the pages cannot be read: too little text, an unknown language, an error",
    ),
    Reason("other", "other", None, "o", "none of these; say what in the note"),
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
