"""*Recall*: of the pairs that are known to be correct, the share that a rule has found.

What is known is either the truth of a made-up web, by which every pair of a rule can be judged too,
or a file of gold pairs: CSV, JSON lines or Parquet with the columns of importing.py, of which the
label may be missing and then is correct. Identity sets are collapsed, as they are in pairs.
What two pages of a made-up web are to each other: see planted.py.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from webecho.engine.local.database import connect
from webecho.errors import InputError, SettingsError
from webecho.evaluation.label.importing import as_row, read_rows
from webecho.evaluation.label.matching import match, pair_files, pair_table
from webecho.evaluation.label.planted import BY_KIND, check_families, truth_file
from webecho.group.columns import page_numbers
from webecho.group.rule_names import rule_label
from webecho.group.rules.registry import EXACT
from webecho.run import Run
from webecho.workspace.workspace import Workspace

# One page stands for its identity set, whose pages are of one family.
PAGES = """
CREATE TEMP TABLE pages AS
SELECT page, cluster, site,
    max(kind) FILTER (kind <> 'original') OVER (PARTITION BY cluster) AS planted
FROM truth JOIN names USING (page)
"""
GOLD = """
CREATE TEMP TABLE gold AS
SELECT one.page AS "left", other.page AS "right", one.site = other.site AS same_site, one.planted
FROM (SELECT pages.* FROM pages JOIN stands USING (page) WHERE page = stands) AS one
JOIN (SELECT pages.* FROM pages JOIN stands USING (page) WHERE page = stands) AS other
    ON one.cluster = other.cluster AND one.page < other.page
WHERE one.planted IN (SELECT planted FROM verdicts WHERE label = 'correct')
"""
# Pairs of two families are held together by what all pages of a site have, or by chance.
JUDGED = """
SELECT {kind} AS kind, sum(weight) AS pairs,
    coalesce(sum(weight) FILTER (label = 'correct'), 0) / sum(weight) AS correct,
    coalesce(sum(weight) FILTER (label = 'incorrect'), 0) / sum(weight) AS incorrect,
    coalesce(sum(weight) FILTER (label = 'undecided'), 0) / sum(weight) AS undecided
FROM (
    SELECT pairs.weight, one.site = other.site AS same_site,
        CASE WHEN one.cluster = other.cluster THEN one.planted ELSE 'different families' END
            AS planted
    FROM pairs JOIN pages AS one ON one.page = pairs."left"
    JOIN pages AS other ON other.page = pairs."right"
) JOIN verdicts USING (planted)
GROUP BY ALL ORDER BY ALL
"""
FOUND = """
SELECT {kind} AS kind, count(*) AS gold_pairs, coalesce(sum(pairs.weight), 0) AS found_pairs
FROM gold LEFT JOIN pairs USING ("left", "right") GROUP BY ALL ORDER BY ALL
"""
# All pairs, and those on the same site or not.
KINDS = ("'all'", "CASE WHEN same_site THEN 'same site' ELSE 'different sites' END")
RECALL = pa.schema(
    [
        ("rule", pa.string()),
        ("kind", pa.string()),
        # Pairs known to be correct, those of them that the rule found, and their share.
        ("gold_pairs", pa.int64()),
        ("found_pairs", pa.float64()),
        ("recall", pa.float64()),
    ]
)
TRUE_PRECISION = pa.schema(
    [
        ("rule", pa.string()),
        ("kind", pa.string()),
        ("pairs", pa.float64()),
        ("correct", pa.float64()),
        ("incorrect", pa.float64()),
        ("undecided", pa.float64()),
    ]
)


def against_truth(
    workspace: Workspace, truth: Path, names: Sequence[str], run: Run
) -> tuple[dict[str, pa.Table], list[str]]:
    """Recall of rules, and of a made-up web their true precision; and which gold rows were left
    out."""
    labels = [rule_label(workspace, name) for name in names]
    labels = labels or [file.stem for file in pair_files(workspace)]
    file = truth_file(truth)
    with connect(run.threads, run.memory) as connection:
        register_names(connection, workspace)
        if is_made_up(file):
            register_truth(connection, workspace, file, run)
            problems: list[str] = []
        else:
            problems = register_gold(connection, workspace, file, run)
        recall: list[dict[str, Any]] = []
        precision: list[dict[str, Any]] = []
        for label in labels:
            register_pairs(connection, workspace, label)
            recall += [found_row(label, row) for row in asked(connection, FOUND, *KINDS)]
            if not is_made_up(file):
                continue
            precision += [
                {"rule": label} | row for row in asked(connection, JUDGED, *KINDS, "planted")
            ]
    tables = {"recall": pa.Table.from_pylist(recall, RECALL)}
    if precision:
        tables["true_precision"] = pa.Table.from_pylist(precision, TRUE_PRECISION)
    return tables, problems


def asked(connection: duckdb.DuckDBPyConnection, query: str, *kinds: str) -> list[dict[str, Any]]:
    """A query's rows by one kind after the other."""
    found: list[dict[str, Any]] = []
    for kind in kinds:
        found += connection.sql(query.format(kind=kind)).to_arrow_table().to_pylist()
    return found


