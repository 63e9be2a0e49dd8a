import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.formats.parquet import BROKEN, STEP_BYTES, STEP_ROWS, open_parquet, row_groups


def file_of(table: pa.Table, rows: int) -> pq.ParquetFile:
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=rows, use_dictionary=False)
    file.seek(0)
    return open_parquet(file, "a.parquet")


def test_row_groups_know_their_rows() -> None:
    groups = list(row_groups(file_of(pa.table({"a": list(range(7))}), 3)))
    assert [(group.number, group.first, group.end) for group in groups] == [
        (0, 0, 3),
        (1, 3, 6),
        (2, 6, 7),
    ]


def test_a_step_has_fewer_rows_the_longer_they_are() -> None:
    long = "x" * (STEP_BYTES // 10)
    (group,) = row_groups(file_of(pa.table({"short": ["y"] * 20, "long": [long] * 20}), 20))
    assert group.step(["short"]) == STEP_ROWS
    assert group.step(["long"]) == 9
    assert group.step([]) == STEP_ROWS
    (one,) = row_groups(file_of(pa.table({"a": ["x" * (2 * STEP_BYTES)]}), 1))
    assert one.step(["a"]) == 1


def test_what_is_no_parquet_is_broken(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"PAR1 and no more")
    with (tmp_path / "a").open("rb") as file, pytest.raises(BROKEN):
        open_parquet(file, str(tmp_path / "a"))
