"""*Parameters* of rules: numbers that a rule asks for, with what is meant by default and what can
be given. Several rules may have the same one."""

from collections.abc import Callable
from dataclasses import dataclass

from webecho.errors import SettingsError, setting
from webecho.settings import Recipe

Number = int | float

# Henzinger 2006, sections 2, 3.3 and 3.5; of 384 bits.
LEAST_B, LEAST_C, LEAST_C_COMBINED, OF_BITS = 2, 372, 355, 384

COUNT, SHARE = "[0-9]+", r"[0-9]+(?:\.[0-9]+)?(?:e-[0-9]+)?"


@dataclass(frozen=True)
class Parameter:
    """A number that a rule asks for; without a default it need not be given."""

    name: str
    explanation: str
    default: Number | None
    # The default as a recipe's sketches have it, and a refusal of what they cannot have.
    fitted: Callable[[Number, Recipe], Number]
    check: Callable[[Number, Recipe], None]
    # What it looks like in a label, and whether its name stands there too.
    pattern: str = COUNT
    named: bool = False

    def number(self, text: str) -> Number:
        """What a label has."""
        return int(text) if text.isdigit() else float(text)


def resemblance() -> Parameter:
    def check(value: Number, _: Recipe) -> None:
        if not 0 < value <= 1:
            raise SettingsError(
                setting("resemblance").to(value), " is not above 0 and at most 1; try 0.8"
            )

    return Parameter(
        "resemblance", "default: 0.8.", 0.8, lambda value, _: value, check, pattern=SHARE
    )


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


def of_bits(least: Number, recipe: Recipe) -> int:
    """In proportion to the bits that a recipe makes."""
    return -(-int(least) * recipe.bits // OF_BITS)


def within(name: str, most: Callable[[Recipe], int], what: str) -> Callable[[Number, Recipe], None]:
    def check(value: Number, recipe: Recipe) -> None:
        if not 1 <= value <= most(recipe):
            there = most(recipe)
            raise SettingsError(
                setting(name).to(value), f": a page has {there} {what}; give 1 to {there}"
            )

    return check
