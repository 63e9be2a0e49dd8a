"""webecho: `webecho.clusters` at its defaults.

Shingles of 5 tokens, candidates by 16 bands of 5 of 84 features, their resemblance counted.
"""

import sys

import pyarrow as pa
import pyarrow.parquet as pq
from contract import write

import webecho


def main() -> None:
    what, source, target, threads = sys.argv[1:]
    if what == "clusters":
        found = webecho.clusters(source, "similar", text="text", id="id", threads=int(threads))
        write(found.select(["id", "cluster"]), target)
    else:
        write(shingles(source), target)


def shingles(source: str) -> pa.Table:
    """By the kernel itself, since no public call gives them."""
    from webecho import _core
    from webecho.settings import WEBECHO

    table = pq.read_table(source, columns=["id", "text"])
    rows = len(table)
    texts = table["text"].cast(pa.large_string()).combine_chunks()
    none = pa.nulls(rows, pa.string())
    pages = pa.record_batch(
        [texts, pa.repeat(False, rows), none, none], ["body", "markup", "charset", "url"]
    )
    made = _core.Sketcher(WEBECHO.as_dict(), 1).sketch(pages, ["shingles"])
    return pa.table({"id": table["id"], "shingles": made["shingles"]})


if __name__ == "__main__":
    main()
