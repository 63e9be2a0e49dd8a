"""Tables as files: the same values in CSV as in Parquet."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from webecho.show.files.latex import MOST_ROWS
from webecho.show.files.tables import caption, write_tables

TABLE = pa.table(
    {
        "collection": ["2003", 'a "b", c', "", None],
        "pages": [1, 2_000_000, None, -3],
        "share": [1 / 3, 0.1, 1e-17, None],
        "followed": [True, False, None, True],
        "nobody knows": pa.nulls(4),
    }
)


def test_csv_has_the_values_of_parquet(tmp_path: Path) -> None:
    files = write_tables(tmp_path, {"made": TABLE}, {"made": "A table"})
    assert [file.name for file in files] == ["made.parquet", "made.csv", "made.tex"]
    parquet = pq.read_table(tmp_path / "made.parquet")
    options = pa.csv.ConvertOptions(
        column_types={field.name: field.type for field in parquet.schema},
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
        null_values=[""],
    )
    assert pa.csv.read_csv(tmp_path / "made.csv", convert_options=options).equals(parquet)
    assert (tmp_path / "made.tex").read_text().startswith("% A table\n")


def test_dates_are_written(tmp_path: Path) -> None:
    table = pa.table({"fetched": [datetime(2020, 7, 1, tzinfo=UTC)]})
    write_tables(tmp_path, {"dates": table}, {})
    assert "2020-07-01" in (tmp_path / "dates.csv").read_text()


def test_a_list_of_pages_is_no_table_for_a_paper(tmp_path: Path) -> None:
    write_tables(tmp_path, {"pages": pa.table({"page": [1]})}, {})
    assert (tmp_path / "pages.tex").is_file()
    long = pa.table({"page": range(MOST_ROWS + 1)})
    files = write_tables(tmp_path, {"pages": long}, {})
    assert [file.suffix for file in files] == [".parquet", ".csv"]
    assert not (tmp_path / "pages.tex").exists()


def test_a_name_is_a_caption_where_nobody_has_said_one() -> None:
    assert caption("by_sample", {"by_sample": "What a sample tells"}) == "What a sample tells"
    assert caption("by_sample", {}) == "By sample"


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    one, two = (write_tables(tmp_path / name, {"made": TABLE}, {}) for name in ("one", "two"))
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in two]
