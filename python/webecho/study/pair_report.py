"""What Henzinger 2006 reports of pairs, of those that `webecho pairs` has found.

| here | in the paper |
| --- | --- |
| `by_b_similarity` | Table 1, and with the average C-similarity Table 9 |
| `by_c_range` | the average B-similarity of Table 10 |
| `c_by_b` | Figure 5: the distribution of C-similarity for each B-similarity |
| `degrees` | Figures 1 and 3: in how many pairs pages are |
| `differences` | Figures 2 and 4: how many pairs have which term difference (term_differences.py) |
| `sites` | the sites that give most pairs (sections 3.2, 3.3) |
| `hosts` | the distribution of pages per host, one of each identity set (section 3) |
| `power_laws` | the exponents of Figures 1 and 3, and of the pages per host |
| `facts` | what its text says of all pairs, and its numbers for the same rule beside ours |

Pairs count as often as their weights say, so that sampled hot buckets do not count too little;
sums of weights are rounded.
"""

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from webecho.engine.exact_sums import total, units
from webecho.group.rules.parameters import LEAST_B, LEAST_C, OF_BITS
from webecho.run import Run
from webecho.shown import Outline, Shown
from webecho.study.figures import Figure
from webecho.study.fits import FITTED, Fits, fit_row, fitted
from webecho.study.fits import TITLE as POWER_LAWS
from webecho.study.pair_figures import SIZED, by_size, figures
from webecho.study.papers import BY_B as PAPER_BY_B
from webecho.study.papers import BY_C as PAPER_BY_C
from webecho.study.papers import PAIR_FACTS, with_paper
from webecho.study.power_law import FitSettings
from webecho.study.shares import ratio
from webecho.study.term_differences import term_differences
from webecho.workspace.checksums import read_sealed_json
from webecho.workspace.workspace import FIND_PAIRS, Workspace

# The ranges of C-similarity in Tables 5 and 10 begin here; of 384 bits.
RANGES = (0, 372, 376, 379, 382)
# A node of the similarity graph has a high degree from here on (section 3.4.1).
HIGH = 100
MOST_SITES = 20

