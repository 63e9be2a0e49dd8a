"""The kernels once more: slow, obvious, and written from their definitions.

Numbers are Python's, sets are sets, polynomials are divided by hand, Unicode comes from
`unicodedata`; markup becomes text in `reference_text`.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from tests.kernel.reference_text import Text, collapse, read_markup
from webecho.settings import Recipe

WORD = 2**64

# --- The fast fingerprint ---------------------------------------------------------------------

# 2⁶⁴ over the golden ratio, made odd.
STEP = 0x9E3779B97F4A7C15


def mix(x: int) -> int:
    """Stafford's variant 13 of the finaliser of MurmurHash3."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % WORD
    return x ^ x >> 31


@cache
def constant(n: int) -> int:
    """The n-th of a fixed sequence of numbers that look random."""
    return mix(STEP * (n + 1) % WORD)


BASE = constant(0) | 1


def sequence(values: Sequence[int]) -> int:
    """The polynomial with these coefficients, the last one constant, at BASE; mixed."""
    powers = range(len(values) - 1, -1, -1)
    return mix(sum(v * BASE**p for v, p in zip(values, powers, strict=True)) % WORD)


# --- Rabin's fingerprints ---------------------------------------------------------------------


def remainder(dividend: int, polynomial: int) -> int:
    """What long division over GF(2) by a polynomial of degree 64 leaves."""
    while (length := dividend.bit_length()) > 64:
        dividend ^= polynomial << (length - 65)
    return dividend


def power_of_t(exponent: int, polynomial: int) -> int:
    result = 1
    for bit in f"{exponent:b}":
        # Over GF(2) a square has the digits of its root, spread: those of base 2 read in base 4.
        result = remainder(int(f"{result:b}", 4) << int(bit), polynomial)
    return result


