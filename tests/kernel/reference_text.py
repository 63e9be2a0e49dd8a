"""The text of a page once more, over html5lib: its parser says what is raw text, what is foreign.

The rules are those of `rust/src/text/html/text.rs`: which elements part lines, which part words,
which may stand within a word, and whose content is no text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import html5lib
from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import namespaces, tokenTypes

from webecho.settings import Recipe

LINES = (
    "address article aside blockquote body br caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html "
    "isindex legend li listing main marquee menu multicol nav ol optgroup option p plaintext pre "
    "search section summary table tbody textarea tfoot thead title tr ul xmp"
)
LETTERS = (
    "abbr acronym b bdi bdo big blink cite code del dfn em font i ins kbd mark nobr q s samp small "
    "strike strong sub sup tt u var wbr"
)
UNSEEN = {"script", "style", "iframe", "noembed", "noframes"}
WHITE = re.compile("[ \t-\r]+")


@dataclass
class Text:
    """The text of a page in pieces; between two pieces stands an image."""

    pieces: list[str] = field(default_factory=lambda: [""])
    images: list[str] = field(default_factory=list)
    title: str | None = None
    dropped: int = 0

    def write(self, text: str) -> None:
        self.pieces[-1] += text


class Watched(HTMLTokenizer):
    """Shows every token to the reader before and after the parser has dealt with it."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        reader: Reader = self.parser
        names = {number: name for name, number in tokenTypes.items()}
        for token in super().__iter__():
            kind, name, data = names[token["type"]], token.get("name"), token.get("data")
            dropped, in_html = reader.is_dropped(), reader.is_in_html()
            if kind in ("Characters", "SpaceCharacters"):
                reader.take_text(data, dropped)
            elif kind == "Comment":
                reader.text.dropped += len(data.encode())
                reader.part("" if reader.recipe.join_formatting else " ", dropped)
            elif kind == "Doctype":
                reader.part(" ", dropped)
            yield token
            # Only now the parser knows whether a tag was HTML's.
            if kind == "StartTag":
                reader.take_start(name, data, dropped, in_html or reader.is_html())
            elif kind == "EndTag":
                reader.take_end(name)


class Reader(html5lib.HTMLParser):
    """Gathers the text while the parser says what is raw text and what is foreign."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.recipe = recipe
        self.text = Text()
        self.templates = 0
        self.in_title = False

    def read(self, html: str) -> None:
        self.innerHTMLMode, self.container, self.scripting = False, None, False
        self.tokenizer = Watched(html, self)
        self.reset()
        self.mainLoop()

    def is_dropped(self) -> bool:
        return self.templates > 0 or any(e.name in UNSEEN for e in self.tree.openElements)

    def is_html(self) -> bool:
        """Whether the element that is open here is HTML's, not SVG's or MathML's."""
        elements = self.tree.openElements
        return not elements or elements[-1].namespace == namespaces["html"]

    def is_in_html(self) -> bool:
        """Whether a tag here would be HTML's, as it also is in SVG's `desc` and its like."""
        return self.is_html() or self.isHTMLIntegrationPoint(self.tree.openElements[-1])

    def take_text(self, data: str, dropped: bool) -> None:
        data = data.replace("\0", "")
        if dropped:
            self.text.dropped += len(data.encode())
            return
        self.text.write(data)
        if self.in_title and self.text.title is not None:
            self.text.title += data

    def part(self, by: str, dropped: bool) -> None:
        if not dropped:
            self.text.write(by)

    def parting(self, name: str) -> str:
        if name in LETTERS.split() and self.recipe.join_formatting:
            return ""
        return "\n" if name in LINES.split() else " "

    def take_end(self, name: str) -> None:
        if name == "template":
            self.templates = max(0, self.templates - 1)
        self.in_title = self.in_title and name != "title"
        self.part(self.parting(name), self.is_dropped())

    def take_start(
        self, name: str, attributes: dict[str, str], dropped: bool, in_html: bool
    ) -> None:
        dropped = dropped and self.is_dropped()  # it may have ended what is dropped
        if not in_html:
            return self.part(" ", dropped)
        if name in ("img", "image") and self.recipe.image_terms and not dropped:
            source = attributes.get("src", "").strip(" \t\n\f\r")
            if source:
                self.text.images.append(source)
                self.text.pieces.append("")
        self.part(self.parting(name), dropped)
        if name == "template":
            self.templates += 1
        if name == "title" and not dropped and self.text.title is None:
            self.text.title, self.in_title = "", True
        return None


def read_markup(html: str, recipe: Recipe) -> Text:
    reader = Reader(recipe)
    reader.read(html)
    return reader.text


def collapse(text: str) -> str:
    """Runs of ASCII white space as one space, none at the ends."""
    return " ".join(part for part in WHITE.split(text) if part)
