"""Documents are made: whole paragraphs as HTML, with links on their sentences, and what is true.

Everything that a reader sees is a sentence of a paragraph, the title too, and a paragraph is always
cut into the same three sentences. Each ends with a period, the only one in it, and is shorter than
150 characters; so the shingle paragraphs of a document are the planned ones, wherever its links go
and whatever its markup.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import pyarrow as pa

from webecho.synthetic.chance import numbers
from webecho.synthetic.documents import Document
from webecho.synthetic.hosts import host_name, ip, path, template_of
from webecho.synthetic.languages import LANGUAGES, Language, Vocabulary, vocabulary
from webecho.synthetic.pages import NAMED, MadePage
from webecho.synthetic.variants import DOCUMENT_KINDS
from webecho.synthetic.web import COMPONENT_NAMES, Web

SENTENCES = 3  # a paragraph
# A sentence has so many characters at the least, and up to so many before its last word.
LEAST_LENGTH, MOST_LENGTH = 40, 110
# Enough words for that even if each has but one letter.
MOST_WORDS = MOST_LENGTH // 2
# Every so many pages have a link to a page that nobody has fetched.
OUTSIDE = 5
# The markup around the text, a paragraph, and between its sentences.
LAYOUTS = (("main", "p", " "), ("article", "div", "\n<br>"))

MADE_DOCUMENTS = pa.schema(
    [
        *NAMED,
        ("variant", pa.int32()),
        ("short", pa.bool_()),
        ("paragraphs", pa.list_(pa.int64())),
        ("common", pa.int32()),
        ("share", pa.float64()),
        ("component", pa.string()),
        ("links", pa.list_(pa.int64())),
        ("language", pa.string()),
        ("script", pa.string()),
    ]
)


def make_documents(web: Web, rows: Iterable[Document]) -> list[MadePage]:
    """The pages of these rows, and all that is true of them."""
    return [make_document(web, row) for row in rows]


def make_document(web: Web, row: Document) -> MadePage:
    # The paragraphs of a family are in one language.
    language = language_of_family(web, row.original)
    host = host_name(web.seed, row.host)
    sentences = [
        sentence for number in row.paragraphs for sentence in paragraph(web.seed, language, number)
    ]
    targets = [
        ("" if at == row.host else f"http://{host_name(web.seed, at)}") + path(target)
        for target, at in zip(row.links, row.link_hosts, strict=True)
    ]
    if row.page % OUTSIDE == 0:
        targets.append(f"http://outside.example/{row.page}.html")
    truth = {
        "page": row.page,
        "url": f"http://{host}{path(row.page)}",
        "host": host,
        "ip": ip(web, row.host),
        "kind": DOCUMENT_KINDS[row.kind],
        "original": row.original if row.member else None,
        "variant": row.variant,
        "short": len(row.paragraphs) == 1,
        "paragraphs": row.paragraphs,
        "common": row.common if row.member else None,
        "share": row.common / len(row.paragraphs) if row.member else None,
        "component": COMPONENT_NAMES[row.component],
        "links": row.links,
        "language": language.name,
        "script": language.script.name,
    }
    return MadePage(document_html(sentences, targets, row.member % len(LAYOUTS)), truth)


def language_of_family(web: Web, original: int) -> Language:
    """One that ends its sentences with a period."""
    found = template_of(web, original).language
    return found if found.script.stop == "." else LANGUAGES[0]


@lru_cache(maxsize=1 << 12)
def paragraph(seed: int, language: Language, number: int) -> tuple[str, ...]:
    """The three sentences of a paragraph."""
    words = vocabulary(seed, language)
    drawn = words.words(SENTENCES * MOST_WORDS, seed, "paragraph", number)
    lengths = numbers(SENTENCES, seed, "lengths", number)
    return tuple(sentence(words, drawn[at::SENTENCES], length) for at, length in enumerate(lengths))


def sentence(words: Vocabulary, drawn: Sequence[str], length: int) -> str:
    """As many of the drawn words as have the length that is wanted, as a sentence."""
    wanted = LEAST_LENGTH + length % (MOST_LENGTH - LEAST_LENGTH)
    return words.sentence(enough(drawn, wanted))


def enough(drawn: Sequence[str], wanted: int) -> Sequence[str]:
    """The first of the drawn words that with the spaces between them have so many characters."""
    characters = count = 0
    while characters < wanted:
        characters += len(drawn[count]) + 1
        count += 1
    return drawn[:count]


def document_html(sentences: Sequence[str], targets: Sequence[str], layout: int) -> str:
    """The page as it was sent: links around its sentences, and what is left of them in a map."""
    text, block, between = LAYOUTS[layout]
    title, *rest = sentences
    shown = [
        f'<a href="{targets[at]}">{one}</a>' if at < len(targets) else one
        for at, one in enumerate(rest)
    ]
    # The title is the first sentence of the first paragraph.
    starts = [0, *range(SENTENCES - 1, len(shown), SENTENCES)]
    blocks = [
        f"<{block}>{between.join(shown[start:end])}</{block}>"
        for start, end in zip(starts, [*starts[1:], len(shown)], strict=True)
    ]
    areas = "".join(f'<area href="{target}">' for target in targets[len(rest) :])
    return "\n".join(
        [
            f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n<body><{text}>",
            *blocks,
            *([f'<map name="more">{areas}</map>'] if areas else []),
            f"</{text}></body></html>\n",
        ]
    )
