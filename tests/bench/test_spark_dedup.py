"""Every contender of `bench.spark_dedup` can be called, and is held against webecho by itself."""

from pathlib import Path

from bench.process import Run
from bench.spark_dedup import CONTENDERS, LOCAL, Result, as_rows


def test_commands_are_whole() -> None:
    for contender in CONTENDERS:
        words = contender.called(Path("in.parquet"), Path("left"))
        assert "in.parquet" in words and "left" in words
        assert not any("{" in word for word in words)
        if contender.peer:
            assert Path(words[1]).is_file()


def test_ratios_are_of_documents_a_second() -> None:
    ours = Result(LOCAL.name, 1000, Run(10, 20, 1, 1, 0), 900)
    slower = Result("peer", 500, Run(20, 40, 1, 1, 0), 450)
    stopped = Result("stopped", 500, Run(20, 40, 1, 1, 0, "not done after 20 s"), None)
    rows = as_rows([ours, slower, stopped])
    assert [row.get("times_webecho") for row in rows] == [1, 4, None]
    assert rows[1]["left"] == 450