def is_primitive(polynomial: int) -> bool:
    """Whether t takes all 2⁶⁴ − 1 steps to come back to 1."""
    if polynomial % 2 == 0 or polynomial.bit_count() % 2 == 0:
        return False  # divisible by t, or by t + 1
    order = WORD - 1
    divisors = [order // prime for prime in (3, 5, 17, 257, 641, 65537, 6700417)]
    return power_of_t(order, polynomial) == 1 and all(
        power_of_t(divisor, polynomial) != 1 for divisor in divisors
    )


@cache
def polynomial(n: int) -> int:
    """The n-th of the primitive polynomials in use: 0 shingles, 1 supershingles, then features."""
    state = mix(STEP * (n + 1) % WORD)
    while True:
        state = mix((state + STEP) % WORD)
        if is_primitive(WORD | state):
            return WORD | state


def rabin(data: bytes, n: int) -> int:
    """A(t)·t⁶⁴ mod P(t), the first byte of A holding the highest powers."""
    return remainder(int.from_bytes(data, "big") << 64, polynomial(n))


def as_bytes(words: Iterable[int]) -> bytes:
    return b"".join(word.to_bytes(8, "big") for word in words)


# --- Text to tokens ---------------------------------------------------------------------------

UNSPACED = (
    "AHOM BALINESE BOPOMOFO CJK HALFWIDTH-KATAKANA HENTAIGANA HIRAGANA JAVANESE KATAKANA KHMER LAO "
    "MYANMAR NEW-TAI-LUE NUSHU TAI-LE TAI-THAM TAI-VIET TANGUT THAI YI"
)
# Letters of such a script that are not called after it, and one that only is called so.
UNSPACED_BY_OTHER_NAMES = {*"々〻〇〡〢〣〤〥〦〧〨〩〸〹〺", "\U00016fe3"}
SHARED_BY_SCRIPTS = {"\ua9cf"}
# Python has no names for these.
TANGUT = range(0x17000, 0x18D90)
# They lengthen or voice the kana before them, as marks do.
KANA_MARKS = set("ーｰﾞﾟ")


@cache
def kind(character: str) -> str:
    """mark, unspaced, word or separator."""
    category = unicodedata.category(character)
    if category[0] == "M" or character in KANA_MARKS:
        return "mark"
    if category[0] == "L" or category == "Nl":
        nameless = "TANGUT-" if ord(character) in TANGUT else ""
        name = unicodedata.name(character, nameless).replace(" ", "-")
        named = any(name.startswith(f"{script}-") for script in UNSPACED.split())
        named = named and character not in SHARED_BY_SCRIPTS
        return "unspaced" if named or character in UNSPACED_BY_OTHER_NAMES else "word"
    return "word" if category == "Nd" else "separator"


def is_symbol(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "PS" or category == "No"


def words(text: str, recipe: Recipe) -> list[str]:
    """The tokens as they are written."""
    if recipe.fold_case:
        text = unicodedata.normalize("NFC", text).casefold()
    tokens: list[str] = []
    run = "separator"  # what the last token goes on with; a separator: there is none to go on
    for character in text:
        this = kind(character)
        if this == "unspaced" and not recipe.split_unspaced:
            this = "word"
        if this == "separator" and recipe.symbols and is_symbol(character):
            this = "unspaced"
        goes_on = run != "separator" if this == "mark" else this == run == "word"
        if goes_on:
            tokens[-1] += character
        elif this != "separator":
            tokens.append(character)
        if this != "mark":
            run = this
        elif not goes_on:
            run = "word"
    return tokens


@cache
def fingerprint(token: str, how: str) -> int:
    data = token.encode()
    if how == "rabin":
        return rabin(data, 0)
    value = 0
    for start in range(0, len(data), 8):
        value = mix(value ^ int.from_bytes(data[start : start + 8], "little"))
    return value


# --- Images to terms --------------------------------------------------------------------------


def image_term(source: str, url: str | None) -> str | None:
    """The address on another host without its scheme, else the name of the file."""
    address, page = urlsplit(source), urlsplit(url or "")
    if address.scheme not in ("", "http", "https"):
        return source
    if address.netloc and address.hostname != page.hostname:
        host = re.sub(":(80|443)$", "", address.netloc.lower())
        return f"//{host}{source.partition(address.netloc)[2]}"
    return address.path.rpartition("/")[2] or None


# --- Tokens to sketches -----------------------------------------------------------------------


def windows(tokens: Sequence[int], recipe: Recipe) -> set[tuple[int, ...]]:
    """The tokens of every shingle, each once."""
    n, k = len(tokens), recipe.k
    if recipe.wrap:
        return {tuple(tokens[(start + i) % n] for i in range(k)) for start in range(n)}
    if n < k:
        return {tuple(tokens)} if n else set()
    return {tuple(tokens[start : start + k]) for start in range(n - k + 1)}


def shingle_set(tokens: Sequence[int], recipe: Recipe) -> set[int]:
    if recipe.fingerprint == "fast":
        return {sequence(window) for window in windows(tokens, recipe)}
    return {rabin(as_bytes(window), 0) for window in windows(tokens, recipe)}


def rounds_keys(shingle: int, m: int) -> dict[int, tuple[int, int]]:
    """For each position the first round in which the shingle reaches it, and its order there."""
    keys: dict[int, tuple[int, int]] = {}
    for number in range(2 * m):
        image = mix((shingle + number * STEP) % WORD) if number else shingle
        upper, lower = divmod(image, 2**32)
        # After m rounds by chance each position has one of its own.
        position = upper * m // 2**32 if number < m else number - m
        keys.setdefault(position, (number, lower << 32 | upper))
    return keys


def features(shingles: Iterable[int], recipe: Recipe) -> list[int]:
    """For each function the shingle that it maps lowest."""
    m = recipe.m
    if recipe.functions == "rounds":
        keys = {shingle: rounds_keys(shingle, m) for shingle in shingles}
        return [min(keys, key=lambda s: keys[s][position]) for position in range(m)]
    return [min(shingles, key=lambda s: rabin(as_bytes([s]), 2 + f)) for f in range(m)]


def supershingles(features: Sequence[int], recipe: Recipe) -> list[int]:
    groups = [features[i : i + recipe.width] for i in range(0, recipe.m, recipe.width)]
    if recipe.functions == "rounds":
        return [sequence(group) for group in groups]
    return [rabin(as_bytes(group), 1) for group in groups]


def signs(token: int, number: int) -> int:
    """What the token adds to 64 dimensions: a bit that is set is +1, one that is not is −1."""
    product = (token ^ constant(100 + number)) * (constant(200 + number) | 1) % WORD
    return product ^ product >> 32


def projection(tokens: Sequence[int], recipe: Recipe) -> list[int]:
    """The bits, 64 a number; bit 0 of a number is its first dimension."""
    # Rabin's fingerprints are linear: without mixing, similar tokens get related signs.
    mixed = tokens if recipe.fingerprint == "fast" else [mix(token) for token in tokens]
    counts = Counter(mixed)
    numbers = [0] * (recipe.bits // 64)
    for number in range(len(numbers)):
        signed = [(signs(token, number), count) for token, count in counts.items()]
        for bit in range(64):
            if sum(count if sign >> bit & 1 else -count for sign, count in signed) > 0:
                numbers[number] |= 1 << bit
    return numbers


@dataclass(frozen=True)
class Sketch:
    """A page's row; None where the page has no tokens."""

    chars: int
    token_prints: list[int]
    title: str | None
    hollow: bool
    shingles: list[int] | None = None
    features: list[int] | None = None
    supershingles: list[int] | None = None
    projection: list[int] | None = None


def token_prints(text: Text, recipe: Recipe, url: str | None = None) -> list[int]:
    """The fingerprints of a page's tokens, image terms among them."""
    terms = [image_term(source, url) for source in text.images]
    tokens: list[str] = []
    for piece, term in zip(text.pieces, [*terms, None], strict=True):
        tokens += words(piece, recipe) + ([term] if term else [])
    return [fingerprint(token, recipe.fingerprint) for token in tokens]


def sketch(source: str, markup: bool, recipe: Recipe, url: str | None = None) -> Sketch:
    """The whole chain for a page whose characters are known."""
    text = read_markup(source, recipe) if markup else Text([source])
    tokens = token_prints(text, recipe, url)
    chars = len(collapse("".join(text.pieces)))
    title = collapse(text.title or "") or None
    hollow = len(tokens) < 10 and text.dropped >= 500
    if not tokens:
        return Sketch(chars, tokens, title, hollow)
    shingles = shingle_set(tokens, recipe)
    picked = features(shingles, recipe)
    return Sketch(
        chars,
        tokens,
        title,
        hollow,
        sorted(shingles),
        picked,
        supershingles(picked, recipe),
        projection(tokens, recipe),
    )
