"""Keep orders by hand: ranks are how many pages come before each."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.group.workspaces import sketched
from webecho.errors import SettingsError
from webecho.group.keeping import Keep, columns_of, keep, keeps, ranks, undecided

TABLE = pa.table(
    {
        "text": ["four", "one two", "four", "ten tokens"],
        "url": ["http://a.org/long", "http://a.org/", None, "http://a.org/x"],
        "date": ["2004-03-01", None, "2004-01-01", "2004-03-01"],
        "score": [2.5, -1.0, 7.0, 2.5],
    }
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("first", [0, 1, 2, 3]),
        # "ten tokens" has 10 characters, "one two" 7; what is as long keeps its order.
        ("longest", [2, 1, 3, 0]),
        # Lengths 17, 13, none and 14.
        ("shortest-url", [2, 0, 3, 1]),
        # Without a date a page comes last either way.
        ("earliest", [1, 3, 0, 2]),
        ("latest", [0, 3, 2, 1]),
    ],
)
def test_orders(tmp_path: Path, name: str, expected: list[int]) -> None:
    workspace = sketched(tmp_path / "pages.echo", TABLE)
    assert ranks(workspace, [keep(name)]).equals(pa.array(expected, pa.uint32()))
    without = "1 of 4 pages have no date that is understood, such as page 1 (url http://a.org/)"
    told = [f"{without}, and come last by {name}"] if name in ("earliest", "latest") else []
    assert undecided(workspace, [keep(name)]) == told


@pytest.mark.parametrize(("name", "expected"), [("max", [1, 3, 0, 2]), ("min", [1, 0, 3, 2])])
def test_by_a_column_of_the_users(tmp_path: Path, name: str, expected: list[int]) -> None:
    workspace = sketched(tmp_path / "pages.echo", TABLE, values=["score"])
    assert ranks(workspace, [keep(f"{name}:score")]).to_pylist() == expected


def test_what_decides_nothing_is_told(tmp_path: Path) -> None:
    workspace = sketched(tmp_path / "pages.echo", TABLE.select(["text"]))
    assert ranks(workspace, [keep("latest")]).to_pylist() == [0, 1, 2, 3]
    assert undecided(workspace, [keep("latest")]) == [
        "no page has a date that is understood, so that latest decided nothing and the first page "
        "stays"
    ]
    both = keeps(["max:score", "rank:source=gold", "longest"])
    assert undecided(workspace, both) == [
        "no page has a number or date in score, so that max:score decided nothing",
        "no page has a value of these in source, so that rank:source=gold decided nothing",
    ]
    assert undecided(workspace, [keep("longest")]) == []


def test_values_that_only_some_pages_have_are_told(tmp_path: Path) -> None:
    rows = {"text": ["one", "two", "three"], "date": ["2001-01-01", "01/13/2024", "13.1.2024"]}
    workspace = sketched(tmp_path / "pages.echo", pa.table(rows | {"id": [7, 8, 9]}))
    assert undecided(workspace, [keep("latest")]) == [
        "2 of 3 pages have no date that is understood, such as page 1 (id 8), and come last by "
        "latest"
    ]
    assert undecided(workspace, [keep("longest")]) == []


@pytest.mark.parametrize("name", ["first", "longest", "latest"])
def test_no_pages_have_no_ranks(tmp_path: Path, name: str) -> None:
    workspace = sketched(tmp_path / "pages.echo", TABLE.slice(0, 0))
    assert ranks(workspace, [keep(name)]).to_pylist() == []
    assert undecided(workspace, [keep(name)]) == []


def test_names() -> None:
    assert keep("first") == Keep("first")
    assert keep("max:score") == Keep("max", "score")
    assert keep("min:a:b") == Keep("min", "a:b")
    assert keep("rank:a=x,y") == Keep("rank", "a", ("x", "y"))
    assert keep("rank:a=x,y").label == "rank:a=x,y"
    assert [keep(name).label for name in ("latest", "min:a:b")] == ["latest", "min:a:b"]


NO_ORDERS = ["", "last", "max", "max:", "first:score", "value", ":score"]
NO_RANKS = ["rank", "rank:source", "rank:source=", "rank:=gold", "rank:source=,"]


@pytest.mark.parametrize("name", [*NO_ORDERS, *NO_RANKS])
def test_what_is_no_order(name: str) -> None:
    with pytest.raises(SettingsError) as error:
        keep(name)
    assert str(error.value) == (
        f"{name!r} does not say which page stays; give one of first, longest, shortest-url, "
        "earliest, latest, max:COLUMN, min:COLUMN, rank:COLUMN=VALUE,…"
    )


def test_several_orders_decide_one_after_the_other(tmp_path: Path) -> None:
    table = pa.table(
        {
            "text": ["aa", "aaaa", "aaa", "aaaa", "a", "aaaaa"],
            "source": ["web", "gold", "silver", "silver", "gold", None],
            "quality": [9, 1, 2, 2, 1, 9],
        }
    )
    orders = keeps(["rank:source=gold,silver", "max:quality", "longest"])
    assert (columns_of(orders, "values"), columns_of(orders, "ranked")) == (
        ("quality",),
        ("source",),
    )
    workspace = sketched(tmp_path / "pages.echo", table, values=["quality"], ranked=["source"])
    # Gold first, the longer of two; then silver; web and none are not named: by quality and length.
    taken = [1, 4, 3, 2, 5, 0]
    assert ranks(workspace, orders).to_pylist() == [taken.index(page) for page in range(6)]


def test_whole_numbers_are_not_compared_as_floats(tmp_path: Path) -> None:
    numbers = [1 << 53, (1 << 53) + 1, (1 << 63) - 1, (1 << 63) - 2]
    table = pa.table({"text": list("abcd"), "score": pa.array(numbers, pa.int64())})
    workspace = sketched(tmp_path / "pages.echo", table, values=["score"])
    assert ranks(workspace, [keep("max:score")]).to_pylist() == [3, 2, 0, 1]
    assert ranks(workspace, [keep("min:score")]).to_pylist() == [0, 1, 3, 2]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["first", "longest"], "'longest' decides nothing after 'first'"),
        (["longest", "latest", "longest"], "'longest' is given twice"),
    ],
)
def test_orders_that_decide_nothing_are_refused(names: list[str], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        keeps(names)


def test_without_a_name_the_first_page_stays() -> None:
    assert keeps([]) == (Keep("first"),)
