"""What the bench plants is what the study finds."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import webecho
from bench import paragraphs


def test_a_small_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paragraphs, "FILE", 600)
    (tmp_path / "crawl").mkdir()
    for number in range(2):
        paragraphs.write(tmp_path / "crawl", number)
        assert sum(family.documents for family in paragraphs.families(number)) == 594
    texts = pq.read_table(tmp_path / "crawl")["text"].to_pylist()
    assert len(texts) == 1200
    assert min(map(len, texts)) > 450
    webecho.sketch(tmp_path / "crawl", tmp_path / "crawl.echo", columns="none", paragraphs=True)
    study = webecho.study_duplicates(tmp_path / "crawl.echo")
    truth = paragraphs.planted(2)
    [row] = study.tables["duplicates"].to_pylist()
    assert (row["clusters"], row["duplicates"]) == truth[1.0]
    for row in study.tables["near_clusters"].to_pylist():
        assert (row["clusters"], row["near-duplicates"]) == truth[row["least share"]]
    # Each share finds more than the one before, or nothing would be shown.
    assert len(set(truth.values())) == 4
