"""What a page says: title, lines, paragraphs and links, before there is markup around them.

Everything follows from the seed and the page's plan, so that a process which makes a copy can make
its original again instead of asking another one for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from math import exp
from statistics import NormalDist
from typing import Any

from webecho.synthetic.chance import TOP, Key, bits, numbers, share
from webecho.synthetic.edits import near_copy
from webecho.synthetic.hosts import domain, host_name, path, template_of
from webecho.synthetic.languages import Vocabulary, vocabulary
from webecho.synthetic.plan import Planned
from webecho.synthetic.web import KINDS, LEAST_WORDS, Web

START = datetime(2004, 1, 1, tzinfo=UTC)
SENTENCES = 4  # a paragraph
RELATED = 4  # links to other pages, each with this many words
# The lengths of pages are lognormal; this is the deviation of their logarithm.
SPREAD = 0.5
# Of a shop's page this share is about the item; the rest stands on every page of the shop.
ITEM = 0.15
# A record of a database is so many words, and somewhat more, around it the same on all its pages;
# so many words of its own stand together, some times over, as a name does in the fields of a record
# (Henzinger 2006, section 3.2: 200 to 400 terms, and 10 to 30 that differ).
RECORD, RECORD_SPREAD, OWN, OWN_TIMES = 250, 150, 5, (4, 5, 6)
# A form has so many fields, filled in differently, between the paragraphs.
FIELDS = 4
# A directory says the same in so many lines of so many words, so many times (section 3.3: pages
# that agree in about 1,000 terms and differ in 1 to 5, which do not stand together).
LINES, LINE, TIMES, ENTRY, MOST_ENTRIES = 8, 12, 8, 6, 5
# A parked domain has few words, and its name between them.
PARKED_WORDS = 90
# Near-copies are wanted at resemblances from here to there.
LEAST, MOST = 0.5, 0.99


@dataclass(frozen=True)
class Content:
    """The visible text of a page, without its template's."""

    title: str
    paragraphs: Sequence[str]
    related: Sequence[str] = ()
    above: str = ""  # a line before the text
    below: str = ""  # a line after it
    fields: Sequence[str] = ()  # what a form is filled in with, a field after each paragraph
    # What was planted, by the columns of the truth.
    planted: dict[str, Any] = field(default_factory=dict)


def fetched(page: int) -> datetime:
    """When a page was fetched: one every second."""
    return START + timedelta(seconds=page)


def later(snapshot: int, days: int) -> timedelta:
    """How long after the first snapshot this one began; 0 stands for the only crawl of a web."""
    return timedelta(days=days * max(0, snapshot - 1))


def content(web: Web, row: Planned) -> Content:
    """What a page says."""
    kind = KINDS[row.family_kind]
    if kind == "parked":
        return parked(web, row)
    if kind == "shop":
        return shop(web, row)
    if kind == "database":
        return database(web, row)
    if kind == "directory":
        return directory(web, row)
    found = prose(web, row)
    key = (web.seed, kind, row.original, row.member)
    if kind == "session id":
        # It is in the address and in the links; a reader does not see it.
        return replace(found, planted={"session_id": bits(8, *key).hex()})
    if kind == "time stamp":
        now = fetched(row.page).strftime("%Y-%m-%d %H:%M:%S")
        return replace(found, above=f"It is {now} now.", planted={"time_stamp": now})
    if kind == "execution time":
        seconds = numbers(1, *key)[0] % 3000 / 1000
        line = f"Page generated in {seconds:.3f} seconds."
        return replace(found, below=line, planted={"execution_time": seconds})
    if kind == "visitor count":
        [first] = numbers(1, web.seed, kind, row.original)
        visitors = first + 3 * row.member
        line = f"You are visitor number {visitors} of this page."
        return replace(found, below=line, planted={"visitor_count": visitors})
    if kind == "form":
        words = vocabulary(web.seed, template_of(web, row.home).language)
        fields = words.words(FIELDS, *key)
        return replace(found, fields=(str(1000 + row.member), *fields))
    if kind == "own address":
        address = f"http://{host_name(web.seed, row.host)}{path(row.place)}"
        return replace(found, below=f"The address of this page is {address}")
    return found


