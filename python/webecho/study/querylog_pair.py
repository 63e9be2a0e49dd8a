"""What query logs find in a pair of collections (Baeza-Yates 2007, section 4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.group.columns import page_numbers
from webecho.group.paragraphs import long_enough, same_paragraphs
from webecho.run import Run
from webecho.study.answers import Answers, addresses, ranked_elsewhere, searched
from webecho.study.permutation import PermutationTest, left_in, permutation_test
from webecho.study.query_logs import QueryLog
from webecho.study.querylog_settings import CollectionPair, QuerylogSettings, real_log
from webecho.study.reuse_cases import Case, Ranks, cases_of
from webecho.study.reuse_conditions import Flags, Numbers, enough_paragraphs
from webecho.study.reuse_matches import Given, Matches, Passed, find_matches, grouped, left_by
from webecho.study.similar_documents import (
    LeftOut,
    add_documents,
    add_similar,
    new_similar,
    shared_paragraphs,
)
from webecho.workspace.workspace import Workspace

LAST_TWO = "last two periods"

_RELATED = """
SELECT
    count(DISTINCT similar_pairs.old) AS parents, count(DISTINCT similar_pairs.new) AS children
FROM similar_pairs
JOIN old_documents ON old_documents.page = similar_pairs.old
JOIN new_documents ON new_documents.page = similar_pairs.new
WHERE similar_pairs.shared >= {least}
    AND similar_pairs.old IN (SELECT page FROM log_answers WHERE log = {log})
    AND (
        old_documents.key IS NULL OR new_documents.key IS NULL
        OR old_documents.key <> new_documents.key
    )
"""
_ANSWERED = """
SELECT
    count(*) AS pages,
    count(*) FILTER (WHERE page IN (SELECT page FROM old_documents)) AS documents
