import pytest

from webecho.formats.delimited import DIALECTS, row_ends, rows
from webecho.formats.lines import BadRecord

CSV = b'id,text\n1,"two\nlines"\n\n2,x,y\n3,z'


def test_the_header_comes_first_and_bad_rows_in_their_places() -> None:
    assert list(rows(iter([CSV]))) == [
        ["id", "text"],
        ["1", "two\nlines"],
        BadRecord("blank"),
        BadRecord("wrong number of fields", "3, where the header has 2"),
        ["3", "z"],
    ]


def test_the_lines_after_which_rows_end() -> None:
    assert list(row_ends(iter([CSV]))) == [1, 3, 4, 5, 6]


def test_rows_do_not_depend_on_how_the_bytes_come() -> None:
    pieces = [CSV[at : at + 3] for at in range(0, len(CSV), 3)]
    assert list(rows(iter(pieces))) == list(rows(iter([CSV])))


def test_the_delimiter_is_that_of_the_header_unless_one_is_given() -> None:
    assert next(rows(iter([b"a;b\n"]))) == ["a", "b"]
    assert next(rows(iter([b"a\tb\n"]))) == ["a", "b"]
    assert next(rows(iter([b"a,b\tc\n"]), DIALECTS["tsv"])) == ["a,b", "c"]


def test_an_unclosed_quote_says_which_lines_it_took() -> None:
    *_, last = rows(iter([b'a\n"x\ny\n']))
    assert last == BadRecord("unclosed quote", "lines 2 to 3")


def test_a_line_over_the_longest_is_bad() -> None:
    found = list(rows(iter([b"a\n" + b"x" * 11 + b"\ny\n"]), longest=10))
    assert found == [["a"], BadRecord("too long", "a line of over 10 bytes"), ["y"]]


PLAIN = b'id\ttext\n1\t"Yes," she said\n2\t5" nails\n3\t"\n4\t"whole"\n'
QUOTED = b'id\ttext\n1\t"two\nlines"\n2\t"a\ttab"\n3\tplain\n'


@pytest.mark.parametrize("size", [3, 1 << 20])
def test_quotes_in_tsv_are_data_unless_all_that_begin_a_field_are_quotes(size: int) -> None:
    def read(content: bytes, form: str) -> list[object]:
        pieces = (content[at : at + size] for at in range(0, len(content), size))
        return list(rows(pieces, DIALECTS[form]))

    plain = [
        ["id", "text"],
        ["1", '"Yes," she said'],
        ["2", '5" nails'],
        ["3", '"'],
        ["4", '"whole"'],
    ]
    assert read(PLAIN, "tsv") == read(PLAIN, "tsv-plain") == plain
    quoted = [["id", "text"], ["1", "two\nlines"], ["2", "a\ttab"], ["3", "plain"]]
    assert read(QUOTED, "tsv") == read(QUOTED, "tsv-quoted") == quoted
    # A header in quotes tells it, whatever comes after.
    assert read(b'"id"\t"text"\n1\t"x\n', "tsv")[0] == ["id", "text"]
    assert read(b'"id"\t"text"\n1\t"x\n', "tsv-plain")[1] == ["1", '"x']


def test_rows_of_tsv_without_quoting_end_with_their_lines() -> None:
    content = b'\nid\ttext\r\n1\t"x\r\n\n2\n3\ty'
    assert list(row_ends(iter([content]), DIALECTS["tsv"])) == [2, 3, 4, 5, 6]
    assert list(rows(iter([content]), DIALECTS["tsv"])) == [
        ["id", "text"],
        ["1", '"x'],
        BadRecord("blank"),
        BadRecord("wrong number of fields", "1, where the header has 2"),
        ["3", "y"],
    ]
