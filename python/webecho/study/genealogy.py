"""Where new pages get their content: Baeza-Yates 2007, section 5, of other snapshots.

| here | in the paper |
| --- | --- |
| `documents` | Table 1 and section 2.2: which pages are considered, and which are drawn |
| `descendants` | Tables 7 and 8: parents, children and equivalents of each pair of snapshots |
| `counts` | the same by both counts |
| `fall_off` | section 5.2: how children and equivalents fall off with the distance in time |
| `generations` | Definition 9, recursively: grandparents and great-grandchildren |
| `content` | new, kept and re-used content of each snapshot |
| `copied_sites`, `copying_sites` | which sites are copied most, and by whom; which copy, and whom |
| `copies_of_copies` | section 5.2's conclusion: whether pages that are copies are copied more |
| `families` | the largest families of pages that have their text from one another |
| `left_out` | what paragraphs that stand on very many pages may hide |
| `genealogy` | every child with its parents |

What a parent, a child and an equivalent is, see relations.py; how they are counted, descendants.py.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.errors import SettingsError, setting
from webecho.group.kinship import OldTexts, old_texts
from webecho.group.snapshots import (
    SampleSettings,
    Snapshot,
    check_comparable,
    left_out_facts,
    snapshot,
)
from webecho.run import Run
from webecho.study import copied_sites, copies_of_copies, families, kin_rows
from webecho.study.content_origins import origin_row
from webecho.study.descendants import Count, counted
from webecho.study.fall_off import fall_off_rows, falling, figures
from webecho.study.generations import generation_rows
from webecho.study.papers import DESCENDANTS, FALL_OFF, with_paper
from webecho.study.relations import Pair, add_snapshot, relate
from webecho.study.result import Study, names
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

TITLES = {
    "documents": "Documents that are considered",
    "descendants": "Tables 7 and 8. Parents, children and equivalents",
    "counts": "The same by both counts",
    "fall_off": "How children and equivalents fall off",
    "generations": "Ancestors and descendants over several generations",
    "content": "New, kept and re-used content",
    "copied_sites": "The sites that are copied most, and by which",
    "copying_sites": "The sites that copy most, and from which",
    "copies_of_copies": "Whether copies are copied more",
    "families": "The largest families",
    "left_out": "Paragraphs on very many pages, which no pair is found through",
}
CAPTIONS = {"genealogy": "Children and their parents"}
GENERATIONS = pa.schema(
    {
        "oldest": pa.string(),
        "newest": pa.string(),
        "generations": pa.int64(),
        "ancestors are": pa.string(),
        "ancestors": pa.int64(),
        "descendants": pa.int64(),
    }
)
COLUMNS = {
    "generations": GENERATIONS,
    "copied_sites": copied_sites.ROWS,
    "copying_sites": copied_sites.ROWS,
    "copies_of_copies": copies_of_copies.ROWS,
    "families": families.ROWS,
}
# Sites of a pair of snapshots that people are shown.
SHOWN = 3
Row = dict[str, Any]


@dataclass(frozen=True)
class GenealogySettings:
    """The fewest paragraphs that kin share, how kin are counted, how many old documents are drawn,
    in how many old texts a paragraph stands at the most, how many parents of a child are listed,
    and how many sites."""

    least: int = 10
    count: Count = "all"
    sample: SampleSettings = field(default_factory=SampleSettings)
    most_texts: int = 1000
    parents: int = 10
    rows: int = 10

    def __post_init__(self) -> None:
        for name in ("least", "most_texts", "parents", "rows"):
            if getattr(self, name) < 1:
                raise SettingsError(setting(name).to(getattr(self, name)), ": give 1 or more")


def study_genealogy(
    workspaces: Sequence[Workspace], settings: GenealogySettings, run: Run
) -> Study:
    """The study of these snapshots, from the oldest on, which must have the page tables of
    group/snapshots.py."""
    if len(workspaces) < 2:
        raise SettingsError("a genealogy needs two snapshots or more, the oldest first")
    check_comparable(workspaces)
    called = names(workspaces)
    tables: dict[str, list[Row]] = {name: [] for name in TITLES}
    kin: list[pa.Table] = [kin_rows.ROWS.empty_table()]
    with run.database() as database:
        found = []
        for number, (workspace, name) in enumerate(zip(workspaces, called, strict=True)):
            run.begin(f"comparing the documents of {name}")
            found.append(snapshot(workspace, name, run))
            drawn = settings.sample.places(len(found[-1].pages))
            add_snapshot(database, number, found[-1], drawn, run)
            tables["documents"].append(document_row(found[-1], len(drawn)))
        pairs = []
        for number, old in enumerate(found[:-1]):
            run.begin(f"looking up the paragraphs of {old.name}")
            drawn = settings.sample.places(len(old.pages))
            texts = old_texts(old, drawn, settings.most_texts, run)
            for later in range(number + 1, len(found)):
                pair = Pair(number, later, settings.least)
                pairs.append(pair)
                relate(database, pair, texts, found[later], run)
                further = add_pair_rows(database, pair, settings, called, tables)
                row = left_out_row(database, pair, called, texts)
                tables["left_out"].append(row | {"further sites of texts": further})
                kin.append(kin_rows.kin_rows(database, pair, called, settings.parents))
        tables["generations"] = generation_rows(database, called, settings.least)
        tables["families"] = families.family_rows(database, pairs, found, settings.rows, run)
        for number in range(1, len(found) - 1):
            before = Pair(number - 1, number, settings.least)
            after = Pair(number, number + 1, settings.least)
            seed = settings.sample.seed
            rows = copies_of_copies.copy_rows(database, before, after, called, seed)
            tables["copies_of_copies"] += rows
    tables["fall_off"] = fall_off_rows(tables["descendants"], called)
    return as_study(tables, pa.concat_tables(kin), settings, workspaces, called)


def as_study(
    tables: dict[str, list[Row]],
    kin: pa.Table,
    settings: GenealogySettings,
    workspaces: Sequence[Workspace],
    called: list[str],
) -> Study:
    made = {
        name: pa.Table.from_pylist(rows, COLUMNS.get(name)) for name, rows in tables.items() if rows
    }
    made["descendants"] = with_paper(made["descendants"], ["table", "distance"], DESCENDANTS)
    if "fall_off" in made:
        made["fall_off"] = with_paper(made["fall_off"], ["table", "distance"], FALL_OFF)
    sentences = [
        *descendant_sentences(tables["descendants"]),
        *falling(tables["fall_off"]),
        *copy_sentences(tables["copies_of_copies"]),
    ]
    return Study(
        "genealogy",
        made | {"genealogy": kin},
        {name: title for name, title in TITLES.items() if name in made},
        sentences=tuple(sentences),
        notes=tuple(notes(tables)),
        main="descendants",
        settings=asdict(settings) | {"workspaces": [each.name for each in workspaces]},
        figures=figures(tables["descendants"], called),
        short=shortened(made, called),
        captions=CAPTIONS,
        collections=tuple(called),
    )


def shortened(made: dict[str, pa.Table], called: list[str]) -> dict[str, pa.Table]:
    """Of the sites the first of snapshots that follow each other."""
    following = set(pairwise(called))
    found: dict[str, pa.Table] = {}
    for name in ("copied_sites", "copying_sites"):
        if name in made:
            rows = made[name].to_pylist()
            kept = [
                row
                for row in rows
                if (row["old"], row["new"]) in following and row["rank"] <= SHOWN
            ]
            found[name] = pa.Table.from_pylist(kept, copied_sites.ROWS)
    return found


def document_row(found: Snapshot, drawn: int) -> Row:
    counts = left_out_facts(found)
    considered = len(found.pages)
    return {
        "collection": found.name,
        **counts,
        "share considered": ratio(considered, found.workspace.pages),
        "texts": len(found.texts.unique()),
        "drawn": drawn,
    }


def add_pair_rows(
    database: Database,
    pair: Pair,
    settings: GenealogySettings,
    called: list[str],
    tables: dict[str, list[Row]],
) -> int:
    """Adds what a pair of snapshots tells, and gives the places of texts on sites that are not
    counted, as there are too many of them."""
    both: Row = {"old": called[pair.old], "new": called[pair.new]}
    ways: dict[Count, Row] = {
        "all": counted(database, pair, "all"),
        "paper": counted(database, pair, "paper"),
    }
    chosen, full = ways[settings.count], ways["all"]
    # The paper's Table 7 is of its first collection, Table 8 of its second.
    tables["descendants"].append(
        both
        | {
            "table": pair.old + 7,
            "distance": pair.new - pair.old,
            "parents": chosen["parents"],
            "children": chosen["children"],
            "equivalents": chosen["equivalents"],
            "equivalents with common paragraphs": full["sharing"],
            "children at new addresses": full["fresh"],
            "children per parent": ratio(chosen["children"], chosen["parents"]),
        }
    )
    tables["counts"].append(
        both
        | {
            f"{what}, count {way}": ways[way][what]
            for what in ("parents", "children", "equivalents")
            for way in ways
        }
    )
    tables["content"].append(both | origin_row(database, pair))
    copied, copying, further = copied_sites.site_rows(database, pair, called, settings.rows)
    tables["copied_sites"] += copied
    tables["copying_sites"] += copying
    return further


def left_out_row(database: Database, pair: Pair, called: list[str], texts: OldTexts) -> Row:
    """How many paragraphs are left out for standing in too many old texts, which documents have
    any, and which might be kin by nothing else, because they have enough of them and none is
    found."""
    database.add("left_out", texts.left_out())
    query = """
    SELECT
        (SELECT count(*) FROM left_out JOIN parents_{p} AS old ON old.text = left_out.text
            WHERE left_out > 0) AS old_documents,
        (SELECT count(*) FROM left_out JOIN parents_{p} AS old ON old.text = left_out.text
            WHERE left_out >= {least} AND children = 0) AS perhaps_parents,
        (SELECT count(*) FROM found_{p} AS found JOIN children_{p} AS new ON new.unit = found.unit
            WHERE left_out > 0) AS new_documents,
        (SELECT count(*) FROM found_{p} AS found JOIN children_{p} AS new ON new.unit = found.unit
            WHERE left_out >= {least} AND parents = 0) AS perhaps_children
    """
    found = database.row(pair.filled(query))
    return {
        "old": called[pair.old],
        "new": called[pair.new],
        "paragraphs": texts.index.left_out,
        "old documents with any": int(found["old_documents"]),
        "perhaps parents": int(found["perhaps_parents"]),
        "new documents with any": int(found["new_documents"]),
        "perhaps children": int(found["perhaps_children"]),
    }


def notes(tables: dict[str, list[Row]]) -> list[str]:
    """What must be known to read the tables."""
    said = []
    partly = [row for row in tables["documents"][:-1] if row["drawn"] < row["documents considered"]]
    for row in partly:
        said.append(
            f"{row['collection']}: {row['drawn']:,} of {row['documents considered']:,} documents "
            "are drawn; parents, kept and re-used content are of these alone"
        )
    missed = sum(row["perhaps children"] for row in tables["left_out"])
    if missed:
        said.append(
            f"{missed:,} new documents without a parent have enough paragraphs that stand in too "
            "many old texts to be looked up; see the table left_out"
        )
    return said


def descendant_sentences(rows: Sequence[Row]) -> list[str]:
    """What the paper says of Table 8, with these numbers."""
    return [
        f"{row['parents']:,} documents of {row['old']} are parents of {row['children']:,} "
        f"documents of {row['new']}, {row['children per parent']:.1f} children for each parent "
        "(the paper's 2003–2004: more than six); "
        f"{many(row['children at new addresses'], 'child', 'children')} at an address that "
        f"{row['old']} does not have."
        for row in rows
        if row["distance"] == 1 and row["parents"]
    ]


def many(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"


def copy_sentences(rows: Sequence[Row]) -> list[str]:
    """The paper's last claim, with these numbers."""
    said = []
    for row in rows:
        if row["ratio"] is None:
            continue
        known = row["ratio, low"] is not None
        interval = f" (95 % {row['ratio, low']:.2f} to {row['ratio, high']:.2f})" if known else ""
        everything = row["children"] == "all"
        copies = "with a parent in" if everything else "that are copies at addresses new since"
        said.append(
            f"{row['snapshot']}: {row['rate with a parent']:.1%} of the documents {copies} "
            f"{row['before']} have a child {'' if everything else 'at a new address '}in "
            f"{row['after']}, and {row['rate without a parent']:.1%} of the others, a ratio of "
            f"{row['ratio']:.2f}{interval}."
        )
    return said


__all__ = ["GenealogySettings", "SampleSettings", "study_genealogy"]
