"""The six *conditions* under which a new document was probably made from what a query gave
(Baeza-Yates 2007, section 4.1), one function each.

| | a new document is left if |
| --- | --- |
| 1 | it shares a minimal number of different paragraphs with an old document that a query gave |
| 2 | it does so with two old documents that the same query gave |
| 3 | at least two of the paragraphs from each of the two are not in the other |
| 4 | its address is not one of the old collection |
| 5 | no duplicate of it, with a lower page number, is left |
| 6 | its two old documents, or duplicates of them, were not matched with an earlier new document |

The first four look at one new document. What passes them is a *match*: new document, two old ones,
and the query. Conditions 5 and 6 look at all matches of a log, in page order. Each of the first
three gives for each log the largest minimal number with which the document still passes, so that
one run serves all minimal numbers; 0 is never.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

Numbers = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]

# So many paragraphs from each old document are not in the other.
DISTINCT = 2

ENOUGH_PARAGRAPHS = """
SELECT log, new, max(shared) AS most
FROM similar_pairs JOIN log_answers ON log_answers.page = similar_pairs.old
GROUP BY log, new
"""
NAMES = (
    "1: a minimal number of paragraphs",
    "2: from two answers to one query",
    "3: two paragraphs of each not in the other",
    "4: address not in the old collection",
    "5: one of duplicates",
    "6: one of duplicate sources",
)


@dataclass(frozen=True)
class Hits:
    """A row for each query that gave one of the old documents that a new one is similar to, sorted
    by query: which query, which old document (its place among them), and the paragraphs shared."""

    query: Numbers
    place: Numbers
    shared: Numbers


def enough_paragraphs() -> str:
    """Condition 1, in SQL over `similar_pairs` and `log_answers`: for each log and new document the
    most paragraphs shared with a document that the log's queries gave."""
    return ENOUGH_PARAGRAPHS


def two_answers(hits: Hits, logs: Flags) -> Numbers:
    """Condition 2: for each log the most paragraphs that are shared with each of two answers to one
    of its queries; `logs` has a row for each log, and says which queries it has."""
    order = np.lexsort((-hits.shared, hits.query))
    query, shared = hits.query[order], hits.shared[order]
    # The second of each query.
    second = np.flatnonzero(query[1:] == query[:-1]) + 1
    second = second[(second < 2) | (query[second - 2] != query[second])]
    return highest(logs, query[second], shared[second])


def distinct_paragraphs(stands: Flags) -> Flags:
    """Condition 3: for each two rows, old documents, whether at least two of the paragraphs of one
    (the columns) are not in the other, and the reverse."""
    counts = stands.astype(np.float32)
    common = counts @ counts.T
    alone = common.diagonal()[:, None] - common
    apart: Flags = (alone >= DISTINCT) & (alone.T >= DISTINCT)
    return apart


def new_address(key: int | None, old: Numbers) -> bool:
    """Condition 4: whether the address is none of the old ones, sorted; a page without one has
    none."""
    if key is None:
        return True
    at = int(np.searchsorted(old, key))
    return at == len(old) or int(old[at]) != key


def one_of_duplicates(new: Numbers, cluster: Numbers) -> Flags:
    """Condition 5: which matches are of the first new document of its cluster that has any; they
    are sorted by the cluster, and then by the new document."""
    if not len(new):
        return np.zeros(0, np.bool_)
    begins = np.flatnonzero(np.diff(cluster, prepend=cluster[0] - 1))
    lengths = np.diff(np.append(begins, len(new)))
    left: Flags = new == np.repeat(new[begins], lengths)
    return left


def one_of_old_pairs(new: Numbers, pair: Numbers, pairs: int) -> Numbers:
    """Condition 6: for each two clusters of old documents, of so many, the first new document that
    is matched with them; −1 if none is."""
    none = np.iinfo(np.int64).max
    first = np.full(pairs, none)
    np.minimum.at(first, pair, new)
    first[first == none] = -1
    return first


def highest(logs: Flags, query: Numbers, shared: Numbers) -> Numbers:
    """For each log the highest number among those of its queries, or 0."""
    if not len(query):
        return np.zeros(len(logs), np.int64)
    found: Numbers = np.where(logs[:, query], shared, 0).max(axis=1)
    return found
