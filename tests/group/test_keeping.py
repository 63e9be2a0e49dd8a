"""Keep orders by hand: ranks are how many pages come before each."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.group.workspaces import sketched
from webecho.errors import SettingsError
from webecho.group.keeping import Keep, keep, ranks, undecided

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
    assert ranks(workspace, keep(name)).equals(pa.array(expected, pa.uint32()))
    assert undecided(workspace, keep(name)) is None


@pytest.mark.parametrize(("name", "expected"), [("max", [1, 3, 0, 2]), ("min", [1, 0, 3, 2])])
def test_by_a_column_of_the_users(tmp_path: Path, name: str, expected: list[int]) -> None:
    workspace = sketched(tmp_path / "pages.echo", TABLE, value="score")
    assert ranks(workspace, keep(f"{name}:score")).to_pylist() == expected


def test_what_decides_nothing_is_told(tmp_path: Path) -> None:
    workspace = sketched(tmp_path / "pages.echo", TABLE.select(["text"]))
    assert ranks(workspace, keep("latest")).to_pylist() == [0, 1, 2, 3]
    assert undecided(workspace, keep("latest")) == (
        "no page has a date, so that latest decided nothing and the first page stays"
    )
    assert undecided(workspace, keep("max:score")) == (
        "no page has a number or date in score, so that max:score decided nothing and the first "
        "page stays"
    )
    assert undecided(workspace, keep("longest")) is None


@pytest.mark.parametrize("name", ["first", "longest", "latest"])
def test_no_pages_have_no_ranks(tmp_path: Path, name: str) -> None:
    workspace = sketched(tmp_path / "pages.echo", TABLE.slice(0, 0))
    assert ranks(workspace, keep(name)).to_pylist() == []
    assert undecided(workspace, keep(name)) is None


def test_names() -> None:
    assert keep("first") == Keep("first")
    assert keep("max:score") == Keep("max", "score")
    assert keep("min:a:b") == Keep("min", "a:b")
    assert [keep(name).label for name in ("latest", "min:a:b")] == ["latest", "min:a:b"]


@pytest.mark.parametrize("name", ["", "last", "max", "max:", "first:score", "value", ":score"])
def test_what_is_no_order(name: str) -> None:
    with pytest.raises(SettingsError) as error:
        keep(name)
    assert str(error.value) == (
        f"{name!r} does not say which page stays; give one of first, longest, shortest-url, "
        "earliest, latest, max:COLUMN, min:COLUMN"
    )
