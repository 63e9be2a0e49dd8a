"""*Parent*, *child*, *equivalent* (Baeza-Yates 2007, Definitions 8 and 9), of pairs of snapshots, as
tables of a database.

Two documents of an old and a new snapshot are *equivalent* if they have the same address. An old
document is a *parent* of a new one, its *child*, if they share at least so many paragraphs and are
not equivalent. A child is *fresh* if no page of the old snapshot has its address.

Documents with the same text share the same paragraphs, so pairs are of texts, and none is made for
each two of many duplicates. A *unit* are new documents that agree in their text, in the text of
their equivalents, and in whether they are fresh.

| table | a row is |
| --- | --- |
| `docs_J` | a document of snapshot J: `page`, `url`, `site`, `text`, `cluster` |
| `urls_J` | an address of any page of it: `url` |
| `old_I` | a document of I that was drawn, as in `docs_I` |
| `texts_I_J` | a text of those: `text`, `docs`, `first`, `second`; and of its documents whose address no page of J has `gone`, `first_gone` |
| `new_I_J` | a document of J: as in `docs_J`, with `unit`, `own` (its equivalent in `old_I`), `own_text`, `fresh` |
| `units_I_J` | a unit: `unit`, `text`, `own_text`, `fresh`, `docs`, `first`, `others` |
| `links_I_J` | a unit and an old text that share enough: `unit`, `text`, `shared`, `chars` (of the new one) |
| `found_I_J` | what was found of a unit: see group/kinship.py |
| `children_I_J` | a document of J: as in `new_I_J`, with the number of its `parents` |
| `parents_I_J` | a document of `old_I`: with the number of its `children`, and of the `fresh` ones |
"""  # noqa: E501

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.group.kinship import FOUND, LINKS, OldTexts, look_up
from webecho.group.snapshots import Snapshot
from webecho.run import Run

_TEXTS = """
SELECT text, count(*) AS docs, min(page) AS first, min(page) FILTER (WHERE place = 2) AS second,
    count(*) FILTER (WHERE url IS NULL) AS gone,
    min(page) FILTER (WHERE url IS NULL) AS first_gone
FROM (
    SELECT old.text, old.page, urls.url,
        row_number() OVER (PARTITION BY old.text ORDER BY old.page NULLS LAST) AS place
    FROM old_{i} AS old LEFT JOIN urls_{j} AS urls ON urls.url = old.url
) AS placed
GROUP BY text
"""
_NEW = """
SELECT docs.page, docs.url, docs.site, docs.text, docs.cluster,
    old.page AS own, old.text AS own_text,
    CASE WHEN docs.url IS NOT NULL AND urls.url IS NULL THEN 1 ELSE 0 END AS fresh
FROM docs_{j} AS docs
LEFT JOIN old_{i} AS old ON old.url = docs.url
LEFT JOIN urls_{i} AS urls ON urls.url = docs.url
"""
_UNITS = """
WITH alike AS (
    SELECT text, own_text, fresh, count(*) AS docs, min(page) AS first
    FROM new_{p} GROUP BY text, own_text, fresh
)
SELECT
    row_number() OVER (
        ORDER BY alike.text NULLS LAST, own_text NULLS FIRST, fresh NULLS LAST
    ) - 1 AS unit,
    alike.text, own_text, fresh, alike.docs, alike.first,
    CASE WHEN texts.docs > 1 THEN 1 ELSE 0 END AS others
FROM alike LEFT JOIN texts_{p} AS texts ON texts.text = own_text
"""
_IN_UNITS = """
SELECT new.page, new.url, new.site, new.cluster, new.own, new.own_text, new.text, new.fresh,
    units.unit
FROM new_{p} AS new JOIN units_{p} AS units
    ON units.text = new.text AND units.fresh = new.fresh
    AND coalesce(units.own_text, -1) = coalesce(new.own_text, -1)
"""
_CHILDREN = """
SELECT new.page, url, site, cluster, new.unit, own, own_text, fresh, own_shared, chars,
    coalesce(linked.docs, 0) - CASE WHEN own_shared >= {least} THEN 1 ELSE 0 END AS parents
FROM new_{p} AS new
JOIN found_{p} AS found ON found.unit = new.unit
LEFT JOIN (
    SELECT unit, sum(texts.docs) AS docs
    FROM links_{p} AS links JOIN texts_{p} AS texts ON texts.text = links.text
    WHERE shared >= {least}
    GROUP BY unit
) AS linked ON linked.unit = new.unit
"""
_PARENTS = """
SELECT old.page, url, site, cluster, old.text, equivalent.page AS own,
    coalesce(linked.docs, 0) - CASE WHEN own_shared >= {least} THEN 1 ELSE 0 END AS children,
    coalesce(linked.fresh, 0) AS fresh
FROM old_{i} AS old
LEFT JOIN (
    SELECT links.text, sum(units.docs) AS docs, sum(units.docs * units.fresh) AS fresh
    FROM links_{p} AS links JOIN units_{p} AS units ON units.unit = links.unit
    WHERE shared >= {least}
    GROUP BY links.text
) AS linked ON linked.text = old.text
LEFT JOIN (
    SELECT new.page, own, own_shared
    FROM new_{p} AS new JOIN found_{p} AS found ON found.unit = new.unit
    WHERE own IS NOT NULL
) AS equivalent ON equivalent.own = old.page
"""


@dataclass(frozen=True)
class Pair:
    """An old and a new snapshot by their numbers, and the fewest paragraphs that kin share."""

    old: int
    new: int
    least: int

    @property
    def label(self) -> str:
        return f"{self.old}_{self.new}"

    def filled(self, query: str) -> str:
        """A query with the names of its tables."""
        return query.format(i=self.old, j=self.new, p=self.label, least=self.least)


def add_snapshot(
    database: Database, number: int, snapshot: Snapshot, drawn: pa.Array, run: Run
) -> None:
    """Adds the documents of a snapshot, and those at the places that were drawn."""
    rows = snapshot.named(run)
    database.add(f"docs_{number}", rows)
    database.add(f"old_{number}", rows.take(drawn))
    database.add(f"sketches_{number}", snapshot.workspace.stored("sketches"))
    database.keep(
        f"urls_{number}",
        f"SELECT DISTINCT url FROM sketches_{number} WHERE url IS NOT NULL",
    )


def relate(database: Database, pair: Pair, old: OldTexts, new: Snapshot, run: Run) -> None:
    """Adds the tables of a pair of snapshots that were added."""
    label = pair.label
    database.keep(f"texts_{label}", pair.filled(_TEXTS))
    database.keep(f"new_{label}", pair.filled(_NEW))
    database.keep(f"units_{label}", pair.filled(_UNITS))
    database.keep(f"new_{label}", pair.filled(_IN_UNITS))
    units = database.table(
        f"SELECT text, own_text, others FROM units_{label} ORDER BY unit NULLS LAST"
    )
    found: list[pa.RecordBatch] = []

    def links() -> Iterator[pa.RecordBatch]:
        for some, of_units in look_up(old, new, units, pair.least, run):
            found.append(of_units)
            yield some

    database.add("links that come", pa.RecordBatchReader.from_batches(LINKS, links()))
    database.keep(f"links_{label}", 'SELECT * FROM "links that come"')
    database.add(f"found_{label}", pa.Table.from_batches(found, FOUND))
    add_kin(database, pair)


def add_kin(database: Database, pair: Pair) -> None:
    """Adds the children and parents of a pair: those that share so many paragraphs."""
    database.keep(f"children_{pair.label}", pair.filled(_CHILDREN))
    database.keep(f"parents_{pair.label}", pair.filled(_PARENTS))
