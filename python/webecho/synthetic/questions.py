"""*Planted question*: 20 words or more, as those that a model is tested with, of which it is known
in which pages they stand. Every third one stands nowhere.

Where it stands, other words come before it and after it in the same paragraph; every other time its
case is another, or its punctuation, or its lines end at other words.
"""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from webecho.synthetic.chance import numbers
from webecho.synthetic.content import Content
from webecho.synthetic.ground import Ground, Planted
from webecho.synthetic.hosts import host_name
from webecho.synthetic.languages import LANGUAGES, Vocabulary, vocabulary

QUESTIONS = pa.schema(
    [
        ("id", pa.string()),
        ("text", pa.string()),
        ("words", pa.int32()),
        ("how", pa.string()),
        ("page", pa.int64()),
        ("url", pa.string()),
    ]
)
LEAST_WORDS, MORE_WORDS = 20, 21
NOWHERE = 3  # one in so many
# Words before it and after it in its paragraph.
BEFORE, AFTER = 17, 13
LINE = 7  # words, where its lines end anew
# Their words are the same in another case, and parted by white space.
WRITTEN = tuple(language for language in LANGUAGES if language.script.name in ("Latin", "Cyrillic"))
HOWS = ("as it is", "case", "punctuation", "lines", "all")


def plant_questions(ground: Ground) -> Iterator[Planted]:
    """A row for each page in which a question stands, or for one that stands nowhere."""
    web = ground.web
    for number in range(web.questions):
        words = vocabulary(web.seed, WRITTEN[number % len(WRITTEN)])
        key = (web.seed, "question", number)
        [length] = numbers(1, *key)
        asked = words.words(LEAST_WORDS + length % MORE_WORDS, *key, "words")
        row = {
            "id": f"q-{number:05}",
            "text": words.sentence(asked)[: -len(words.language.script.stop)] + "?",
            "words": len(asked),
        }
        if number % NOWHERE == NOWHERE - 1:
            yield Planted(None, row)
            continue
        for member in range(1 + number % 2):
            home = ground.host()
            how = HOWS[(number // NOWHERE + number + member) % len(HOWS)]
            said = ground.said(home, "question", number, member)
            middle = len(said.paragraphs) // 2
            around = words.words(BEFORE + AFTER, *key, "around", member)
            inside = " ".join(
                [
                    words.sentence(around[:BEFORE]),
                    written(str(row["text"]), how, words),
                    words.sentence(around[BEFORE:]),
                ]
            )
            paragraphs = [*said.paragraphs[:middle], inside, *said.paragraphs[middle:]]
            url = f"http://{host_name(web.seed, home)}/exams/{number}.html"
            page = ground.page("question", url, home, Content(said.title, paragraphs))
            yield Planted(page, row | {"how": how, "page": page.truth["page"], "url": url})


def written(text: str, how: str, words: Vocabulary) -> str:
    """The question as a page has it."""
    if how in ("case", "all"):
        text = text.upper() if len(text) % 2 else text.title()
    if how in ("punctuation", "all"):
        comma = words.language.script.comma
        text = f'"{text.replace(comma, " - ").removesuffix("?")}"…'
    if how in ("lines", "all"):
        text = "<br>\n".join(lines(text.split()))
    return text


def lines(words: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(words), LINE):
        yield " ".join(words[start : start + LINE])
