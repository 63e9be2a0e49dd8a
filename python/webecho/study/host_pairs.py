"""*Host pair*: two hosts that share enough, each by what it has itself: pages in clusters that the
other has pages in too (Fetterly 2004, section 2), or paths (see url_first.py).

What is shared is a *key*, a cluster or a path; a host has it with a *weight*, such as its pages in
that cluster. A key on n hosts makes n² / 2 pairs, and there are keys on a hundred thousand. So

- hosts that cannot have enough are left out, then keys on a single host, again and again;
- of each host the keys that most hosts have are not searched, as many as weigh too little together:
  two hosts that share enough also share a key that both have searched. Of a page that a hundred
  thousand hosts have once or twice, nothing is searched;
- of a key that is searched by more hosts than a limit each is paired with the first alone; how many
  pairs are not looked at is counted. Without such keys the pairs are exact.
"""

from dataclasses import dataclass

from webecho.engine.protocol import Database

# Leaving hosts out ends after so many rounds; it changes what is searched, not what is found.
ROUNDS = 20

_SHARED_KEYS = """
WITH counted AS (
    SELECT key, host, weight, count(*) OVER (PARTITION BY key) AS hosts FROM {keys}
)
SELECT key, host, weight, hosts FROM counted WHERE hosts > 1
"""
_HEAVY_HOSTS = """
SELECT key, host, weight FROM shared_keys
WHERE host IN (SELECT host FROM shared_keys GROUP BY host HAVING sum(weight) >= {least})
"""
# The keys of each host from those that most hosts have: all but those that are too light together.
_SEARCHED = """
WITH summed AS (
    SELECT
        key, host,
        sum(weight) OVER (
            PARTITION BY host ORDER BY hosts DESC NULLS LAST, key DESC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS heavier
    FROM shared_keys
)
SELECT
    key, host,
    row_number() OVER (PARTITION BY key ORDER BY host NULLS LAST) AS place,
    count(*) OVER (PARTITION BY key) AS hosts
FROM summed WHERE heavier >= {least}
"""
_NOT_LOOKED_AT = """
SELECT
    count(*) AS keys,
    CAST(coalesce(sum((hosts - 1) * (hosts - 2)), 0) AS BIGINT) AS twice
FROM searched WHERE place = 1 AND hosts > {most_hosts}
"""
_CANDIDATES = """
SELECT DISTINCT one.host AS left_host, other.host AS right_host
FROM searched AS one
JOIN searched AS other ON other.key = one.key AND other.host > one.host
WHERE one.hosts <= {most_hosts} OR one.place = 1
"""
# The keys of the host that has fewer of them: joining keys first would be the square again.
_OPENED = """
WITH lengths AS (SELECT host, count(*) AS keys FROM {keys} GROUP BY host), chosen AS (
    SELECT
        left_host, right_host,
        CASE WHEN one.keys <= other.keys THEN left_host ELSE right_host END AS host,
        CASE WHEN one.keys <= other.keys THEN right_host ELSE left_host END AS other_host
    FROM {pairs} AS pairs
    JOIN lengths AS one ON one.host = left_host
    JOIN lengths AS other ON other.host = right_host
)
SELECT left_host, right_host, chosen.host, other_host, own.key, own.weight
FROM chosen JOIN {keys} AS own ON own.host = chosen.host
"""
# `left` and `right` are what each host has of it; `most` the larger of both, key by key.
_SHARED = """
SELECT
    left_host, right_host, opened.key,
    CASE WHEN opened.host = left_host THEN opened.weight ELSE theirs.weight END AS left_weight,
    CASE WHEN opened.host = left_host THEN theirs.weight ELSE opened.weight END AS right_weight
FROM opened
JOIN {keys} AS theirs ON theirs.host = opened.other_host AND theirs.key = opened.key
"""
_SUMMED = """
SELECT
    left_host, right_host, count(*) AS keys,
    CAST(sum(left_weight) AS BIGINT) AS left_weight,
    CAST(sum(right_weight) AS BIGINT) AS right_weight,
    CAST(sum(greatest(left_weight, right_weight)) AS BIGINT) AS most,
    CAST(sum(least(left_weight, right_weight)) AS BIGINT) AS least
FROM shared GROUP BY left_host, right_host
HAVING sum(left_weight) >= {least} AND sum(right_weight) >= {least}
"""


@dataclass(frozen=True)
class NotLookedAt:
    """Keys that too many hosts search, and how many pairs of these are at most not looked at."""

    keys: int = 0
    pairs: int = 0

    def __add__(self, other: "NotLookedAt") -> "NotLookedAt":
        return NotLookedAt(self.keys + other.keys, self.pairs + other.pairs)


def find_pairs(
    database: Database, keys: str, into: str, least: int, most_hosts: int
) -> NotLookedAt:
    """Makes the table `into`: all pairs of hosts that share keys of at least that weight on each
    side, with the weights, by the table `keys` (key, host, weight), all whole numbers. Hosts with
    low numbers are those that the others are paired with where there are too many."""
    database.keep("heavy", f"SELECT key, host, weight FROM {keys}")
    rows = -1
    for _ in range(ROUNDS):
        database.keep("shared_keys", _SHARED_KEYS.format(keys="heavy"))
        database.keep("heavy", _HEAVY_HOSTS.format(least=least))
        left = database.row("SELECT count(*) AS rows FROM heavy")["rows"]
        if left == rows:
            break
        rows = left
    database.keep("shared_keys", _SHARED_KEYS.format(keys="heavy"))
    database.keep("searched", _SEARCHED.format(least=least))
    missed = database.row(_NOT_LOOKED_AT.format(most_hosts=most_hosts))
    database.keep("candidates", _CANDIDATES.format(most_hosts=most_hosts))
    sum_pairs(database, "candidates", "shared_keys", into, least)
    return NotLookedAt(missed["keys"], missed["twice"] // 2)


def sum_pairs(database: Database, pairs: str, keys: str, into: str, least: int) -> None:
    """Makes the table `into`: those of the pairs (left_host, right_host) that share enough of the
    keys, with the weights."""
    add_shared(database, pairs, keys)
    database.keep(into, _SUMMED.format(least=least))


def add_shared(database: Database, pairs: str, keys: str) -> None:
    """Makes the view `shared`: each key that both hosts of a pair have, with what each has of
    it."""
    database.keep("opened", _OPENED.format(pairs=pairs, keys=keys))
    database.view("shared", _SHARED.format(keys=keys))
