"""What calls of every kind of table are held against."""

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import as_parquet, small_web


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """The sketches of the small web, read from a file."""
    file = as_parquet(tmp_path_factory.mktemp("usual") / "pages.parquet", small_web())
    return webecho.sketch(str(file))
