"""Which documents of a snapshot are considered, and which are drawn."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.study.kin_reference import written
from webecho.engine.local.engine import local_run
from webecho.errors import SettingsError
from webecho.group.snapshots import (
    SampleSettings,
    check_comparable,
    left_out_facts,
    snapshot,
)
from webecho.workspace.workspace import Workspace

A, B = "abcdefghijkl", "mnopqrstuvwx"


def test_short_pages_and_repeated_addresses_are_no_documents(tmp_path: Path) -> None:
    pages = [("http://a/", A), ("http://a/", B), ("http://b/", "abc"), (None, A), (None, B)]
    [path] = written(tmp_path, [pages])
    found = snapshot(Workspace.open(path), "one", local_run())
    assert found.pages.to_pylist() == [0, 3, 4]
    # Pages 0 and 3 have one text.
    assert found.texts.to_pylist() == [0, 0, 2]
    assert left_out_facts(found) == {
        "pages": 5,
        "at most 450 characters, or unknown": 1,
        "fewer than 3 overlapping paragraphs": 0,
        "address repeated": 1,
        "documents considered": 3,
    }
    rows = found.named(local_run()).select(["page", "url", "text", "cluster"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [
        (0, "http://a/", 0, 0),
        (3, None, 0, 0),
        (4, None, 4, 4),
    ]


def test_documents_have_three_overlapping_paragraphs(tmp_path: Path) -> None:
    """Four sentences have two of them, however long they are."""
    sentences = [letter * 149 + "." for letter in "abcde"]
    texts = [" ".join(sentences[:4]), " ".join(sentences)]
    urls = ["http://a/", "http://b/"]
    webecho.sketch(
        pa.table({"url": urls, "text": texts}), tmp_path / "a.echo", paragraphs=True, sentences=True
    )
    found = snapshot(Workspace.open(tmp_path / "a.echo"), "one", local_run())
    assert (found.pages.to_pylist(), found.too_few) == ([1], 1)


def test_a_sample_is_drawn_by_its_seed() -> None:
    first = SampleSettings(10, seed=1).places(1000).to_pylist()
    assert first == SampleSettings(10, seed=1).places(1000).to_pylist() == sorted(set(first))
    assert first != SampleSettings(10, seed=2).places(1000).to_pylist()
    assert SampleSettings(10).places(10).to_pylist() == [*range(10)]
    assert SampleSettings(None).places(3).to_pylist() == [0, 1, 2]
    with pytest.raises(SettingsError, match="0: give 1 or more, or all"):
        SampleSettings(0)


def test_recipes_must_agree(tmp_path: Path) -> None:
    table = pa.table({"url": ["http://a/"], "text": ["a"]})
    webecho.sketch(table, tmp_path / "a.echo")
    webecho.sketch(table, tmp_path / "b.echo", recipe="fetterly2004")
    both = [Workspace.open(tmp_path / name) for name in ("a.echo", "b.echo")]
    check_comparable(both[:1] * 2)
    with pytest.raises(SettingsError, match="different recipes"):
        check_comparable(both)
