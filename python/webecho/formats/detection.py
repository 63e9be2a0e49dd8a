"""Which format a file has, by the ending of its name, then by its first bytes."""

from pathlib import PurePosixPath

from webecho.formats import files
from webecho.formats.arrow_ipc import is_arrow
from webecho.formats.packing import DamagedError, unpacked

HTML_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".xht", ".shtml"})
TEXT_SUFFIXES = frozenset({".txt", ".text", ".md"})
PACKED_SUFFIXES = frozenset({".gz", ".zst", ".lz4"})

FORMATS = (
    *("warc", "wacz", "parquet", "arrow", "jsonl"),
    *("csv", "tsv", "tsv-plain", "tsv-quoted", "html"),
)

_ENDINGS = {
    **dict.fromkeys((".warc", ".arc", ".wet", ".wat"), "warc"),
    ".wacz": "wacz",
    **dict.fromkeys((".parquet", ".pq", ".parq"), "parquet"),
    **dict.fromkeys((".arrow", ".feather", ".ipc", ".arrows"), "arrow"),
    **dict.fromkeys((".jsonl", ".ndjson", ".jsonlines", ".json"), "jsonl"),
    ".csv": "csv",
    **dict.fromkeys((".tsv", ".tab"), "tsv"),
    **dict.fromkeys(HTML_SUFFIXES | TEXT_SUFFIXES, "html"),
}

_HEAD = 4096


def suffix_of(path: str) -> str:
    """The ending of a name in lower case, that of what is packed where it is packed."""
    pure = PurePosixPath(files.path_of(path))
    if pure.suffix.lower() in PACKED_SUFFIXES:
        pure = pure.with_suffix("")
    return pure.suffix.lower()


def format_of(name: str) -> str | None:
    """The format of a file by its ending, or else by its first bytes."""
    return by_ending(name) or by_bytes(name)


def by_ending(name: str) -> str | None:
    """The format of a file of this name."""
    return _ENDINGS.get(suffix_of(name))


def by_bytes(name: str) -> str | None:
    """The format of a file by its first bytes."""
    with files.open_file(name) as file:
        head = file.read(_HEAD)
        if head.startswith(b"PAR1"):
            return "parquet"
        if is_arrow(head):
            return "arrow"
        if head.startswith(b"PK\x03\x04"):
            return "wacz"
        file.seek(0)
        try:
            head = next(unpacked(file), b"")[:_HEAD]
        except DamagedError:
            return None
    if head[:5].upper() == b"WARC/" or head.startswith(b"filedesc://"):
        return "warc"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return {b"{": "jsonl", b"<": "html"}.get(start)
