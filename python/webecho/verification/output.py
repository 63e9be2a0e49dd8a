"""What a dedup wrote: its files, and counts and decisions that hold together."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from webecho.errors import FORCE, Message
from webecho.run import Run
from webecho.verification.found import folder_problems
from webecho.workspace.layout import SUMMARY
from webecho.workspace.listed import LIST, files_in, listed
from webecho.workspace.stored import Stored

AGAIN = Message("run that dedup again with ", FORCE)
TABLES = ("duplicates", "clusters")

# What the tables count, by what the summary calls it.
COUNTS = {
    "read": "SELECT count(*) AS n FROM clusters",
    "kept": "SELECT count(*) AS n FROM clusters WHERE stays",
    "removed": "SELECT count(*) AS n FROM duplicates",
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
        WHERE NOT stays AND duplicates.page IS NULL
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
        yield f"{path / SUMMARY}: kept and removed pages are not those that were read"
    earlier = (summary.get("against") or {}).get("pages", 0)
    with run.database() as database:
        for name in TABLES:
            file = path / f"{name}.parquet"
            database.add(name, Stored((file,), pq.read_schema(file), AGAIN))
        for name, query in COUNTS.items():
            number = database.row(query)["n"]
            if number != counts[name]:
                yield f"{path}: {number} pages {name}, and {SUMMARY} says {counts[name]}"
        for what, query in WRONG.items():
            number = database.row(query.format(earlier=int(earlier)))["n"]
            if number:
                yield f"{path}: {number} {what}"


def summary_of(path: Path) -> dict[str, Any]:
    """What the dedup said."""
    found: dict[str, Any] = json.loads((path / SUMMARY).read_bytes())
    return found
