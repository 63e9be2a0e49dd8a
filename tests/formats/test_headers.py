import pytest

from webecho.formats.headers import LENGTH, warc_fields


def test_names_are_in_lower_case_and_values_without_the_spaces_around_them() -> None:
    lines = [b"WARC-Type:  response ", b"content-length :\t12", b"nonsense", b"Empty:"]
    assert warc_fields(lines) == {
        b"warc-type": b"response",
        b"content-length": b"12",
        b"empty": b"",
    }


def test_of_fields_with_the_same_name_the_first_counts() -> None:
    lines = [b"Content-Length: 1", b"CONTENT-LENGTH: 2", b" more of the second"]
    assert warc_fields(lines) == {b"content-length": b"1"}


def test_a_long_value_goes_on_in_the_next_lines() -> None:
    assert warc_fields([b" before all", b"A: one", b"  two", b"\tthree"]) == {
        b"a": b"one two three"
    }


@pytest.mark.parametrize(
    ("value", "is_length"),
    [(b"0", True), (b"+12", True), (b"9" * 18, True), (b"9" * 19, False), (b"-1", False)],
)
def test_lengths(value: bytes, is_length: bool) -> None:
    assert bool(LENGTH.match(value)) is is_length
