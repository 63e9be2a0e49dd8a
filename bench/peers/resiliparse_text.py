"""resiliparse: `extract_plain_text` without formatting, bullets and links: its fastest way."""

from collections.abc import Callable

import pyarrow as pa
from one_core import timed
from resiliparse.extract.html2text import extract_plain_text


def prepared(pages: pa.ChunkedArray) -> Callable[[], object]:
    texts = pages.to_pylist()
    return lambda: [len(plain(text)) for text in texts]


def plain(page: str) -> str:
    return extract_plain_text(page, preserve_formatting=False, list_bullets=False, links=False)


if __name__ == "__main__":
    timed(prepared)
