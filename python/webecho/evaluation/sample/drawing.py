"""*Sample*: pairs drawn by chance for a person to label, with the weights that undo the drawing.

From each stratum (see strata.py) a number of pairs is drawn, every one with the same chance. Half
of the sample is shared out by how much of each rule's pairs a stratum stands for, half evenly, so
that rare kinds of pairs are seen too.

A pair's own weight says for how many it stands where a rule sampled a hot bucket (1 elsewhere). Its
weight in the sample is that times the pairs of its stratum over those drawn from it: summed over
the sample, for one rule, it estimates without bias how many pairs of any kind the rule has found.
A pair can be there for several rules, with a weight for each.

The chance of a pair is a digest of the seed and the two page numbers: the same seed gives the same
sample, and a larger one has, as long as its strata are the same, the smaller one within it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.errors import SettingsError, setting
from webecho.evaluation.sample.stamps import metadata
from webecho.evaluation.sample.strata import (
    StratumSize,
    allocate,
    c_range,
    c_reached,
    share_range,
    stratify,
)
from webecho.group.measures import COLUMNS
from webecho.group.rule_names import rule_of
from webecho.memory import grouping
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.lookup import Lookup
from webecho.workspace.workspace import Workspace

# What was measured on demand; see group/measures.py.
SQL_TYPES = {pa.int64(): "BIGINT", pa.float64(): "DOUBLE", pa.bool_(): "BOOLEAN"}
MEASURES = {field.name: SQL_TYPES[field.type] for each in COLUMNS.values() for field in each}
TOP = 2**64 - 1
DRAW = "remove it, and it is drawn again"


@dataclass(frozen=True)
class SamplePlan:
    """What is to be drawn: from the pairs of these rules, so many, by this seed."""

    rules: tuple[str, ...]  # labels, as the files have them
    size: int
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size < 1:
            raise SettingsError(
                f"a sample of {self.size} pairs is none; give ", setting("sample").to(500)
            )

    @property
    def name(self) -> str:
        return f"sample-{'+'.join(self.rules)}-{self.size}-seed-{self.seed}"


def sample_file(workspace: Workspace, plan: SamplePlan) -> Path:
    return workspace.files.sample(plan.name)


def draw(workspace: Workspace, plan: SamplePlan, run: Run) -> pa.Table:
    """The sample: written once to `labels/`, read again until the pairs it came from change.

    A row for each pair and rule, sorted by `number` (in which order to label) and rule.
    """
    file = sample_file(workspace, plan)
    stamp = metadata(workspace, plan.rules)
    if file.is_file():
        found = workspace.one_file(file, DRAW).read()
        if (found.schema.metadata or {}).items() >= stamp.items():
            return found
    run.check_memory(grouping(0), f"drawing a sample from {workspace.path}")
    with run.database() as database:
        gather(database, workspace, plan)
        strata, keys = stratify(database, len(plan.rules), plan.size)
        taken = allocate(strata, plan.size)
        select(database, plan, keys, strata, taken)
        rows = database.table(sample_query(database, plan))
    pages = pa.concat_arrays([rows[side].combine_chunks() for side in ("left", "right")])
    names = Lookup.of(workspace, wanted=pc.unique(pages))
    workspace.write(file, [names.named(rows).replace_schema_metadata(stamp)])
    return workspace.one_file(file, DRAW).read()


def sampled_pairs(workspace: Workspace) -> set[tuple[int, int]]:
    """The pairs of all samples of a workspace."""
    tables = [workspace.one_file(file, DRAW).read() for file in workspace.files.samples()]
    return {
        pair
        for table in tables
        for pair in zip(table["left"].to_pylist(), table["right"].to_pylist(), strict=True)
    }


def gather(database: Database, workspace: Workspace, plan: SamplePlan) -> None:
    """Makes `pairs`: each pair once, its weight by each rule, and what strata go by."""
    database.add("pages", workspace.stored("sketches"))
    numbers = range(len(plan.rules))
    database.add("labels", pa.table({"rule_number": [*numbers], "rule": [*plan.rules]}))
    for number, label in zip(numbers, plan.rules, strict=True):
        database.add(f"found_{number}", workspace.stored("pairs", label))
    parts = [
        rule_rows(number, database.columns(f"found_{number}"), asked(label, workspace.recipe))
        for number, label in zip(numbers, plan.rules, strict=True)
    ]
    if len(parts) == 1:
        database.view("each", f"SELECT *, weight AS weight_0, 1 AS rules FROM ({parts[0]})")
    else:
        weights = ", ".join(f"max(weight) FILTER (WHERE rule = {n}) AS weight_{n}" for n in numbers)
        database.keep(
            "each",
            f"""
            SELECT "left", "right", max(b_similarity) AS b_similarity,
                max(c_similarity) AS c_similarity, bool_or(same_site) AS same_site,
                max(resemblance_range) AS resemblance_range,
                max(equal_words_range) AS equal_words_range,
                max(weight) AS weight, {weights}, bit_or(CAST(1 AS BIGINT) << rule) AS rules
            FROM ({" UNION ALL ".join(parts)}) GROUP BY "left", "right"
            """,
        )
    database.view(
        "pairs",
        f"""
        SELECT *, {c_range(workspace.recipe.bits)} AS c_range,
            {c_reached(workspace.recipe)} AS c_reached,
            CAST(floor(log2(weight)) AS BIGINT) AS weight_class
        FROM each
        """,
    )


def asked(label: str, recipe: Recipe) -> set[str]:
    """The measures that a rule goes by."""
    found = rule_of(label, recipe)
    searches = () if found is None else found.searches(recipe)
    return {name for search in searches for name in search.check.asked}


def rule_rows(number: int, columns: Sequence[str], asked: Collection[str]) -> str:
    """The pairs of a rule with the columns that all have; nulls where its table has none, or where
    it does not go by what it happens to have."""
    has_sites = "same_site" in columns

    def column(name: str) -> str:
        return f"found.{name}" if name in columns else f"CAST(NULL AS BIGINT) AS {name}"

    def ranged(name: str) -> str:
        value = share_range(f"found.{name}") if name in asked else "CAST(NULL AS BIGINT)"
        return f"{value} AS {name}_range"

    wanted = [
        f"{number} AS rule",
        *('found."left"', 'found."right"'),
        *(column(name) for name in ("b_similarity", "c_similarity")),
        *(ranged(name) for name in ("resemblance", "equal_words")),
        "found.same_site" if has_sites else "one.site = other.site AS same_site",
        f"CAST({'found.weight' if 'weight' in columns else '1'} AS DOUBLE) AS weight",
    ]
    rows = f"SELECT {', '.join(wanted)} FROM found_{number} AS found"
    if has_sites:
        return rows
    # Rules that do not measure it tell neither whether the pages are of one site.
    return (
        f'{rows} JOIN pages AS one ON one.page = found."left" '
        'JOIN pages AS other ON other.page = found."right"'
    )


def select(
    database: Database,
    plan: SamplePlan,
    keys: tuple[str, ...],
    strata: Sequence[StratumSize],
    taken: Sequence[int],
) -> None:
    """Makes `drawn`: the pairs of each stratum that have the lowest chances, numbered."""
    same = [f"strata.{key} IS NOT DISTINCT FROM pairs.{key}" for key in keys] or ["TRUE"]
    # DuckDB has it, and the Spark engine has one of its name; from `md5`, byte by byte, it takes
    # DuckDB three times as long.
    chance = f'md5_number_lower(concat_ws(\' \', {plan.seed}, "left", "right"))'
    for bounds in (likely(strata, taken), [TOP] * len(taken)):
        takes = {
            "stratum": pa.array(range(len(taken)), pa.int64()),
            "stratum_sampled": pa.array(taken, pa.int64()),
            "bound": pa.array(bounds, pa.uint64()),
        }
        database.add("takes", pa.table(takes))
        database.keep(
            "drawn",
            f"""
            WITH low AS (
                SELECT pairs.*, stratum, stratum_pairs, stratum_sampled, {chance} AS chance
                FROM pairs JOIN strata ON {" AND ".join(same)} JOIN takes USING (stratum)
                WHERE {chance} <= bound
            ), ranked AS (
                SELECT *, row_number()
                OVER (
                    PARTITION BY stratum
                    ORDER BY chance NULLS LAST, "left" NULLS LAST, "right" NULLS LAST
                ) AS place
                FROM low
            )
            -- Any beginning of the sample has all strata in it as far as it can.
            SELECT *, row_number() OVER (
                ORDER BY (2 * place - 1) / stratum_sampled NULLS LAST, chance NULLS LAST,
                    "left" NULLS LAST, "right" NULLS LAST
            ) AS number FROM ranked WHERE place <= stratum_sampled
            """,
        )
        if database.row("SELECT count(*) AS pairs FROM drawn")["pairs"] == sum(taken):
            break


def likely(strata: Sequence[StratumSize], taken: Sequence[int]) -> list[int]:
    """Chances below which so many pairs of each stratum lie that ranking those alone will do; that
    there are too few happens once in more samples than anybody will draw."""
    shares = [
        (count + 10 * sqrt(count) + 50) / each.pairs
        for each, count in zip(strata, taken, strict=True)
    ]
    return [TOP if share >= 1 else int(share * TOP) for share in shares]


def sample_query(database: Database, plan: SamplePlan) -> str:
    """SQL for the sample: each drawn pair once for each of its rules, with what was measured."""
    parts = []
    for number in range(len(plan.rules)):
        columns = database.columns(f"found_{number}")
        measures = [
            f"found.{name}" if name in columns else f"CAST(NULL AS {sql_type}) AS {name}"
            for name, sql_type in MEASURES.items()
        ]
        parts.append(
            f"SELECT {number} AS rule_number, drawn.*, "
            f"weight_{number} AS pair_weight, {', '.join(measures)} "
            f'FROM drawn JOIN found_{number} AS found USING ("left", "right")'
        )
    return f"""
        SELECT number, labels.rule, "left", "right", b_similarity, c_similarity, c_range, same_site,
            {", ".join(MEASURES)}, stratum, stratum_pairs, stratum_sampled, pair_weight,
            pair_weight * stratum_pairs / stratum_sampled AS weight
        FROM ({" UNION ALL ".join(parts)}) JOIN labels USING (rule_number)
        ORDER BY number NULLS LAST, rule_number NULLS LAST
    """
