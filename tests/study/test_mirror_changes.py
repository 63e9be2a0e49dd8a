"""What became of mirrors, worked out by hand on three snapshots."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import webecho
from tests.study.mirrors_made import Fetched, crawl, site
from webecho.study.figures import Stacked
from webecho.study.mirror_changes import change_class, change_rows, names, unchanged_hosts
from webecho.study.result import Study


def copies(host: str, says: dict[int, int]) -> list[Fetched]:
    """Ten pages of a host; some say something else than their number."""
    return [Fetched(f"http://{host}.example/{n}.html", None, says.get(n, n)) for n in range(10)]


# b is a copy of a, behind by one: what 0 to 2 of a say in a snapshot, b says in the next; page
# 3 of b is new in the second snapshot before it is on a. c is gone after the first.
FIRST = [*copies("a", {}), *copies("b", {}), *copies("c", {}), *site("d.example", None, [50])]
SECOND = [*copies("a", {0: 100, 1: 101}), *copies("b", {3: 103}), *site("d.example", None, [50])]
THIRD = [
    *copies("a", {0: 100, 1: 201, 2: 202, 3: 103}),
    *copies("b", {0: 100, 1: 101, 3: 103}),
    *site("d.example", None, [51]),
]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("changes")
    paths = [
        crawl(folder, pages, name)
        for name, pages in (("first", FIRST), ("second", SECOND), ("third", THIRD))
    ]
    return webecho.study_mirrors(paths, pages=5)


def rows(study: Study, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = study.tables[table].to_pylist()
    return found


def test_what_is_left_of_the_first_mirrors(study: Study) -> None:
    second, third = rows(study, "retention")
    # a with b, a with c, b with c.
    assert (second["mirrors of the first"], second["still mirrors"]) == (3, 1)
    assert second["share still mirrors"] == 1 / 3
    # Thirty pages; ten are gone, and three of a and three of b are not the same any more.
    assert second["mirrored pages of the first"] == 30
    assert (second["still there"], second["still mirrored"]) == (20, 14)
    assert (third["still there"], third["still mirrored"]) == (20, 16)
    told = {row["fact"]: row for row in rows(study, "beside_paper") if row["collection"] == "third"}
    assert told["share of mirrored pages still mirrored"]["value"] == 16 / 30
    assert told["share of mirrored pages still mirrored"]["paper, high"] == 0.95
    # a, b and d are in as many clusters as before.
    assert told["share of hosts in as many clusters, all pages"]["value"] == 3 / 4


def test_figure_11(study: Study) -> None:
    [small, large] = rows(study, "changes")
    # From the first to the second all are in mirrors of ten; of those of a and b three change.
    assert (large["size of mirror"], large["downloads"]) == ("10–99", 20)
    assert large["share of no change"] == 17 / 20
    assert large["share of complete change"] == 3 / 20
    # From the second to the third the mirror is of seven pages: one of them changes on a.
    assert (small["size of mirror"], small["downloads"]) == ("1–9", 14)
    assert small["share of complete change"] == 1 / 14
    figure = study.figures["changes"]
    assert isinstance(figure, Stacked)
    assert figure.names == ["1–9", "10–99"]
    assert figure.parts["no change"] == [13 / 14, 17 / 20]


def test_which_copy_is_behind(study: Study) -> None:
    second, third = rows(study, "freshness")
    assert (second["mirror host"], second["canonical host"]) == ("b.example", "a.example")
    # 0 and 1 are new on a, 3 is new on b.
    assert (second["counterparts"], second["in step"]) == (10, 7)
    assert (second["mirror behind"], second["canonical behind"]) == (2, 1)
    assert (second["mirror behind by"], second["canonical behind by"]) == (1.0, 1.0)
    # 1 of b is what a was in the second; 2 of b is what a was in the second and in the first.
    assert (third["in step"], third["mirror behind"], third["canonical behind"]) == (8, 2, 0)
    assert third["mirror behind by"] == 1.0
    assert third["canonical behind by"] is None


def test_behind_by_several_snapshots(tmp_path: Path) -> None:
    """Page 0 of a changes every time, and that of b never."""
    paths = [
        crawl(tmp_path, [*copies("a", {0: 100 * number}), *copies("b", {})], f"s{number}")
        for number in range(4)
    ]
    found = rows(webecho.study_mirrors(paths, pages=5), "freshness")
    assert [row["mirror behind by"] for row in found] == [1.0, 2.0, 3.0]


def test_a_copy_that_is_ahead_stands(tmp_path: Path) -> None:
    """a has more pages, but b is where page 0 changes first."""
    more = site("a.example", None, range(30, 33))
    paths = [
        crawl(tmp_path, [*copies("a", {}), *copies("b", {0: 100 * number}), *more], f"s{number}")
        for number in range(3)
    ]
    one = webecho.study_mirrors(paths[-1], pages=5)
    assert [row["canonical host"] for row in rows(one, "crawler")] == ["a.example"]
    [row] = rows(webecho.study_mirrors(paths, pages=5), "crawler")
    assert (row["canonical host"], row["mirror host"], row["pages"]) == (
        "b.example",
        "a.example",
        13,
    )


@pytest.mark.parametrize(
    ("common", "name"),
    [
        (85, "no change"),
        (84, "no text change"),
        *((83, "small change"), (57, "small change")),
        *((56, "medium change"), (29, "medium change")),
        *((28, "large change"), (1, "large change")),
        (0, "complete change"),
    ],
)
def test_classes_of_change(common: int, name: str) -> None:
    assert change_class(common, 84) == name


def test_classes_of_sizes() -> None:
    found = change_rows({(5, 85): 1, (99, 0): 1, (100, 84): 3, (100, 20): 1, (20_000, 85): 2}, 84)
    assert [(row["size of mirror"], row["downloads"]) for row in found] == [
        *(("1–9", 1), ("10–99", 1), ("100–999", 4), ("≥10,000", 2))
    ]
    assert found[2]["share of no text change"] == 0.75
    assert found[2]["share of large change"] == 0.25


def test_hosts_that_stay() -> None:
    def hosts(**clusters: int) -> pa.Table:
        return pa.table({"host": [*clusters], "clusters": [*clusters.values()]})

    assert unchanged_hosts(hosts(a=1, b=2, c=3, d=4), hosts(a=1, b=3, c=3)) == 0.5
    none = pa.table({"host": pa.array([], pa.string()), "clusters": pa.array([], pa.int64())})
    assert unchanged_hosts(none, hosts(a=1)) is None


def test_pairs_are_the_same_whichever_is_larger() -> None:
    assert names(pa.table({"left_name": ["b", "c"], "right_name": ["a", "d"]})) == {
        ("a", "b"),
        ("c", "d"),
    }
