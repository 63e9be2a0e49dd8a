"""Tables 7 and 8 of Baeza-Yates 2007 and what goes with them: worked out by hand, and compared with
every pair looked at on random snapshots."""

from pathlib import Path

import pyarrow.compute as pc
import pytest

import webecho
from tests.study.kin_reference import (
    CHARS,
    considered,
    counted_all,
    counted_paper,
    drawn,
    generations,
    kin,
    origins,
    shared,
    written,
)
from webecho.errors import SettingsError

A, B, C, D = "abcdefghijklmnop", "qrstuvwxyzABCDEF", "GHIJKLMNOPQRSTUV", "WXYZ0123456789!?"
URL = "http://{}.example/{}".format

# 14 paragraphs of A: on an old page that stays, on its copy elsewhere, and on a copy of a part.
# B stays where it is; C changes its address; D is new.
SMALL = [
    [(URL("a", 1), A), (URL("b", 1), B), (URL("c", 1), C)],
    [
        (URL("a", 1), A),
        (URL("b", 1), B),
        (URL("c", 2), C),
        (URL("d", 1), A[:12] + D),
        (URL("e", 1), D),
    ],
]


def test_the_relations_of_definitions_8_and_9(tmp_path: Path) -> None:
    study = webecho.study_genealogy(written(tmp_path, SMALL))
    [row] = study.tables["descendants"].to_pylist()
    # a/1 is the parent of d/1 (10 paragraphs of 12 sentences), c/1 of c/2; a/1 and b/1 are
    # equivalent to their later versions, which are no children.
    assert (row["parents"], row["children"], row["equivalents"]) == (2, 2, 2)
    assert (row["equivalents with common paragraphs"], row["children at new addresses"]) == (2, 2)
    assert row["children per parent"] == 1
    rows = study.tables["genealogy"].select(
        ["child_url", "parent_url", "shared_paragraphs", "shared_chars", "share", "same_site"]
    )
    assert [tuple(each.values()) for each in rows.to_pylist()] == [
        (URL("c", 2), URL("c", 1), 14, 16 * CHARS, 1.0, True),
        (URL("d", 1), URL("a", 1), 10, 12 * CHARS, 12 / 28, False),
    ]
    [row] = study.tables["content"].to_pylist()
    pages = [row[f"{part} pages"] for part in ("new", "kept", "re-used")]
    assert pages == [1, 2, 2]
    characters = [row[f"{part} characters"] for part in ("new", "kept", "re-used")]
    assert characters == [(16 + 16) * CHARS, (16 + 16) * CHARS, (16 + 12) * CHARS]


def test_at_least_so_many_paragraphs_and_for_the_paper_more(tmp_path: Path) -> None:
    paths = written(tmp_path, SMALL)
    found = {
        least: webecho.study_genealogy(paths, least=least).tables["counts"].to_pylist()[0]
        for least in (9, 10, 11, 14, 15)
    }
    assert [row["children, count all"] for row in found.values()] == [2, 2, 1, 1, 0]
    assert [row["children, count paper"] for row in found.values()] == [2, 1, 1, 0, 0]


def test_the_count_of_figure_6(tmp_path: Path) -> None:
    """Old: two pages with A, one that stays and one that goes. New: the page that stays, two
    duplicates of A elsewhere, and a page with A and B."""
    shots = [
        [(URL("a", 1), A), (URL("b", 1), A), (URL("c", 1), B)],
        [(URL("a", 1), A), (URL("d", 1), A), (URL("e", 1), A + B), (URL("f", 1), A)],
    ]
    paths = written(tmp_path, shots)
    [row] = webecho.study_genealogy(paths, count="paper").tables["descendants"].to_pylist()
    # a/1 new with a/1 old: its first pair, and the address is there: an equivalent. With b/1, which
    # is gone: a child, and b/1 a parent. d/1 is a duplicate of that child: nothing. e/1 with a/1: a
    # child, a/1 a parent; b/1 is none for e/1 is a child already, nor is c/1. f/1: a duplicate.
    assert (row["parents"], row["children"], row["equivalents"]) == (2, 2, 1)
    [row] = webecho.study_genealogy(paths).tables["descendants"].to_pylist()
    # By the definition: all four are children, that at a/1 of b/1; and all three are parents.
    assert (row["parents"], row["children"], row["equivalents"]) == (3, 4, 1)


def test_grandparents_are_parents_of_parents(tmp_path: Path) -> None:
    """A goes from a/1 to b/1 and from there to c/1, which has the parts that d/1 never had."""
    shots = [
        [(URL("a", 1), A + B)],
        [(URL("b", 1), B + C), (URL("d", 1), D + D)],
        [(URL("c", 1), C + D), (URL("e", 1), A)],
    ]
    study = webecho.study_genealogy(written(tmp_path, shots))
    [row] = study.tables["generations"].to_pylist()
    # c/1 has b/1 and d/1 as parents, and by b/1 the grandparent a/1, with which it shares nothing;
    # e/1 has the text of a/1 itself, but from no page between.
    assert row == {
        "oldest": "shot0",
        "newest": "shot2",
        "generations": 2,
        "ancestors are": "grandparents",
        "ancestors": 1,
        "descendants": 1,
    }
    rows = study.tables["descendants"].to_pylist()
    direct = {(row["old"], row["new"]): (row["parents"], row["children"]) for row in rows}
    assert direct == {
        ("shot0", "shot1"): (1, 1),
        ("shot0", "shot2"): (1, 1),
        ("shot1", "shot2"): (2, 1),
    }
    [row] = study.tables["fall_off"].to_pylist()
    assert (row["old"], row["share fewer children"], row["share fewer equivalents"]) == (
        "shot0",
        0.0,
        None,
    )


@pytest.mark.parametrize("seed", range(12))
def test_random_snapshots_are_as_when_every_pair_is_looked_at(tmp_path: Path, seed: int) -> None:
    shots, least = drawn(seed), 2 + seed % 3
    study = webecho.study_genealogy(written(tmp_path, shots), least=least, parents=100)
    pairs = [(0, 1), (0, 2), (1, 2)]
    descendants = study.tables["descendants"].to_pylist()
    counts = study.tables["counts"].to_pylist()
    contents = study.tables["content"].to_pylist()
    for (old, new), row, both, content in zip(pairs, descendants, counts, contents, strict=True):
        expected = counted_all(shots, old, new, least)
        assert row["equivalents with common paragraphs"] == expected.pop("sharing")
        assert row["children at new addresses"] == expected.pop("fresh")
        assert {name: both[f"{name}, count all"] for name in expected} == expected
        paper = counted_paper(shots, old, new, least)
        assert {name: both[f"{name}, count paper"] for name in paper} == paper
        parts = origins(shots, old, new, least)
        assert {part: content[f"{part} characters"] for part in parts} == parts
        rows = study.tables["genealogy"]
        names = pc.and_(pc.equal(rows["old"], f"shot{old}"), pc.equal(rows["new"], f"shot{new}"))
        listed = rows.filter(names).select(["child", "parent", "shared_paragraphs"]).to_pylist()
        docs = considered(shots[old]), considered(shots[new])
        assert [tuple(each.values()) for each in listed] == [
            (child.page, parent.page, shared(child, parent)) for child, parent in kin(*docs, least)
        ]
    found = {
        (int(row["oldest"][-1]), int(row["newest"][-1])): (row["ancestors"], row["descendants"])
        for row in study.tables["generations"].to_pylist()
    }
    assert found == generations(shots, least)


def test_one_snapshot_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="two snapshots or more"):
        webecho.study_genealogy(written(tmp_path, SMALL[:1]))
