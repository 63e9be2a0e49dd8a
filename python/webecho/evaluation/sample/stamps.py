"""*Stamp* of a rule's pairs: a digest of which pairs there are and what samples are drawn by.

A sample stays good as long as the stamps of its rules do: pairs may be found again, and measured or
not, and are still the same.
"""

import hashlib
import json
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.workspace.stored import readable
from webecho.workspace.workspace import Workspace

# What a sample depends on, as far as a rule's table has it.
COLUMNS = ("left", "right", "b_similarity", "c_similarity", "same_site", "weight")
ROWS = 1 << 17
KEY = b"webecho.pairs"


def stamps(workspace: Workspace, rules: Iterable[str]) -> dict[str, str]:
    """The stamps of rules, by their labels."""
    found = {}
    for label in rules:
        fix = f"find the pairs again with: webecho pairs {workspace.path} --rule RULE"
        [file] = workspace.one_file(workspace.files.pairs(label), fix).files
        with readable(file, fix), pq.ParquetFile(file) as pairs:
            found[label] = stamp(pairs)
    return found


def stamp(pairs: pq.ParquetFile) -> str:
    columns = [name for name in COLUMNS if name in pairs.schema_arrow.names]
    # A digest for each column, so that it does not matter how rows are cut into batches.
    digests = {name: hashlib.blake2b(digest_size=16) for name in columns}
    for rows in pairs.iter_batches(ROWS, columns=columns):
        for name, digest in digests.items():
            values = pc.fill_null(rows[name].cast(pa.float64()), -1.0)
            start = 8 * values.offset
            digest.update(memoryview(values.buffers()[1])[start : start + 8 * len(values)])
    lines = "".join(f"{name} {digest.hexdigest()}\n" for name, digest in digests.items())
    whole = hashlib.blake2b(lines.encode(), digest_size=16).hexdigest()
    return f"{pairs.metadata.num_rows}-{whole}"


def metadata(workspace: Workspace, rules: Iterable[str]) -> dict[bytes, bytes]:
    """The stamps as a sample has them in the metadata of its schema."""
    return {KEY: json.dumps(stamps(workspace, rules)).encode()}


def is_stale(workspace: Workspace, sample: pa.Table) -> bool:
    """Whether the pairs of a sample's rules are others by now; not if they are gone."""
    drawn = json.loads((sample.schema.metadata or {}).get(KEY, b"{}"))
    there = [rule for rule in drawn if workspace.files.pairs(rule).is_file()]
    return stamps(workspace, there) != {rule: drawn[rule] for rule in there}
