"""*Links* of pages: a page table with a row for each different link of a page.

`target` is the key of the address that it leads to (see `rust/src/addresses.rs`), `kind` is what
kind of link it is, and `nofollow` whether the link or a `<meta name=robots>` asks not to follow it.
Rows are sorted by all columns. A link that is there twice is there once; links to nothing that can
be a page (`mailto:`, `javascript:`, broken addresses) are not there.
"""

import pyarrow as pa
import pyarrow.compute as pc

from webecho.read.urls import path_addresses
from webecho.workspace.schemas import LINKS

TABLE = "links"

# By the numbers that the kernel has for them: a redirect is a `<meta http-equiv=refresh>`.
KINDS = ("a", "area", "frame", "iframe", "redirect", "canonical")


def link_rows(numbers: pa.Array, made: pa.RecordBatch) -> pa.Table:
    """The rows of pages with these numbers."""
    pages = numbers.take(pc.list_parent_indices(made["links"]))
    # Twice the kind, and one more where it is not to be followed.
    kinds = pc.list_flatten(made["link_kinds"])
    nofollow = pc.equal(pc.bit_wise_and(kinds, 1), 1)
    kind = pc.shift_right(kinds, 1).cast(pa.int8())
    columns = [pages, pc.list_flatten(made["links"]), kind, nofollow]
    return pa.table(columns, schema=LINKS)


def addressed(pages: pa.RecordBatch, urls: pa.Array, folder: bool) -> pa.RecordBatch:
    """Pages with the addresses that their links are seen from: these, or as paths of a folder."""
    at = pages.schema.get_field_index("url")
    return pages.set_column(at, "url", path_addresses(urls)) if folder else pages
