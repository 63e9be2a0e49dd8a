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


def test_names_of_columns_are_broken_behind_underscores() -> None:
    rows = pa.table({"left_containment": [0.5], "right_containment": [0.25], "url": ["a" * 30]})
    assert laid_out(rows, 56) == [
        "      left_       right_",
        "containment  containment  url",
        f"        0.5         0.25  {'a' * 30}",
    ]


def test_columns_of_two_sides_stand_together() -> None:
    pages = {"left": [1, 1, 2], "right": [3, 4, 4]}
    urls = {f"{side}_url": [f"{URL}{at}" for at in (3, 4, 5)] for side in pages}
    shares = {f"{side}_share": [0.25, 0.5, 1.0] for side in pages}
    assert laid_out(pa.table({**pages, **shares, **urls}), 52) == [
        "left  right  left_share  right_share",
        "   1      3        0.25         0.25",
        "   1      4        0.50         0.50",
        "   2      4        1.00         1.00",
        "",
        "left  right  left_url            right_url",
        "   1      3  host.exa…age.html3  host.exam…age.html3",
        "   1      4  host.exa…age.html4  host.exam…age.html4",
        "   2      4  host.exa…age.html5  host.exam…age.html5",
        "all begin with http://: left_url, right_url",
    ]


def test_a_paper_stands_beside_what_is_found() -> None:
    shares = {name: [0.25, 0.5] for name in ("correct", "correct, paper", "wrong", "wrong, paper")}
    assert laid_out(pa.table({"rule": ["b", "c"], **shares}), 29) == [
        "rule  correct  correct, paper",
        "b        0.25            0.25",
        "c        0.50            0.50",
        "",
        "rule  wrong  wrong, paper",
        "b      0.25          0.25",
        "c      0.50          0.50",
    ]


def test_blocks_are_as_narrow_as_their_number_allows() -> None:
    numbers = {name * 6: [10**6, 1] for name in "abcde"}
    lines = laid_out(pa.table({"rule": ["b", "c"], **numbers}), 50)
    # Four of the five find room, and then one would stand alone.
    assert [line.split() for line in lines if "rule" in line] == [
        ["rule", "aaaaaa", "bbbbbb", "cccccc"],
        ["rule", "dddddd", "eeeeee"],
    ]


def test_rows_that_only_names_tell_apart_keep_their_numbers() -> None:
    same = {"pages": [400] * 2, "share saved": ["7.2%"] * 2, "size": ["989.1 KB"] * 2}
    rows = pa.table({"left out": ["pages that are copies", "pages that share chunks"], **same})
    assert laid_out(rows, 45) == [
        "left out                 pages  share saved",
        "pages that are copies      400         7.2%",
        "pages that share chunks    400         7.2%",
        "in all rows: size 989.1 KB",
    ]


def test_sentences_are_broken_and_nothing_is_left_out_of_them() -> None:
    facts = ["share of clusters of two among clusters", "share of duplicates"]
    where = ["Pereira 2006, section 4.1, about", "Table 2"]
    rows = pa.table({"fact": facts, "value": ["20.0%", "6.9%"], "where": where})
    assert laid_out(rows, 62, ["fact", "where"]) == [
        "fact                        value  where",
        "share of clusters of two    20.0%  Pereira 2006, section 4.1,",
        "  among clusters                     about",
        "share of duplicates          6.9%  Table 2",
    ]


def test_numerals_stand_one_below_the_other() -> None:
    rows = pa.table(
        {"machines": ["1", "12", None], "share": ["7.2%", "100%", ""], "a": ["1 ?"] * 3}
    )
    assert laid_out(rows, 40) == [
        "machines  share  a",
        "       1   7.2%  1 ?",
        "      12   100%  1 ?",
        "                 1 ?",
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


def test_a_text_of_several_lines_stands_in_one() -> None:
    rows = pa.table({"passage": ["one \n two\r\n\tthree", "four"]})
    assert laid_out(rows, 40) == ["passage", "one two three", "four"]


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
    assert broken(f"#1  {URL} and", 20) == [f"#1  {URL}", "    and"]
