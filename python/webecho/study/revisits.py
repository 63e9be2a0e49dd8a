"""*What a crawler may visit less often*: addresses whose text is likely still that of their
cluster's representative, by the snapshots that there are (see revisit_model.py).

The probabilities of the last step are learned from those before it and held against what came out;
those that are listed, of the next visit, are learned from all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.revisit_model import (
    TOGETHER,
    Bin,
    Histories,
    Numbers,
    Strengths,
    calibration,
    learned,
    probabilities,
)
from webecho.study.shares import ratio

SAME = "({one}.words = {other}.words OR ({one}.words IS NULL AND {other}.words IS NULL))"
# Of each address that is in a cluster and not its representative: whether it has the text of that,
# and whether it has in the next snapshot; null where one of both is not there.
VISITS = f"""
SELECT
    own.address AS address, own.host AS host, own.page AS page, own."first" AS cluster,
    rep.address AS representative,
    own.size AS size, CASE WHEN {SAME.format(one="own", other="rep")} THEN 1 ELSE 0 END AS same_now,
    {{outcome}} AS outcome
FROM captures_{{number}} AS own
JOIN captures_{{number}} AS rep ON rep.page = own."first"
{{next}}
WHERE own.size > 1 AND own.page <> own."first"
"""
NEXT = """
LEFT JOIN captures_{after} AS again ON again.address = own.address
LEFT JOIN captures_{after} AS rep_again ON rep_again.address = rep.address
"""
OUTCOME = f"""
CASE
    WHEN again.address IS NULL OR rep_again.address IS NULL THEN NULL
    WHEN {SAME.format(one="again", other="rep_again")} THEN 1 ELSE 0
END
"""
# Visits of one cluster in one step share a representative, and what becomes of that: together they
# count for no more than so many where others learn from them, in whole parts of a visit.
PARTS = 1 << 20
WEIGHTED = f"""
SELECT
    here.address AS address, here.host AS host, here.same_now AS same_now, outcome,
    CAST(
        CASE
            WHEN met > {TOGETHER} THEN round(CAST({TOGETHER * PARTS} AS DOUBLE) / met)
            ELSE {PARTS}
        END AS BIGINT
    ) AS weight
FROM visits_{{number}} AS here
JOIN (
    SELECT cluster, same_now, count(*) AS met, max(outcome) AS most FROM visits_{{number}}
    WHERE outcome IS NOT NULL GROUP BY cluster, same_now
) AS counted ON counted.cluster = here.cluster AND counted.same_now = here.same_now
WHERE outcome IS NOT NULL AND (here.same_now = 0 OR met = 1 OR most = 1)
"""
# Of several addresses that had the text of a representative none has it any more: that went, not
# they. Of one alone it is not known.
STOOD = """
SELECT representative, CASE WHEN most = 1 THEN 1 ELSE 0 END AS stayed
FROM (
    SELECT representative, count(*) AS met, max(outcome) AS most FROM visits_{number}
    WHERE outcome IS NOT NULL AND same_now = 1 GROUP BY representative
) AS met
WHERE met > 1 OR most = 1
"""
STANDING = """
SELECT representative, count(*) AS visits, CAST(sum(stayed) AS BIGINT) AS same
FROM ({stood}) AS before GROUP BY representative
"""
# What is known of visits before a snapshot, by the state in which they began.
HISTORY = """
SELECT
    address, host, same_now, count(*) AS visits, CAST(sum(outcome) AS BIGINT) AS same,
    CAST(sum(weight) AS BIGINT) AS weight, CAST(sum(weight * outcome) AS BIGINT) AS weight_same
