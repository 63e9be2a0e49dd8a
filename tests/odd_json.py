"""JSON and bytes as nobody should write them, by chance from a seed."""

import random
import re

ODD = (
    *("null", "true", "0", "-1", "-9223372036854775809", "1e400", "-1e400", "NaN", "Infinity"),
    *('""', '"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\ufeff"', '"../../etc/passwd"', '"-5"'),
    *("[]", "{}", "[null]", "[[]]", "[{}]", '{"": null}', '{"path": null}', '[1, "a", {}, []]'),
    *("9" * 400, "9" * 5000, "-" + "9" * 5000, "0." + "1" * 5000, '"' + "9" * 5000 + '"'),
    *(
        "[" * 500 + "]" * 500,
        "[" * 5000 + "]" * 5000,
        "[" * 3000,
        '{"a":' * 3000 + "1" + "}" * 3000,
    ),
    '"' + "x" * 100_000 + '"',
)


def odd(by: random.Random) -> str:
    """A text that is or looks like a value."""
    return by.choice(ODD)


def changed(text: str, by: random.Random) -> str:
    """JSON in which one value or name is another, or which ends early."""
    match by.randrange(5):
        case 0:
            return odd(by)
        case 1:
            return text[: by.randrange(len(text) + 1)]
        case _:
            places = [found.span() for found in re.finditer(VALUE, text)]
            if not places:
                return odd(by)
            start, end = by.choice(places)
            return text[:start] + odd(by) + text[end:]


# A name or text, a number, or a list or an object without others in it.
VALUE = r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\[[^][{}]*\]|\{[^][{}]*\}'


def changed_bytes(data: bytes, by: random.Random) -> bytes:
    """Bytes of which some are others, gone, or there twice."""
    found = bytearray(data)
    for _ in range(by.choice((1, 1, 2, 8, 64))):
        at = by.randrange(len(found) + 1)
        length = by.choice((1, 1, 2, 4, 16, 200))
        match by.randrange(5):
            case 0:
                found[at : at + length] = by.randbytes(length)
            case 1:
                del found[at : at + length]
            case 2:
                found[at:at] = found[at : at + length]
            case 3:
                found[at : at + length] = b"\xff" * length
            case 4:
                found[at : at + length] = b"\0" * length
    return bytes(found)
