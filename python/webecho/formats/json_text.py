"""JSON as strangers write it: nested as deep as one likes, with numbers of thousands of digits and
halves of characters. What cannot be read, or not be written as it was, is a `ValueError`."""

import json
from typing import Any


def parsed(text: bytes | str) -> Any:
    """The value that a text tells."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


def as_bytes(value: Any, *, indent: int | None = None) -> bytes:
    """A value as JSON in UTF-8. A number that JSON has no word for, such as 1e400, is refused."""
    try:
        text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    except RecursionError:
        raise ValueError("nested too deep") from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half of a character can only be spelt out.
        return json.dumps(value, indent=indent).encode()


def text_of(value: Any) -> str:
    """A text, or a number as one; of anything else nothing."""
    return f"{value}" if isinstance(value, str | int | float) else ""
