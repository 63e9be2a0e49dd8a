"""A page's HTML: its content in the template of its host, with links to pages of that host.

Where the markup differs but the words and their order do not, it is the same page to a reader, and
the same token sequence.
"""

from webecho.synthetic.chance import numbers
from webecho.synthetic.content import Content
from webecho.synthetic.hosts import Template, path

# The elements around the header, the navigation, the text and the footer.
LAYOUTS = (
    ('<div class="head">', '<div class="nav">', '<div class="main">', '<div class="foot">'),
    ("<header>", "<nav>", "<main>", "<footer>"),
    ('<div id="t">', '<ul class="menu">', '<article class="c">', '<div id="b">'),
)


def html(template: Template, content: Content, place: int, layout: int, *key: int | str) -> str:
    """The page as it was sent. `place` is its number on its host; links go to earlier ones."""
    top, side, middle, bottom = LAYOUTS[(template.layout + layout) % len(LAYOUTS)]
    session = content.planted.get("session_id")
    query = f"?sid={session}" if session else ""
    targets = iter(numbers(len(template.navigation) + len(content.related), *key, "links"))

    def link(words: str) -> str:
        target = next(targets) % place if place else 0
        return f'<a href="{path(target)}{query}">{words}</a>'

    parts = [
        f"<!DOCTYPE html>\n<html><head><title>{content.title}</title></head>\n<body>",
        f"{top}<h1>{template.site}</h1><p>{template.slogan}</p>{closed(top)}",
        f"{side}{' | '.join(map(link, template.navigation))}{closed(side)}",
        middle,
        *([f"<p>{content.above}</p>"] if content.above else []),
        *filled_in(content),
        "".join(f"<li>{link(words)}</li>" for words in content.related),
        closed(middle),
        f"{bottom}<p>{template.footer}</p>",
        *([f"<p>{content.below}</p>"] if content.below else []),
        f"{closed(bottom)}\n</body></html>\n",
    ]
    return "\n".join(parts)


def filled_in(content: Content) -> list[str]:
    """The paragraphs, each with a field of the form after it as long as there are some."""
    paragraphs = [f"<p>{paragraph}</p>" for paragraph in content.paragraphs if paragraph]
    fields = [f"<form><textarea>{field}</textarea></form>" for field in content.fields]
    last = len(paragraphs) - 1
    return [
        part
        for number, paragraph in enumerate(paragraphs)
        for part in (
            paragraph,
            *(fields[number:] if number == last else fields[number : number + 1]),
        )
    ]


def closed(tag: str) -> str:
    return f"</{tag[1:-1].split()[0]}>"


def visible(template: Template, content: Content) -> str:
    """All that a reader sees, in order: equal for two pages if and only if their text is."""
    return "\n".join(
        (
            content.title,
            template.site,
            template.slogan,
            *template.navigation,
            content.above,
            *content.paragraphs,
            *content.related,
            *content.fields,
            template.footer,
            content.below,
        )
    )
