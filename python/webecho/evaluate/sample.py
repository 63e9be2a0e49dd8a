"""*Sample*: pairs drawn by chance for a person to label, with the weights that undo the drawing.

A *stratum* is the pairs that the same rules found, with the same B-similarity, range of
C-similarity, same site or not, and a weight of the same power of two. From each a number of pairs
is drawn, every one with the same chance. Half of the sample is shared out by how much of each
rule's pairs a stratum stands for, half evenly, so that rare kinds of pairs are seen too.

A pair's own weight says for how many it stands where a rule sampled a hot bucket (1 elsewhere). Its
weight in the sample is that times the pairs of its stratum over those drawn from it: summed over
the sample, for one rule, it estimates without bias how many pairs of any kind the rule has found.
A pair can be there for several rules, with a weight for each.

The chance of a pair is a digest of the seed and the two page numbers: the same seed gives the same
sample, and a larger one has, as long as its strata are the same, the smaller one within it.
"""

import heapq
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from webecho.engine.local import connect
from webecho.errors import SettingsError, WorkspaceError
from webecho.group.rules import RULES, rule
from webecho.sketches.tables import write_table
from webecho.sketches.workspace import Workspace

# What parts strata, in the order in which it is given up where a sample is too small for them.
PARTING = ("c_range", "b_similarity", "same_site", "weight_class", "rules")
# So many pairs of each stratum tell how much pairs differ within it.
LEAST = 2
# Bits in which two projections differ, from and to: Henzinger's ranges of C-similarity.
RANGES = ((0, 2), (3, 5), (6, 8), (9, 12))
# Sums of weights must not depend on the order of rows, so they are sums of whole numbers.
UNIT = 1 << 20
MEASURES = ("term_difference", "resemblance", "left_containment", "right_containment")
NAMES = ("left_url", "right_url", "left_id", "right_id")


@dataclass(frozen=True)
class Plan:
    """What is to be drawn: from the pairs of these rules, so many, by this seed."""

    rules: tuple[str, ...]  # labels, as the files have them
    size: int
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size < 1:
            raise SettingsError(f"a sample of {self.size} pairs is none; give --sample 500")

    @property
    def name(self) -> str:
        return f"sample-{'+'.join(self.rules)}-{self.size}-seed-{self.seed}"


@dataclass(frozen=True)
class Stratum:
    """Pairs of one kind: how many there are, and how much of the rules' pairs they stand for."""

    pairs: int
    share: float


def rule_label(workspace: Workspace, name: str) -> str:
    """The rule, with its parameters, of which the workspace has pairs under this name."""
    folder = workspace.path / "pairs"
    # What is given as files have it, and what the papers' parameters make of a name, come first.
    usual = [rule(name, recipe=workspace.recipe).label] if name in RULES else []
    for label in (name, *usual):
        if (folder / f"{label}.parquet").is_file():
            return label
    found = sorted(file.stem for file in folder.glob(f"{name}-*.parquet"))
    if len(found) == 1:
        return found[0]
    if found:
        raise SettingsError(
            f"{workspace.path} has pairs of {', '.join(found)}; say which with --rule {found[0]}"
        )
    raise WorkspaceError(
        f"{workspace.path} has no pairs of the rule {name}; find them with: "
        f"webecho pairs {workspace.path} --rule {name}"
    )


def sample_file(workspace: Workspace, plan: Plan) -> Path:
    return workspace.path / "labels" / f"{plan.name}.parquet"


def draw(
    workspace: Workspace, plan: Plan, *, threads: int = 1, memory: int | None = None
) -> pa.Table:
    """The sample: written once to `labels/`, read again until the pairs it came from change.

    A row for each pair and rule, sorted by `number` (in which order to label) and rule.
    """
    file = sample_file(workspace, plan)
    stamp = {b"webecho.pairs": json.dumps(stamps(workspace, plan)).encode()}
    if file.is_file():
        found = pq.read_table(file, memory_map=False)
        if (found.schema.metadata or {}).items() >= stamp.items():
            return found
    with connect(threads, memory) as connection:
        gather(connection, workspace, plan)
        strata, keys = stratify(connection, plan)
        taken = allocate(strata, plan.size)
        rows = drawn(connection, plan, keys, taken)
    write_table(file, [rows.replace_schema_metadata(stamp)])
    return pq.read_table(file, memory_map=False)


