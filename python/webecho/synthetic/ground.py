"""*Ground*: where pages are planted beside those of the plan: on hosts of their own, with numbers
after the others'. So the pages of the plan are the same whatever is planted beside them."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

from webecho.synthetic.chance import Key, numbers
from webecho.synthetic.content import Content, page_words, text
from webecho.synthetic.hosts import ip, template_of
from webecho.synthetic.languages import Language, vocabulary
from webecho.synthetic.markup import html, visible
from webecho.synthetic.pages import MadePage
from webecho.synthetic.web import Web


class Planted(NamedTuple):
    """A page, a row of the table of what it was planted for, or both."""

    page: MadePage | None
    row: dict[str, Any] | None = None


@dataclass
class Ground:
    """A made-up web, and the numbers of the next page and the next host."""

    web: Web
    next_page: int
    next_host: int

    def host(self) -> int:
        """The number of a host that nobody has."""
        self.next_host += 1
        return self.next_host - 1

    def ip(self, host: int) -> str:
        """The address of the machine of a host."""
        return ip(self.web, host)

    def said(self, home: int, *key: Key) -> Content:
        """A text of its own, in the language of a host."""
        web = self.web
        words = vocabulary(web.seed, template_of(web, home).language)
        named = (web.seed, "planted", *key)
        [length] = numbers(1, *named)
        title = words.phrase(words.words(6, *named, "title"))
        body = words.words(page_words(web.words)[length], *named, "body")
        return Content(title, text(body, words, *named))

    def page(
        self, kind: str, url: str, home: int, said: Content, original: int | None = None
    ) -> MadePage:
        """A page with the template and on the machine of a host; with an `original` it says what
        that page says."""
        template = template_of(self.web, home)
        body = html(template, said, 0, 0, self.web.seed, home)
        return self.made(
            *(kind, url, home, body, visible(template, said), template.language),
            original=original,
            template=template.number,
        )

    def made(
        self,
        kind: str,
        url: str,
        machine: int,
        body: str,
        seen: str,
        language: Language,
        *,
        original: int | None = None,
        template: int | None = None,
    ) -> MadePage:
        """A page as it was sent, of which a reader sees this much."""
        self.next_page += 1
        return MadePage(
            body,
            {
                "page": self.next_page - 1,
                "url": url,
                "host": url.split("/")[2],
                "ip": self.ip(machine),
                "kind": kind,
                "original": original,
                "resemblance": None if original is None else 1.0,
                "template": template,
                "language": language.name,
                "script": language.script.name,
                "text": blake2b(seen.encode(), digest_size=16).digest(),
            },
        )
