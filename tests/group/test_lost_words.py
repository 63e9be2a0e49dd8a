"""Words of removed pages that the page which stays lacks, counted by hand and by sets."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import as_jsonl, edited, page, prose
from tests.deduplication.results import table
from webecho.group.lost_words import Loss, loss_of

WORDS = prose(1, 300)


def deduplicated(*texts: list[str], **options: object) -> pa.Table:
    rows = pa.table({"text": [" ".join(words) for words in texts]})
    return webecho.dedup(rows, **options).duplicates  # type: ignore[call-overload]


def test_words_that_stand_nowhere_in_the_page_that_stays() -> None:
    # Two new words; the same ones again elsewhere count once; none is lost of what is cut off.
    twice = [*edited(WORDS, 100, 200), "new100"]
    found = deduplicated(WORDS, edited(WORDS, 100), twice, WORDS[:-20], WORDS)
    assert found["page"].to_pylist() == [1, 2, 3, 4]
    assert found["lost_words"].to_pylist() == [1, 2, 0, 0]
    # What has all of its shingles there need not be read again.
    assert found["containment"].to_pylist()[2:] == [1.0, 1.0]


def test_words_in_another_order_are_not_lost() -> None:
    moved = [*WORDS[:150], *WORDS[160:], *WORDS[150:160]]
    found = deduplicated(WORDS, moved)
    assert found["resemblance"][0].as_py() < 1
    assert found["lost_words"].to_pylist() == [0]


def test_as_sets_tell() -> None:
    texts = [edited(WORDS, *range(step, 300, 60 + step)) for step in range(5)]
    found = deduplicated(*texts, resemblance=0.3)
    assert len(found) > 2
    for row in found.to_pylist():
        own, kept = ({*texts[row[name]]} for name in ("page", "kept_page"))
        assert row["lost_words"] == len(own - kept)


def test_they_are_not_looked_for_where_nobody_wants_them() -> None:
    found = deduplicated(WORDS, edited(WORDS, 100), WORDS, lost_words=False)
    # Of an exact copy it is known.
    assert found["lost_words"].to_pylist() == [None, 0]


def test_what_an_earlier_collection_has(tmp_path: Path) -> None:
    old = as_jsonl(tmp_path / "old.jsonl", [page(0, " ".join(WORDS))])
    new = as_jsonl(tmp_path / "new.jsonl", [page(1, " ".join(edited(WORDS, 10, 50)))])
    webecho.sketch(old, tmp_path / "old.echo", html="html")
    found = webecho.dedup(new, tmp_path / "out", html="html", against=tmp_path / "old.echo")
    assert found.duplicates["lost_words"].to_pylist() == [2]
    assert found.summary["counts"]["words lost"] == 2
    # Where its source is gone nobody can tell.
    webecho.sketch(old, tmp_path / "kept.echo", html="html", keep_shingles=True)
    old.unlink()
    found = webecho.dedup(new, tmp_path / "gone", html="html", against=tmp_path / "kept.echo")
    assert table(tmp_path / "gone", "duplicates")[0]["lost_words"] is None
    assert found.summary["counts"]["removed, words not compared"] == 1
    assert any("are not compared" in said for said in found.summary["warnings"])


def test_all_of_them_together() -> None:
    rows = pa.table({"lost_words": pa.array([0, 3, None, 4, 0], pa.int64())})
    assert loss_of(rows) == Loss(words=7, pages=2, unknown=1)


@pytest.mark.parametrize("link", ["kept", "chain"])
def test_every_link_tells(link: str) -> None:
    found = deduplicated(WORDS, edited(WORDS, 100), link=link)
    assert found["lost_words"].to_pylist() == [1]
