"""More columns of tables, and schemas that know them."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from webecho.errors import InputError
from webecho.write.annotations import RowFeed
from webecho.write.row_columns import longer, longer_schema, tell_datasets

FEED = RowFeed(pa.schema([("x_size", pa.int64()), ("x_like", pa.float64())]), ())


def test_rows_with_columns_after_their_own() -> None:
    rows = pa.RecordBatch.from_pydict({"a": [1, 2]})
    found = longer(rows, FEED.rows(0, 2))
    assert found.to_pydict() == {"a": [1, 2], "x_size": [None, None], "x_like": [None, None]}


def test_a_schema_knows_them_and_its_metadata_too() -> None:
    noted = {"info": {"features": {"a": {"dtype": "int64", "_type": "Value"}}}}
    schema = pa.schema([("a", pa.int64())], metadata={"huggingface": json.dumps(noted), "k": "v"})
    found = longer_schema("f", schema, FEED)
    assert found.names == ["a", "x_size", "x_like"]
    features = json.loads(found.metadata[b"huggingface"])["info"]["features"]
    assert features["x_like"] == {"dtype": "float64", "_type": "Value"}
    assert (found.metadata[b"k"], [*features]) == (b"v", ["a", "x_size", "x_like"])


@pytest.mark.parametrize("noted", ["no JSON", "[]", "{}", '{"info": null}'])
def test_metadata_that_say_something_else_stay(noted: str) -> None:
    schema = pa.schema([("a", pa.int64())], metadata={"huggingface": noted})
    assert longer_schema("f", schema, FEED).metadata[b"huggingface"] == noted.encode()


def test_a_column_that_is_there_is_not_replaced() -> None:
    with pytest.raises(InputError, match=r"f: has a column x_size already; .* --prefix"):
        longer_schema("f", pa.schema([("x_size", pa.int64())]), FEED)


def test_what_datasets_noted_of_a_folder_knows_the_columns(tmp_path: Path) -> None:
    noted = {"description": "é", "features": {"text": {"dtype": "string", "_type": "Value"}}}
    for folder in ("train", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dataset_info.json").write_text(json.dumps(noted))
    (tmp_path / "train" / "state.json").write_text("{}")
    tell_datasets(tmp_path, pa.schema([("a", pa.float64())]))
    found = json.loads((tmp_path / "train" / "dataset_info.json").read_text(encoding="utf-8"))
    assert found["features"] == noted["features"] | {"a": {"dtype": "float64", "_type": "Value"}}
    # Without a state it is no folder that can be loaded.
    assert json.loads((tmp_path / "other" / "dataset_info.json").read_text()) == noted


@pytest.mark.parametrize("noted", ["", "[]", "{}", '{"features": null}'])
def test_notes_that_say_something_else_stay(tmp_path: Path, noted: str) -> None:
    (tmp_path / "dataset_info.json").write_text(noted)
    (tmp_path / "state.json").write_text("{}")
    tell_datasets(tmp_path, pa.schema([("a", pa.int64())]))
    assert (tmp_path / "dataset_info.json").read_text() == noted
