"""Words that are lost, from the shelf and of pages that are read again."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import as_jsonl, edited, page, prose


@pytest.mark.parametrize("rule", ["similar", "edited", "b", "c"])
def test_words_from_the_shelf_are_those_of_pages_read_again(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one collection, and beside an earlier one, whose pages are read again in any case."""
    long = prose(2, 2000)
    texts = [edited(long, *places) for places in ((), (1990,), (1980, 1995), (1970, 1985, 1997))]
    pages = [page(number, " ".join(text)) for number, text in enumerate(texts)]
    old = as_jsonl(tmp_path / "old.jsonl", pages[:1])
    new = as_jsonl(tmp_path / "new.jsonl", pages[1:])
    webecho.sketch(old, tmp_path / "old.echo", html="html")

    def lost(out: str, **against: Path) -> pa.Table:
        return webecho.dedup(new, tmp_path / out, rule=rule, html="html", **against).duplicates

    alone, beside = lost("alone"), lost("beside", against=tmp_path / "old.echo")
    assert alone["lost_words"].to_pylist() == [3, 4]
    assert beside["lost_words"].to_pylist() == [1, 2, 3]
    monkeypatch.setattr("webecho.deduplication.run.shelf_in", lambda *_, **__: None)
    assert lost("read again").equals(alone)
    assert lost("both read again", against=tmp_path / "old.echo").equals(beside)


def test_what_lies_on_the_shelf_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webecho.engine.local.lost_words._read_again", pytest.fail)
    texts = [" ".join(words) for words in (prose(2, 2000), edited(prose(2, 2000), 1990))]
    for rule in ("similar", "edited", "b"):
        found = webecho.dedup(texts, rule=rule).duplicates
        assert found["lost_words"].to_pylist() == [1]
