"""The pages that are measured on: real ones where WEBECHO_DATA has them, else made up."""

import os
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

MADE_UP = 64 << 20  # bytes


def text() -> pa.Array:
    """Documents of plain text."""
    return real("debian_docs.parquet", "text") or pa.array(documents(markup=False))


def html() -> pa.Array:
    """Pages of HTML."""
    return real("debian_html.parquet", "html") or pa.array(documents(markup=True))


def real(name: str, column: str) -> pa.Array | None:
    folder = os.environ.get("WEBECHO_DATA")
    if not folder:
        return None
    found = pq.read_table(Path(folder) / name, columns=[column])[column].combine_chunks()
    return found.chunk(0) if isinstance(found, pa.ChunkedArray) else found


def documents(*, markup: bool) -> list[bytes]:
    """Random pages of some thousand words with natural frequencies."""
    generator = random.Random(1)
    letters = "etaoinshrdlu"
    words = ["".join(generator.choices(letters, k=generator.randint(1, 10))) for _ in range(5000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    pages, total = [], 0
    while total < MADE_UP:
        chosen = generator.choices(words, weights, k=generator.randint(50, 5000))
        if markup:
            lines = (" ".join(chosen[i : i + 12]) for i in range(0, len(chosen), 12))
            page = "\n".join(
                f'<p class="text"><a href="/{i}">{line}</a></p>' for i, line in enumerate(lines)
            )
        else:
            page = " ".join(chosen)
        pages.append(page.encode())
        total += len(page)
    return pages


def batch(bodies: pa.Array, *, markup: bool) -> pa.RecordBatch:
    """Pages as the kernel takes them."""
    rows = len(bodies)
    none = pa.nulls(rows, pa.string())
    flags = pa.array([markup] * rows)
    return pa.record_batch([bodies, flags, none, none], ["body", "markup", "charset", "url"])
