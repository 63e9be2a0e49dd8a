"""The files of a made-up crawl, each made by itself from its part of the plan."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from webecho.synthetic.content import fetched
from webecho.synthetic.documents import plan_documents
from webecho.synthetic.files import id_and_date, make_file
from webecho.synthetic.plan import plan
from webecho.synthetic.web import Form, Web

SMALL = Web(pages=60, seed=3, words=60, file_pages=20)
LINKED = replace(SMALL, graph=True)


def made(web: Web, folder: Path) -> list[tuple[pa.Table, int]]:
    """The truth and the bytes of each file."""
    rows = plan_documents(web) if web.graph else plan(web)
    firsts = range(0, web.pages, web.file_pages)
    return [make_file(web, folder, (first, rows.slice(first, web.file_pages))) for first in firsts]


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("web", [SMALL, LINKED])
@pytest.mark.parametrize(("form", "ending"), [("warc", "warc.gz"), ("parquet", "parquet")])
def test_a_file_has_the_pages_of_its_piece(
    tmp_path: Path, web: Web, form: Form, ending: str
) -> None:
    found = made(replace(web, form=form), tmp_path)
    assert names(tmp_path) == [f"pages-0000{number}.{ending}" for number in range(3)]
    for number, (truth, _) in enumerate(found):
        assert truth["page"].to_pylist() == [*range(20 * number, 20 * number + 20)]


@pytest.mark.parametrize("web", [SMALL, LINKED])
def test_both_forms_have_the_same_pages(tmp_path: Path, web: Web) -> None:
    rows, records = tmp_path / "rows", tmp_path / "records"
    rows.mkdir()
    records.mkdir()
    truths = made(replace(web, form="parquet"), rows)
    for (truth, size), (other, other_size) in zip(truths, made(web, records), strict=True):
        assert (truth, size) == (other, other_size)
    for table_file, warc_file in zip(
        sorted(rows.iterdir()), sorted(records.iterdir()), strict=True
    ):
        table = pq.read_table(table_file)
        assert table.column_names == ["url", "date", "ip", "html"]
        with warc_file.open("rb") as stream:
            found = [
                (record.headers["WARC-Target-URI"], record.reader.read().decode())
                for record in ArchiveIterator(stream, record_types=WarcRecordType.response)
            ]
        assert found == [*zip(table["url"].to_pylist(), table["html"].to_pylist(), strict=True)]


def test_the_bytes_of_pages_are_counted(tmp_path: Path) -> None:
    for number, (_, size) in enumerate(made(replace(SMALL, form="parquet"), tmp_path)):
        pages = pq.read_table(tmp_path / f"pages-0000{number}.parquet")["html"].to_pylist()
        assert size == sum(len(page.encode()) for page in pages) > 20 * 60


def test_a_file_made_by_itself_is_the_same(tmp_path: Path) -> None:
    made(SMALL, tmp_path)
    last = tmp_path / "pages-00002.warc.gz"
    before = last.read_bytes()
    last.unlink()
    make_file(SMALL, tmp_path, (40, plan(SMALL).slice(40, 20)))
    assert last.read_bytes() == before


def test_pages_are_fetched_one_every_second(tmp_path: Path) -> None:
    made(replace(SMALL, form="parquet"), tmp_path)
    dates = pq.read_table(tmp_path)["date"].to_pylist()
    assert [date.timestamp() - dates[0].timestamp() for date in dates] == [*range(60)]
    assert dates[0] == fetched(0)


def test_ids_come_from_the_seed() -> None:
    found = id_and_date(Web(seed=1), "page", 61)
    assert found["WARC-Date"] == "2004-01-01T00:01:01Z"
    assert found == id_and_date(Web(seed=1), "page", 61)
    second = id_and_date(Web(seed=1, snapshots=3, days=3), "page", 61, snapshot=2)
    assert second["WARC-Date"] == "2004-01-04T00:01:01Z"
    others = [
        id_and_date(Web(seed=2), "page", 61),
        id_and_date(Web(seed=1), "file", 61),
        id_and_date(Web(seed=1), "page", 62),
    ]
    assert len({each["WARC-Record-ID"] for each in [found, second, *others]}) == 5


def test_records_have_ids_of_their_own_and_no_time_of_making(tmp_path: Path) -> None:
    made(SMALL, tmp_path)
    ids = []
    for file in sorted(tmp_path.iterdir()):
        # RFC 1952: bytes 4 to 7 of a gzip member are the time, 0 for none.
        assert file.read_bytes()[4:8] == b"\0\0\0\0"
        with file.open("rb") as stream:
            for record in ArchiveIterator(stream, parse_http=False, verify_digests=True):
                ids.append(record.record_id)
                assert record.headers["WARC-Date"].startswith("2004-01-01T")
    # A page each, and one about each file.
    assert len(ids) == len(set(ids)) == SMALL.pages + 3
