"""Query logs: what was asked for between two snapshots, how often, and when.

A log has *top* queries, which are asked for most and lead anywhere; *frequent* ones, each for the
names of a topic; and *rare* ones. The *real* log of two snapshots lies between them, the *wrong*
one before the first. Half of the topics are asked for in either, by chance: without copies through
queries the two cannot be told apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import NamedTuple

from webecho.synthetic.chance import numbers, share
from webecho.synthetic.languages import LANGUAGES, vocabulary
from webecho.synthetic.reuse.conditions import FREQUENT, TOO_OFTEN, TOO_SELDOM, Case
from webecho.synthetic.reuse.lives import World
from webecho.synthetic.reuse.texts import NAMES, names

# Queries of a log that are asked for most, and seldom.
TOP, RARE = 10, 20
# How often: from the first number on, up to the second.
TIMES = {TOO_OFTEN: (300, 900), FREQUENT: (20, 60), TOO_SELDOM: (1, 4)}
# One in so many frequent queries is in both logs.
IN_BOTH = 10
# The first crawl begins with this year, each other one a year after the one before; a log has
# the months strictly between two crawls, and a frequent query is asked for within so many days.
FIRST_YEAR, DAYS = 2004, 40
FIRST_MONTH = 2
# No topic has so high a number, so that nothing is about those from here on.
NOTHING = 1 << 30
REAL, WRONG = "real", "wrong"


class Query(NamedTuple):
    """A query of a log: the topic that it asks for, if any, and when."""

    text: str
    role: str
    topic: int | None
    times: tuple[datetime, ...]


class Log(NamedTuple):
    """A query log, and the snapshot that it comes after; 0 for the wrong one."""

    name: str
    after: int
    queries: tuple[Query, ...]


class Asked(NamedTuple):
    """The topics asked for between two snapshots, those of the cases apart."""

    topics: tuple[int, ...]  # in the real log alone
    in_both: tuple[int, ...]
    others: tuple[int, ...]  # in the wrong log alone
    every: tuple[int, ...]  # that at least two pages are about
    cases: tuple[tuple[int, str], ...]  # with how often


def ask_for(world: World, cases: Sequence[Case]) -> Asked:
    """Which topics are asked for in the logs, by chance."""
    of_cases = tuple((topic, case.asked) for case in cases for topic in case.topics)
    pages: dict[int, int] = {}
    for page in world.pages.values():
        if page.topic is not None:
            pages[page.topic] = pages.get(page.topic, 0) + 1
    reserved = {topic for topic, _ in of_cases}
    every = sorted(topic for topic, having in pages.items() if having > 1 and topic not in reserved)
    drawn = world.shuffled(every)
    common = len(every) // IN_BOTH
    half = (len(every) - common) // 2
    return Asked(
        tuple(drawn[common : common + half]),
        tuple(drawn[:common]),
        tuple(drawn[common + half : common + 2 * half]),
        tuple(every),
        of_cases,
    )


def logs(seed: int, asked: Sequence[Asked], through: Sequence[set[int]]) -> Iterator[Log]:
    """The real log of each two snapshots, and the wrong one of the first two. `through` are the
    topics of the queries through which pages were copied."""
    for after, (found, copied) in enumerate(zip(asked, through, strict=True), 1):
        name = REAL if after == 1 else f"{REAL}-{after}"
        topics = [(topic, FREQUENT) for topic in (*found.topics, *found.in_both)]
        queries = [query(seed, name, after, *one, copied) for one in (*topics, *found.cases)]
        yield Log(name, after, (*others(seed, name, after), *queries))
    found = asked[0]
    topics = [(topic, FREQUENT) for topic in (*found.others, *found.in_both)]
    queries = [query(seed, WRONG, 0, *one, set()) for one in topics]
    # As many queries as the real log has, where it asks for the topics of the cases.
    queries += [nowhere(seed, number, role) for number, (_, role) in enumerate(found.cases)]
    yield Log(WRONG, 0, (*others(seed, WRONG, 0), *queries))


def query(seed: int, log: str, after: int, topic: int, role: str, copied: set[int]) -> Query:
    """The query for a topic. Those through which pages were copied are more frequent the nearer the
    next snapshot is: what was copied early may be gone by then."""
    place = share(seed, log, "when", topic)
    place = place**0.5 if topic in copied else place
    return Query(words_for(seed, topic), role, topic, times(seed, log, after, topic, role, place))


def words_for(seed: int, topic: int) -> str:
    """One to three of the names of a topic."""
    [drawn] = numbers(1, seed, "query", topic)
    return " ".join(names(seed, topic)[: 1 + drawn % NAMES])


def nowhere(seed: int, number: int, role: str) -> Query:
    """A query for words that stand nowhere: names of a topic that nothing is about."""
    place = share(seed, "nowhere", number)
    when = times(seed, WRONG, 0, NOTHING + number, role, place)
    return Query(words_for(seed, NOTHING + number), role, None, when)


def others(seed: int, log: str, after: int) -> Iterator[Query]:
    """The queries that everybody asks, the same in each log, and those that hardly anyone does."""
    words = vocabulary(seed, LANGUAGES[0])
    drawn = (" ".join(words.words(1 + n % 2, seed, "top", n)) for n in count())
    top = first_ones(drawn, TOP)
    drawn = (" ".join(words.words(3, seed, log, "rare", n)) for n in count())
    for texts, role in ((top, TOO_OFTEN), (first_ones(drawn, RARE), TOO_SELDOM)):
        for text in texts:
            yield Query(text, role, None, times(seed, log, after, text, role))


def first_ones(drawn: Iterable[str], wanted: int) -> list[str]:
    """So many, none of them twice."""
    found: dict[str, None] = {}
    for text in drawn:
        found[text] = None
        if len(found) == wanted:
            break
    return list(found)


def times(
    seed: int, log: str, after: int, what: int | str, role: str, place: float | None = None
) -> tuple[datetime, ...]:
    """When a query was asked for: within some days of its place in the period, or at any time."""
    least, most = TIMES[role]
    [drawn] = numbers(1, seed, log, "count", what)
    asked = least + drawn % (most - least)
    begin, end = period(after)
    if place is not None and role == FREQUENT:
        middle = begin + place * (end - begin)
        half = timedelta(days=DAYS) / 2
        begin, end = max(begin, middle - half), min(end, middle + half)
    seconds = int((end - begin).total_seconds())
    return tuple(
        sorted(
            begin + timedelta(seconds=int(seconds * share(seed, log, "time", what, number)))
            for number in range(asked)
        )
    )


def period(after: int) -> tuple[datetime, datetime]:
    """From when to before when a log is: the months between a crawl and the next; 0 stands for
    those before the first."""
    year = FIRST_YEAR + after - 1
    return datetime(year, FIRST_MONTH, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)


def requests(log: Log) -> str:
    """A log as a file with one line a request."""
    lines = sorted((when, query.text) for query in log.queries for when in query.times)
    return "time\tquery\n" + "".join(f"{when:%Y-%m-%dT%H:%M:%S}\t{text}\n" for when, text in lines)


def counted(log: Log) -> str:
    """The same as a file with one line a query, the most frequent first."""
    counts: dict[str, int] = {}
    for query in log.queries:
        counts[query.text] = counts.get(query.text, 0) + len(query.times)
    lines = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    return "query\tcount\n" + "".join(f"{text}\t{count}\n" for text, count in lines)