FROM log_answers WHERE log = {log}
"""


@dataclass(frozen=True)
class LogFound:
    """What one log finds in a pair of collections: what its answers come to, and for each minimal
    number the new similar documents and those left after each condition."""

    log: QueryLog
    counts: dict[str, int]
    conditions: dict[int, tuple[int, ...]]


@dataclass(frozen=True)
class PairFound:
    """What all logs find in a pair of collections. `left` has new documents left for each minimal
    number, by the name of a log or a period, or of the last two periods of a log; `numbers` are
    those by which `matches` name queries."""

    pair: CollectionPair
    documents: tuple[int, int]
    real: QueryLog | None
    logs: tuple[LogFound, ...]
    left: dict[str, dict[int, int]]
    tests: tuple[tuple[str, str, str, PermutationTest], ...]
    cases: tuple[Case, ...]
    left_out: LeftOut
    left_out_kinds: int
    unknown: int
    bad: int
    matches: Matches
    numbers: dict[str, int]


def distinct_queries(logs: Sequence[QueryLog]) -> list[str]:
    """The queries of all logs and periods, each once."""
    every = [*logs, *(period for log in logs for period in log.periods)]
    return [*dict.fromkeys(query for log in every for query in log.queries)]


def flags_of(logs: Sequence[QueryLog], numbers: dict[str, int]) -> Flags:
    """For each log which queries it has."""
    found = np.zeros((len(logs), len(numbers)), np.bool_)
    for row, log in enumerate(logs):
        found[row, [numbers[query] for query in log.queries]] = True
    return found


def study_pair(
    pair: CollectionPair, logs: Sequence[QueryLog], settings: QuerylogSettings, run: Run
) -> PairFound:
    """What the logs find in a pair of collections, which must have paragraphs (see
    `require_tables`) and, without a ranking, an index of the old one (see `require_index`)."""
    real = real_log(pair, logs)
    queries = distinct_queries(logs)
    numbers = {query: number for number, query in enumerate(queries)}
    with run.database() as database:
        if pair.ranking is None:
            answers = searched(pair.old, queries, settings.answers, run)
        else:
            most = settings.answers
            answers = ranked_elsewhere(database, pair.old, pair.ranking, queries, most, run)
        documents = (
            add_documents(database, pair.old, "old", run),
            add_documents(database, pair.new, "new", run),
        )
        add_answers(database, answers, logs, numbers)
        run.begin(f"comparing {pair.name}")
        left_out = add_similar(database, settings.least, settings.most)
        passed = Passed()
        keys = new_keys(database), old_keys(pair.old, run)
        clusters = clusters_of(pair.new, run), clusters_of(pair.old, run)
        given, flags = Given.of(answers.rows, pair.old.pages), flags_of(logs, numbers)
        # Until all of it is read, the database answers nothing else.
        similar = grouped(iter(shared_paragraphs(database)))
        matches = find_matches(similar, given, flags, keys, clusters, passed)
        enough = {minimal: matches.at_least(minimal) for minimal in settings.minimal}
        found = tuple(
            log_found(database, number, log, enough, passed, documents, numbers, settings)
            for number, log in enumerate(logs)
        )
    run.begin(f"testing {pair.name}")
    left = curves(logs, enough, numbers)
    return PairFound(
        pair,
        documents,
        real,
        found,
        left,
        tuple(tests(real, logs, matches, numbers, settings)),
        tuple(found_cases(logs, matches, answers, numbers, settings)),
        left_out,
        passed.left_out_kinds,
        answers.unknown,
        answers.bad,
        matches,
        numbers,
    )


def add_answers(
    database: Database, answers: Answers, logs: Sequence[QueryLog], numbers: dict[str, int]
) -> None:
    """Adds `answers`, `log_answers` (the total answer set of each log), and `total`, the documents
    of all of them."""
    database.add("answers", answers.rows)
    database.keep("answers", "SELECT query, page FROM answers")
    rows = [(row, numbers[query]) for row, log in enumerate(logs) for query in log.queries]
    both = np.array(rows, np.int64).reshape(-1, 2)
    database.add("log_queries", pa.table({"log": both[:, 0], "query": both[:, 1]}))
    database.keep(
        "log_answers",
        "SELECT DISTINCT log, page FROM answers "
        "JOIN log_queries ON log_queries.query = answers.query",
    )
    database.keep(
        "total",
        "SELECT DISTINCT page FROM answers WHERE page IN (SELECT page FROM old_documents)",
    )


def new_keys(database: Database) -> dict[int, int]:
    """The keys of the addresses of new documents, by their pages."""
    rows = database.table("SELECT page, key FROM new_documents WHERE key IS NOT NULL")
    return dict(zip(rows["page"].to_pylist(), rows["key"].to_pylist(), strict=True))


def old_keys(workspace: Workspace, run: Run) -> Numbers:
    """Those of all pages of a collection, sorted."""
    return np.unique(addresses(workspace, run)["key"].to_numpy())


def clusters_of(workspace: Workspace, run: Run) -> Numbers:
    """For every page the lowest of its cluster of duplicates; what is no document is alone."""
    found = same_paragraphs(workspace, long_enough(workspace), run).cast(pa.int64())
    own = page_numbers(workspace.pages).cast(pa.int64())
    clusters: Numbers = pc.coalesce(found, own).to_numpy()
    return clusters


def log_found(
    database: Database,
    number: int,
    log: QueryLog,
    enough: Mapping[int, Matches],
    passed: Passed,
    documents: tuple[int, int],
    numbers: dict[str, int],
    settings: QuerylogSettings,
) -> LogFound:
    """What one log finds: answers, and what each condition leaves for each minimal number."""
    [queries] = flags_of([log], numbers)
    similar = new_similar(database, number)
    similar_to = database.table(
        f"SELECT most, count(*) AS documents FROM ({enough_paragraphs()}) AS found "
        f"WHERE log = {number} GROUP BY most"
    )
    most, often = (similar_to[name].to_numpy() for name in ("most", "documents"))
    conditions = {}
    for minimal in settings.minimal:
        clusters, left = left_by(enough[minimal].of_queries(queries))
        own = [passed.counts(condition, number, minimal) for condition in (2, 3, 4)]
        first = int(often[most >= minimal].sum())
        conditions[minimal] = (similar, first, *own, clusters, len(left))
    related = database.row(_RELATED.format(least=settings.tested, log=number))
    answered = database.row(_ANSWERED.format(log=number))
    answering = database.row(
        "SELECT count(DISTINCT answers.query) AS queries FROM answers "
        f"JOIN log_queries ON log_queries.query = answers.query WHERE log = {number}"
    )
    counts = {
        "queries": len(log.queries),
        "queries with answers": answering["queries"],
        "total answer set": answered["pages"],
        "documents in it": answered["documents"],
        "new similar documents": similar,
        "without child": answered["documents"] - related["parents"],
        "without parent": documents[1] - related["children"],
    }
    return LogFound(log, counts, conditions)


def curves(
    logs: Sequence[QueryLog], enough: Mapping[int, Matches], numbers: dict[str, int]
) -> dict[str, dict[int, int]]:
    """New documents left for each minimal number, of logs, of their periods, and of the last two
    periods of each together."""
    sets: dict[str, Flags] = {}
    for log in logs:
        own = flags_of([log, *log.periods], numbers)
        sets[log.name] = own[0]
        sets |= {period.name: own[row] for row, period in enumerate(log.periods, 1)}
        if len(log.periods) > 1:
            sets[last_two(log)] = own[-1] | own[-2]
    return {
        name: {minimal: left_in(matches, queries) for minimal, matches in enough.items()}
        for name, queries in sets.items()
    }


def last_two(log: QueryLog) -> str:
    return f"{log.name}, {LAST_TWO}"


def tests(
    real: QueryLog | None,
    logs: Sequence[QueryLog],
    matches: Matches,
    numbers: dict[str, int],
    settings: QuerylogSettings,
) -> list[tuple[str, str, str, PermutationTest]]:
    """The real log against each other, whole, and by the last two periods where both have them."""
    if real is None or not settings.permutations:
        return []
    enough = matches.at_least(settings.tested)
    found = []
    for other in logs:
        if other is real:
            continue
        both = flags_of([real, other], numbers)
        parts = {"whole": (both[0], both[1])}
        if len(real.periods) > 1 and len(other.periods) > 1:
            own, theirs = (
                np.logical_or.reduce(flags_of(log.periods[-2:], numbers)) for log in (real, other)
            )
            parts[LAST_TWO] = (own, theirs)
        for part, (one, another) in parts.items():
            test = permutation_test(enough, one, another, settings.permutations, settings.seed)
            found.append((real.name, other.name, part, test))
    return found


def found_cases(
    logs: Sequence[QueryLog],
    matches: Matches,
    answers: Answers,
    numbers: dict[str, int],
    settings: QuerylogSettings,
) -> Iterator[Case]:
    ranks, enough = Ranks(answers.rows), matches.at_least(settings.tested)
    for log in logs:
        [queries] = flags_of([log], numbers)
        yield from cases_of(log, enough.of_queries(queries), numbers, ranks)
