"""Which match of a new document is told, and by which query."""

import numpy as np
import pyarrow as pa

from webecho.study.answers import ANSWERS
from webecho.study.query_logs import QueryLog
from webecho.study.reuse_cases import Case, Ranks, cases_of
from webecho.study.reuse_matches import Matches, Together

# Query, rank, page: queries 0 and 1 give pages 4, 5 and 6, query 2 gives two of them.
ANSWERED = [(0, 1, 6), (0, 2, 4), (0, 3, 5), (1, 1, 5), (1, 2, 4), (1, 3, 6), (2, 1, 4), (2, 2, 6)]


def test_the_match_with_the_most_paragraphs_by_the_most_frequent_query() -> None:
    columns = np.array(ANSWERED).T
    ranks = Ranks(pa.table([*columns], schema=ANSWERS))
    assert [ranks.rank(0, 5), ranks.rank(1, 5), ranks.rank(2, 6)] == [3, 1, 2]
    # Page 9 is matched with 4 and 5, and with 4 and 6, which share more with it.
    matches = Matches(
        new=np.array([9, 9]),
        one=np.array([4, 4]),
        other=np.array([5, 6]),
        shared=np.array([10, 11]),
        shared_one=np.array([12, 12]),
        shared_other=np.array([10, 11]),
        cluster=np.array([0, 0]),
        pair=np.array([0, 1]),
        two=np.array([0, 1]),
        pairs=2,
        together=Together(np.array([0, 2, 5]), np.array([0, 1, 0, 1, 2])),
    )
    numbers = {"first": 0, "second": 1, "third": 2}
    log = QueryLog("log", "log.tsv", ("third", "second"), 3)
    assert [*cases_of(log, matches, numbers, ranks)] == [
        Case("log", "third", 9, (4, 6), (1, 2), (12, 11))
    ]
    log = QueryLog("log", "log.tsv", ("second", "first"), 3)
    assert [*cases_of(log, matches, numbers, ranks)] == [
        Case("log", "second", 9, (4, 6), (2, 3), (12, 11))
    ]
