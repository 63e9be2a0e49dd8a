"""Clusters by paragraphs are those of comparing all documents; no accident makes a duplicate."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import WarcFile, as_parquet, page
from tests.command import done, reseal
from tests.command import webecho as run
from tests.lettered import clusters, near, papers_match, same_multiset, sketched, text
from webecho.engine.local.engine import local_run
from webecho.errors import MemoryBudgetError, WorkspaceError
from webecho.group.paragraphs import (
    Match,
    compared_by_text,
    documents,
    long_enough,
    same_paragraphs,
)
from webecho.memory import comparing
from webecho.workspace.workspace import Workspace

# Figure 1 as far as the text tells: document 1 is a b c d, 19 is the same as 2; the rest is ours.
FIGURE_1 = ["abcd", "edfg", "hijk", "lmno", "pqrs", "tuvw", "xyza", "bdfh", "jlnp", "rtvx"]
FIGURE_1 += ["acei", "gkmq", "suwy", "bcfj", "dhln", "prtz", "vxab", "egik", "edfg", "moqs"]
# Section 3: suppose that document 3 has e d e d; all of it is found in document 2.
FALSE_MATCH = [*FIGURE_1[:2], "eded", *FIGURE_1[3:]]


def every(workspace: Workspace) -> pa.Array:
    return pa.repeat(True, workspace.pages)


def found(path: Path, match: Match) -> list[int]:
    workspace = Workspace.open(path)
    names: list[int] = same_paragraphs(
        workspace, every(workspace), local_run(), match=match
    ).to_pylist()
    return names


def test_figure_1(tmp_path: Path) -> None:
    names = found(sketched(tmp_path, FIGURE_1), "multiset")
    # Documents are counted from 1 in the paper: 19 is in the cluster of 2, all others are unique.
    assert names[18] == 1
    assert [name for number, name in enumerate(names) if number != 18] == [
        number for number in range(20) if number != 18
    ]


def test_the_false_match_of_section_3(tmp_path: Path) -> None:
    path = sketched(tmp_path, FALSE_MATCH)
    assert found(path, "multiset")[2] == 2
    names = found(path, "paper")
    assert [number + 1 for number, name in enumerate(names) if name == 1] == [2, 3, 19]
    study = webecho.study_duplicates(path, match="paper", near=())
    # With document 2 and with its copy.
    assert study.tables["duplicates"]["false matches"].to_pylist() == [2]


def made(seed: int, count: int, letters: str) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.choices(letters, k=chance.randrange(6))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(3))
def test_both_matches_equal_comparing_all_documents(tmp_path: Path, seed: int) -> None:
    letters = made(seed, 120, "abcdefgh")
    path = sketched(tmp_path, letters)
    assert found(path, "multiset") == clusters(letters, same_multiset)
    assert found(path, "paper") == clusters(letters, papers_match)


def test_near_duplicates_equal_comparing_all_documents(tmp_path: Path) -> None:
    chance = random.Random(5)
    letters = ["".join(chance.choices("abcdefghijklmnop", k=4 + n % 9)) for n in range(90)]
    letters += [each[:-1] + "x" for each in letters[::4]] + letters[::7]
    path = sketched(tmp_path, letters)
    study = webecho.study_duplicates(path, near=(1.0, 0.9, 0.7, 0.5, 0.3))
    rows = study.tables["documents-letters"]
    assert rows["page"].to_pylist() == list(range(len(letters)))
    for share in (1.0, 0.9, 0.7, 0.5, 0.3):
        assert rows[f"near_{share}"].to_pylist() == clusters(letters, near(share)), share
    assert rows["near_1.0"] == rows["cluster"]


def test_only_wanted_pages_make_clusters(tmp_path: Path) -> None:
    workspace = Workspace.open(sketched(tmp_path, ["abcd", "abcd", "efgh", "abcd", "efgh"]))
    wanted = pa.array([False, True, True, True, False])
    assert same_paragraphs(workspace, wanted, local_run()).to_pylist() == [None, 1, 2, 1, None]


def test_documents_have_more_than_450_characters(tmp_path: Path) -> None:
    texts = ["x" * 450, "x" * 451, "x" * 225 + " \n " + "y" * 224, "x" * 225 + " \n " + "y" * 225]
    source = as_parquet(tmp_path / "p.parquet", [page(n, each) for n, each in enumerate(texts)])
    done("sketch", source, "-o", tmp_path / "crawl.echo", "--columns", "none")
    workspace = Workspace.open(tmp_path / "crawl.echo")
    assert long_enough(workspace).to_pylist() == [False, True, False, True]


def test_a_revisit_has_the_paragraphs_of_what_it_repeats(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        warc.response("http://a.example.org/0", text("efgh").encode())
        first = warc.response("http://a.example.org/1", text("abcd").encode())
        warc.revisit("http://a.example.org/2", Refers_To=first)
        warc.revisit("http://a.example.org/3", Refers_To=first)
        warc.revisit("http://a.example.org/4", Refers_To="<urn:uuid:unknown>")
    done("sketch", warc.file, "-o", tmp_path / "crawl.echo", "--paragraphs")
    workspace = Workspace.open(tmp_path / "crawl.echo")
    assert same_paragraphs(workspace, long_enough(workspace), local_run()).to_pylist() == [
        0,
        1,
        1,
        1,
        None,
    ]
    # Also where the page itself is not wanted.
    wanted = pa.array([True, False, True, True, False])
    assert same_paragraphs(workspace, wanted, local_run()).to_pylist() == [0, None, 2, 2, None]


def forge(path: Path, bits: int) -> None:
    """Leaves the fingerprints in a workspace so few bits that different texts have the same."""
    workspace = Workspace.open(path)
    for file in workspace.part_files("paragraphs"):
        rows = pq.read_table(file)
        at = rows.column_names.index("paragraphs")
        lists = rows["paragraphs"].combine_chunks()
        kept = pc.bit_wise_and(lists.values, pa.scalar((1 << bits) - 1, pa.int64()))
        forged = pa.ListArray.from_arrays(lists.offsets, kept, mask=lists.is_null())
        pq.write_table(rows.set_column(at, "paragraphs", forged), file)
    reseal(path)


def test_compared_by_text_no_accident_makes_a_duplicate(tmp_path: Path) -> None:
    letters = made(1, 150, "abcdefghij") + ["abcd"] * 3
    path = sketched(tmp_path, letters)
    forge(path, 2)
    assert found(path, "multiset") != clusters(letters, same_multiset)
    workspace = Workspace.open(path)
    taken, accidents = compared_by_text(
        workspace, documents(workspace, every(workspace), local_run()), local_run(threads=2)
    )
    # Ten letters have four fingerprints between them.
    assert accidents > 0
    names = taken.of_pages(taken.kernel(local_run(threads=2)).equal()).to_pylist()
    assert names == clusters(letters, same_multiset)
    study = webecho.study_duplicates(path, compare="text", near=(0.5,))
    wanted = [each for each in letters if len(each) > 3]
    [row] = study.tables["near_clusters"].to_pylist()
    names = clusters(wanted, near(0.5))
    assert row["documents"] == len(wanted)
    assert row["near-duplicates"] == len(wanted) - len(set(names))


def test_text_that_is_as_it_was_has_no_accidents(tmp_path: Path) -> None:
    path = sketched(tmp_path, FIGURE_1)
    study = webecho.study_duplicates(path, compare="text")
    assert study.tables["duplicates"]["equal by accident"].to_pylist() == [0]


def test_text_that_cannot_be_read_again_is_an_error(tmp_path: Path) -> None:
    path = sketched(tmp_path, FIGURE_1)
    (tmp_path / "letters.parquet").unlink()
    result = run("study", "duplicates", path, "--compare", "text")
    assert result.exit_code == 1
    assert "letters.parquet" in result.stderr
    done("study", "duplicates", path)


def test_without_paragraphs_the_error_names_what_makes_them(tmp_path: Path) -> None:
    source = as_parquet(tmp_path / "p.parquet", [page(0, "One. Two.")])
    done("sketch", source, "-o", tmp_path / "crawl.echo")
    workspace = Workspace.open(tmp_path / "crawl.echo")
    with pytest.raises(WorkspaceError, match="webecho study duplicates"):
        same_paragraphs(workspace, every(workspace), local_run())


def test_below_the_floor_of_memory_it_refuses(tmp_path: Path) -> None:
    path = sketched(tmp_path, FIGURE_1)
    with pytest.raises(MemoryBudgetError, match=r"needs at least \d+MB"):
        webecho.study_duplicates(path, memory=comparing(20))
    webecho.study_duplicates(path, memory=comparing(20, 80))


@pytest.mark.parametrize("form", ["workspace", "inputs"])
def test_the_rule_paragraphs(tmp_path: Path, form: str) -> None:
    letters = [*FIGURE_1, "ab", "ab"]
    path = sketched(tmp_path, letters)
    given = path if form == "workspace" else tmp_path / "letters.parquet"
    rows = webecho.clusters(given, "paragraphs")
    # The last two have less than 450 characters.
    assert rows["cluster"].to_pylist() == [1 if n == 18 else n for n in range(22)]
    assert rows["size"].to_pylist() == [2 if n in (1, 18) else 1 for n in range(22)]
    [pair] = webecho.pairs(given, "paragraphs").to_pylist()
    assert (pair["left"], pair["right"], pair["same_paragraphs"]) == (1, 18, True)