def found_row(label: str, row: dict[str, Any]) -> dict[str, Any]:
    return {"rule": label, **row, "recall": row["found_pairs"] / row["gold_pairs"]}


def is_made_up(file: Path) -> bool:
    """Whether a file has the truth of a made-up web."""
    if file.suffix != ".parquet":
        return False
    try:
        return {"page", "cluster", "kind"} <= {*pq.read_schema(file).names}
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{file} cannot be read ({error}); give truth or gold pairs") from error


def register_names(connection: duckdb.DuckDBPyConnection, workspace: Workspace) -> None:
    files = [str(file) for file in workspace.part_files("sketches")]
    if not files:
        raise InputError(f"{workspace.path} has no pages, so there is nothing to find in it")
    names = connection.read_parquet(files).select("page", "url", "site")
    connection.register("names", names)


def register_pairs(connection: duckdb.DuckDBPyConnection, workspace: Workspace, label: str) -> None:
    """Makes `pairs`: those of a rule with their weights."""
    found = connection.read_parquet(str(workspace.path / "pairs" / f"{label}.parquet"))
    weight = "weight" if "weight" in found.columns else "1.0"
    connection.register("pairs", found.project(f'"left", "right", {weight} AS weight'))


def register_truth(
    connection: duckdb.DuckDBPyConnection, workspace: Workspace, file: Path, run: Run
) -> None:
    """Makes `pages` and `gold` of the truth of a made-up web."""
    check_families(file, pq.read_schema(file).names)
    connection.register("truth", connection.read_parquet(str(file)))
    strange = connection.sql(
        "SELECT count(*) FROM truth FULL JOIN names USING (page) "
        "WHERE truth.url IS DISTINCT FROM names.url"
    ).fetchall()[0][0]
    if strange:
        raise InputError(
            f"{file} is not the truth about {workspace.path}: {strange:,} pages have other "
            "addresses; sketch the pages beside it, all of them and nothing else"
        )
    stands = run.engine.clusters(workspace, EXACT, run).names
    pages = page_numbers(workspace.pages).cast(pa.int64())
    connection.register("stands", pa.table({"page": pages, "stands": stands.cast(pa.int64())}))
    verdicts = {**BY_KIND, "different families": "incorrect"}
    columns = {"planted": [*verdicts], "label": [*verdicts.values()]}
    connection.register("verdicts", pa.table(columns))
    connection.execute(PAGES)
    connection.execute(GOLD)


def register_gold(
    connection: duckdb.DuckDBPyConnection, workspace: Workspace, file: Path, run: Run
) -> list[str]:
    """Makes `gold` of a file of pairs, each once; gives the rows that mean no pair."""
    problems: list[str] = []
    rows = []
    for number, (where, values) in enumerate(gold_rows(file), 1):
        try:
            rows.append(as_row(number, where, with_label(values), "gold"))
        except (InputError, SettingsError) as error:
            problems.append(f"{where}: {error}")
    rows = [row for row in rows if row.label == "correct"]
    pairs = set()
    matches = match(workspace, [(row.left, row.right) for row in rows], run)
    for row, found in zip(rows, matches, strict=True):
        if found.pair is None:
            problems.append(f"{row.where}: {found.why}")
        else:
            pairs.add(found.pair)
    if not pairs:
        why = problems[0] if problems else "it is empty"
        raise InputError(f"{file} names no correct pair of {workspace.path}: {why}")
    connection.register("named", pair_table(pairs))
    connection.execute(
        'CREATE TEMP TABLE gold AS SELECT "left", "right", one.site = other.site AS same_site '
        'FROM named JOIN names AS one ON one.page = "left" '
        'JOIN names AS other ON other.page = "right"'
    )
    return problems


def with_label(values: Any) -> Any:
    """A row's values; who only names pairs means correct ones."""
    if isinstance(values, dict) and values.get("label") in (None, ""):
        return values | {"label": "correct"}
    return values


def gold_rows(file: Path) -> Iterable[tuple[str, Any]]:
    """Each row of a file of gold pairs, with its place."""
    if file.suffix != ".parquet":
        return read_rows(file)
    rows = pq.read_table(file, memory_map=False).to_pylist()
    return ((f"{file}, row {number}", row) for number, row in enumerate(rows, 1))
