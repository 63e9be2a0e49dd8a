"""Tables on a screen: nothing is cut off at its edge, and no digit is lost."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from webecho.show.layout import broken, decimals, laid_out, shortened

URL = "http://host.example/folder/page.html"


def test_what_fits_is_as_it_is() -> None:
    rows = pa.table(
        {"page": [1, 1234], "url": ["a", None], "share": [0.5, 0.25], "none": [None] * 2}
    )
    assert laid_out(rows, 80) == [
        " page  url  share",
        "    1  a     0.50",
        "1,234        0.25",
    ]


def test_the_way_down_to_a_narrow_screen() -> None:
    rows = pa.table(
        {
            "page": [1, 2],
            "url": [URL, URL + "x"],
            "number of words": [1234567, 89],
            "same": ["yes", "yes"],
        }
    )
    whole = [
        "page  url                                    number of words  same",
        "   1  http://host.example/folder/page.html         1,234,567  yes",
        "   2  http://host.example/folder/page.htmlx               89  yes",
    ]
    assert laid_out(rows, 66) == whole
    # What is the same in all rows is told once.
    assert laid_out(rows, 65) == [*(line[:60].rstrip() for line in whole), "in all rows: same yes"]
    # Then names take several lines, and then the middle of text goes.
    assert laid_out(rows, 50) == [
        "                                         number of",
        "page  url                                    words",
        "   1  host.example/folder/page.html      1,234,567",
        "   2  host.example/folder/page.htmlx            89",
        "in all rows: same yes",
        "all begin with http://: url",
    ]
    # At last columns stand below each other, with what names a row.
    assert laid_out(rows, 24) == [
        "page  url",
        "   1  host.exa…page.html",
        "   2  host.exa…age.htmlx",
        "",
        "page  number of words",
        "   1        1,234,567",
        "   2               89",
        "in all rows: same yes",
        "all begin with http://:",
        "  url",
    ]


def test_different_rows_never_look_alike() -> None:
    facts = [
        "share of clusters of two among clusters",
        "share of clusters of ten among clusters",
        "share of clusters of ten among duplicates",
    ]
    rows = pa.table(
        {
            "fact": facts,
            "value": [1, 2, 3],
            "where": ["the paper, section 4.1, about"] * 2 + ["the paper"],
        }
    )
    # Where there is room the names are whole, and what else there is gives way.
    assert laid_out(rows, 70)[1:] == [
        f"{facts[0]}        1  the paper…4.1, about",
        f"{facts[1]}        2  the paper…4.1, about",
        f"{facts[2]}      3  the paper",
    ]
    # Where there is not, they are as short as tells them apart.
    assert [line.split("  ")[0] for line in laid_out(rows, 62)[1:]] == [
        "share of cluste…o among clusters",
        "share of cluste…n among clusters",
        "share of cluste…among duplicates",
    ]


def test_a_short_word_is_not_shortened() -> None:
    rules = ["very-similar", "virtually-identical"]
    rows = pa.table({"rank": [1, 2], "rule": rules, "pages": [10**9, 1], "words": ["a " * 40, "b"]})
    assert laid_out(rows, 60)[2].startswith("   2  virtually-identical ")


def test_a_line_is_broken_by_the_width_of_its_characters() -> None:
    assert broken("name  日本語の ページ です", 18) == ["name  日本語の", "      ページ です"]
    assert broken("a sentence that goes on", 12) == ["a sentence", "  that goes", "  on"]
    # A word is never broken: it may be a path.
    assert broken("see /a/long/path/of/a/file", 10) == ["see", "  /a/long/path/of/a/file"]


def test_rows_are_named_by_as_few_columns_as_tell_them_apart() -> None:
    rows = pa.table(
        {
            "old": ["a", "a", "b"],
            "new": ["b", "c", "c"],
            "pages": [10**9, 1, 2],
            "chars": [3, 4, 10**9],
        }
    )
    assert laid_out(rows, 24) == [
        "old  new          pages",
        "a    b    1,000,000,000",
        "a    c                1",
        "b    c                2",
        "",
        "old  new          chars",
        "a    b                3",
        "a    c                4",
        "b    c    1,000,000,000",
    ]


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ([1.0, 20.0], 0),
        ([0.5, 0.25], 2),
        ([1 / 3], 4),
        ([12345.678], 0),
        ([7.8325, 17.0137], 2),
        ([1e9 + 0.5], 0),
        ([], 0),
    ],
)
def test_digits_behind_the_point(values: list[float], digits: int) -> None:
    assert decimals(values) == digits


def test_text_is_shortened_in_the_middle() -> None:
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghij", 7) == "abc…hij"
    assert shortened("abcdefghij", 1) == "…"
    # Characters of two columns.
    assert cell_len(shortened("日本語のページです", 8)) == 8


def test_nothing_does_something_to_the_terminal() -> None:
    rows = pa.table({"\x1b[31mred": ["\x1b]0;title\x07[bold]"]})
    assert "\x1b" not in "".join(laid_out(rows, 40)) and "[bold]" in laid_out(rows, 40)[1]


TEXTS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=40)


@given(
    st.lists(
        st.tuples(TEXTS, TEXTS, st.integers(0, 10**9), st.floats(0, 1)), min_size=1, max_size=6
    ),
    st.integers(60, 140),
)
def test_no_line_is_wider_than_the_screen(
    rows: list[tuple[str, str, int, float]], screen: int
) -> None:
    names = ["title", "address of it", "number of words", "share of all"]
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    table = pa.table({name: list(values) for name, values in columns.items()})
    lines = laid_out(table, screen)
    assert max(map(cell_len, lines)) <= screen
    # Every number is there, whole.
    said = "\n".join(laid_out(table, screen))
    assert all(f"{number:,}" in said for _, _, number, _ in rows)


def test_ids_of_records_give_room_to_addresses() -> None:
    ids = [f"<urn:uuid:{number:036}>" for number in range(2)]
    rows = pa.table({"page": [1, 2], "url": [URL, "https://other.example/"], "id": ids})
    assert laid_out(rows, 50) == [
        "page  url",
        "   1  http://host.example/folder/page.html",
        "   2  https://other.example/",
        "not shown: id, the ids of records",
    ]
    # Where there is room they are shown, and a user's own ids always.
    assert ids[0] in laid_out(rows, 120)[1]
    assert ids[0][:9] in laid_out(rows.select(["id"]), 30)[1]


def test_lines_are_broken_between_words_below_their_last_column() -> None:
    line = "rule-1  yes  three of four agree, two of which are asked for"
    assert broken(line, 80) == [line]
    assert broken(line, 40) == [
        "rule-1  yes  three of four agree, two of",
        "             which are asked for",
    ]
    assert broken("a long sentence of words", 12) == ["a long", "  sentence", "  of words"]
    # What has no blank is left whole, to be copied.
    assert broken(f"#1  {URL}", 20) == ["#1", f"    {URL}"]