def prose(web: Web, row: Planned) -> Content:
    """An original's text, or a near-copy of it."""
    template = template_of(web, row.home)
    words = vocabulary(web.seed, template.language)
    key = (web.seed, "prose", row.original)
    length, heading = numbers(2, *key)
    title = words.words(5 + heading % 4, *key, "title")
    body = words.words(page_words(web.words)[length], *key, "body")
    related = words.words(RELATED * RELATED, *key, "related")
    planted = {}
    if KINDS[row.kind] == "near-copy":
        target = LEAST + (MOST - LEAST) * share(*key, "target", row.member)
        others = template.words + len(related)
        title, body = near_copy(title, body, others, target, words, *key, "edit", row.member)
        planted = {"target": target}
    links = [words.phrase(related[start::RELATED]) for start in range(RELATED)]
    return Content(words.phrase(title), text(body, words, *key), links, planted=planted)


def shop(web: Web, row: Planned) -> Content:
    """One item of a shop, with what the shop says on every page."""
    words = vocabulary(web.seed, template_of(web, row.home).language)
    key = (web.seed, "shop", row.original)
    own = (*key, "item", row.member)
    length, price, number = numbers(3, *own)
    name = words.phrase(words.words(3, *own, "name"))
    item = words.words(10 + int(ITEM * web.words * length / TOP), *own, "body")
    terms = words.words(int((1 - ITEM) * web.words), *key, "body")
    offer = f"{name}: {price / 100:.2f} EUR, item number {number}."
    paragraphs = [*text(item, words, *own), *text(terms, words, *key)]
    return Content(name, paragraphs, above=offer, planted={"item": name})


def database(web: Web, row: Planned) -> Content:
    """A record of a database: some words of its own, one after the other, among many that all
    records have."""
    words = vocabulary(web.seed, template_of(web, row.home).language)
    key = (web.seed, "database", row.original)
    length, place, times = numbers(3, *key)
    common = words.words(RECORD + length % RECORD_SPREAD, *key, "body")
    middle = place % len(common)
    record = words.words(OWN, *key, "record", row.member)
    again = OWN_TIMES[times % len(OWN_TIMES)]
    body = [*common[:middle], *(list(record) * again), *common[middle:]]
    return Content(words.phrase(words.words(4, *key, "title")), text(body, words, *key))


def directory(web: Web, row: Planned) -> Content:
    """An entry of a directory: a number and up to four words of its own, each by itself, before
    lines that are there many times."""
    words = vocabulary(web.seed, template_of(web, row.home).language)
    key = (web.seed, "directory", row.original)
    count, number = numbers(2, *key)
    entries = 1 + count % MOST_ENTRIES
    common = words.words(ENTRY * entries, *key, "entry")
    own = [f"{10_000 + (number + 37 * row.member) % 90_000}"]
    own += words.words(MOST_ENTRIES, *key, "own", row.member)
    entry = [
        words.sentence([*common[ENTRY * at : ENTRY * at + ENTRY], own[at]]) for at in range(entries)
    ]
    lines = [words.sentence(words.words(LINE, *key, "line", at)) for at in range(LINES)]
    title = words.phrase(words.words(4, *key, "title"))
    return Content(title, [" ".join(entry), *[" ".join(lines)] * TIMES])


def parked(web: Web, row: Planned) -> Content:
    """The front page of a domain that is for sale: only its name differs."""
    words = vocabulary(web.seed, template_of(web, row.home).language)
    name = domain(web.seed, row.host)
    key = (web.seed, "parked", row.original)
    sentences = words.sentences(words.words(PARKED_WORDS, *key, "body"), *key)
    paragraphs = [f"{name} is for sale.", " ".join(sentences), f"Make an offer for {name} today!"]
    searches = words.words(RELATED * RELATED, *key, "related")
    links = [words.phrase(searches[start::RELATED]) for start in range(RELATED)]
    return Content(name, paragraphs, links, planted={"parked": name})


def text(body: Sequence[str], words: Vocabulary, *key: Key) -> list[str]:
    """Words as paragraphs."""
    sentences = words.sentences(body, *key, "sentences")
    blank = " " if words.language.script.spaced else ""
    return [
        blank.join(sentences[start : start + SENTENCES])
        for start in range(0, len(sentences), SENTENCES)
    ]


@lru_cache(maxsize=8)
def page_words(mean: int) -> tuple[int, ...]:
    """The lengths of pages for the numbers that may be drawn."""
    # The mean of a lognormal is above its median, by a factor that its spread tells.
    normal = NormalDist(-(SPREAD**2) / 2, SPREAD)
    steps = 1024
    lengths = [round(mean * exp(normal.inv_cdf((step + 0.5) / steps))) for step in range(steps)]
    return tuple(max(LEAST_WORDS, length) for length in lengths for _ in range(TOP // steps))
