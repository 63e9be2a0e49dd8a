"""Frozen settings, and the named recipes of the papers.

A *recipe* is a named, versioned set of settings that takes a page's bytes to its sketch. Whatever
changes a stored value is here and goes into the manifest; golden vectors in
`tests/sketches/test_recipes.py` pin what each recipe version gives.
"""

from collections.abc import Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from typing import Any, Literal

from webecho.errors import SettingsError

SKETCH_COLUMNS = ("features", "supershingles", "projection")


def sketch_columns(names: Sequence[str]) -> tuple[str, ...]:
    """The wanted columns in their fixed order; an unknown name is an error."""
    names = [name.strip() for name in names if name.strip() != "none"]
    unknown = [name for name in names if name not in SKETCH_COLUMNS]
    if unknown:
        raise SettingsError(
            f"there is no sketch column {', '.join(unknown)}; there are {', '.join(SKETCH_COLUMNS)}"
        )
    return tuple(name for name in SKETCH_COLUMNS if name in names)


CHOICES = {
    "fingerprint": ("fast", "rabin"),
    "functions": ("rounds", "rabin"),
    "site": ("registered", "henzinger2006"),
    "project": ("tokens", "shingles"),
    "chunk_text": ("tokens", "characters"),
}


@dataclass(frozen=True)
class Recipe:
    """How bytes become tokens, and tokens a sketch."""

    name: str
    version: int
    # Bytes to text.
    join_formatting: bool  # tags that only format letters join their text, else they part it
    image_terms: bool  # Henzinger 2006, section 2: the address of an image is a term
    # Text to tokens.
    fold_case: bool  # NFC and full case folding
    split_unspaced: bool  # in scripts written without spaces each character is a token
    # Tokens to shingles.
    fingerprint: Literal["fast", "rabin"]
    k: int  # tokens a shingle
    wrap: bool  # shingles go on from the last token to the first: every token starts one
    # Shingles to features.
    functions: Literal["rounds", "rabin"]
    m: int  # features
    width: int  # features a supershingle
    # Tokens to bits.
    bits: int  # of the projection
    # The site of a host.
    site: Literal["registered", "henzinger2006"]
    # What Henzinger 2006, section 4 leaves open.
    frequency: bool = False  # a shingle counts as often as it stands on a page, not once
    project: Literal["tokens", "shingles"] = "tokens"  # what the projection is of
    boilerplate: int = 0  # blocks on at least so many pages of a site are left out; 0: none are
    # Text to tokens, once more.
    symbols: bool = False  # each symbol, such as < or %, is a token too
    # Text to chunks.
    chunk_text: Literal["tokens", "characters"] = "tokens"  # what a chunk is made of

    def __post_init__(self) -> None:
        if self.k < 1:
            raise SettingsError(f"k = {self.k}: a shingle needs at least one token")
        if self.width < 1 or self.m < 1 or self.m % self.width:
            raise SettingsError(
                f"m = {self.m}, width = {self.width}: m must be a multiple of width, both above 0"
            )
        if self.bits < 64 or self.bits % 64:
            raise SettingsError(f"bits = {self.bits}: the projection takes a multiple of 64 bits")
        if self.boilerplate < 0 or self.boilerplate == 1:
            raise SettingsError(
                f"boilerplate = {self.boilerplate}: give 2 pages or more, or 0 for none"
            )
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                chosen = getattr(self, name)
                raise SettingsError(f"{name} = {chosen}: it is one of {', '.join(known)}")

    @property
    def supershingles(self) -> int:
        return self.m // self.width

    def as_dict(self) -> dict[str, Any]:
        """The settings; what was added later only where it is used, so that a recipe is known by
        the same ones as before."""
        later = {each.name: each.default for each in fields(self) if each.default is not MISSING}
        values = asdict(self).items()
        return {name: value for name, value in values if later.get(name, MISSING) != value}


WEBECHO = Recipe(
    name="webecho",
    version=2,
    join_formatting=True,
    image_terms=False,
    fold_case=True,
    split_unspaced=True,
    fingerprint="fast",
    k=5,
    wrap=False,
    functions="rounds",
    m=84,
    width=14,
    bits=384,
    site="registered",
)

FETTERLY_2004 = replace(
    WEBECHO,
    name="fetterly2004",
    join_formatting=False,
    fold_case=False,
    split_unspaced=False,
    fingerprint="rabin",
    wrap=True,
    functions="rabin",
)

HENZINGER_2006 = replace(
    WEBECHO,
    name="henzinger2006",
    # 2: image terms have no scheme.
    version=2,
    image_terms=True,
    fold_case=False,
    split_unspaced=False,
    fingerprint="rabin",
    k=8,
    functions="rabin",
    site="henzinger2006",
)

SHIVAKUMAR_1998 = replace(WEBECHO, name="shivakumar1998", version=1, chunk_text="characters")

RECIPES = {
    recipe.name: recipe for recipe in (WEBECHO, FETTERLY_2004, HENZINGER_2006, SHIVAKUMAR_1998)
}


def recipe(name: str, **changes: Any) -> Recipe:
    """The named recipe, with changes; a changed one says so in its name.

    Changes may stand in the name as well: `henzinger2006+k=5,bits=192`, `webecho+symbols`.
    """
    base, _, listed = name.partition("+")
    try:
        found = RECIPES[base]
    except KeyError:
        raise SettingsError(
            f"no recipe is called {base!r}; there are {', '.join(sorted(RECIPES))}"
        ) from None
    named = dict(_change(change, found) for change in listed.split(",") if change)
    unknown = set(changes) - CHANGEABLE
    if unknown:
        raise SettingsError(f"a recipe has no setting {', '.join(sorted(unknown))}")
    different = {
        key: value for key, value in (named | changes).items() if getattr(found, key) != value
    }
    if not different:
        return found
    label = ",".join(
        key if value is True else f"{key}={value}" for key, value in sorted(different.items())
    )
    return replace(found, name=f"{base}+{label}", **different)


CHANGEABLE = {field.name for field in fields(Recipe)} - {"name", "version"}


def _change(text: str, recipe: Recipe) -> tuple[str, Any]:
    """One change of a recipe, such as `k=5` or `symbols`, as the setting's own type."""
    key, sign, value = (part.strip() for part in text.partition("="))
    now = getattr(recipe, key) if key in CHANGEABLE else None
    if now is None or not (sign or isinstance(now, bool)):
        raise SettingsError(
            f"{text!r} is no change of a recipe; give SETTING=VALUE, with one of "
            f"{', '.join(sorted(CHANGEABLE))}"
        )
    if not sign:
        return key, True
    if isinstance(now, bool):
        if value.lower() not in ("true", "false"):
            raise SettingsError(f"{key} is true or false, not {value!r}")
        return key, value.lower() == "true"
    if isinstance(now, int):
        if not value.isdigit():
            raise SettingsError(f"{key} is a whole number, not {value!r}")
        return key, int(value)
    return key, value
