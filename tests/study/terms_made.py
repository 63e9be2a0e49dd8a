"""Terms of pages that are given by their words."""

from collections.abc import Collection
from hashlib import blake2b

import numpy as np
import pyarrow as pa

from webecho.study.page_terms import HEADING, TITLE, Terms


def token(word: str) -> int:
    return int.from_bytes(blake2b(word.casefold().encode(), digest_size=7).digest())


def terms(text: str, title: Collection[str] = (), heading: Collection[str] = ()) -> Terms:
    """All words of a text count; some stand in the title, or in headings."""
    words = text.replace(",", " ").split()
    tokens = np.array([token(word) for word in words], np.int64)
    different, firsts, counts = np.unique(tokens, return_index=True, return_counts=True)
    spelt = [words[at] for at in firsts.tolist()]
    places = [TITLE if word in title else HEADING if word in heading else 0 for word in spelt]
    return Terms(
        different,
        counts,
        pa.array(spelt, pa.string()),
        firsts,
        np.array(places, np.int64),
        tokens.tobytes(),
    )
