"""*Planted passage*: lines that two or three otherwise different pages have in common.

A page is a title and lines, each in a block element of its own and all different, so that pages
share nothing but the passage, and a line is a line of the text that is read from the page. Every
other passage begins at lines that leave the same rest by four on all its pages: cut into chunks of
one, two or four lines, it is cut at the same places. The others begin at different rests, so that
chunks of four lines have nothing in common.
"""

from collections.abc import Iterator, Sequence
from itertools import cycle

import pyarrow as pa

from webecho.synthetic.chance import Key, numbers
from webecho.synthetic.ground import Ground, Planted
from webecho.synthetic.hosts import host_name, template_of
from webecho.synthetic.languages import Vocabulary, vocabulary

PASSAGES = pa.schema(
    [
        ("passage", pa.int32()),
        ("page", pa.int64()),
        ("url", pa.string()),
        ("line", pa.int32()),
        ("lines", pa.int32()),
        ("page_lines", pa.int32()),
    ]
)
# A passage has from so many lines to so many; every third one is on three pages.
LEAST, MOST = 4, 80
# Lines before and after it: at the least, and up to so many more.
AROUND, MORE = 3, 20
# The largest number of lines of a chunk at whose ends the aligned passages begin.
ALIGNED = 4
WORDS = 9  # a line has at the least
BLOCKS = ("p", "div", "li", "h3", "blockquote")


def plant_passages(ground: Ground) -> Iterator[Planted]:
    """The pages of each passage, with the line at which it begins: the first is number 1."""
    web = ground.web
    for passage in range(web.passages):
        key = (web.seed, "passage", passage)
        [length] = numbers(1, *key)
        hosts = [ground.host() for _ in range(3 if passage % 3 == 2 else 2)]
        language = template_of(web, hosts[0]).language
        words = vocabulary(web.seed, language)
        shared = made_lines(words, LEAST + length % (MOST - LEAST + 1), *key, "shared")
        for member, host in enumerate(hosts):
            before, after = numbers(2, *key, "around", member)
            # With the title, which is a line too, it is a whole number of chunks and a rest.
            lead = AROUND + before % MORE
            lead += ((member if passage % 2 else 0) - 1 - lead) % ALIGNED
            lines = [
                *made_lines(words, lead + 1, *key, "before", member),
                *shared,
                *made_lines(words, AROUND + after % MORE, *key, "after", member),
            ]
            url = f"http://{host_name(web.seed, host)}/passages/{passage}.html"
            body, seen = passage_html(lines), "\n".join(lines)
            page = ground.made("passage", url, host, body, seen, language)
            row = {
                "passage": passage,
                "page": page.truth["page"],
                "url": url,
                "line": lead + 2,
                "lines": len(shared),
                "page_lines": len(lines),
            }
            yield Planted(page, row)


def made_lines(words: Vocabulary, count: int, *key: Key) -> list[str]:
    """So many lines, each a sentence."""
    return [
        words.sentence(words.words(WORDS + more % 6, *key, "line", at))
        for at, more in enumerate(numbers(count, *key))
    ]


def passage_html(lines: Sequence[str]) -> str:
    """The page as it was sent: the title, and a block for each line after it."""
    title, *rest = lines
    blocks = [
        f"<{block}>{line}</{block}>" for line, block in zip(rest, cycle(BLOCKS), strict=False)
    ]
    return "\n".join(
        [
            f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n<body>",
            *blocks,
            "</body></html>\n",
        ]
    )
