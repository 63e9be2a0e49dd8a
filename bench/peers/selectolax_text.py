"""selectolax: the text of the body by lexbor, from bytes: its fastest way, scripts included."""

from collections.abc import Callable

import pyarrow as pa
from one_core import as_bytes, timed
from selectolax.lexbor import LexborHTMLParser


def prepared(pages: pa.ChunkedArray) -> Callable[[], object]:
    bodies = as_bytes(pages)
    return lambda: [len(text(body)) for body in bodies]


def text(page: bytes) -> str:
    body = LexborHTMLParser(page).body
    return "" if body is None else body.text_lexbor()


if __name__ == "__main__":
    timed(prepared)
