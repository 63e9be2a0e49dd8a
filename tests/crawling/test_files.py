"""What savings leave in a folder."""

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq

from tests.command import contents
from tests.crawling.conftest import Crawled
from webecho.crawling.files import write_savings
from webecho.crawling.savings import SavingsSettings
from webecho.group.rules.registry import rule

FILES = [
    "checksums.json",
    "heritrix-beans.cxml",
    "heritrix-reject.txt",
    "rules.csv",
    "rules.parquet",
    "savings.json",
    "scrapy-canonical.txt",
    "scrapy-deny.txt",
    "urls.csv",
    "urls.parquet",
]


def test_tables_and_lists_are_written(tmp_path: Path, crawled: Crawled) -> None:
    settings = SavingsSettings(rule("text"))
    files = write_savings(tmp_path / "out", crawled.savings, settings)
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == FILES
    assert sorted(file.name for file in files) == [name for name in FILES if name != FILES[0]]
    for name, table in (("urls", crawled.savings.urls), ("rules", crawled.savings.rules)):
        assert pq.read_table(tmp_path / "out" / f"{name}.parquet").equals(table)
        with (tmp_path / "out" / f"{name}.csv").open(newline="", encoding="utf-8") as text:
            rows = [*csv.reader(text)]
        assert rows[0] == table.column_names
        assert len(rows) == len(table) + 1
    about = json.loads((tmp_path / "out" / "savings.json").read_text())
    assert about["settings"] == {"rule": "text", "keep": "first", "least": 0.7}
    assert about["facts"] == crawled.savings.facts
    before = contents(tmp_path / "out")
    write_savings(tmp_path / "out", crawled.savings, settings)
    assert contents(tmp_path / "out") == before
