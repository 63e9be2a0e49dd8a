"""The real kernels as the tests call them, and the real pages they are called with."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.kernel.reference import WORD
from webecho import _core
from webecho.settings import Recipe

COLUMNS = ("features", "supershingles", "projection", "shingles")


@cache
def sketcher(recipe: Recipe) -> _core.Sketcher:
    return _core.Sketcher(recipe.as_dict(), 2)


def unsigned(values: Iterable[int]) -> list[int]:
    """Fingerprints as the kernels see them; Arrow has them signed."""
    return [value % WORD for value in values]


def tokens(
    body: str | bytes,
    recipe: Recipe,
    *,
    markup: bool = False,
    charset: str | None = "utf-8",
    url: str | None = None,
) -> list[int]:
    data = body.encode() if isinstance(body, str) else body
    return unsigned(sketcher(recipe).tokens(data, markup, charset, url).to_pylist())


def sketches(
    bodies: Sequence[str] | Sequence[bytes],
    recipe: Recipe,
    *,
    markup: bool = False,
    urls: Sequence[str | None] | None = None,
    columns: Sequence[str] = COLUMNS,
) -> pa.RecordBatch:
    """One row a page; strings are characters already, bytes are yet to be decoded."""
    kind = pa.binary() if isinstance(bodies[0], bytes) else pa.string()
    pages = {
        "body": pa.array(bodies, kind),
        "markup": pa.array([markup] * len(bodies)),
        "charset": pa.nulls(len(bodies), pa.string()),
        "url": pa.array(urls or [None] * len(bodies), pa.string()),
    }
    return sketcher(recipe).sketch(pa.record_batch(pages), columns)


def row(body: str | bytes, recipe: Recipe, **how: Any) -> dict[str, Any]:
    """One page's row, fingerprints unsigned."""
    found = sketches([body], recipe, **how).to_pylist()[0]
    return {
        name: unsigned(value) if isinstance(value, list) else value for name, value in found.items()
    }


@cache
def real_pages(file: Path, count: int, longest: int = 60_000) -> list[dict[str, Any]]:
    """Rows from all over a table of real pages, none longer than `longest`; always the same."""
    table = pq.ParquetFile(file)
    body = "text" if "text" in table.schema_arrow.names else "html"
    groups = table.num_row_groups
    found: list[dict[str, Any]] = []
    for group in range(groups):
        rows = table.read_row_group(group, columns=["url", body])
        wanted = (group + 1) * count // groups - group * count // groups
        step = max(1, len(rows) // (2 * wanted or 1))
        some = rows.take(list(range(0, len(rows), step))).to_pylist()
        short = [row for row in some if 0 < len(row[body]) <= longest]
        found += [{"url": row["url"], "body": row[body]} for row in short[:wanted]]
    return found
