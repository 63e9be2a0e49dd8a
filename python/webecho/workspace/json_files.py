"""JSON that stays: objects in UTF-8, a value a line. Names of files may be of any bytes; what of
them is not UTF-8 Python has as halves of characters, which are spelt out and read back as such."""

import json
from typing import Any


def json_bytes(values: dict[str, Any]) -> bytes:
    """An object as the bytes of a file."""
    text = json.dumps(values, indent=1, ensure_ascii=False)
    try:
        return f"{text}\n".encode()
    except UnicodeEncodeError:
        return f"{json.dumps(values, indent=1)}\n".encode()
