"""Questions stand where the truth says, in other case, punctuation and lines, and nowhere else."""

import json
import re

from tests.synthetic.conftest import PLANTED_WEB, Planted
from webecho import _core
from webecho.settings import WEBECHO
from webecho.synthetic.languages import LANGUAGES, vocabulary
from webecho.synthetic.questions import HOWS, written


def words_of(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def test_questions_stand_in_their_pages_and_nowhere_else(planted: Planted) -> None:
    sketcher = _core.Sketcher(WEBECHO.as_dict(), 1)
    pages = [words_of(sketcher.text(html.encode(), True, None)) for html in planted.html]
    rows = planted.table("questions")
    asked = {row["id"]: words_of(row["text"]) for row in rows}
    for number, question in asked.items():
        there = {row["page"] for row in rows if row["id"] == number} - {None}
        assert {page for page, text in enumerate(pages) if question in text} == there


def test_there_are_as_many_as_were_asked_for(planted: Planted) -> None:
    rows = planted.table("questions")
    assert len({row["id"] for row in rows}) == PLANTED_WEB.questions
    assert sum(row["page"] is None for row in rows) == PLANTED_WEB.questions // 3
    assert all(len(row["text"].split()) == row["words"] >= 20 for row in rows)
    assert {row["how"] for row in rows} == {*HOWS, None}


def test_the_questions_are_a_file_of_their_own(planted: Planted) -> None:
    lines = (planted.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    rows = {row["id"]: row["text"] for row in planted.table("questions")}
    assert found == [{"id": number, "text": text} for number, text in rows.items()]


def test_how_a_question_is_written() -> None:
    words = vocabulary(0, LANGUAGES[0])
    asked = "One two three four, five six seven eight nine ten?"
    assert written(asked, "as it is", words) == asked
    assert written(asked, "case", words) == "One Two Three Four, Five Six Seven Eight Nine Ten?"
    assert written(asked, "punctuation", words) == (
        '"One two three four - five six seven eight nine ten"…'
    )
    assert written(asked, "lines", words) == (
        "One two three four, five six seven<br>\neight nine ten?"
    )
