"""New documents looked up among old ones."""

from pathlib import Path

import pyarrow as pa

from tests.study.kin_reference import CHARS, written
from webecho.engine.local.engine import local_run
from webecho.group.kinship import look_up, old_texts
from webecho.group.snapshots import snapshot
from webecho.workspace.workspace import Workspace

A, B = "abcdefghijkl", "mnopqrstuvwx"


def units(*rows: tuple[int, int | None, int]) -> pa.Table:
    text, own, others = zip(*rows, strict=True)
    numbers = pa.int64()
    return pa.table(
        {"text": pa.array(text, numbers), "own_text": pa.array(own, numbers), "others": others}
    )


def test_links_and_what_is_found_of_each(tmp_path: Path) -> None:
    old = [("http://a/", A), ("http://b/", A), ("http://c/", B)]
    new = [("http://a/", A + B[:4]), ("http://d/", B)]
    run = local_run(threads=2)
    paths = written(tmp_path, [old, new])
    before, after = (snapshot(Workspace.open(path), path.stem, run) for path in paths)
    texts = old_texts(before, pa.array([0, 1, 2], pa.int64()), 1000, run)
    assert texts.texts.to_pylist() == [0, 2]
    [(links, found)] = look_up(texts, after, units((0, 0, 1), (1, None, 0)), 2, run)
    rows = [tuple(row.values()) for row in links.to_pylist()]
    # Unit 0 shares 10 paragraphs of A, and two of B, which cover its last four sentences.
    assert rows == [
        (0, 0, 10, 12 * CHARS),
        (0, 2, 2, 4 * CHARS),
        (1, 2, 10, 12 * CHARS),
    ]
    assert found["own_shared"].to_pylist() == [10, 0]
    assert found["kept"].to_pylist() == [12 * CHARS, 0]
    assert found["reused"].to_pylist() == [4 * CHARS, 12 * CHARS]
    assert found["chars"].to_pylist() == [16 * CHARS, 12 * CHARS]


def test_only_what_was_drawn_is_looked_up(tmp_path: Path) -> None:
    run = local_run()
    paths = written(tmp_path, [[("http://a/", A), ("http://b/", B)], [("http://c/", A + B)]])
    before, after = (snapshot(Workspace.open(path), path.stem, run) for path in paths)
    texts = old_texts(before, pa.array([1], pa.int64()), 1000, run)
    [(links, _)] = look_up(texts, after, units((0, None, 0)), 1, run)
    assert links["text"].to_pylist() == [1]


def test_a_paragraph_in_too_many_texts_is_left_out(tmp_path: Path) -> None:
    """All share A; the third has B as well, and only through that it is found."""
    run = local_run()
    old = [(f"http://a/{each}", A + each * 3) for each in "xyz"]
    old[2] = ("http://a/z", A + B)
    new = [("http://b/1", A), ("http://b/2", A + B[:5])]
    paths = written(tmp_path, [old, new])
    before, after = (snapshot(Workspace.open(path), path.stem, run) for path in paths)
    texts = old_texts(before, pa.array([0, 1, 2], pa.int64()), 2, run)
    assert texts.index.left_out == 10
    assert texts.left_out()["left_out"].to_pylist() == [10, 10, 10]
    [(links, found)] = look_up(texts, after, units((0, None, 0), (1, None, 0)), 3, run)
    assert found["left_out"].to_pylist() == [10, 10]
    rows = [(row["unit"], row["text"], row["shared"]) for row in links.to_pylist()]
    # With all that it shares: of A and the start of B 17 sentences, and so 15 paragraphs.
    assert rows == [(1, 2, 15)]
