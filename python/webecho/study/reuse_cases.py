"""*Case*: a new document that is left, with the query and the two old documents that it was perhaps
made from. Of several matches that with the most paragraphs is told, of several queries the most
frequent one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from webecho.study.query_logs import QueryLog
from webecho.study.reuse_conditions import Numbers
from webecho.study.reuse_matches import Matches, left_by


@dataclass(frozen=True)
class Case:
    """A new document that is left with a log: the query, and the two old documents that it gave,
    with their ranks and the paragraphs that they share with the new one."""

    log: str
    query: str
    new: int
    old: tuple[int, int]
    ranks: tuple[int, int]
    shared: tuple[int, int]


class Ranks:
    """At which rank a query gave a page."""

    def __init__(self, answers: pa.Table) -> None:
        # They are sorted by the query, then by the rank.
        self._query, self._page = (answers[name].to_numpy() for name in ("query", "page"))

    def rank(self, query: int, page: int) -> int:
        start, end = np.searchsorted(self._query, [query, query + 1])
        return int(np.flatnonzero(self._page[start:end] == page)[0]) + 1


def cases_of(
    log: QueryLog, matches: Matches, numbers: Mapping[str, int], ranks: Ranks
) -> Iterator[Case]:
    """The cases of a log, of which these are all matches, in the order of the new pages."""
    _, left = left_by(matches)
    here = matches.some(np.isin(matches.new, left))
    for row in first_rows(here, log, numbers):
        query = int(here.query[row])
        old = int(here.one[row]), int(here.other[row])
        yield Case(
            log.name,
            next(text for text in log.queries if numbers[text] == query),
            int(here.new[row]),
            old,
            (ranks.rank(query, old[0]), ranks.rank(query, old[1])),
            (int(here.shared_one[row]), int(here.shared_other[row])),
        )


def first_rows(matches: Matches, log: QueryLog, numbers: Mapping[str, int]) -> list[int]:
    """Of each new document the match that is told."""
    frequency = np.zeros(len(numbers), np.int64)
    frequency[[numbers[query] for query in log.queries]] = np.arange(len(log.queries))
    keys = (matches.other, matches.one, frequency[matches.query], -matches.shared, matches.new)
    order = np.lexsort(keys)
    new: Numbers = matches.new[order]
    return [int(row) for row in order[np.flatnonzero(np.diff(new, prepend=-1))]]
