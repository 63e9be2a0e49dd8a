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
_BYTES = re.compile("[\udc80-\udcff]")


def as_text(line: bytes) -> str:
    """The text of a line, whatever bytes it has."""
    return line.decode("utf-8", UNDECODED)


def encoded(text: str) -> bytes:
    """The bytes of it as they stand in a line."""
    return _HALVES.sub("\ufffd", text).encode("utf-8", UNDECODED)


def replaced(text: str) -> str:
    """The text with U+FFFD for what could not be decoded."""
    return encoded(text).decode("utf-8", "replace")


def as_strings(texts: Sequence[str | None]) -> Column:
    """Names, and what else is not compared by its bytes."""
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:
        return pa.array([text and replaced(text) for text in texts], pa.string())


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
        # UTF-8 of which a byte is wrong, as where a text was cut within a character, stays that: in
        # other charsets hardly any bytes are letters of it by chance.
        text = as_text(body or b"")
        bad = len(_BYTES.findall(text))
        good = len(text) - len(text.encode("ascii", "ignore")) - bad
        return "utf-8" if good > bad else None
    return "utf-8"
