"""Tables of mirrors have their columns also where there is nothing to tell, and unique keys."""

from pathlib import Path

import pytest

import webecho
from tests.study.mirrors_made import crawl, site
from webecho.study.mirror_tables import CAPTIONS, SCHEMAS, TITLES
from webecho.study.result import Study

KEYS = {
    "funnel": ["collection", "step"],
    "methods": ["collection", "method"],
    "mirrors": ["collection", "host", "other host"],
    "auto_mirrors": ["collection", "host"],
    "mirrored": ["collection"],
    "sizes": ["collection", "counted", "size"],
    "power_laws": ["collection", "counted"],
    "unconfirmed": ["collection", "host", "other host"],
    "subtrees": ["collection", "host", "path", "other host", "other path"],
    "groups": ["collection", "group"],
    "group_hosts": ["collection", "group", "host"],
    "crawler": ["mirror host", "mirror path"],
    "retention": ["collection"],
    "changes": ["size of mirror"],
    "freshness": ["collection", "mirror host", "mirror path"],
    "beside_paper": ["collection", "fact"],
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("tables")
    pages = [page for host in "abc" for page in site(f"{host}.example", None, range(12), "/d/")]
    paths = [crawl(folder, pages, name) for name in ("one", "two")]
    return webecho.study_mirrors(paths)


def test_every_table_has_a_title_and_a_unique_key(study: Study) -> None:
    assert study.tables.keys() == KEYS.keys() == TITLES.keys() | CAPTIONS.keys()
    for name, key in KEYS.items():
        rows = study.tables[name].select(key).to_pylist()
        assert len({tuple(row.values()) for row in rows}) == len(rows), name


def test_columns_do_not_depend_on_rows(study: Study, tmp_path: Path) -> None:
    none = webecho.study_mirrors(crawl(tmp_path, site("a.example", None, range(2))))
    for name in SCHEMAS:
        assert none.tables[name].schema == study.tables[name].schema, name


def test_groups_of_a_snapshot(study: Study) -> None:
    [row, _] = study.tables["groups"].to_pylist()
    assert (row["hosts"], row["mirrors"], row["share of all pairs"]) == (3, 3, 1.0)
    assert row["canonical host"] == "a.example"
    assert study.tables["sizes"].to_pylist()[0] == {
        "collection": "one",
        "counted": "size",
        "size": 12,
        "mirrors": 3,
    }


def test_each_mirror_has_one_that_stands_for_it(study: Study) -> None:
    rows = study.tables["crawler"].to_pylist()
    assert {row["mirror host"]: row["canonical host"] for row in rows} == {
        "b.example": "a.example",
        "c.example": "a.example",
    }
    assert {row["share covered"] for row in rows} == {1.0}


def test_long_tables_are_cut_for_people(study: Study) -> None:
    assert study.short["mirrors"].num_rows == 6
    assert study.short["subtrees"]["collection"].to_pylist() == ["one"] * 3 + ["two"] * 3
