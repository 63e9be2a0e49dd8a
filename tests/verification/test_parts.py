"""What is noticed of parts whose checksums are right."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import manifest, reseal, write_manifest


def test_counts_and_order_must_fit(crawl: Path) -> None:
    values = manifest(crawl)
    values["parts"][1]["counts"]["pages"] += 1
    values["parts"][2]["first"] += 1
    values["parts"][2]["ends_input"] = True
    write_manifest(crawl, values)
    text = "\n".join(webecho.verify(crawl).problems)
    assert "part 1 does not count its 5 pages" in text
    assert "part 2 begins at page 11, not 10" in text
    assert "do not end each of its inputs once" in text


def replaced(rows: pa.Table, name: str, values: list[object]) -> pa.Table:
    field = rows.schema.field(name)
    return rows.set_column(rows.column_names.index(name), field, pa.array(values, field.type))


WRONG = {
    "pages out of their order": ("sketches", "page", [6, 5, 7, 8, 9]),
    "a source that is not its input's": ("sketches", "source", [0, 0, 1, 0, 0]),
    "a revisit of a page that is not there": ("sketches", "revisit_of", [21, None, None, None, 3]),
    "pages that are not in the part": ("shingles", "page", [4, 5, 6, 7, 8]),
}


@pytest.mark.parametrize("problem", WRONG)
def test_rows_must_be_those_of_the_part(crawl: Path, problem: str) -> None:
    table, column, values = WRONG[problem]
    file = crawl / table / "part-00001.parquet"
    pq.write_table(replaced(pq.read_table(file), column, values), file)
    reseal(crawl)
    found = webecho.verify(crawl).problems[0]
    assert str(file) in found and problem in found


def test_rows_and_columns_are_counted(crawl: Path) -> None:
    sketches, skipped = crawl / "sketches", crawl / "skipped"
    rows = pq.read_table(sketches / "part-00000.parquet")
    pq.write_table(rows.slice(0, 4), sketches / "part-00000.parquet")
    pq.write_table(rows.drop_columns(["title"]), sketches / "part-00002.parquet")
    more = pq.read_table(skipped / "part-00000.parquet")
    pq.write_table(pa.concat_tables([more, more]), skipped / "part-00000.parquet")
    reseal(crawl)
    text = "\n".join(webecho.verify(crawl).problems)
    assert "part-00000.parquet has 4 pages, and 5 were counted" in text
    assert "part-00002.parquet has other columns than a table of sketches" in text
    assert f"{skipped / 'part-00000.parquet'} has another number of rows" in text
