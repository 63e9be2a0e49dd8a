"""How many parents, children and equivalents two snapshots have: Baeza-Yates 2007, Tables 7 and 8.

| count | what is counted |
| --- | --- |
| `all` | Definitions 8 and 9: old documents with a child, new ones with a parent, and old ones with an equivalent, whether or not they share paragraphs |
| `paper` | the second stage of Figure 6, below; kin share more than the minimal number |

Figure 6 goes through the pairs that share enough, by the new page and then the old. If it is the
first pair of an old document, and any new page has its address, it is an equivalent, and the pair
no more. Else the new document is a child, unless it or one of its duplicates is one already, or it
is the old one's own later version; then the old document is a parent, unless it is one already.
(The listing looks for parents also where there is no new child; we follow the text. That no page is
a child of its own address is Definition 9.)

So a pair makes no child if it is the first of its old document and that is still there. Of a child
only the first other pair counts, and its old document is the parent. All old documents of a text
have their first pair with the same new document, so that this can be told of texts.
"""  # noqa: E501

from typing import Any, Literal, get_args

from webecho.engine.protocol import Database
from webecho.study.relations import Pair

Count = Literal["all", "paper"]
COUNTS: tuple[str, ...] = get_args(Count)
# Figure 6: "more than"; settings say "at least".
MORE_THAN = 1

_ALL = """
SELECT
    (SELECT count(*) FROM parents_{p} WHERE children > 0) AS parents,
    (SELECT count(*) FROM children_{p} WHERE parents > 0) AS children,
    (SELECT count(*) FROM children_{p} WHERE own IS NOT NULL) AS equivalents,
    (SELECT count(*) FROM children_{p} WHERE own_shared >= {least}) AS sharing,
    (SELECT count(*) FROM children_{p} WHERE parents > 0 AND fresh = 1) AS fresh
"""
# For each link the first two old documents with which a new one of the unit makes no equivalent:
# one of them may be its own address. `of_first` are those of the first new one of the unit.
_PAPER = """
WITH enough AS (
    SELECT links.unit, links.text, units.first AS first_new
    FROM links_{p} AS links JOIN units_{p} AS units ON units.unit = links.unit
    WHERE shared >= {least}
), met AS (
    SELECT text, min(first_new) AS first_new FROM enough GROUP BY text
), offered AS (
    SELECT
        enough.unit, enough.first_new, texts.first, texts.second,
        CASE WHEN met.first_new = enough.first_new THEN texts.first_gone ELSE texts.first END
            AS to_first,
        CASE WHEN met.first_new < enough.first_new THEN texts.second END AS to_first_second
    FROM enough
    JOIN met ON met.text = enough.text
    JOIN texts_{p} AS texts ON texts.text = enough.text
), ordered AS (
    SELECT offered.*,
        min(to_first) OVER (PARTITION BY unit) AS of_first,
        min(first) OVER (PARTITION BY unit) AS of_others
    FROM offered
), sources AS (
    SELECT
        unit, first_new, of_first, of_others,
        min(CASE WHEN to_first = of_first THEN to_first_second ELSE to_first END) AS of_first_next,
        min(CASE WHEN first = of_others THEN second ELSE first END) AS of_others_next
    FROM ordered
    GROUP BY unit, first_new, of_first, of_others
), candidates AS (
    SELECT new.page, new.cluster,
        CASE
            WHEN new.page <> sources.first_new
                THEN CASE WHEN of_others = own THEN of_others_next ELSE of_others END
            WHEN of_first = own THEN of_first_next
            ELSE of_first
        END AS source
    FROM new_{p} AS new JOIN sources ON sources.unit = new.unit
), firsts AS (
    SELECT cluster, min(page) AS page FROM candidates WHERE source IS NOT NULL GROUP BY cluster
)
SELECT
    (SELECT count(DISTINCT source) FROM candidates JOIN firsts ON firsts.page = candidates.page)
        AS parents,
    (SELECT count(*) FROM firsts) AS children,
    (
        SELECT coalesce(sum(texts.docs - texts.gone), 0)
        FROM met JOIN texts_{p} AS texts ON texts.text = met.text
    ) AS equivalents
"""


def counted(database: Database, pair: Pair, count: Count) -> dict[str, Any]:
    """The parents, children and equivalents of a pair; by `all` also the equivalents that share
    paragraphs, and the children that are fresh."""
    if count == "all":
        return whole(database.row(pair.filled(_ALL)))
    more = Pair(pair.old, pair.new, pair.least + MORE_THAN)
    return whole(database.row(more.filled(_PAPER)))


def whole(row: dict[str, Any]) -> dict[str, Any]:
    """Sums as whole numbers: an engine may give them as decimals."""
    return {name: int(value) for name, value in row.items()}
