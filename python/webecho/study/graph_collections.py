"""Where duplicates occur in several collections: a row for each, and the means over them.

| here | in the papers |
| --- | --- |
| `table_4`, `table_5`, `table_6` and the other tables of graph.py | the same, a row for each |
| `higher` | by how much the share of duplicates is higher than in the reachable part |
| `collections` | what was counted in each |
| `pages-<collection>` | the pages of each |

Baeza-Yates 2007, section 3.2, has 50.9 % and 74.6 % "on average": the means over its four
collections of (share of the complete collection, or of the unreachable part) / (share of the
reachable part) − 1, every collection counting the same, however large it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import pyarrow as pa

from webecho.run import Run
from webecho.study.duplicate_tables import CAPTIONS, REACHABLE, UNREACHABLE, WHOLE, Row
from webecho.study.figures import Figure, LogLog
from webecho.study.graph import GraphSettings, study_graph
from webecho.study.graph_tables import PAGES, TITLES
from webecho.study.papers import GRAPH_MEANS, beside_rows, beside_table
from webecho.study.result import Study, names
from webecho.workspace.workspace import Workspace

HIGHER = "Higher than in the reachable part: the share of duplicates"
# Tables with a row for each page stay apart.
APART = ("pages",)


def study_graphs(workspaces: Sequence[Workspace], settings: GraphSettings, run: Run) -> Study:
    """The study of these workspaces, each by itself, and the means over them."""
    called = names(workspaces)
    if len(workspaces) == 1:
        return study_graph(workspaces[0], settings, run)
    studies = {
        name: study_graph(workspace, settings, run, name=name)
        for name, workspace in zip(called, workspaces, strict=True)
    }
    tables = {"collections": pa.Table.from_pylist(counted(studies))} | together(studies)
    facts: Row = {"collections": len(studies)}
    said: list[str] = []
    if "table_4" in tables:
        tables["higher"] = higher(tables["table_4"])
        means = mean_ratios(tables["higher"])
        told = {f"mean share {part} higher": mean for part, mean in means.items()}
        rows = beside_rows(None, told, GRAPH_MEANS)
        tables["beside_paper"] = pa.concat_tables([tables["beside_paper"], beside_table(rows)])
        facts |= told
        said = [mean_sentence(part, means[part], tables["higher"]) for part in means]
    titles = {"collections": "The collections", **TITLES, "higher": HIGHER}
    return Study(
        "graph",
        tables,
        {name: title for name, title in titles.items() if name in tables},
        sentences=(*labelled(studies, "sentences"), *said),
        notes=tuple(labelled(studies, "notes")),
        facts=facts,
        settings=asdict(settings) | {"workspaces": [each.name for each in workspaces]},
        main="table_4",
        figures=overlaid([*studies.values()]),
        captions=CAPTIONS | {f"pages-{name}": f"{PAGES}, {name}" for name in called},
        collections=tuple(called),
    )


def overlaid(studies: Sequence[Study]) -> dict[str, Figure]:
    """The figures of all studies, those of one name as one."""
    found: dict[str, Figure] = {}
    for study in studies:
        for name, figure in study.figures.items():
            before = found.get(name)
            if isinstance(before, LogLog) and isinstance(figure, LogLog):
                found[name] = before.overlaid(figure)
            else:
                found[name] = figure
    return found


def counted(studies: Mapping[str, Study]) -> list[Row]:
    """The facts of each study; null where one has fewer."""
    every = dict.fromkeys(fact for study in studies.values() for fact in study.facts)
    return [
        {"collection": name} | {fact: study.facts.get(fact) for fact in every}
        for name, study in studies.items()
    ]


def together(studies: Mapping[str, Study]) -> dict[str, pa.Table]:
    """The tables of all studies, each row with its collection."""
    found: dict[str, list[pa.Table]] = {}
    for name, study in studies.items():
        for table, rows in study.tables.items():
            if table in APART:
                found[f"{table}-{name}"] = [rows]
                continue
            named = "collection" in rows.column_names
            column = pa.repeat(name, len(rows))
            whole = rows if named else rows.add_column(0, "collection", column)
            found.setdefault(table, []).append(whole)
    return {table: pa.concat_tables(parts) for table, parts in found.items()}


def higher(fourth: pa.Table) -> pa.Table:
    """By how much the share of duplicates is higher in the whole, and in the unreachable part, than
    in the reachable one; null where that has none."""
    found = []
    for row in fourth.to_pylist():
        least = row[f"share {REACHABLE}"]
        ratios = {
            f"share {part} higher": row[f"share {part}"] / least - 1 if least else None
            for part in (WHOLE, UNREACHABLE)
        }
        found.append({"collection": row["collection"]} | ratios)
    columns = {f"share {part} higher": pa.float64() for part in (WHOLE, UNREACHABLE)}
    return pa.Table.from_pylist(found, pa.schema({"collection": pa.string()} | columns))


def mean_ratios(higher: pa.Table) -> dict[str, float | None]:
    """The mean over the collections of which it is known, of the whole and the unreachable part."""
    found: dict[str, float | None] = {}
    for part in (WHOLE, UNREACHABLE):
        known = higher[f"share {part} higher"].drop_null().to_pylist()
        found[part] = sum(known) / len(known) if known else None
    return found


def mean_sentence(part: str, mean: float | None, higher: pa.Table) -> str:
    """What the paper says of the means, of these collections."""
    papers = {WHOLE: "the complete collection", UNREACHABLE: "the unreachable component"}
    column = higher[f"share {part} higher"]
    known = len(column) - column.null_count
    if mean is None:
        return f"No collection has duplicates in its reachable part to compare {papers[part]} with."
    left_out = (
        f" ({column.null_count} without duplicates there left out)" if column.null_count else ""
    )
    more = "higher" if mean >= 0 else "lower"
    paper = {WHOLE: "50.9", UNREACHABLE: "74.6"}[part]
    return (
        f"In the mean over {known} collections{left_out} the share of duplicates of {papers[part]} "
        f"is {abs(mean):.1%} {more} than of the reachable component (in Baeza-Yates 2007 {paper} % "
        "higher, over four)."
    )


def labelled(studies: Mapping[str, Study], what: str) -> list[str]:
    """The sentences or notes of each study, with its name before them."""
    return [f"{name}: {text}" for name, study in studies.items() for text in getattr(study, what)]
