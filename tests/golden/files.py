"""What lies below a folder, by digests: of the bytes as they are, or of what does not hang on the
versions of the libraries that wrote them."""

import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from tests.golden import volatile

# What says how a run went, and differs each time.
LEFT_OUT = ("run.json", ".lock")
# What libraries make of the same values as they like: of these only that they are there is pinned.
DRAWN = (".pdf", ".svg", ".png")


# A digest of a file's content, given its name and bytes.
Digest = Callable[[str, bytes], str]
# What is known of a file that has not changed since: when it was written, and its digest.
Known = dict[str, tuple[tuple[int, int], str]]


def listed(folder: Path, digest: Digest, known: Known) -> dict[str, str]:
    """The digest of every file below the folder; `known` is looked up and added to."""
    found = {}
    for file in walked(folder):
        name = file.relative_to(folder).as_posix()
        status = file.stat()
        stamp = (status.st_mtime_ns, status.st_ino)
        if name not in known or known[name][0] != stamp:
            known[name] = (stamp, digest(name, file.read_bytes()))
        found[name] = known[name][1]
    return found


def walked(folder: Path) -> Iterator[Path]:
    """The files in the order of their names; links lead to inputs and are not followed."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink():
            continue
        if path.is_dir():
            yield from walked(path)
        elif path.name not in LEFT_OUT:
            yield path


def raw(name: str, data: bytes) -> str:
    """Of all bytes but those that are volatile."""
    return sha256(volatile.labels(data) if name.endswith(".jsonl") else data)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def pinned(name: str, data: bytes) -> str:
    """Of the content: rows of Parquet, what is compressed, members of a ZIP file."""
    if name.endswith(DRAWN):
        return "drawn"
    try:
        return content(name, data)
    except (ValueError, OSError, EOFError, pa.ArrowException, zstandard.ZstdError):
        # Broken on purpose.
        return f"bytes {raw(name, data)}"


def content(name: str, data: bytes) -> str:
    if data[:4] == data[-4:] == b"PAR1":
        return f"rows {rows(data)}"
    if data[:2] == b"\x1f\x8b":
        return f"gzip {sha256(gzip.decompress(data))}"
    if data[:4] == b"\x28\xb5\x2f\xfd":
        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as frames:
            return f"zstd {sha256(frames.read())}"
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            inside = [f"{each} {pinned(each, archive.read(each))}" for each in archive.namelist()]
        return f"zip {sha256(chr(10).join(inside).encode())}"
    if name.endswith(".json"):
        return f"json {sha256(json.dumps(without_sizes(json.loads(data))).encode())}"
    return f"bytes {raw(name, data)}"


def rows(data: bytes) -> str:
    """A digest of a table's schema and rows."""
    table = pq.read_table(io.BytesIO(data))
    text = [table.schema.remove_metadata().to_string(), *map(repr, table.to_pylist())]
    return sha256("\n".join(text).encode())


# What tells of the bytes of files that libraries wrote; `files` are a manifest's, with checksums.
OF_BYTES = ("stamp", "checksum", *volatile.SIZES)


def without_sizes(value: Any) -> Any:
    """JSON values without what tells of such bytes."""
    if isinstance(value, list):
        return [without_sizes(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: None if name in OF_BYTES else without_sizes(value[name]) for name in value}
    if isinstance(value.get("files"), dict):
        found["files"] = list(value["files"])
    return found
