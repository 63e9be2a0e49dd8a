"""Words that are part of a date or a time, by the line that they stand in."""

import pytest

from webecho.evaluation.guess.context import Context
from webecho.evaluation.guess.dates import is_date_or_time


def context(text: str) -> Context:
    """The words between brackets, in their line."""
    before, words, after = text.replace("]", "[").split("[")
    line = before + words + after
    start, end = len(before), len(before) + len(words)
    return Context(None, tuple(words.split()), line, line, before, words, start, end)


@pytest.mark.parametrize(
    "text",
    [
        "on Jul [3] 2018 at noon",
        "on [Jul 3] 2018",
        "[2018]-01-26 15:11:04 PST",
        "2018-01-26 15:[11]:04",
        "it is [10]:15 pm",
        "[3] hours ago",
        "© 1999-[2004] Example",
        "le [3 janvier] 2005",
        "2004年[1]月2日",
        "last updated [Monday]",
        "last updated [2004]",
    ],
)
def test_dates_and_times(text: str) -> None:
    assert is_date_or_time(context(text))


@pytest.mark.parametrize(
    "text",
    [
        "chapter [3]",
        "price [12.30] EUR",
        "the year [1984] by Orwell",
        "on [Monday]",
        "on Jul 3 2018 [Ada] wrote",
        # More than the date, so not all of it is one.
        "on [Jul 3 2018 Ada]",
        "last updated [12]",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not is_date_or_time(context(text))
