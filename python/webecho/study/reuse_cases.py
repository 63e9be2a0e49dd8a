"""*Case*: a new document that is left, with the query and the two old documents that it was perhaps
made from. Of several matches that with the most paragraphs is told, and of the queries that gave
its old documents the most frequent one."""

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
    frequency = {numbers[query]: at for at, query in enumerate(log.queries)}
    for row in first_rows(matches.some(np.isin(matches.new, left))):
        given = row.together.of(int(row.two[0])).tolist()
        query = min((each for each in given if each in frequency), key=frequency.__getitem__)
        old = int(row.one[0]), int(row.other[0])
        yield Case(
            log.name,
            log.queries[frequency[query]],
            int(row.new[0]),
            old,
            (ranks.rank(query, old[0]), ranks.rank(query, old[1])),
            (int(row.shared_one[0]), int(row.shared_other[0])),
        )


def first_rows(matches: Matches) -> Iterator[Matches]:
    """Of each new document the match that is told, by itself."""
    order = np.lexsort((matches.other, matches.one, -matches.shared, matches.new))
    new: Numbers = matches.new[order]
    for row in order[np.flatnonzero(np.diff(new, prepend=-1))]:
        yield matches.some([int(row)])
