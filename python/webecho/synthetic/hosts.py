"""The hosts of a made-up web: names, machines, templates.

A *template* is what the pages of a host have in common: the name of the site, navigation, a footer,
and the markup around them. Several hosts may have the same one, as customers of one publisher do.
Names end in `.example` and `.test` and addresses begin with 10: none can belong to anyone.
"""

from dataclasses import dataclass
from functools import lru_cache

from webecho.synthetic.chance import numbers, share
from webecho.synthetic.languages import Language, language_of, vocabulary
from webecho.synthetic.web import Web

# Pages that a host has in the mean.
HOST_PAGES = 40
# Of the ordinary hosts this share stands on a machine of another one.
SHARED_MACHINES = 0.2
SECTIONS = ("news", "articles", "archive", "docs", "blog", "items", "pages")
CONSONANTS, VOWELS = "bdfghklmnprstvwxyzcj", "aeiou"
SYLLABLES = len(CONSONANTS) * len(VOWELS)
# Prime to the number of names, so that all come up, and neighbours are not alike.
STRIDE = 61_803_399


@dataclass(frozen=True)
class Template:
    """What pages of a host have in common."""

    number: int
    language: Language
    site: str
    slogan: str
    navigation: tuple[str, ...]
    footer: str
    words: int
    layout: int


def ordinary_hosts(web: Web) -> int:
    """The number of hosts that are neither mirrored nor parked."""
    return max(8, web.pages // HOST_PAGES)


def template_of(web: Web, host: int) -> Template:
    return template(web.seed, host % max(6, ordinary_hosts(web) * 3 // 5))


@lru_cache(maxsize=4096)
def template(seed: int, number: int) -> Template:
    """A template by its number."""
    language = language_of(number)
    words = vocabulary(seed, language)
    key = (seed, "template", number)
    layout, links, slogan, footer = numbers(4, *key)
    links, slogan, footer = 4 + links % 6, 4 + slogan % 8, 15 + footer % 30
    navigation = words.words(links, *key, "navigation")
    return Template(
        number,
        language,
        words.phrase(words.words(2, *key, "site")),
        words.sentence(words.words(slogan, *key, "slogan")),
        tuple(words.phrase([word]) for word in navigation),
        " ".join(words.sentences(words.words(footer, *key, "footer"), *key, "sentences")),
        2 + links + slogan + footer,
        layout,
    )


@lru_cache(maxsize=1 << 16)
def domain(seed: int, host: int) -> str:
    """The registered name of a host; no two hosts have the same."""
    number = (host * STRIDE + int(share(seed, "names") * SYLLABLES**4)) % SYLLABLES**4
    name = ""
    for _ in range(4):
        number, syllable = divmod(number, SYLLABLES)
        name += CONSONANTS[syllable // len(VOWELS)] + VOWELS[syllable % len(VOWELS)]
    return f"{name}.{'test' if host % 5 == 3 else 'example'}"


def host_name(seed: int, host: int) -> str:
    return f"www.{domain(seed, host)}"


def alias_name(seed: int, host: int, alias: int) -> str:
    """Another name of the same host; the first is that without www."""
    name = domain(seed, host)
    return name if alias == 1 else f"www{alias}.{name}"


def ip(web: Web, host: int) -> str:
    """The address of the machine that a host is on."""
    ordinary = ordinary_hosts(web)
    if host < ordinary and (found := share(web.seed, "machine", host)) < SHARED_MACHINES:
        # Two hosts on one machine need have nothing else in common.
        host = int(found / SHARED_MACHINES * ordinary)
    return f"10.{host >> 16 & 255}.{host >> 8 & 255}.{host & 255}"


def path(place: int) -> str:
    """The path of the page that has this place on its host."""
    return f"/{SECTIONS[place % len(SECTIONS)]}/{place}.html" if place else "/"
