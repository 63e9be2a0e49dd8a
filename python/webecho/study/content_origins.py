"""Where the content of a snapshot comes from, seen from an older one: *kept*, *re-used* or *new*.

Of pages: a document is kept if it shares enough paragraphs with its equivalent, else re-used if it
has a parent, else new. Of characters: a sentence is kept if it stands in a paragraph that its
equivalent has too, however few these are, else re-used if it stands in one of a parent, else new.
"""

from typing import Any

from webecho.engine.protocol import Database
from webecho.study.relations import Pair
from webecho.study.shares import ratio

_ORIGINS = """
SELECT
    count(*) AS pages,
    count(*) FILTER (WHERE own_shared >= {least}) AS kept_pages,
    count(*) FILTER (WHERE own_shared < {least} AND parents > 0) AS reused_pages,
    coalesce(sum(found.chars), 0) AS chars,
    coalesce(sum(found.kept), 0) AS kept_chars,
    coalesce(sum(found.reused), 0) AS reused_chars
FROM (SELECT unit, parents FROM children_{p}) AS children
JOIN found_{p} AS found ON found.unit = children.unit
"""


def origin_row(database: Database, pair: Pair) -> dict[str, Any]:
    """How many pages and characters of a new snapshot are new, kept and re-used."""
    found = {name: int(each) for name, each in database.row(pair.filled(_ORIGINS)).items()}
    row: dict[str, Any] = {}
    for what, name in (("pages", "pages"), ("chars", "characters")):
        total, kept, reused = found[what], found[f"kept_{what}"], found[f"reused_{what}"]
        parts = {"new": total - kept - reused, "kept": kept, "re-used": reused}
        row |= {f"{part} {name}": count for part, count in parts.items()}
        row |= {f"share of {part} {name}": ratio(count, total) for part, count in parts.items()}
    return row
