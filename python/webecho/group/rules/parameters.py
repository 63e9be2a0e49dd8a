"""*Parameters* of rules: what a rule asks for, mostly a number, with what is meant by default and
what can be given. Several rules may have the same one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from webecho.chunkings import Chunking
from webecho.errors import SettingsError, setting
from webecho.settings import Recipe

Number = int | float
Value = Number | Chunking

# Henzinger 2006, sections 2, 3.3 and 3.5; of 384 bits.
LEAST_B, LEAST_C, LEAST_C_COMBINED, OF_BITS = 2, 372, 355, 384
# Pages have numbers of 32 bits.
MOST_PAGES = 2**32 - 1
# Of chunks; the second is that of Shivakumar 1998.
FINGERPRINTS = (64, 32)

COUNT, SHARE = "[0-9]+", r"[0-9]+(?:\.[0-9]+)?(?:e-[0-9]+)?"
CHUNKING = "page|sentence|paragraph|(?:lines|words)-[0-9]+(?:-sliding)?"


def number(text: str) -> Value:
    return int(text) if text.isdigit() else float(text)


def chunking(text: str) -> Value:
    return Chunking.parse(text.replace("-", ":"))


@dataclass(frozen=True)
class Parameter:
    """What a rule asks for; without a default it need not be given."""

    name: str
    explanation: str
    default: Value | None
    # The default as a recipe's sketches have it, and a refusal of what they cannot have.
    fitted: Callable[[Any, Recipe], Value]
    check: Callable[[Any, Recipe], None]
    # What it looks like in a label, what that means, and whether its name stands there too.
    pattern: str = COUNT
    read: Callable[[str], Value] = number
    named: bool = False

    def written(self, value: Value) -> str:
        """What a label has of a value."""
        return value.label if isinstance(value, Chunking) else repr(value)


def resemblance() -> Parameter:
    return share("resemblance", "default: 0.8.", 0.8)


def equal_words() -> Parameter:
    """See docs/pairs.md for how the default was chosen."""
    return share(
        "equal_words",
        "The share of words that a diff must leave equal; default: 0.9.",
        0.9,
    )


def refuse_text(name: str, value: object, default: object) -> None:
    """Refuses what is no number, which only Python can give."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SettingsError(setting(name).to(repr(value)), f" is no number; try {default}")


def share(name: str, explanation: str, default: float) -> Parameter:
    """A share of something, above nothing."""

    def check(value: Number, _: Recipe) -> None:
        refuse_text(name, value, default)
        if not 0 < value <= 1:
            raise SettingsError(
                setting(name).to(value), f" is not above 0 and at most 1; try {default}"
            )

    return Parameter(name, explanation, default, lambda value, _: value, check, pattern=SHARE)


def least_b() -> Parameter:
    return Parameter(
        "least_b",
        "How many supershingles must agree; default: 2.",
        LEAST_B,
        lambda value, recipe: min(value, recipe.supershingles),
        within("least_b", lambda recipe: recipe.supershingles, "supershingles"),
    )


def least_c(default: int) -> Parameter:
    return Parameter(
        "least_c",
        "How many bits must agree; default: 372 of 384, in combined and by-site 355.",
        default,
        of_bits,
        within("least_c", lambda recipe: recipe.bits, "bits"),
    )


def least_c_across() -> Parameter:
    return Parameter(
        "least_c_across",
        "And on different sites; default: 372 of 384.",
        LEAST_C,
        of_bits,
        within("least_c_across", lambda recipe: recipe.bits, "bits"),
    )


def pieces() -> Parameter:
    """By how many pieces pages become candidates; what is possible depends on the bits that must
    agree: see pieces.py."""
    return Parameter(
        "pieces",
        "Find what so many pieces find, such as the paper's 12; default: all pairs.",
        None,
        lambda value, _: value,
        lambda *_: None,
        named=True,
    )


def chunk() -> Parameter:
    return Parameter(
        "chunk",
        "What pages are cut into: lines:N, words:N, lines:N:sliding, words:N:sliding, sentence, "
        "paragraph or page; default: lines:4.",
        Chunking("lines", 4),
        lambda value, _: value,
        lambda *_: None,
        pattern=CHUNKING,
        read=chunking,
    )


def shared() -> Parameter:
    """What it is by default depends on the chunking: see overlap.py."""
    return Parameter(
        "shared",
        "How many chunks two pages must share; default: 15 of lines:4, 25 of lines:2, 1 of page.",
        None,
        lambda value, _: value,
        at_least("shared", 1),
    )


def most_pages() -> Parameter:
    return Parameter(
        "most_pages",
        "Leave chunks out that stand on more pages, and say how many; default: none.",
        None,
        lambda value, _: value,
        at_least("most_pages", 2),
        named=True,
    )


def fingerprint() -> Parameter:
    def check(value: Number, _: Recipe) -> None:
        if value not in FINGERPRINTS:
            raise SettingsError(setting("fingerprint").to(value), ": give 64, or the paper's 32")

    return Parameter(
        "fingerprint",
        "Bits of a chunk's fingerprint, 64 or the paper's 32; default: 64.",
        None,
        lambda value, _: value,
        check,
        named=True,
    )


def at_least(name: str, least: int) -> Callable[[Number, Recipe], None]:
    def check(value: Number, _: Recipe) -> None:
        refuse_text(name, value, least)
        if not least <= value <= MOST_PAGES:
            raise SettingsError(setting(name).to(value), f": give {least} to {MOST_PAGES:,}")

    return check


def of_bits(least: Number, recipe: Recipe) -> int:
    """In proportion to the bits that a recipe makes."""
    return -(-int(least) * recipe.bits // OF_BITS)


def within(name: str, most: Callable[[Recipe], int], what: str) -> Callable[[Number, Recipe], None]:
    def check(value: Number, recipe: Recipe) -> None:
        refuse_text(name, value, most(recipe))
        if not 1 <= value <= most(recipe):
            there = most(recipe)
            raise SettingsError(
                setting(name).to(value), f": a page has {there} {what}; give 1 to {there}"
            )

    return check
