from webecho.formats.delimited import row_ends, rows
from webecho.formats.lines import BadRecord

CSV = b'id,text\n1,"two\nlines"\n\n2,x,y\n3,z'


def test_the_header_comes_first_and_bad_rows_in_their_places() -> None:
    assert list(rows(iter([CSV]), None)) == [
        ["id", "text"],
        ["1", "two\nlines"],
        BadRecord("blank"),
        BadRecord("wrong number of fields", "3, where the header has 2"),
        ["3", "z"],
    ]


def test_the_lines_after_which_rows_end() -> None:
    assert list(row_ends(iter([CSV]), None)) == [1, 3, 4, 5, 6]


def test_rows_do_not_depend_on_how_the_bytes_come() -> None:
    pieces = [CSV[at : at + 3] for at in range(0, len(CSV), 3)]
    assert list(rows(iter(pieces), None)) == list(rows(iter([CSV]), None))


def test_the_delimiter_is_that_of_the_header_unless_one_is_given() -> None:
    assert next(rows(iter([b"a;b\n"]), None)) == ["a", "b"]
    assert next(rows(iter([b"a\tb\n"]), None)) == ["a", "b"]
    assert next(rows(iter([b"a,b\tc\n"]), "\t")) == ["a,b", "c"]


def test_an_unclosed_quote_says_which_lines_it_took() -> None:
    *_, last = rows(iter([b'a\n"x\ny\n']), None)
    assert last == BadRecord("unclosed quote", "lines 2 to 3")


def test_a_line_over_the_longest_is_bad() -> None:
    found = list(rows(iter([b"a\n" + b"x" * 11 + b"\ny\n"]), None, longest=10))
    assert found == [["a"], BadRecord("too long", "a line of over 10 bytes"), ["y"]]
