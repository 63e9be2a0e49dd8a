"""New, kept and re-used content, of pages and of characters."""

from pathlib import Path

import webecho
from tests.study.kin_reference import CHARS, written

A, B, C = "abcdefghijklmnop", "qrstuvwxyzABCDEF", "GHIJKLMNOPQRSTUV"
URL = "http://{}.example/1".format


def test_a_page_that_is_kept_may_have_new_and_reused_sentences(tmp_path: Path) -> None:
    shots = [
        [(URL("a"), A), (URL("b"), B)],
        # a with B and something new; b rewritten with A; c new.
        [(URL("a"), A + B + C[:4]), (URL("b"), A), (URL("c"), C)],
    ]
    [row] = webecho.study_genealogy(written(tmp_path, shots)).tables["content"].to_pylist()
    assert [row[f"{each} pages"] for each in ("new", "kept", "re-used")] == [1, 1, 1]
    characters = {each: row[f"{each} characters"] for each in ("new", "kept", "re-used")}
    assert characters == {"new": 20 * CHARS, "kept": 16 * CHARS, "re-used": 32 * CHARS}
    assert row["share of kept characters"] == 16 / 68


def test_few_kept_paragraphs_make_no_kept_page(tmp_path: Path) -> None:
    shots = [[(URL("a"), A)], [(URL("a"), A[:5] + C)]]
    [row] = webecho.study_genealogy(written(tmp_path, shots)).tables["content"].to_pylist()
    assert (row["new pages"], row["kept pages"]) == (1, 0)
    assert row["kept characters"] == 5 * CHARS
