"""Functions that Spark has by the names of DuckDB's."""

import hashlib
from typing import TYPE_CHECKING

import pytest

from webecho.engine.spark.session import sibling

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def test_the_lower_half_of_a_digest_is_a_number(spark: "SparkSession") -> None:
    texts = ["", "7 1 2", "ü", "a" * 100, *map(str, range(40))]
    session = sibling(spark)
    session.createDataFrame([(text,) for text in texts], "text string").createTempView("texts")
    rows = session.sql("SELECT text, md5_number_lower(text) AS number FROM texts").collect()
    assert {row.text: int(row.number) for row in rows} == {
        text: int.from_bytes(hashlib.md5(text.encode()).digest()[8:], "little") for text in texts
    }
