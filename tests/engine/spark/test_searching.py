"""Searches on Spark: what candidates there are, whatever the packs."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.engine.spark.grouped import repeating, workspace_of
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.engine.spark.components import unite_all
from webecho.engine.spark.pack_tasks import Unite
from webecho.engine.spark.packs import Packs, PackSizes, tables
from webecho.engine.spark.search_keys import key_column, search_keys
from webecho.engine.spark.searching import (
    Searching,
    contents_of,
    is_local_alone,
    key_count,
    star_packs,
)
from webecho.engine.spark.session import sibling
from webecho.group.columns import page_numbers
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return workspace_of(tmp_path_factory.mktemp("searching"), repeating())


@pytest.mark.spark
@pytest.mark.parametrize("name", ["similar", "edited", "c"])
def test_how_pages_are_packed_changes_nothing(
    name: str, web: Workspace, spark: "SparkSession"
) -> None:
    def ties(sizes: PackSizes) -> list[list[int]]:
        everything, columns = pa.repeat(True, web.pages), rule(name).columns
        searching = Searching(
            sibling(spark), web, rule(name), everything, local_run(), columns, sizes=sizes
        )
        task = Unite(searching.searches, web.recipe)
        frames = [searching.packed(task), searching.blocked(task)]
        assert (frames[1] is None) == (sizes.most_pages > 3)
        forest = _core.Forest(web.pages, 1)
        for frame in frames:
            if frame is not None:
                for table in tables(frame.toArrow(), "ties"):
                    unite_all(forest, table)
        names: list[list[int]] = [each.to_pylist() for each in forest.clusters()]
        return names

    usual = ties(PackSizes())
    assert len({*usual[0]}) < web.pages
    assert ties(PackSizes(pages=1)) == usual
    assert ties(PackSizes(pages=8, most_pages=3)) == usual


def test_stars_are_measured_in_packs_with_the_page_that_stays() -> None:
    gone, stay = pa.array([1, 2, 4, 5], pa.uint32()), pa.array([0, 3, 0, 0], pa.uint32())
    packs, stays = star_packs(gone, stay, 7, 2)
    lists = packs.to_pylist()
    assert stays.to_pylist() == [None, 0, 3, None, 0, 0, None]
    for left, right in zip(gone.to_pylist(), stay.to_pylist(), strict=True):
        [pack] = lists[left]
        assert pack in lists[right]
    assert lists[6] == []
    assert sorted(lists[0]) == [1, 2]


def test_which_packs_have_revisits_of_a_page() -> None:
    packs = Packs(pa.array([0, 5, 5, 6], pa.uint32()), pa.array([False] * 4))
    revisits = pa.table({"page": [1, 2, 3, 3], "content": [0, 0, 0, 2]})
    [lists] = contents_of(packs, revisits).values()
    assert [sorted(each) for each in lists.to_pylist()] == [[5, 6], [], [6], []]
    assert contents_of(packs, revisits.slice(0, 0)) == {}


def test_what_only_this_process_can_read_is_compared_here(web: Workspace) -> None:
    similar, again = rule("similar"), Reread()
    assert not is_local_alone(web, similar, again)
    sources = [source | {"format": "table"} for source in web.manifest.sources]
    held = replace(web, manifest=replace(web.manifest, sources=sources))
    assert is_local_alone(held, similar, again)
    assert not is_local_alone(held, similar, None)
    assert not is_local_alone(held, rule("combined"), again)
    edited = rule("edited")
    assert [is_local_alone(each, edited, again) for each in (web, held)] == [False, True]
    assert not is_local_alone(held, edited, None)
    assert not is_local_alone(web, rule("overlap"), again)


def test_how_many_keys_a_page_has() -> None:
    names = ("similar", "b", "c")
    counts = [key_count(rule(name).searches(WEBECHO)[0], WEBECHO) for name in names]
    assert counts == [16, 6, 13]


@pytest.mark.parametrize("name", ["similar", "b", "c"])
def test_a_page_has_as_many_keys_as_are_made_of_it(name: str, web: Workspace) -> None:
    [search] = rule(name).searches(web.recipe)
    column = web.table().select([key_column(search.keys)])
    rows = column.append_column("page", page_numbers(web.pages).cast(pa.int64())).combine_chunks()
    [batch] = rows.to_batches()
    made = [*search_keys((search,), batch, {})]
    assert len(made) == key_count(search, web.recipe)
    valid = web.pages - batch.column(0).null_count
    assert 0 < valid < web.pages
    assert {len(keys.page) for keys in made} == {valid}
