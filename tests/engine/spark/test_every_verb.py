"""Every verb that runs on Spark gives the tables of the local engine, however many partitions."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.engine.spark.grouped import (
    GROUPED,
    check_clusters,
    check_pairs,
    with_partitions,
)
from tests.engine.spark.overlapped import check_overlaps, search
from tests.engine.spark.studied import STUDIES, check_study
from tests.engine.spark.workspaces import deduplicated, in_one_place
from webecho.engine.local.engine import local_run
from webecho.engine.spark.engine import spark_run
from webecho.group.hot_buckets import HotSettings
from webecho.group.rules.registry import rule
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


class Collection(NamedTuple):
    """Two snapshots of a web, and a workspace of each."""

    sources: tuple[Path, ...]
    workspaces: tuple[Path, ...]

    @property
    def first(self) -> Workspace:
        return Workspace.open(self.workspaces[0])


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("made-up")
    webecho.synth(folder / "web", pages=200, words=60, form="parquet", snapshots=2)
    return sketched(folder, [folder / "web" / number / "pages" for number in ("1", "2")])


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Collection:
    """Some pages of each folder of two snapshots of documentation, and some with neighbours: so
    there are pages that are the same by every rule."""
    folder = tmp_path_factory.mktemp("real")
    sources = []
    for number in ("1", "2"):
        whole = pq.read_table(data / "snapshots" / f"{number}.parquet")
        sources.append(folder / f"{number}.parquet")
        drawn = [at for at in range(len(whole)) if at % 20 == 0 or at % 400 < 10]
        pq.write_table(whole.take(pa.array(drawn)), sources[-1])
    return sketched(folder, sources)


def sketched(folder: Path, sources: list[Path]) -> Collection:
    made = [folder / f"{number}.echo" for number in range(len(sources))]
    for source, out in zip(sources, made, strict=True):
        webecho.sketch(source, out, paragraphs=True, chunks="page,lines:4,lines:2", part_pages=100)
    return Collection(tuple(sources), tuple(made))


Check = Callable[[Collection, "SparkSession", Path], object]


def clustered(name: str, web: Collection, session: "SparkSession", _: Path) -> None:
    assert 1 < check_clusters(web.first, rule(name), session) < web.first.pages


def paired(name: str, web: Collection, session: "SparkSession", _: Path) -> None:
    wanted = rule(name)
    found = check_pairs(web.first, wanted, session, HotSettings(hot=3, drawn=2))
    # No two pages that stand for sets belong together by sets alone, and few are so much alike.
    assert found or not wanted.searches(web.first.recipe) or name == "virtually-identical"


def kept(web: Collection, session: "SparkSession", folder: Path) -> None:
    inputs = [str(source) for source in web.sources]
    ours, expected = (
        in_one_place(deduplicated(inputs, folder / name, run))
        for name, run in (("s", spark_run(session)), ("l", local_run()))
    )
    assert ours == expected


def overlapping(web: Collection, session: "SparkSession", _: Path) -> None:
    assert check_overlaps(web.first, search("lines:2", 2), session)


def studied(study: str, web: Collection, session: "SparkSession", _: Path) -> None:
    check_study(study, web.workspaces, session)


VERBS: dict[str, Check] = {
    **{f"clusters by {name}": partial(clustered, name) for name in GROUPED},
    **{f"pairs by {name}": partial(paired, name) for name in GROUPED},
    "dedup": kept,
    "overlap": overlapping,
    **{f"study {name}": partial(studied, name) for name in STUDIES},
}
# Rules that differ in what is shuffled: only these with other numbers of partitions too.
SHUFFLED = ["tokens", "paragraphs", "very-similar", "similar", "edited", "c"]
OTHERS = {f"{verb} by {name}" for verb in ("clusters", "pairs") for name in SHUFFLED}
CASES = [
    (verb, partitions)
    for partitions in (3, 1, 17)
    for verb in VERBS
    if partitions == 3 or " by " not in verb or verb in OTHERS
]


@pytest.mark.parametrize(("verb", "partitions"), CASES)
def test_a_made_up_web(
    verb: str, partitions: int, made_up: Collection, quick: "SparkSession", tmp_path: Path
) -> None:
    VERBS[verb](made_up, with_partitions(quick, partitions), tmp_path)


@pytest.mark.data
@pytest.mark.parametrize(("verb", "partitions"), CASES)
def test_real_snapshots(
    verb: str, partitions: int, real: Collection, quick: "SparkSession", tmp_path: Path
) -> None:
    VERBS[verb](real, with_partitions(quick, partitions), tmp_path)