FROM ({visits}) AS before
GROUP BY address, host, same_now
"""
HISTORIES = f"""
SELECT
    now.address AS address, now.page AS page, now.cluster AS cluster, now.size AS size,
    now.same_now AS same_now, coalesce(now.outcome, -1) AS outcome,
    coalesce(own.visits, 0) AS visits, coalesce(own.same, 0) AS same,
    CAST(coalesce(together.weight, 0) - coalesce(own.weight, 0) AS DOUBLE) / {PARTS}
        AS cluster_visits,
    CAST(coalesce(together.same, 0) - coalesce(own.weight_same, 0) AS DOUBLE) / {PARTS}
        AS cluster_same,
    -- An address may have no host, and then nothing is known of one.
    CASE WHEN hosted.host IS NULL THEN 0.0e0
        ELSE CAST(hosted.weight - coalesce(own.weight, 0) AS DOUBLE) / {PARTS} END AS host_visits,
    CASE WHEN hosted.host IS NULL THEN 0.0e0
        ELSE CAST(hosted.same - coalesce(own.weight_same, 0) AS DOUBLE) / {PARTS} END AS host_same,
    coalesce(standing.visits, 0) + coalesce(followed.visits, 0) AS rep_visits,
    coalesce(standing.same, 0) + coalesce(followed.same, 0) AS rep_same
FROM visits_{{number}} AS now
LEFT JOIN history AS own ON own.address = now.address AND own.same_now = now.same_now
LEFT JOIN (
    SELECT here.cluster AS cluster, here.same_now AS same_now,
        CAST(sum(weight) AS BIGINT) AS weight, CAST(sum(weight_same) AS BIGINT) AS same
    FROM visits_{{number}} AS here
    JOIN history ON history.address = here.address AND history.same_now = here.same_now
    GROUP BY here.cluster, here.same_now
) AS together ON together.cluster = now.cluster AND together.same_now = now.same_now
LEFT JOIN (
    SELECT host, same_now,
        CAST(sum(weight) AS BIGINT) AS weight, CAST(sum(weight_same) AS BIGINT) AS same
    FROM history GROUP BY host, same_now
) AS hosted ON hosted.host = now.host AND hosted.same_now = now.same_now
LEFT JOIN standing ON standing.representative = now.representative
LEFT JOIN history AS followed
    ON followed.address = now.representative AND followed.same_now = 1
ORDER BY now.page NULLS LAST
"""
ALL = f"""
SELECT
    same_now, CAST(CAST(sum(weight) AS BIGINT) AS DOUBLE) / {PARTS} AS visits,
    CAST(CAST(sum(weight_same) AS BIGINT) AS DOUBLE) / {PARTS} AS same
FROM history GROUP BY same_now
"""
STANDING_ALL = """
SELECT CAST(coalesce(sum(visits), 0) AS BIGINT) AS visits,
    CAST(coalesce(sum(same), 0) AS BIGINT) AS same