def stamps(workspace: Workspace, plan: Plan) -> dict[str, list[int]]:
    """What tells that the pairs of a rule are still the same."""
    found = {}
    for label in plan.rules:
        file = workspace.path / "pairs" / f"{label}.parquet"
        found[label] = [workspace.pages, pq.read_metadata(file).num_rows, file.stat().st_size]
    return found


def gather(connection: duckdb.DuckDBPyConnection, workspace: Workspace, plan: Plan) -> None:
    """Makes the table `pairs`: each pair once, its weight by each rule, and what strata go by."""
    files = [str(file) for file in workspace.part_files("sketches")]
    sites = connection.read_parquet(files).select("page", "site") if files else None
    connection.register("sketches", workspace.table() if sites is None else sites)
    parts = []
    for number, label in enumerate(plan.rules):
        file = workspace.path / "pairs" / f"{label}.parquet"
        try:
            columns = pq.read_schema(file).names
        except (OSError, pa.ArrowInvalid) as error:
            raise WorkspaceError(
                f"{file} cannot be read ({error}); find the pairs again"
            ) from error
        connection.register(f"found_{number}", connection.read_parquet(str(file)))
        parts.append(rule_rows(number, columns))
    numbers = range(len(plan.rules))
    weights = ", ".join(f"max(weight) FILTER (rule = {n}) AS weight_{n}" for n in numbers)
    measures = ", ".join(f"max({name}) AS {name}" for name in (*MEASURES, *NAMES))
    connection.execute(
        f"""
        CREATE TEMP TABLE pairs AS
        SELECT "left", "right", max(b_similarity) AS b_similarity,
            max(c_similarity) AS c_similarity, {c_range(workspace.recipe.bits)} AS c_range,
            bool_or(same_site) AS same_site, {weights},
            CAST(floor(log2(max(weight))) AS BIGINT) AS weight_class,
            string_agg(CAST(rule AS VARCHAR), ' ' ORDER BY rule) AS rules, {measures},
            md5_number_lower(concat_ws(' ', {plan.seed}, "left", "right")) AS chance
        FROM ({" UNION ALL ".join(parts)}) GROUP BY "left", "right"
        """
    )


def rule_rows(number: int, columns: Sequence[str]) -> str:
    """The pairs of a rule with the columns that all have; nulls where its table has none."""
    has_sites = "same_site" in columns

    def column(name: str, kind: str) -> str:
        return f"found.{name}" if name in columns else f"CAST(NULL AS {kind}) AS {name}"

    wanted = [
        f"{number} AS rule",
        *('found."left"', 'found."right"'),
        *(column(name, "BIGINT") for name in ("b_similarity", "c_similarity")),
        "found.same_site" if has_sites else "one.site = other.site AS same_site",
        "CAST(found.weight AS DOUBLE) AS weight"
        if "weight" in columns
        else "CAST(1 AS DOUBLE) AS weight",
        *(column(name, "DOUBLE") for name in MEASURES),
        *(column(name, "VARCHAR") for name in NAMES),
    ]
    rows = f"SELECT {', '.join(wanted)} FROM found_{number} AS found"
    if has_sites:
        return rows
    # Rules that do not measure it tell neither whether the pages are of one site.
    return (
        f'{rows} JOIN sketches AS one ON one.page = found."left" '
        'JOIN sketches AS other ON other.page = found."right"'
    )


def ranges(bits: int) -> list[str]:
    """The names of the ranges of C-similarity, the highest first."""
    return [f"{bits - most}-{bits - least}" for least, most in RANGES] + [
        f"below {bits - RANGES[-1][1]}"
    ]


def c_range(bits: int) -> str:
    """SQL for the range that a C-similarity lies in."""
    names = ranges(bits)
    cases = [
        f"WHEN max(c_similarity) >= {bits - most} THEN '{name}'"
        for (_, most), name in zip(RANGES, names, strict=False)
    ]
    known = f"WHEN max(c_similarity) IS NOT NULL THEN '{names[-1]}'"
    return f"CASE {' '.join(cases)} {known} END"


def stratify(
    connection: duckdb.DuckDBPyConnection, plan: Plan
) -> tuple[list[Stratum], tuple[str, ...]]:
    """The strata, and what parts them: as much as leaves `LEAST` pairs of the sample for each."""
    for given_up in range(len(PARTING) + 1):
        keys = PARTING[given_up:]
        strata = count_strata(connection, plan, keys)
        if sum(min(LEAST, each.pairs) for each in strata) <= plan.size:
            break
    return strata, keys


