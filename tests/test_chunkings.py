"""Chunkings as people write them, and the names of their tables."""

import pytest

from webecho.chunkings import MOST, Chunking, chunking_of, parse_chunkings
from webecho.errors import SettingsError

WRITTEN = {
    "page": Chunking("page"),
    "lines:4": Chunking("lines", 4),
    "lines:4:sliding": Chunking("lines", 4, sliding=True),
    "sentence": Chunking("sentence"),
    "paragraph": Chunking("paragraph"),
    "words:8": Chunking("words", 8),
    "words:8:sliding": Chunking("words", 8, sliding=True),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_chunking_is_written_in_one_way(text: str) -> None:
    assert Chunking.parse(text) == WRITTEN[text]
    assert str(WRITTEN[text]) == text
    assert Chunking.parse(WRITTEN[text].label.replace("-", ":")) == WRITTEN[text]
    assert chunking_of(WRITTEN[text].table) == WRITTEN[text]


def test_the_names_of_files() -> None:
    assert Chunking.parse(" lines:04 ") == Chunking("lines", 4)
    assert Chunking("lines", 4).label == "lines-4"
    assert Chunking("words", 8, sliding=True).label == "words-8-sliding"
    assert Chunking("page").table == "chunks-page"
    assert Chunking("lines", 4).table == "chunks-lines-4"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lines", "'lines' is no chunking: say how many lines, as in lines:4 or lines:4:sliding"),
        ("words:x", "say how many words"),
        ("words:8:slide", "say how many words"),
        ("words:8:sliding:9", "say how many words"),
        ("lines:-1", "say how many lines"),
        ("lines:²", "say how many lines"),
        ("lines:0", "lines:0: a chunk has 1 to 1,000,000 lines, as in lines:4"),
        ("lines:1000001", "lines:1000001: a chunk has 1 to 1,000,000 lines"),
        (f"lines:{'9' * 5000}", "a chunk has 1 to 1,000,000 lines"),
        ("page:3", "'page:3' is no chunking: page takes nothing after it"),
        ("sentence:sliding", "sentence takes nothing after it"),
        ("characters:3", "'characters:3' is no chunking; give page, lines:N, sentence, paragraph"),
        ("", "is no chunking; give page"),
    ],
)
def test_what_is_no_chunking_is_told_what_is_one(text: str, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        Chunking.parse(text)
    assert message in str(error.value)


def test_no_other_value_can_be_made() -> None:
    assert Chunking("words", MOST).size == MOST
    for unit, size, sliding in [
        ("line", 1, False),
        ("page", 2, False),
        ("sentence", 1, True),
        ("lines", 0, False),
        ("lines", 1.5, False),
        ("lines", MOST + 1, False),
    ]:
        with pytest.raises(SettingsError):
            Chunking(unit, size, sliding)  # type: ignore[arg-type]


def test_several_are_listed_each_once() -> None:
    two = (Chunking("lines", 4), Chunking("lines", 2))
    assert parse_chunkings("lines:4,lines:2, lines:4") == two
    assert parse_chunkings("") == ()


@pytest.mark.parametrize(
    "name", ["sketches", "chunks-", "chunks-lines", "chunks-lines-04", "chunks-../x", "lines-4"]
)
def test_other_tables_have_no_chunks(name: str) -> None:
    assert chunking_of(name) is None
