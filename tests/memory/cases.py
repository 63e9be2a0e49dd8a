"""What commands are held to their memory by: an input, a command, and what it is allowed.

IN stands for the input in a command, OUT for where it writes, WORK for the workspace that commands
before made, without a limit. Each case has the size of the long form and, where it is quick, that
of the short one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.memory import made

KB, MB, GB = 1_000, 1_000_000, 1_000_000_000

DEDUP = ("dedup", "IN", "-o", "OUT")
SKETCH = ("sketch", "IN", "-o", "OUT")


@dataclass(frozen=True)
class Case:
    """A command on an input, and the memory that it is allowed: in the short form and the long."""

    name: str
    make: Callable[..., Any]
    command: tuple[str, ...]
    long: Mapping[str, Any]
    short: Mapping[str, Any] | None = None
    memory: int = 630 * MB
    short_memory: int = 256 * MB
    before: tuple[tuple[str, ...], ...] = ()
    # A command may end because of what it is given, but in words, and only here.
    codes: tuple[int, ...] = (0,)
    said: str = ""


CASES = (
    # What was over the limit when it was first looked at
    Case(
        "first line of 3 GB on stdin",
        made.endless_line,
        ("dedup", "-", "-o", "OUT"),
        {"size": 3 * GB},
        {"size": 400 * MB},
    ),
    Case(
        "addresses of 1 MB",
        made.long_names,
        DEDUP,
        {"count": 2_500, "each": MB, "column": "url"},
        {"count": 250, "each": MB, "column": "url"},
    ),
    Case(
        "ids of 1 MB",
        made.long_names,
        DEDUP,
        {"count": 2_500, "each": MB, "column": "id"},
        {"count": 250, "each": MB, "column": "id"},
    ),
    Case(
        "gzip bomb in a WARC", made.warc_bomb, DEDUP, {"size": 4 * GB}, {"size": 400 * MB}, 700 * MB
    ),
    Case(
        "six Parquet pages of 245 MB",
        made.parquet_pages,
        DEDUP,
        {"count": 6, "each": 245 * MB},
        {"count": 4, "each": 60 * MB},
    ),
    Case(
        "small Parquet that expands",
        made.parquet_pages,
        DEDUP,
        {"count": 3_500, "each": MB, "page": 1 << 30, "group": 1_700},
        {"count": 300, "each": MB, "page": 1 << 30, "group": 300},
    ),
    Case(
        "zstd window of 2 GiB",
        made.wide_window,
        DEDUP,
        {"size": 3 * GB, "window": 31},
        {"size": 150 * MB, "window": 31},
        700 * MB,
        codes=(0, 1),
    ),
    Case(
        "six JSONL pages of 245 MB",
        made.long_pages,
        DEDUP,
        {"count": 6, "each": 245 * MB},
        {"count": 4, "each": 60 * MB},
    ),
    Case(
        "broken gzip with a page of 255 MB",
        made.broken_warc,
        DEDUP,
        {"size": 255 * MB},
        {"size": 100 * MB},
        700 * MB,
    ),
    Case(
        "10 million gzip members in a body",
        made.many_members,
        DEDUP,
        {"count": 10_000_000},
        None,
        700 * MB,
    ),
    Case(
        "Parquet of a dictionary of one value",
        made.parquet_pages,
        DEDUP,
        {"count": 3_000, "each": MB, "dictionary": True, "group": 3_000},
        {"count": 300, "each": MB, "dictionary": True, "group": 300},
    ),
    Case(
        "WACZ with a long list of pages",
        made.wacz,
        DEDUP,
        {"listed": GB},
        {"listed": 60 * MB},
        700 * MB,
    ),
    Case(
        "WACZ with a list of pages in long lines",
        made.wacz,
        DEDUP,
        {"listed": GB, "longest": 250 * MB},
        {"listed": 200 * MB, "longest": 100 * MB},
        700 * MB,
    ),
    Case(
        "two long pages compared",
        made.two_files,
        ("diff", "IN/a.txt", "IN/b.txt"),
        {"size": 60 * MB},
        {"size": 10 * MB},
        250 * MB,
        250 * MB,
        codes=(0, 1),
    ),
    # Formats of lines
    Case("small pages", made.small_pages, DEDUP, {"size": 232 * MB}, {"size": 20 * MB}, 256 * MB),
    Case("small pages, sketched", made.small_pages, SKETCH, {"size": 232 * MB}, None, 256 * MB),
    Case(
        "small pages of 100 bytes",
        made.small_pages,
        DEDUP,
        {"size": 60 * MB, "each": 100},
        None,
        290 * MB,
    ),
    Case(
        "many small pages",
        made.many_pages,
        DEDUP,
        {"count": 2_000_000},
        {"count": 150_000},
        256 * MB,
    ),
    Case(
        "many small pages that are alike",
        made.many_pages,
        DEDUP,
        {"count": 600_000, "words": 80},
        None,
        256 * MB,
    ),
    Case(
        "clusters of many small pages",
        made.many_pages,
        ("clusters", "WORK", "--rule", "similar", "--threads", "2"),
        {"count": 2_000_000},
        None,
        340 * MB,
        before=(("sketch", "IN", "-o", "WORK"),),
    ),
    Case(
        "middling pages",
        made.small_pages,
        DEDUP,
        {"size": 600 * MB, "each": 2 * MB},
        None,
        256 * MB,
    ),
    *(
        Case(
            f"long pages in .jsonl{packing}",
            made.long_pages,
            DEDUP,
            {"count": 4, "each": 200 * MB, "packing": packing},
            None,
        )
        for packing in (".gz", ".zst", ".lz4")
    ),
    Case(
        "broken gzip lines", made.broken_gzip_lines, DEDUP, {"size": 255 * MB}, None, codes=(0, 1)
    ),
    Case(
        "long fields beside short texts",
        made.many_fields,
        DEDUP,
        {"count": 30, "each": 40 * MB},
        None,
    ),
    Case(
        "long rows of CSV",
        made.long_csv,
        DEDUP,
        {"count": 20, "each": 60 * MB},
        {"count": 4, "each": 60 * MB},
    ),
    Case(
        "long rows of CSV, packed",
        made.long_csv,
        DEDUP,
        {"count": 20, "each": 60 * MB, "packing": ".gz"},
    ),
    Case(
        "a quote that is not closed", made.unclosed_quote, DEDUP, {"size": 600 * MB}, codes=(0, 1)
    ),
    # Parquet and Arrow
    *(
        Case(
            f"long Parquet pages by {codec}",
            made.parquet_pages,
            DEDUP,
            {"count": 8, "each": 150 * MB, "codec": codec, "group": 2},
            None,
        )
        for codec in ("none", "snappy", "gzip", "brotli", "lz4")
    ),
    Case(
        "long Parquet pages of version 2",
        made.parquet_pages,
        DEDUP,
        {"count": 8, "each": 150 * MB, "version": "2.0"},
    ),
    *(
        Case(
            f"long values of {column} in Parquet",
            made.parquet_pages,
            DEDUP,
            {"count": 2_500, "each": MB, "column": column, "dictionary": dictionary},
            None,
        )
        for column in ("url", "id")
        for dictionary in (False, True)
    ),
    Case(
        "long pages in Arrow",
        made.arrow_pages,
        DEDUP,
        {"count": 6, "each": 245 * MB, "codec": "zstd"},
    ),
    Case(
        "long pages in Arrow, as they are",
        made.arrow_pages,
        DEDUP,
        {"count": 6, "each": 245 * MB, "codec": "uncompressed"},
    ),
    # Archives
    *(
        Case(
            f"long records in .warc{packing}",
            made.long_records,
            DEDUP,
            {"count": 6, "each": 245 * MB, "packing": packing},
        )
        for packing in ("", ".gz", ".zst")
    ),
    *(
        Case(
            f"bodies that {coding} made short",
            made.body_bombs,
            DEDUP,
            {"count": 20, "size": 250 * MB, "coding": coding},
        )
        for coding in ("gzip", "zstd")
    ),
    Case("bodies beyond the longest", made.body_bombs, DEDUP, {"count": 4, "size": 3 * GB}, None),
    Case("chunks of one byte", made.many_chunks, DEDUP, {"count": 20_000_000}, None),
    Case(
        "zstd window of 1 GiB in a WARC",
        made.wide_warc,
        DEDUP,
        {"size": 3 * GB, "window": 30},
        codes=(0, 1),
    ),
    # Folders
    Case(
        "long files of a folder",
        made.folder_of,
        DEDUP,
        {"count": 6, "each": 245 * MB},
        {"count": 3, "each": 60 * MB},
    ),
    Case(
        "long files of a folder, packed",
        made.folder_of,
        DEDUP,
        {"count": 6, "each": 245 * MB, "packing": ".gz"},
    ),
    # Other verbs
    Case(
        "long pages, sketched with all tables",
        made.long_pages,
        SKETCH,
        {"count": 6, "each": 245 * MB},
    ),
    Case(
        "dry run of long pages",
        made.long_pages,
        ("dedup", "IN", "--dry-run"),
        {"count": 6, "each": 245 * MB},
    ),
    Case(
        "clusters of long pages",
        made.long_pages,
        ("clusters", "WORK"),
        {"count": 3, "each": 60 * MB},
        before=(("sketch", "IN", "-o", "WORK"),),
    ),
    Case(
        "overlap of long pages",
        made.long_pages,
        ("overlap", "WORK"),
        {"count": 3, "each": 100 * MB},
        before=(("sketch", "IN", "-o", "WORK"),),
        # The workspace was begun without a limit, and its pages are longer than this one allows.
        codes=(1,),
        said="is too long for the memory; give more --memory",
    ),
    Case(
        "why two long pages are together",
        made.long_pages,
        ("why", "WORK", "#0", "#1"),
        {"count": 3, "each": 60 * MB},
        before=(("sketch", "IN", "-o", "WORK"),),
        codes=(0, 1),
    ),
    Case(
        "study of long pages",
        made.long_pages,
        ("study", "duplicates", "WORK"),
        {"count": 3, "each": 100 * MB},
        before=(("sketch", "IN", "-o", "WORK"),),
        codes=(0, 1),
    ),
)
