"""Frames of Spark are known without Spark, and choose their own engine."""

import pyarrow as pa

from webecho.api.frames import engine_for


class Frame:
    """What looks like a DataFrame of Spark."""

    __module__ = "pyspark.sql.classic.dataframe"
    sparkSession = "its session"  # noqa: N815


def test_a_frame_runs_in_its_own_session_unless_another_is_named() -> None:
    frame, table = Frame(), pa.table({})
    assert engine_for(frame, "local") == "its session"  # type: ignore[comparison-overlap]
    assert engine_for([table, frame], "local") == "its session"  # type: ignore[comparison-overlap]
    assert engine_for(frame, "spark") == "spark"
    assert engine_for(table, "local") == "local"
    assert engine_for("a.jsonl", "spark") == "spark"
