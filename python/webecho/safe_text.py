"""Text from strangers, safe for where it goes: a terminal, a file that stays, a spreadsheet."""

import re

# What stands in the place of a secret.
REMOVED = "***"

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]*")
# `user:password@`; in web addresses a name alone is a token. Elsewhere it may be a container.
_PASSWORD = re.compile(
    r"(://[^/?#@:]*:)[^/?#]*(?=@)|(?<=https://)[^/?#:]+(?=@)|(?<=http://)[^/?#:]+(?=@)"
)
_SECRET = re.compile(
    r"([?&#;](?:x-(?:amz|goog)-[^=&#;]*|[^=&#;]*(?:token|secret|passw|signature|credential|auth|"
    r"api-?_?key|access-?_?key)[^=&#;]*|sig|pwd|policy|key|key-pair-id)=)[^&#;]*[^&#;:,.)]",
    re.IGNORECASE,
)
# What Python makes of a byte of a file name that is not UTF-8: this much more.
_ESCAPED = 0xDC00
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def plain(text: str) -> str:
    """The text, harmless on a terminal: no control characters, no overrides of its direction; bytes
    of file names that are not UTF-8 are written as `\\xff`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _instead(char) for char in text)


def _instead(char: str) -> str:
    byte = ord(char) - _ESCAPED
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else "\N{REPLACEMENT CHARACTER}"


def without_secrets(text: str) -> str:
    """The text with passwords, tokens and signatures taken out of the addresses in it."""
    return _ADDRESS.sub(_taken_out, text) if "://" in text else text


def _taken_out(found: re.Match[str]) -> str:
    address = _PASSWORD.sub(lambda each: f"{each[1] or ''}{REMOVED}", found[0])
    return _SECRET.sub(rf"\g<1>{REMOVED}", address)


def lacks_secrets(name: str) -> bool:
    """Whether this is an address that secrets were taken out of."""
    return "://" in name and (f"{REMOVED}@" in name or f"={REMOVED}" in name)


def no_formula(cell: object) -> object:
    """A cell of a table that no spreadsheet takes for a formula: text that begins like one gets a
    quote before it, and so does text that begins as such a cell does."""
    quoted = isinstance(cell, str) and cell.lstrip("'").startswith(_FORMULA)
    return f"'{cell}" if quoted else cell


def formula_again(cell: str) -> str:
    """The text that `no_formula` made a cell of."""
    return cell.removeprefix("'") if cell.lstrip("'").startswith(_FORMULA) else cell
