"""How a difference is drawn: marks or colours, folds, lines, and columns."""

import pytest
from rich.cells import cell_len
from rich.text import Text

from webecho.group.difference import Stretch
from webecho.show.word_diff import side_by_side, unified


def numbered(prefix: str, count: int) -> tuple[str, ...]:
    return tuple(f"{prefix}{number}" for number in range(count))


def equal(*words: str) -> Stretch:
    return Stretch("equal", words, words)


def removed(*words: str) -> Stretch:
    return Stretch("removed", words, ())


def added(*words: str) -> Stretch:
    return Stretch("added", (), words)


FOX = (equal("the", "quick"), removed("brown", "fox"), added("cat"), equal("jumps"))


def plainly(lines: object) -> list[str]:
    assert hasattr(lines, "__iter__")
    return [line.plain for line in lines]


def test_marks_where_there_are_no_colours() -> None:
    assert plainly(unified(FOX, 80, False)) == ["the quick [-brown fox-] {+cat+} jumps"]


def test_what_is_rewritten_is_shown_on_both_sides() -> None:
    found = (equal("the"), Stretch("rewritten", ("operator<<",), ("operator>>",)), equal("x"))
    assert plainly(unified(found, 80, False)) == ["the [-operator<<-] {+operator>>+} x"]
    [line] = plainly(side_by_side(found, 60, False))
    assert line.split(" │ ") == ["the [-operator<<-] x".ljust(28), "the {+operator>>+} x"]


def test_colours_need_no_marks() -> None:
    [line] = unified(FOX, 80, True)
    assert line.plain == "the quick brown fox cat jumps"
    styled = {(line.plain[span.start : span.end], span.style) for span in line.spans}
    assert ("brown", "red strike") in styled and ("cat", "green") in styled
    assert not any(text == "jumps" for text, _ in styled)


def test_long_equal_stretches_are_folded() -> None:
    words = numbered("w", 40)
    page = (equal(*words), removed("x"), equal(*words), added("y"), equal(*words))
    assert plainly(unified(page, 80, False, context=2)) == [
        "… 38 equal words …",
        "w38 w39 [-x-] w0 w1",
        "… 36 equal words …",
        "w38 w39 {+y+} w0 w1",
        "… 38 equal words …",
    ]
    # What would save nothing is not folded.
    assert plainly(unified((equal(*words[:12]), added("y")), 80, False, context=8)) == [
        " ".join(words[:12]) + " {+y+}"
    ]


def test_pages_that_are_equal_are_one_fold() -> None:
    page = equal(*numbered("w", 1234))
    assert plainly(unified([page], 80, False)) == ["… 1,234 equal words …"]
    assert plainly(side_by_side([page], 80, False)) == ["… 1,234 equal words …"]
    assert plainly(unified([], 80, False)) == []


@pytest.mark.parametrize("width", [12, 20, 33])
def test_lines_are_as_wide_as_the_terminal_and_no_wider(width: int) -> None:
    page = (
        equal("one", "two", "three", "漢", "字", "かな"),
        removed("x" * 50),
        added(*numbered("w", 30)),
    )
    for coloured in (False, True):
        lines = list(unified(page, width, coloured))
        assert all(0 < line.cell_len <= width for line in lines)
        shown = "".join(line.plain for line in lines).replace(" ", "")
        for mark in ("[-", "-]", "{+", "+}"):
            shown = shown.replace(mark, "")
        assert shown == "".join(word for each in page for word in each.words)


def test_side_by_side() -> None:
    assert plainly(side_by_side(FOX, 43, False)) == [
        "the quick [-brown    │ the quick {+cat+}",
        "fox-] jumps          │ jumps",
    ]
    [line] = side_by_side((removed("a"),), 43, False)
    assert line.plain == "[-a-]                │"


def test_each_side_is_spelt_as_its_page_is() -> None:
    page = (Stretch("equal", ("The", "Fox"), ("the", "fox")), added("x"))
    assert plainly(side_by_side(page, 43, False)) == ["The Fox              │ the fox {+x+}"]


def test_columns_of_wide_characters_are_straight() -> None:
    page = (equal(*"漢字かな交じり文の例"), removed("a"), equal("b"))
    lines = plainly(side_by_side(page, 33, False))
    assert {cell_len(line[: line.index("│")]) for line in lines} == {16}


def test_scripts_without_spaces_have_none() -> None:
    page = (
        equal("漢", "字", "2024", "年", "デー", "タ"),
        removed("か", "な"),
        equal("ที่", "นี่", "a", "b"),
    )
    assert plainly(unified(page, 80, False)) == ["漢字 2024 年データ [-かな-] ที่นี่ a b"]
    # Whole runs are tokens where the recipe does not split them.
    assert plainly(unified((equal("漢字", "かな"),), 80, False)) == ["漢字 かな"]


def test_rows_are_cut_so_that_the_sides_do_not_drift_apart() -> None:
    page = []
    for number in range(40):
        page += [equal(*numbered(f"e{number}.", 5)), added(*numbered(f"a{number}.", 10))]
    lines = plainly(side_by_side(page, 83, False))
    starts = [line for line in lines if "e30.0" in line]
    assert len(starts) == 1
    assert starts[0].count("e30.0") == 2


def test_text_from_a_crawl_is_harmless() -> None:
    term = "\x1b[31mlogo\r\n.gif"
    for lines in (unified((added(term),), 80, True), side_by_side((added(term),), 80, False)):
        for line in lines:
            assert isinstance(line, Text)
            assert line.plain.isprintable()
