"""*Suffix*: the last arcs of a path, one to four of them; an arc is what stands between slashes
(Fetterly 2004, section 2). Query arguments are dropped. Mirrors that were found by their content
are confirmed by them: a page of one host *matches on the last arc* if a page of the other in the
same cluster ends with the same arc, and *on the last four* if all suffixes of one, four or as many
as there are, are among those of the other. A front page has no arc, and confirms nothing: each host
has one.

Suffixes are compared exactly if there are at most so many; if more, those of the first host of each
pair are put into a Bloom filter, as in the paper, which tells some matches that are none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.protocol import Database
from webecho.group.columns import flags
from webecho.study.bloom import BloomFilter
from webecho.workspace.workspace import Workspace

ARCS = 4
# Rows of a batch.
ROWS = 1 << 16

AUTHORITY = r"^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*"
_QUERY = r"(?s)[?#].*$"
SUFFIXES = pa.schema(
    [
        ("page", pa.int64()),
        ("arcs", pa.int64()),
        ("suffix", pa.string()),
        # Whether it is the longest of the page.
        ("longest", pa.int64()),
    ]
)
_CONCERNED = """
WITH sides AS (
    SELECT left_host AS host FROM {pairs} UNION SELECT right_host AS host FROM {pairs}
)
SELECT located.page FROM located
JOIN counting ON counting.cluster = located.cluster AND counting.host = located.host
WHERE located.host IN (SELECT host FROM sides)
ORDER BY page NULLS LAST
"""
_SUFFIXED = """
SELECT cluster, host, suffixes.page, arcs, suffix, longest
FROM suffixes JOIN located ON located.page = suffixes.page
"""
# What the first host of a pair has: each suffix once.
_SETS = """
SELECT cluster, host, arcs, suffix, max(longest) AS longest
FROM suffixed WHERE host IN (SELECT left_host FROM {pairs})
GROUP BY cluster, host, arcs, suffix
"""
_ASKED = """
SELECT left_host, right_host, suffixed.cluster, page, arcs, suffix, longest
FROM {pairs} AS pairs JOIN suffixed ON suffixed.host = right_host
"""
_MATCHES = """
SELECT
    left_host, right_host,
    count(DISTINCT page) FILTER (WHERE asked.arcs = 1) AS last_arc,
    count(DISTINCT page) FILTER (WHERE asked.longest = 1 OR sets.longest = 1) AS last_four
FROM asked
JOIN sets
    ON sets.host = left_host AND sets.cluster = asked.cluster
    AND sets.arcs = asked.arcs AND sets.suffix = asked.suffix
GROUP BY left_host, right_host
"""
_ALL_ASKED = """
SELECT left_host, right_host, cluster, page, arcs, suffix, longest FROM asked
"""
_COUNTED = """
SELECT
    left_host, right_host,
    count(DISTINCT page) FILTER (WHERE last_arc = 1) AS last_arc,
    count(DISTINCT page) FILTER (WHERE last_four = 1) AS last_four