def count_strata(
    connection: duckdb.DuckDBPyConnection, plan: Plan, keys: tuple[str, ...]
) -> list[Stratum]:
    """Makes the table `strata`, and gives them in its order."""
    numbers = range(len(plan.rules))
    sums = [
        f"coalesce(sum(CAST(round(weight_{n} * {UNIT}) AS HUGEINT)), 0) AS total_{n}"
        for n in numbers
    ]
    order = ", ".join(f"{key} NULLS FIRST" for key in keys) or "1"
    grouped = f"SELECT {', '.join([*keys, 'count(*) AS stratum_pairs', *sums])} FROM pairs" + (
        f" GROUP BY {', '.join(keys)}" if keys else ""
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE strata AS "
        f"SELECT row_number() OVER (ORDER BY {order}) - 1 AS stratum, * FROM ({grouped})"
    )
    columns = ["stratum_pairs", *(f"total_{n}" for n in numbers)]
    found = connection.sql(
        f"SELECT {', '.join(columns)} FROM strata WHERE stratum_pairs > 0 ORDER BY stratum"
    ).fetchall()
    totals = [sum(row[1 + n] for row in found) for n in numbers]

    def share(row: tuple[int, ...]) -> float:
        parts = zip(row[1:], totals, strict=True)
        # A rule that found nothing has no share in anything.
        shares: list[float] = [part / total for part, total in parts if total]
        return sum(shares) / len(totals)

    return [Stratum(row[0], share(row)) for row in found]


def allocate(strata: Sequence[Stratum], size: int) -> list[int]:
    """How many pairs to draw from each stratum: `LEAST` first, then one after the other to where
    most is missing. A larger size gives no stratum less."""
    taken = [min(LEAST, each.pairs) for each in strata]
    if sum(taken) > size:
        taken = [min(1, each.pairs) for each in strata]
    wanted = [each.share / 2 + 1 / (2 * len(strata)) for each in strata]
    # Webster's method: whole numbers as near to the wanted shares as can be.
    queue = [(-wanted[n] / (2 * taken[n] + 1), n) for n in range(len(strata))]
    heapq.heapify(queue)
    left = size - sum(taken)
    while left > 0 and queue:
        _, n = heapq.heappop(queue)
        if taken[n] < strata[n].pairs:
            taken[n] += 1
            left -= 1
            heapq.heappush(queue, (-wanted[n] / (2 * taken[n] + 1), n))
    return taken


def drawn(
    connection: duckdb.DuckDBPyConnection,
    plan: Plan,
    keys: tuple[str, ...],
    taken: Sequence[int],
) -> pa.Table:
    """The sample's rows, a pair once for each of its rules."""
    counts = {"stratum": range(len(taken)), "stratum_sampled": taken}
    connection.register("takes", pa.table({k: pa.array(v, pa.int64()) for k, v in counts.items()}))
    same = [f"strata.{key} IS NOT DISTINCT FROM pairs.{key}" for key in keys] or ["TRUE"]
    rules = " UNION ALL ".join(
        f"SELECT {number} AS rule_number, {quoted(label)} AS rule"
        for number, label in enumerate(plan.rules)
    )
    weight = " ".join(f"WHEN {n} THEN weight_{n}" for n in range(len(plan.rules)))
    query = f"""
        WITH ranked AS (
            SELECT pairs.*, stratum, stratum_pairs, stratum_sampled, row_number()
                OVER (PARTITION BY stratum ORDER BY chance, "left", "right") AS place
            FROM pairs JOIN strata ON {" AND ".join(same)} JOIN takes USING (stratum)
            QUALIFY place <= stratum_sampled
        ), numbered AS (
            -- Any beginning of the sample has all strata in it as far as it can.
            SELECT *, row_number() OVER (
                ORDER BY (place - 0.5) / stratum_sampled, chance, "left", "right"
            ) AS number FROM ranked
        )
        SELECT number, rule, "left", "right", b_similarity, c_similarity, c_range, same_site,
            {", ".join(MEASURES)}, stratum, stratum_pairs, stratum_sampled,
            CASE rule_number {weight} END AS pair_weight,
            CASE rule_number {weight} END * stratum_pairs / stratum_sampled AS weight,
            {", ".join(NAMES)}
        FROM numbered JOIN ({rules}) ON CASE rule_number {weight} END IS NOT NULL
        ORDER BY number, rule_number
    """
    rows: pa.Table = connection.sql(query).to_arrow_table()
    return rows


def quoted(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"
