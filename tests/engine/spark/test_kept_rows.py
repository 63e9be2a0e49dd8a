"""Rows that are kept are the query's, few or many, and begin a plan of their own."""

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webecho.engine.spark.kept_rows import FEW, KeptRows, beginning, kept_rows, size

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
ROWS = pa.table(
    {
        "page": [3, 1, 2, None],
        "host": ["b", None, "ä", ""],
        "digest": [b"\x00", b"", None, b"\xff"],
        "features": pa.array([[1, -1], [], None, [2]], pa.list_(pa.int64())),
        "share": pa.array([0.1, None, -0.0, float("inf")]),
    }
)
QUERY = "SELECT one.*, count(*) OVER (PARTITION BY one.host) AS hosts FROM {one} AS one JOIN {two}"


def joined(session: "SparkSession") -> "DataFrame":
    """A frame of which Spark cannot tell that it has few rows."""
    many = session.range(3).selectExpr("id AS other", "repeat('x', 9) AS long")
    return session.sql(QUERY, one=session.createDataFrame(ROWS), two=many)


def texts(rows: "DataFrame") -> list[str]:
    return sorted(map(repr, rows.toArrow().to_pylist()))


def leaf(kept: KeptRows) -> str:
    """The whole plan of the rows."""
    return str(kept.rows._jdf.queryExecution().optimizedPlan().toString()).strip()


@pytest.mark.parametrize(("few", "held"), [(FEW, False), (2000, False), (0, True)])
def test_few_and_many_rows_are_the_same(few: int, held: bool, spark: "SparkSession") -> None:
    frame = joined(spark)
    # Of those in the middle it is only known when there are rows.
    assert size(frame) > 2000
    kept = kept_rows(frame, few, little=0)
    try:
        assert (kept.held is not None) == held
        assert texts(kept.rows) == texts(joined(spark))
        assert kept.rows.schema == frame.schema
        assert leaf(kept).startswith("LogicalRDD" if held else "LocalRelation")
        assert "\n" not in leaf(kept)
    finally:
        kept.let_go()
    assert (
        not spark._jsparkSession.sharedState()
        .cacheManager()
        .lookupCachedData(frame._jdf)
        .isDefined()
    )


def test_what_is_made_of_kept_rows_does_not_grow(spark: "SparkSession") -> None:
    kept = kept_rows(spark.range(5).toDF("page"), 0, little=0)
    made = [kept]
    for _ in range(3):
        made.append(kept_rows(made[-1].rows.selectExpr("page + 1 AS page"), 0, little=0))
    assert leaf(made[-1]).startswith("LogicalRDD") and "\n" not in leaf(made[-1])
    # What it is made of may be let go of.
    for each in made[:-1]:
        each.let_go()
    assert texts(made[-1].rows) == [f"{{'page': {page}}}" for page in range(3, 8)]
    made[-1].let_go()


def test_what_begins_with_little_is_asked_for_at_once(spark: "SparkSession") -> None:
    """Spark takes a join for a product, and so for much; only one that is much is held."""
    rows = spark.createDataFrame(pa.table({"n": range(3000), "m": [0] * 3000}))
    product = rows.alias("a").join(rows.alias("b"), "n").select("n", "a.m")
    assert size(product) > FEW >= 10 * beginning(product)
    kept = kept_rows(product)
    assert kept.held is None
    assert sorted(row["n"] for row in kept.rows.collect()) == [*range(3000)]
    again = kept_rows(product, few=1, most=2999)
    assert again.held is not None
    assert again.rows.count() == 3000
    again.let_go()
    assert kept_rows(product, few=1, little=1, most=3000).held is not None