# The pairs with their weights in units.
PAIRS = f"SELECT *, {units('weight')} AS units FROM found"
COUNT = f"CAST(round({total()}) AS BIGINT)"
SHARE = f"{total()} / (SELECT {total()} FROM pairs)"
BY_B = f"""
SELECT b_similarity, {COUNT} AS pairs, {SHARE} AS share,
    {total(times="c_similarity")} / {total()} AS "average C-similarity"
FROM pairs GROUP BY b_similarity ORDER BY b_similarity NULLS LAST
"""
BY_C = f"""
SELECT low AS "C-similarity from", high AS "to", {COUNT} AS pairs, {SHARE} AS share,
    {total(times="b_similarity")} / {total()} AS "average B-similarity"
FROM pairs JOIN ranges ON c_similarity BETWEEN low AND high
GROUP BY low, high ORDER BY low NULLS LAST
"""
C_BY_B = f"""
SELECT b_similarity, c_similarity, {COUNT} AS pairs,
    CAST(sum(units) AS DOUBLE)
        / CAST(sum(sum(units)) OVER (PARTITION BY b_similarity) AS DOUBLE) AS share
FROM pairs WHERE b_similarity IS NOT NULL AND c_similarity IS NOT NULL
GROUP BY b_similarity, c_similarity
ORDER BY b_similarity NULLS LAST, c_similarity NULLS LAST
"""
# Every pair counts for the site of either page, and once where they are the same.
SITES = f"""
WITH sides AS (
    SELECT l.site AS site, units, same_site FROM pairs JOIN sketches AS l ON l.page = pairs."left"
    UNION ALL
    SELECT r.site, units, same_site FROM pairs JOIN sketches AS r ON r.page = pairs."right"
    WHERE NOT same_site
)
SELECT site, {COUNT} AS pairs, {SHARE} AS share,
    CAST(round(coalesce({total("same_site")}, 0)) AS BIGINT) AS "on the same site"
FROM sides WHERE site IS NOT NULL
GROUP BY site ORDER BY pairs DESC NULLS LAST, site NULLS LAST LIMIT {MOST_SITES}
"""
# As in the paper one page of each identity set is counted, on its own host.
HOSTS = """
SELECT pages, count(*) AS hosts
FROM (
    SELECT count(*) AS pages FROM sketches LEFT JOIN identity ON identity.page = sketches.page
    WHERE host IS NOT NULL AND (stands IS NULL OR stands = sketches.page)
    GROUP BY host
) AS by_host
GROUP BY pages ORDER BY pages NULLS LAST
"""
DEGREES = "SELECT degree, count(*) AS pages FROM by_page GROUP BY degree ORDER BY degree NULLS LAST"
TABLES = {
    "by_b_similarity": BY_B,
    "by_c_range": BY_C,
    "c_by_b": C_BY_B,
    "degrees": DEGREES,
    "sites": SITES,
    "hosts": HOSTS,
}
CAPTIONS = {
    "facts": "What is told of all pairs",
    "by_b_similarity": "Pairs by B-similarity",
    "by_c_range": "Pairs by C-similarity",
    "c_by_b": "The distribution of C-similarity for each B-similarity",
    "degrees": "Pages by their number of near-duplicates",
    "differences": "Pairs by term difference",
    "differences_without_images": "Pairs by term difference without image terms",
    "sites": "The sites of most pairs",
    "hosts": "Hosts by their number of pages",
    "power_laws": POWER_LAWS,
}
FACTS = pa.schema(
    {
        "fact": pa.string(),
        **{name: pa.float64() for name in ("value", "value, low", "value, high", "paper")},
    }
)
DEGREE_FACTS = f"""
SELECT
    count(*) AS "pages with a near-duplicate",
    CAST(sum(degree) AS DOUBLE) / nullif(count(*), 0) AS "average degree",
    count(*) FILTER (WHERE degree >= {HIGH}) / greatest(count(*), 1) AS "share of degree ≥ {HIGH}"
FROM by_page
"""


def pair_facts(b: int, c: int) -> str:
    """SQL for what is said of all pairs; `b` and `c` are the papers' thresholds."""
    return f"""
    SELECT
        {share("same_site")} AS "share on the same site",
        {total(times="c_similarity")} / {total()} AS "average C-similarity",
        {total(times="b_similarity")} / {total()} AS "average B-similarity",
        {share("c_similarity", f">= {c}")} AS "share with C-similarity ≥ {c}",
        {share("b_similarity", f">= {b}")} AS "share with B-similarity ≥ {b}",
        {share("b_similarity", "= 0")} AS "share with B-similarity 0"
    FROM pairs
    """


def share(column: str, test: str = "") -> str:
    """SQL for the share of pairs of which a column passes a test: 0 if none does, and null only
    where nobody knows of any."""
    passing = total(f"{column} {test}".strip())
    return f"CASE WHEN count({column}) > 0 THEN coalesce({passing}, 0) / {total()} END"


@dataclass(frozen=True, repr=False)
class PairReport(Shown):
    """Tables by name, facts by name, and what was fitted."""

    label: str
    facts: dict[str, Any]
    tables: dict[str, pa.Table]
    fits: dict[str, Fits] = field(default_factory=dict)

    def outline(self) -> Outline:
        return Outline(f"Pairs by {self.label}", self.facts, self.tables)

    @property
    def captions(self) -> dict[str, str]:
        return {name: f"{text} ({self.label})" for name, text in CAPTIONS.items()}

    @property
    def figures(self) -> dict[str, Figure]:
        return figures(self.label, self.tables, self.fits, self.facts.get("pairs measured"))


