"""What a dedup wrote: its files, and counts and decisions that hold together."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import FORCE, Message, WorkspaceError
from webecho.run import Run
from webecho.verification.found import folder_problems
from webecho.workspace.layout import SUMMARY, Layout
from webecho.workspace.listed import LIST, files_in, listed
from webecho.workspace.lookup import Lookup
from webecho.workspace.mirror import workspace_path
from webecho.workspace.removed import removed_pages
from webecho.workspace.stored import Stored
from webecho.workspace.workspace import Workspace

AGAIN = Message("run that dedup again with ", FORCE)
TABLES = ("duplicates", "clusters")

# What the tables count, by what the summary calls it.
COUNTS = {
    "read": "SELECT count(*) AS n FROM clusters",
    "kept": "SELECT count(*) AS n FROM clusters WHERE stays",
    "removed": "SELECT count(*) AS n FROM duplicates",
    "dropped": "SELECT count(*) AS n FROM clusters WHERE dropped IS NOT NULL",
}
# Of how many rows something is wrong, by what that is.
WRONG = {
    "pages out of their order in clusters.parquet": """
        SELECT count(*) AS n FROM (
            SELECT page, row_number() OVER (ORDER BY page NULLS FIRST) - 1 AS place FROM clusters
        ) AS each WHERE page <> place
    """,
    "removed pages that are said to stay": """
        SELECT count(*) AS n FROM duplicates JOIN clusters ON clusters.page = duplicates.page
        WHERE stays
    """,
    "pages that go, and no row tells why": """
        SELECT count(*) AS n FROM clusters LEFT JOIN duplicates ON duplicates.page = clusters.page
        WHERE NOT stays AND dropped IS NULL AND duplicates.page IS NULL
    """,
    "dropped pages that are said to stay, or to be removed": """
        SELECT count(*) AS n FROM clusters LEFT JOIN duplicates ON duplicates.page = clusters.page
        WHERE dropped IS NOT NULL AND (stays OR duplicates.page IS NOT NULL)
    """,
    "removed pages whose kept page does not stay": """
        SELECT count(*) AS n
        FROM duplicates LEFT JOIN clusters ON clusters.page = duplicates.kept_page AND stays
        WHERE duplicates.kept_in IS NULL AND clusters.page IS NULL
    """,
    "removed pages whose kept page the earlier workspace does not have": """
        SELECT count(*) AS n FROM duplicates WHERE kept_in IS NOT NULL AND kept_page >= {earlier}
    """,
}


def is_output(path: Path) -> bool:
    """Whether a dedup wrote this folder."""
    return (path / SUMMARY).is_file() and (path / "data").is_dir()


def output_problems(path: Path, run: Run) -> Iterator[str]:
    """What is wrong with the files, and else with what they say."""
    found = [*folder_problems(path, AGAIN), *strange_files(path)]
    yield from found or contradictions(path, run)


def strange_files(path: Path) -> Iterator[str]:
    """Files that the dedup did not write: whoever reads the output would take them for its."""
    known = listed(path, AGAIN) if (path / LIST).is_file() else {}
    for name in files_in(path) if known else ():
        if name not in known:
            yield f"{path / name} is not in {LIST}: something else has put it there"


def contradictions(path: Path, run: Run) -> Iterator[str]:
    """Where counts and tables do not hold together."""
    summary = summary_of(path)
    counts = summary["counts"]
    if sum(counts.get(name, 0) for name in ("kept", "removed", "dropped")) != counts["read"]:
        yield f"{path / SUMMARY}: kept, removed and dropped pages are not those that were read"
    earlier = (summary.get("against") or {}).get("pages", 0)
    with run.database() as database:
        for name in TABLES:
            file = path / f"{name}.parquet"
            database.add(name, Stored((file,), pq.read_schema(file), AGAIN))
        for name, query in COUNTS.items():
            number = database.row(query)["n"]
            if number != counts.get(name, 0):
                yield f"{path}: {number} pages {name}, and {SUMMARY} says {counts.get(name, 0)}"
        for what, query in WRONG.items():
            number = database.row(query.format(earlier=int(earlier)))["n"]
            if number:
                yield f"{path}: {number} {what}"
    yield from earlier_problems(path)


def earlier_problems(path: Path) -> Iterator[str]:
    """Where pages of the earlier workspace that stay for removed ones are not there any more."""
    earlier = earlier_workspace(path)
    if earlier is None or not is_there(earlier):
        return
    names = ["kept_page", "kept_url", "kept_id", "kept_place", "kept_in"]
    rows = pq.read_table(path / "duplicates.parquet", columns=names)
    rows = rows.filter(rows["kept_in"].is_valid())
    try:
        workspace = Workspace.open(earlier)
        kept = rows["kept_page"].combine_chunks()
        found = Lookup.of(workspace, ("url", "id", "place"), pc.unique(kept)).take(kept)
        gone = pc.is_in(kept, value_set=removed_pages(workspace))
    except WorkspaceError as error:
        yield f"{path}: pages of {earlier} stay for removed ones: {error}"
        return
    same = pc.invert(gone)
    for name, column in found.items():
        # Ids that are numbers here may be text there.
        said = rows[f"kept_{name}"].combine_chunks().cast(pa.string())
        there = column.cast(pa.string())
        alike = pc.if_else(said.is_valid(), pc.equal(said, there), there.is_null())
        same = pc.and_(same, pc.fill_null(alike, False))
    if lost := len(same) - (pc.sum(same).as_py() or 0):
        yield f"{path}: {lost} removed pages whose kept page {earlier} no longer has"


def not_checked(path: Path) -> dict[str, str]:
    """What cannot be told of an output, since the earlier workspace is not there."""
    earlier = earlier_workspace(path)
    if earlier is None or is_there(earlier):
        return {}
    return {"not checked": f"whether {earlier}, which is not there, has the pages that are kept"}


def earlier_workspace(path: Path) -> Path | None:
    """The workspace that a dedup was compared with, as it was called then."""
    against = summary_of(path).get("against")
    return None if against is None else workspace_path(against["workspace"])


def is_there(workspace: Path) -> bool:
    return Layout(workspace).manifest.is_file()


def summary_of(path: Path) -> dict[str, Any]:
    """What the dedup said."""
    found: dict[str, Any] = json.loads((path / SUMMARY).read_bytes())
    return found
