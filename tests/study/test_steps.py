"""The m-step algorithm: each step as a slow and literal one has it, and the same end for all m."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pytest

import webecho
from tests.command import done
from tests.study.documents_made import Made, documents_made
from webecho.engine.local.engine import local_run
from webecho.errors import MemoryBudgetError, SettingsError
from webecho.group.paragraphs import documents, long_enough, same_paragraphs
from webecho.study.cluster_sizes import Sizes
from webecho.study.estimates import clusters_by_sample, duplicates_by_sample
from webecho.study.steps import Growth, GrowthSettings, by_chance, grow, share_found
from webecho.workspace.locks import reading
from webecho.workspace.workspace import Workspace

MATCHES: list[Literal["multiset", "paper"]] = ["multiset", "paper"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return documents_made(tmp_path_factory.mktemp("growth"))


def literal_steps(
    lists: list[list[int]], order: list[int], ends: list[int], match: str
) -> list[Sizes]:
    """Section 3 as it stands: each paragraph of a part goes into a hash table with the documents
    that have it, and the documents that are left are looked up paragraph by paragraph."""
    cluster = {document: {document} for document in range(len(lists))}
    found, start = [], 0
    for end in ends:
        table: dict[int, set[int]] = defaultdict(set)
        for document in order[start:end]:
            for paragraph in lists[document]:
                table[paragraph].add(document)
        for document in order[start:]:
            candidates = set().union(*(table.get(each, set()) for each in lists[document]))
            for other in candidates:
                if match_of(lists[document], lists[other], match):
                    both = cluster[document] | cluster[other]
                    for each in both:
                        cluster[each] = both
        start = end
        sizes = [len(each) for each in {id(each): each for each in cluster.values()}.values()]
        found.append(Sizes(dict(Counter(size for size in sizes if size > 1))))
    return found


def match_of(one: list[int], other: list[int], match: str) -> bool:
    if match == "multiset":
        return sorted(one) == sorted(other)
    return len(one) == len(other) and (set(one) <= set(other) or set(other) <= set(one))


def paragraph_lists(workspace: Workspace) -> list[list[int]]:
    found = documents(workspace, long_enough(workspace), local_run())
    values, starts, ends = (
        each.to_pylist() for each in (found.paragraphs, found.starts, found.ends)
    )
    return [values[start:end] for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("steps", [1, 7])
def test_every_step_finds_what_the_paper_says(
    made: Made, match: Literal["multiset", "paper"], steps: int
) -> None:
    with reading(made.workspace) as workspace:
        found = grow(
            workspace, "made", GrowthSettings(match=match, seed=3), steps, steps, local_run()
        )
        lists = paragraph_lists(workspace)
    assert found.documents == len(lists) > 800
    assert found.ends == [step * len(lists) // steps for step in range(1, steps + 1)]
    order = by_chance(len(lists), 3).to_pylist()
    assert found.sizes == literal_steps(lists, order, found.ends, match)


@pytest.mark.parametrize("match", MATCHES)
def test_all_numbers_of_steps_end_with_the_same_clusters(
    made: Made, match: Literal["multiset", "paper"]
) -> None:
    with reading(made.workspace) as workspace:
        wanted = long_enough(workspace)
        known = same_paragraphs(workspace, wanted, local_run(), match=match)
        for steps in (1, 2, 10, 50):
            for seed in (0, 1):
                settings = GrowthSettings(match=match, seed=seed)
                found = grow(workspace, "made", settings, steps, steps, local_run(threads=2))
                assert found.clusters["page"].to_pylist() == [
                    page for page, is_one in enumerate(wanted.to_pylist()) if is_one
                ]
                assert found.clusters["cluster"].to_pylist() == known.drop_null().to_pylist()
    if match == "multiset":
        assert known.to_pylist() == made.truth["paragraph_cluster"].to_pylist()


def test_intervals_from_the_sample_hold(made: Made) -> None:
    """A hundred orders of one web, of each a fifth of the steps."""
    held = {"duplicates": 0, "clusters": 0}
    with reading(made.workspace) as workspace:
        whole = grow(workspace, "made", GrowthSettings(), 1, 1, local_run()).sizes[0]
        for seed in range(100):
            found = grow(workspace, "made", GrowthSettings(seed=seed), 5, 1, local_run())
            sampled = (found.sizes[0].counts, found.documents, found.ends[0])
            duplicates, clusters = duplicates_by_sample(*sampled), clusters_by_sample(*sampled)
            held["duplicates"] += duplicates.low <= whole.duplicates <= duplicates.high
            held["clusters"] += clusters.low <= whole.clusters <= clusters.high
    assert all(90 <= times <= 99 for times in held.values()), held


def growth(steps: int, *duplicates: int) -> Growth:
    """So many duplicates after each step, each in a cluster of two."""
    sizes = [Sizes({2: each}) for each in duplicates]
    return Growth("by hand", 100, steps, [], sizes, pa.table({}))


def test_the_share_found_by_hand() -> None:
    known = growth(4, 8, 12, 15, 16)
    assert [share_found(known, step / 4, "duplicates") for step in range(5)] == [
        *(0, 0.5, 0.75, 0.9375, 1)
    ]
    # Half way from step 1 to 2, and a fifth of the way from nothing to step 1.
    assert share_found(known, 0.375, "duplicates") == 10 / 16
    assert share_found(known, 0.05, "clusters") == pytest.approx(1.6 / 16)
    assert share_found(growth(2, 0, 0), 0.5, "duplicates") is None


def test_the_order_is_by_chance_and_by_the_seed() -> None:
    order = by_chance(1000, 1).to_pylist()
    assert sorted(order) == list(range(1000)) != order
    assert order == by_chance(1000, 1).to_pylist() != by_chance(1000, 2).to_pylist()


def test_steps_that_are_run() -> None:
    assert [GrowthSettings(50, run=run).first for run in (0.001, 0.2, 0.5, 1)] == [1, 10, 25, 50]
    with pytest.raises(SettingsError, match="0 steps cannot be run; give 1 or more"):
        GrowthSettings(steps=0)
    with pytest.raises(SettingsError, match=r"a share of 1\.5 of the steps"):
        GrowthSettings(run=1.5)


def test_too_little_memory_is_refused(made: Made) -> None:
    with pytest.raises(MemoryBudgetError, match="comparing the documents of"):
        grow(
            Workspace.open(made.workspace),
            "made",
            GrowthSettings(),
            1,
            1,
            local_run(memory=1 << 20),
        )


def test_more_steps_than_documents(tmp_path: Path) -> None:
    small = documents_made(tmp_path, pages=50)
    with reading(small.workspace) as workspace:
        found = grow(workspace, "small", GrowthSettings(), 50, 50, local_run())
        with pytest.raises(webecho.SettingsError, match="cannot be cut into 500 parts"):
            grow(workspace, "small", GrowthSettings(), 500, 500, local_run())
    assert found.is_whole and found.ends[-1] == found.documents < 50
    clusters = small.truth["paragraph_cluster"].drop_null().to_pylist()
    assert found.clusters["cluster"].to_pylist() == clusters


@pytest.mark.data
def test_real_sites_end_with_the_same_clusters(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "2018.echo"
    done("sketch", data / "snapshots" / "1.parquet", "-o", path, "--columns", "none", "-q")
    known = webecho.study_duplicates(path, near=()).tables["documents-2018"]
    for steps in (1, 15):
        found = webecho.study_growth(path, steps=steps).tables["clusters"]
        assert found.equals(known.select(["page", "cluster"]))
    assert len(known) == 4052 and len(set(known["cluster"].to_pylist())) == 4052 - 38
