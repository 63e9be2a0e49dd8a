"""Small collections whose pages are made of named sentences, so that what they share is known."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import webecho

OLD, NEW = "2003-08-15", "2004-01-15"


def sentences(name: str, first: int, last: int) -> list[str]:
    """Sentences of a name from a number to a number: any three in a row are a paragraph."""
    return [
        f"The {name} has in its part number {number} what stands nowhere else."
        for number in range(first, last + 1)
    ]


def page(*parts: list[str] | str) -> str:
    """A text of sentences; a word by itself is what queries find it by."""
    every = [
        sentence
        for part in parts
        for sentence in ([f"It is about {part} and more."] if isinstance(part, str) else part)
    ]
    return " ".join(every)


def collection(folder: Path, name: str, pages: Mapping[str, str], date: str) -> Path:
    """A workspace of these texts by their addresses."""
    table = pa.table(
        {
            "url": [*pages],
            "text": [*pages.values()],
            "date": [date] * len(pages),
        }
    )
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, folder / f"{name}.parquet")
    webecho.sketch(folder / f"{name}.parquet", folder / f"{name}.echo")
    return folder / f"{name}.echo"


def counted_log(file: Path, queries: Mapping[str, int]) -> Path:
    """A log of queries with counts."""
    rows = "".join(f"{query}\t{count}\n" for query, count in queries.items())
    file.write_text(f"query\tcount\n{rows}", encoding="utf-8")
    return file


def timed_log(file: Path, requests: Sequence[tuple[str, str]]) -> Path:
    """A log of requests with times."""
    rows = "".join(f"{time}\t{query}\n" for time, query in requests)
    file.write_text(f"time\tquery\n{rows}", encoding="utf-8")
    return file


def studied(
    folder: Path,
    old: Mapping[str, str],
    new: Mapping[str, str],
    queries: Sequence[str],
    **settings: Any,
) -> Any:
    """The study of two such collections by one log, which is the real one, of these queries."""
    folder.mkdir(parents=True, exist_ok=True)
    log = counted_log(folder / "log.tsv", dict.fromkeys(queries, 10))
    return webecho.study_querylog(
        [(collection(folder, "old", old, OLD), collection(folder, "new", new, NEW))],
        {"log": log},
        **{"real": "log", "drop": 0} | settings,
    )


def after(study: Any, minimal: int = 10) -> list[int]:
    """New similar documents, and those left after each condition."""
    rows = [
        row
        for row in study.tables["conditions"].to_pylist()
        if row["minimal number"] == minimal and row["log"] == "log"
    ]
    return [rows[0]["before"], *(row["after"] for row in rows)]
