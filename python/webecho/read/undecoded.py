"""*Undecoded* bytes: in a line that is not UTF-8 each byte that is none of it stands as a lone
surrogate (PEP 383) until it is known what the text is for.

Bodies are the bytes of the file again: two that differ there are not the same, and which charset
they have is told by what they look like, as of any file. In names and other columns U+FFFD stands
in their place.
"""

import re
from collections.abc import Sequence

import pyarrow as pa

from webecho.read.dates import Column

UNDECODED = "surrogateescape"
# Halves of pairs that JSON spells out, which are no bytes of the line.
_HALVES = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def decoded(line: bytes) -> str:
    """The text of a line, whatever bytes it has."""
    return line.decode("utf-8", UNDECODED)


def encoded(text: str) -> bytes:
    """The bytes of it as they stand in a line."""
    return _HALVES.sub("\ufffd", text).encode("utf-8", UNDECODED)


def plain(text: str) -> str:
    """The text without what could not be decoded."""
    return encoded(text).decode("utf-8", "replace")


def as_strings(texts: Sequence[str | None]) -> Column:
    """Names, and what else is not compared by its bytes."""
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:
        return pa.array([text and plain(text) for text in texts], pa.string())


def as_bodies(found: Sequence[str | bytes | None]) -> tuple[Column, Column | None]:
    """The bodies, and the charset of each where it is not known of all: that of text is UTF-8."""
    try:
        return pa.array(found, pa.large_string()), None
    except (UnicodeEncodeError, pa.ArrowInvalid):
        held = [encoded(body) if isinstance(body, str) else body for body in found]
    charsets = [_charset(body) for body in held]
    return pa.array(held, pa.large_binary()), pa.array(charsets, pa.string())


def _charset(body: bytes | None) -> str | None:
    try:
        # Halves of pairs are what is left of text that was UTF-8.
        (body or b"").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return "utf-8"
