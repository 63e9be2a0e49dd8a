"""The rule `overlap`: what its parameters mean."""

import pytest

from webecho.chunkings import Chunking
from webecho.errors import SettingsError
from webecho.group.rules.checks import Shared
from webecho.group.rules.keys import Chunks, SameChunks
from webecho.group.rules.parameters import Value
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Search
from webecho.settings import WEBECHO, recipe

LINES, WORDS = Chunking("lines", 4), Chunking("words", 8, sliding=True)


@pytest.mark.parametrize(
    ("chunking", "shared"),
    [(LINES, 15), (Chunking("lines", 2), 25), (Chunking("page"), 1)],
)
def test_how_many_are_shared_is_the_papers(chunking: Chunking, shared: int) -> None:
    chosen = rule("overlap", chunk=chunking)
    assert dict(chosen.values) == {"chunk": chunking, "shared": shared}
    # What is given counts.
    assert rule("overlap", chunk=chunking, shared=3).value("shared") == 3


@pytest.mark.parametrize("text", ["words:8", "words:8:sliding", "lines:4:sliding", "sentence"])
def test_of_other_chunks_it_must_be_said(text: str) -> None:
    with pytest.raises(SettingsError) as error:
        rule("overlap", chunk=Chunking.parse(text))
    assert error.value.for_command_line() == (
        f"how many chunks of {text} must two pages share? Give --shared"
    )
    assert error.value.for_python().endswith("? Give shared=")


def test_keys_and_check() -> None:
    chosen = rule("overlap", chunk=WORDS, shared=3, most_pages=50, fingerprint=32)
    # Copies are copies, however short.
    assert chosen.sets == SameChunks(WORDS, 1, 32)
    assert chosen.searches(WEBECHO) == (Search(Chunks(WORDS, 32, 50), Shared(3)),)
    assert Shared(3).asked == {"shared_chunks": 3}
    assert chosen.tables == ("chunks-words-8-sliding",)
    plain = rule("overlap")
    assert plain.sets == SameChunks(LINES, 1, 64)
    assert plain.searches(WEBECHO) == (Search(Chunks(LINES, 64), Shared(15)),)
    # It asks for nothing that a recipe's sketches have.
    assert rule("overlap", recipe=recipe("webecho+bits=192")) == plain


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"shared": 0}, "--shared 0: give 1 to 4,294,967,295"),
        ({"most_pages": 1}, "--most-pages 1: give 2 to 4,294,967,295"),
        ({"fingerprint": 48}, "--fingerprint 48: give 64, or the paper's 32"),
        (
            {"resemblance": 0.8},
            "the rule overlap has no --resemblance; that is for similar, and overlap has --chunk, "
            "--shared, --most-pages, --fingerprint",
        ),
    ],
)
def test_what_is_refused(given: dict[str, Value], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        rule("overlap", **given)  # type: ignore[arg-type]
    assert str(error.value) == message


def test_what_is_written_of_the_values() -> None:
    assert rule("overlap", chunk=WORDS, shared=3).written == {
        **{"chunk": "words:8:sliding", "shared": 3},
    }
    assert rule("c").written == {"least_c": 372}
