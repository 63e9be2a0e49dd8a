"""Bytes that are not UTF-8, in lines that otherwise are."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from webecho.read.undecoded import as_bodies, as_strings, as_text, encoded, replaced


@given(some.binary(max_size=30))
def test_the_bytes_of_a_line_come_back(line: bytes) -> None:
    assert encoded(as_text(line)) == line
    assert replaced(as_text(line)) == line.decode("utf-8", "replace")


def test_halves_that_are_no_bytes_are_not_taken_for_some() -> None:
    assert encoded("\ud83d \udc00 \udcff") == "\ufffd \ufffd ".encode() + b"\xff"


def test_strings_have_no_bytes_of_their_own() -> None:
    assert as_strings(["a", None, as_text(b"\xe4")]).to_pylist() == ["a", None, "\ufffd"]


@pytest.mark.parametrize(
    ("found", "expected", "charsets"),
    [
        (["a", None, "é"], [b"a", None, "é".encode()], None),
        (["a", None, as_text(b"\xe4")], [b"a", None, b"\xe4"], ["utf-8", "utf-8", None]),
        # UTF-8 that was cut within a character.
        ([as_text("слово".encode()[:-1])], ["слово".encode()[:-1]], ["utf-8"]),
        # What is left of a pair, as JSON spells it.
        (["a", b"\xed\xa0\xbd"], [b"a", b"\xed\xa0\xbd"], ["utf-8", "utf-8"]),
    ],
)
def test_bodies_are_the_bytes_of_the_line(
    found: list[str | bytes | None], expected: list[bytes | None], charsets: list[str | None] | None
) -> None:
    body, charset = as_bodies(found)
    values = [value.encode() if isinstance(value, str) else value for value in body.to_pylist()]
    assert values == expected
    assert (charset and charset.to_pylist()) == charsets