def report(
    workspace: Workspace, label: str, run: Run, settings: FitSettings | None = None
) -> PairReport:
    """What there is to say of the pairs that were written under this label."""
    files = workspace.files
    counts = read_sealed_json(files.counts(label), files.name(files.counts(label)), FIND_PAIRS)
    del counts["checksum"]
    bits = workspace.recipe.bits
    least = -(-LEAST_C * bits // OF_BITS)
    with run.database() as database:
        database.add("found", workspace.stored("pairs", label))
        database.view("pairs", PAIRS)
        database.add("by_page", workspace.one_file(files.degrees(label), FIND_PAIRS))
        database.add("sketches", workspace.stored("sketches"))
        database.add("identity", workspace.one_file(files.identity, FIND_PAIRS))
        database.add("ranges", ranges(bits))
        found = {name: database.table(query) for name, query in TABLES.items()}
        facts = counts | known(database.row(pair_facts(LEAST_B, least)))
        facts |= known(database.row(DEGREE_FACTS))
        facts["share with a near-duplicate"] = ratio(
            facts["pages with a near-duplicate"], counts["distinct pages"]
        )
        facts["hosts"] = sum(found["hosts"]["hosts"].to_pylist())
        facts["pages per host"] = ratio(hosted(found["hosts"]), facts["hosts"])
        tables, told = term_differences(database)
        found |= tables
        facts |= told
    counts_by_size = {name: by_size(found[name], *columns) for name, columns in SIZED.items()}
    fits = {
        name: fitted(counted, settings or FitSettings()) for name, counted in counts_by_size.items()
    }
    laws = [{"of": name} | fit_row(fits[name], counts_by_size[name]) for name in fits]
    for name, both in fits.items():
        facts |= fit_facts(name, both)
    found["by_b_similarity"] = with_paper(
        found["by_b_similarity"], ["b_similarity"], PAPER_BY_B.get(label, {})
    )
    found["by_c_range"] = with_paper(
        found["by_c_range"], ["C-similarity from"], PAPER_BY_C.get(label, {})
    )
    found["power_laws"] = pa.Table.from_pylist(laws, pa.schema({"of": pa.string()} | FITTED))
    return PairReport(label, facts, {"facts": fact_table(label, facts)} | found, fits)


def fit_facts(name: str, fits: Fits) -> dict[str, Any]:
    """What is said of the sizes of degrees, or of hosts."""
    facts: dict[str, Any] = {}
    if fits.law is not None:
        law = fits.law
        facts |= {f"exponent of {name}": law.exponent, f"error of the exponent, {name}": law.error}
        facts |= {f"exponent holds from, {name}": law.least, f"goodness p, {name}": law.p}
        facts |= {f"log-normal ratio, {name}": law.ratio, f"p of the ratio, {name}": law.ratio_p}
        facts |= {f"log-normal ratio of all sizes, {name}": law.whole_ratio}
        facts |= {f"p of the ratio of all sizes, {name}": law.whole_ratio_p}
    if fits.line is not None:
        line = fits.line
        facts |= {
            f"exponent of the log-log line, {name}": line.exponent,
            f"error of the line, {name}": line.error,
            f"spread around the line, {name}": line.spread,
        }
    return known(facts)


def fact_table(label: str, facts: dict[str, Any]) -> pa.Table:
    """The numbers among the facts, with their intervals and what the paper has for the rule."""
    paper = PAIR_FACTS.get(label, {})
    rows = [
        {
            "fact": name,
            "value": value,
            "value, low": facts.get(f"{name}, low"),
            "value, high": facts.get(f"{name}, high"),
            "paper": paper.get(name),
        }
        for name, value in facts.items()
        if isinstance(value, (int, float)) and not name.endswith((", low", ", high"))
    ]
    return pa.Table.from_pylist(rows, FACTS)


def known(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts without those that nobody knows."""
    return {name: value for name, value in facts.items() if value is not None}


def ranges(bits: int) -> pa.Table:
    """The ranges of C-similarity, in proportion to the bits."""
    starts = [-(-start * bits // OF_BITS) for start in RANGES]
    ends = [*(start - 1 for start in starts[1:]), bits]
    return pa.table({"low": pa.array(starts, pa.int64()), "high": pa.array(ends, pa.int64())})


def hosted(hosts: pa.Table) -> int:
    rows = zip(hosts["pages"].to_pylist(), hosts["hosts"].to_pylist(), strict=True)
    return sum(pages * count for pages, count in rows)