FROM standing
"""
CALIBRATION = pa.schema(
    {
        "bin": pa.int64(),
        "addresses": pa.int64(),
        "clusters": pa.int64(),
        "from": pa.float64(),
        "to": pa.float64(),
        "predicted": pa.float64(),
        "observed": pa.float64(),
        "standard error": pa.float64(),
        "standard error of clusters": pa.float64(),
        "clusters that count": pa.float64(),
        "off by errors": pa.float64(),
    }
)
SKIPPING = pa.schema(
    {
        "probability at least": pa.float64(),
        "addresses": pa.int64(),
        "share of all addresses": pa.float64(),
        "downloaded again": pa.int64(),
        "share predicted": pa.float64(),
        "share still the same": pa.float64(),
        "visits missed": pa.int64(),
    }
)
LEAST_PROBABILITIES = (0.5, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True)
class Candidates:
    """Addresses of a snapshot that a crawler may visit less often, by page, with what is known of
    them and the probability that they come out the same."""

    table: pa.Table
    histories: Histories
    strengths: Strengths
    probability: Numbers

    def calibration(self) -> list[Bin]:
        """Foretold against what came out; addresses of one probability come in no order."""
        return calibration(self.probability, self.histories, column(self.table, "address"))


def add_visits(database: Database, snapshots: int) -> None:
    """Adds `visits_1` and so on: the visits from each snapshot to the next; the last has no
    outcomes."""
    for number in range(1, snapshots + 1):
        last = number == snapshots
        query = VISITS.format(
            number=number,
            outcome="CAST(NULL AS INT)" if last else OUTCOME,
            next="" if last else NEXT.format(after=number + 1),
        )
        database.keep(f"visits_{number}", query)


def histories_of(database: Database, number: int) -> tuple[pa.Table, Histories]:
    """The candidates of a snapshot, with what the snapshots up to it tell of them."""
    before = range(1, number)
    visits = [WEIGHTED.format(number=each) for each in before]
    none = f"{WEIGHTED.format(number=1)} AND 1 = 0"
    database.keep("history", HISTORY.format(visits=" UNION ALL ".join(visits or [none])))
    stood = [STOOD.format(number=each) for each in before]
    none = f"{STOOD.format(number=1)} AND 1 = 0"
    database.keep("standing", STANDING.format(stood=" UNION ALL ".join(stood or [none])))
    found = database.table(HISTORIES.format(number=number))
    totals = {row["same_now"]: row for row in database.table(ALL).to_pylist()}
    nothing = {"visits": 0.0, "same": 0.0}
    of_all = [
        (float(each["visits"]), float(each["same"]))
        for each in (totals.get(state, nothing) for state in (0, 1))
    ]

    standing = database.row(STANDING_ALL)

    def pair(name: str) -> tuple[Numbers, Numbers]:
        return column(found, f"{name}visits"), column(found, f"{name}same")

    histories = Histories(
        column(found, "same_now"),
        *(pair(""), pair("cluster_"), pair("host_"), pair("rep_")),
        *((of_all[0], of_all[1]), (standing["visits"], standing["same"])),
        *(column(found, "cluster"), column(found, "outcome")),
    )
    return found, histories


def column(table: pa.Table, name: str) -> Numbers:
    """A column of whole numbers, or of others as floats."""
    kind = pa.int64() if pa.types.is_integer(table[name].type) else pa.float64()
    values: Numbers = table[name].cast(kind).to_numpy()
    return values


def candidates(database: Database, number: int) -> Candidates:
    """What may be visited less often after a snapshot, learned from what was known before it."""
    strengths = Strengths()
    if number > 2:
        strengths = learned(histories_of(database, number - 1)[1])
    table, histories = histories_of(database, number)
    return Candidates(table, histories, strengths, probabilities(histories, strengths))


def calibration_table(bins: Sequence[Bin]) -> pa.Table:
    """A row for each bin."""
    rows = [
        {
            "bin": number,
            "addresses": each.addresses,
            "clusters": each.clusters,
            "from": each.low,
            "to": each.high,
            "predicted": each.predicted,
            "observed": each.observed,
            "standard error": each.error,
            "standard error of clusters": each.cluster_error,
            "clusters that count": each.effective,
            "off by errors": each.off,
        }
        for number, each in enumerate(bins, 1)
    ]
    return pa.Table.from_pylist(rows, CALIBRATION)


def skipping_table(found: Candidates, addresses: int) -> pa.Table:
    """What would have come of skipping the addresses from some probability on, of so many."""
    rows = []
    outcome = found.histories.outcome
    for least in LEAST_PROBABILITIES:
        skipped = found.probability >= least
        again = skipped & (outcome >= 0)
        downloaded, same = int(again.sum()), int((outcome[again] == 1).sum())
        rows.append(
            {
                "probability at least": least,
                "addresses": int(skipped.sum()),
                "share of all addresses": ratio(int(skipped.sum()), addresses),
                "downloaded again": downloaded,
                "share predicted": float(found.probability[again].mean()) if downloaded else None,
                "share still the same": same / downloaded if downloaded else None,
                "visits missed": downloaded - same,
            }
        )
    return pa.Table.from_pylist(rows, SKIPPING)


def most_probable(found: Candidates, rows: int) -> pa.Table:
    """So many candidates, the most probable first: `page`, `cluster` (the page of the
    representative), `size`, `same_now`, `visits`, `same` and `probability`."""
    order = np.lexsort((column(found.table, "page"), -found.probability))[:rows]
    chosen = found.table.take(pa.array(order))
    names = ["page", "cluster", "size", "same_now", "visits", "same"]
    return chosen.select(names).append_column("probability", pa.array(found.probability[order]))
