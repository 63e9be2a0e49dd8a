"""Passages: what is shown of a chunk is the chunk that is stored."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.kernel.kernels import real_pages, sketcher
from tests.kernel.test_chunks import ALL, CHUNKINGS, LETTERS, RECIPES_CHECKED, pages
from webecho.chunkings import Chunking
from webecho.settings import SHIVAKUMAR_1998, WEBECHO, Recipe
from webecho.sketches.passages import Passages, passages

# The line of dashes has no token, and does not count.
HTML = "<title>T</title><p>One, two.<br>Three<p>--<p>four. Five<pre>six\n\n  seven\n</pre>"


def shown(chunking: str, used: Recipe = WEBECHO) -> list[tuple[int, int, str]]:
    [found] = passages(sketcher(used), pages([HTML], markup=True), Chunking.parse(chunking))
    return [(*found.lines(at), found.cut(at)) for at in range(len(found))]


@pytest.mark.parametrize(
    ("chunking", "expected"),
    [
        ("lines:2", [(1, 2, "T\nOne, two."), (3, 4, "Three\n--\nfour. Five"),
                     (5, 6, "six\n\n  seven")]),
        ("lines:5:sliding", [(1, 5, "T\nOne, two.\nThree\n--\nfour. Five\nsix"),
                             (2, 6, "One, two.\nThree\n--\nfour. Five\nsix\n\n  seven")]),
        ("lines:9:sliding", [(1, 6, "T\nOne, two.\nThree\n--\nfour. Five\nsix\n\n  seven")]),
        ("words:3", [(1, 2, "T\nOne, two"), (3, 4, "Three\n--\nfour. Five"),
                     (5, 6, "six\n\n  seven")]),
        ("words:7:sliding", [(1, 5, "T\nOne, two.\nThree\n--\nfour. Five\nsix"),
                             (2, 6, "One, two.\nThree\n--\nfour. Five\nsix\n\n  seven")]),
        ("sentence", [(1, 2, "T\nOne, two."), (3, 4, "Three\n--\nfour."),
                      (4, 6, "Five\nsix\n\n  seven")]),
        ("paragraph", [(1, 1, "T"), (2, 3, "One, two.\nThree"), (4, 4, "four. Five"),
                       (5, 5, "six"), (6, 6, "seven")]),
        ("page", [(1, 6, "T\nOne, two.\nThree\n--\nfour. Five\nsix\n\n  seven")]),
    ],
)  # fmt: skip
def test_passages_are_as_the_page_has_them(
    chunking: str, expected: list[tuple[int, int, str]]
) -> None:
    assert shown(chunking) == expected


def test_by_characters_every_line_with_any_counts() -> None:
    assert shown("lines:2", SHIVAKUMAR_1998)[1:] == [
        (3, 4, "Three\n--"),
        (5, 6, "four. Five\nsix"),
        (7, 7, "seven"),
    ]
    assert shown("words:2", SHIVAKUMAR_1998)[1] == (2, 3, "two.\nThree")


def check(bodies: list[str], used: Recipe, *, markup: bool) -> None:
    """The chunks are those of the page table, and the text of each gives it again."""
    batch = pages([*bodies], markup)
    text = [sketcher(used).text(body.encode(), markup, "utf-8") for body in bodies]
    for chunking in ALL:
        found = passages(sketcher(used), batch, chunking)
        stored = sketcher(used).chunks(batch, [chunking.table])[chunking.table].to_pylist()
        assert [page.chunks.tolist() for page in found] == stored
        for page, whole in zip(found, text, strict=True):
            assert all(page.cut(at) in whole for at in range(len(page)))
            lines = [page.lines(at) for at in range(len(page))]
            assert lines == sorted(lines)
            assert all(1 <= first <= last for first, last in lines)
            if chunking.unit == "lines":
                check_again(page, chunking, used)


def check_again(page: Passages, chunking: Chunking, used: Recipe) -> None:
    """The text alone, cut into as many lines, has the same chunk."""
    for at, chunk in enumerate(page.chunks.tolist()):
        table = Chunking("lines", max(chunking.size, page.lines(at)[1])).table
        assert sketcher(used).chunks(pages([page.cut(at)]), [table])[table].to_pylist() == [[chunk]]


@pytest.mark.parametrize("used", RECIPES_CHECKED, ids=lambda recipe: recipe.name)
@given(texts=some.lists(some.lists(LETTERS, max_size=40).map("".join), min_size=1, max_size=2))
def test_they_are_the_chunks(used: Recipe, texts: list[str]) -> None:
    check(texts, used, markup=False)


def test_without_a_body_there_are_none() -> None:
    for chunking in CHUNKINGS:
        found = passages(sketcher(WEBECHO), pages(["", None, "--"]), Chunking.parse(chunking))
        assert [len(page) for page in found] == [0, 0, 0]


@pytest.mark.data
def test_real_pages(data: Path) -> None:
    for used in (WEBECHO, SHIVAKUMAR_1998):
        for name in ("debian_docs", "debian_html"):
            rows = real_pages(data / f"{name}.parquet", 12)
            check([row["body"] for row in rows], used, markup=name == "debian_html")