FROM told GROUP BY left_host, right_host
"""
_TOLD = (
    pa.schema([(name, pa.int64()) for name in ("left_host", "right_host", "page")])
    .append(pa.field("last_arc", pa.int64()))
    .append(pa.field("last_four", pa.int64()))
)


@dataclass(frozen=True)
class Comparison:
    """How many suffixes there were; and, unless they were compared exactly, the share of questions
    to which the Bloom filter answers yes and should not, and how many questions it was asked."""

    suffixes: int
    error: float | None = None
    questions: int = 0


def path_of(urls: pa.Array) -> pa.Array:
    """The paths of addresses, without the query; that of a host alone is /."""
    path = pc.replace_substring_regex(pc.replace_substring_regex(urls, AUTHORITY, ""), _QUERY, "")
    return pc.if_else(pc.equal(path, ""), "/", path)


def suffixes(pages: pa.Array, paths: pa.Array, most: int = ARCS) -> Iterator[pa.RecordBatch]:
    """The suffixes of paths, from the shortest on."""
    found = [last_arcs(paths, arcs) for arcs in range(1, most + 2)]
    for arcs, (each, longer) in enumerate(pairwise(found), 1):
        there = each.is_valid()
        longest = pa.array(np.ones(len(each), np.bool_)) if arcs == most else longer.is_null()
        columns = [
            pages.filter(there),
            pa.array(np.full(there.true_count, arcs, np.int64)),
            each.filter(there),
            longest.filter(there).cast(pa.int64()),
        ]
        yield pa.RecordBatch.from_arrays(columns, schema=SUFFIXES)


def last_arcs(paths: pa.Array, arcs: int) -> pa.Array:
    """The last arcs of paths; null where there are not so many."""
    parts = pc.extract_regex(paths, rf"(?s)(?P<tail>(?:/[^/]+){{{arcs}}}/?)$")
    return pc.struct_field(parts, "tail")


def add_suffixes(database: Database, workspace: Workspace, pairs: str) -> int:
    """Gives the database `suffixed`: the suffixes of all pages that count and are of a host of
    these pairs; and says how many there are."""
    concerned = database.table(_CONCERNED.format(pairs=pairs))["page"].combine_chunks()
    wanted = flags(workspace, concerned)

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in workspace.batches(["page", "url"]):
            some = batch.filter(wanted.take(batch["page"]))
            if len(some):
                yield from suffixes(some["page"], path_of(some["url"]))

    database.add("suffixes", pa.RecordBatchReader.from_batches(SUFFIXES, batches()))
    database.keep("suffixed", _SUFFIXED)
    count: int = database.row("SELECT count(*) AS rows FROM suffixed")["rows"]
    return count


def add_matches(
    database: Database, workspace: Workspace, pairs: str, most_suffixes: int
) -> Comparison:
    """Gives the database `matches`: of pairs (left_host, right_host) that have some, how many pages
    of the second host match."""
    count = add_suffixes(database, workspace, pairs)
    database.keep("sets", _SETS.format(pairs=pairs))
    database.view("asked", _ASKED.format(pairs=pairs))
    if count <= most_suffixes:
        database.keep("matches", _MATCHES)
        return Comparison(count)
    filled = BloomFilter(2 * database.row("SELECT count(*) AS rows FROM sets")["rows"])
    for batch in database.batches("SELECT cluster, host, arcs, suffix, longest FROM sets", ROWS):
        filled.add(keys(batch, batch["host"], 0))
        longest = batch.filter(pc.equal(batch["longest"], 1))
        filled.add(keys(longest, longest["host"], 1))
    # They are read before the next query is run.
    told = pa.Table.from_batches(
        [answered(batch, filled) for batch in database.batches(_ALL_ASKED, ROWS)], _TOLD
    )
    database.add("told", told)
    database.keep("matches", _COUNTED)
    questions = database.row("SELECT count(*) AS rows FROM asked")["rows"]
    return Comparison(count, filled.error, 2 * questions)


def keys(batch: pa.RecordBatch, host: pa.Array, longest: int) -> pa.Array:
    """A fingerprint for each suffix of a host in a cluster."""
    parts = [batch["cluster"].cast(pa.string()), host.cast(pa.string())]
    parts += [batch["arcs"].cast(pa.string()), pa.array([str(longest)] * len(batch), pa.string())]
    return _core.text_keys(pc.binary_join_element_wise(*parts, batch["suffix"], " "))


def answered(batch: pa.RecordBatch, filled: BloomFilter) -> pa.RecordBatch:
    """The rows of which the filter has the suffix, and what they match on."""
    there = filled.has(keys(batch, batch["left_host"], 0))
    theirs = filled.has(keys(batch, batch["left_host"], 1))
    last = there & pc.equal(batch["arcs"], 1).to_numpy(zero_copy_only=False)
    four = there & (theirs | pc.equal(batch["longest"], 1).to_numpy(zero_copy_only=False))
    some = pa.array(last | four)
    columns = [batch[name].filter(some) for name in ("left_host", "right_host", "page")]
    flags = [pa.array(each).filter(some).cast(pa.int64()) for each in (last, four)]
    return pa.RecordBatch.from_arrays([*columns, *flags], schema=_TOLD)
