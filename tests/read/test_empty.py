from pathlib import Path

import pytest

from tests.read.reading import everything
from webecho.errors import InputError
from webecho.formats.skipped import Skipped
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.read.empty import EmptySource, is_empty


def test_it_is_skipped_once(tmp_path: Path) -> None:
    (tmp_path / "a.warc").touch()
    source = EmptySource(str(tmp_path / "a.warc"))
    assert is_empty(source.name)
    assert everything(source) == ([], [Skipped(0, "empty file")])
    assert list(source.batches(after=0)) == []
    with pytest.raises(InputError, match=r"a\.warc: is empty, and has no page"):
        source.read([0])


def test_columns_that_are_named_need_not_be_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"x": "words"}\n')
    (tmp_path / "b.jsonl").touch()
    options = ReadOptions(ColumnNames(text="x"))
    given = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    assert [source.format for source in open_collection(given, options).sources] == [
        "jsonl",
        "empty",
    ]
    folder = open_collection([str(tmp_path)], options)
    assert [source.format for source in folder.sources] == ["jsonl", "empty"]
