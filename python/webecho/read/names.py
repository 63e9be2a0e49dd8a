"""*Name* of a page: what a person calls it by, its url or its id.

Where neither is known, or several pages have the same, the number of the page names it: `#12`, or
`12` where nothing has that for a url or id.
"""

import re

import pyarrow as pa
import pyarrow.compute as pc

CALLED = ("url", "id")


def number_of(name: str) -> int | None:
    """The page number that a name may be."""
    found = re.fullmatch(r"#?([0-9]{1,15})", name)
    return int(found[1]) if found else None


def is_called(pages: pa.RecordBatch, name: str) -> pa.Array:
    """For each row whether its url or id is this."""
    url, id_ = (pc.equal(pages[column].cast(pa.string()), name) for column in CALLED)
    return pc.or_(pc.fill_null(url, False), pc.fill_null(id_, False))
