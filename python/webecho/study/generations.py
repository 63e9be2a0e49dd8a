"""*Grandparents* and further back (Baeza-Yates 2007, Definition 9, which is recursive): a document
has a grandparent if one of its parents has a parent, over snapshots that follow one another.

The paper's Tables 7 and 8 compare the oldest and the newest snapshot directly instead, and call
what they find grandchildren too: see descendants.py.
"""

from typing import Any

from webecho.engine.protocol import Database
from webecho.study.relations import Pair

# New documents with a parent among some old ones, and old ones with a child among some new ones: as
# all parents and children are counted, equivalents apart.
_WITH_PARENT_AMONG = """
WITH members AS (
    SELECT text, count(*) AS docs
    FROM old_{i} AS old JOIN {among} AS among ON among.page = old.page
    GROUP BY text
), linked AS (
    SELECT unit, sum(docs) AS docs
    FROM links_{p} AS links JOIN members ON members.text = links.text
    WHERE shared >= {least}
    GROUP BY unit
)
SELECT children.page
FROM children_{p} AS children
JOIN linked ON linked.unit = children.unit
LEFT JOIN {among} AS among ON among.page = children.own
WHERE linked.docs > CASE WHEN among.page IS NOT NULL AND own_shared >= {least} THEN 1 ELSE 0 END
"""
_WITH_CHILD_AMONG = """
WITH members AS (
    SELECT unit, count(*) AS docs
    FROM new_{p} AS new JOIN {among} AS among ON among.page = new.page
    GROUP BY unit
), linked AS (
    SELECT text, sum(docs) AS docs
    FROM links_{p} AS links JOIN members ON members.unit = links.unit
    WHERE shared >= {least}
    GROUP BY text
)
SELECT parents.page
FROM parents_{p} AS parents
JOIN linked ON linked.text = parents.text
LEFT JOIN children_{p} AS own ON own.page = parents.own
LEFT JOIN {among} AS among ON among.page = parents.own
WHERE linked.docs > CASE WHEN among.page IS NOT NULL AND own_shared >= {least} THEN 1 ELSE 0 END
"""
_NAMES = ("parents", "grandparents", "great-grandparents")


def name_of(generation: int) -> str:
    """What ancestors so many generations back are called."""
    if generation <= len(_NAMES):
        return _NAMES[generation - 1]
    return f"{'great-' * (generation - 2)}grandparents"


def generation_rows(database: Database, names: list[str], least: int) -> list[dict[str, Any]]:
    """A row for each pair of snapshots that do not follow each other directly: the ancestors that
    many generations back, and the descendants."""
    last = len(names) - 1
    steps = [Pair(number, number + 1, least) for number in range(last)]
    counts: dict[tuple[int, int], list[int]] = {}
    for start in range(last - 1):
        first = f"SELECT page FROM children_{steps[start].label} WHERE parents > 0"
        database.keep("descended", first)
        for end in range(start + 2, last + 1):
            database.keep("descended", among(steps[end - 1], _WITH_PARENT_AMONG, "descended"))
            counts[start, end] = [size(database, "descended")]
    for end in range(2, last + 1):
        first = f"SELECT page FROM parents_{steps[end - 1].label} WHERE children > 0"
        database.keep("passing", first)
        for start in range(end - 2, -1, -1):
            database.keep("passing", among(steps[start], _WITH_CHILD_AMONG, "passing"))
            counts[start, end].append(size(database, "passing"))
    return [
        {
            "oldest": names[start],
            "newest": names[end],
            "generations": end - start,
            "ancestors are": name_of(end - start),
            "ancestors": ancestors,
            "descendants": descendants,
        }
        for (start, end), (descendants, ancestors) in sorted(counts.items())
    ]


def among(pair: Pair, query: str, table: str) -> str:
    return query.format(i=pair.old, j=pair.new, p=pair.label, least=pair.least, among=table)


def size(database: Database, table: str) -> int:
    return int(database.row(f"SELECT count(*) AS rows_ FROM {table}")["rows_"])
