"""The local engine's SQL: named tables, and errors that are ours."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.engine.local.engine import local_run
from webecho.engine.protocol import Database
from webecho.errors import InputError, MemoryBudgetError, WebechoError, WorkspaceError
from webecho.workspace.stored import Stored

NUMBERS = pa.schema([("page", pa.int64()), ("url", pa.string())])


@pytest.fixture
def database() -> Iterator[Database]:
    with local_run().database() as opened:
        yield opened


def rows(first: int, count: int) -> pa.Table:
    pages = range(first, first + count)
    return pa.table({"page": pages, "url": [f"u{page}" for page in pages]}, schema=NUMBERS)


def written(file: Path, first: int, count: int) -> Path:
    pq.write_table(rows(first, count), file, compression="zstd")
    return file


def test_a_stored_table_has_the_rows_of_its_files(tmp_path: Path, database: Database) -> None:
    files = (written(tmp_path / "one.parquet", 0, 2), written(tmp_path / "two.parquet", 2, 1))
    database.add("pages", Stored(files, NUMBERS))
    found = database.table("SELECT page, url FROM pages ORDER BY page")
    assert found.to_pydict() == {"page": [0, 1, 2], "url": ["u0", "u1", "u2"]}
    assert database.columns("pages") == ["page", "url"]


def test_a_stored_table_without_files_has_its_columns(database: Database) -> None:
    database.add("pages", Stored((), NUMBERS))
    assert database.columns("pages") == ["page", "url"]
    found = database.table("SELECT page, url FROM pages WHERE url = 'x'")
    assert found.num_rows == 0
    assert found.schema.types == NUMBERS.types
    assert database.row("SELECT count(*) AS pages FROM pages") == {"pages": 0}


def test_rows_that_come_once(database: Database) -> None:
    reader = pa.RecordBatchReader.from_batches(NUMBERS, rows(0, 10).to_batches(max_chunksize=3))
    database.add("pages", reader)
    assert database.row("SELECT sum(page) AS total FROM pages")["total"] == 45


def test_batches_are_of_the_number_of_rows_asked_for(database: Database) -> None:
    database.add("pages", rows(0, 5000))
    reader = database.batches("SELECT page FROM pages ORDER BY page", 2048)
    assert reader.schema.names == ["page"]
    sizes, found = [], []
    for batch in reader:
        sizes.append(len(batch))
        found += batch["page"].to_pylist()
    assert sizes == [2048, 2048, 904]
    assert found == list(range(5000))


@pytest.mark.parametrize("name", ["plain", "two words", 'with"quote', "it's", "select"])
def test_names_may_be_anything(name: str, database: Database, tmp_path: Path) -> None:
    called = '"' + name.replace('"', '""') + '"'
    count = f"SELECT count(*) AS pages FROM {called}"
    database.add(name, rows(0, 3))
    assert database.row(count) == {"pages": 3}
    database.view(name, "SELECT 1 AS page")
    assert database.row(count) == {"pages": 1}
    database.keep(name, "SELECT unnest([1, 2]) AS page")
    assert database.row(count) == {"pages": 2}
    file = written(tmp_path / f"{name.replace('/', '')}.parquet", 0, 4)
    database.add(name, Stored((file,), NUMBERS))
    assert database.row(count) == {"pages": 4}


def test_what_is_kept_may_be_made_of_what_had_the_name(database: Database) -> None:
    database.add("pages", rows(0, 3))
    for _ in range(3):
        database.keep("pages", "SELECT page * 2 AS page FROM pages")
    assert database.table("SELECT page FROM pages ORDER BY page").to_pydict() == {
        "page": [0, 8, 16]
    }


def test_a_view_runs_whenever_it_is_asked_for_and_what_is_kept_once(database: Database) -> None:
    database.add("pages", rows(0, 3))
    database.view("seen", "SELECT count(*) AS pages FROM pages")
    database.keep("kept", "SELECT count(*) AS pages FROM pages")
    database.add("pages", rows(0, 5))
    assert database.row("SELECT * FROM seen") == {"pages": 5}
    assert database.row("SELECT * FROM kept") == {"pages": 3}


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def spoil(file: Path) -> None:
    """Other bytes in the middle: the footer, which is read first, is as it was."""
    content = bytearray(file.read_bytes())
    content[len(content) // 3 : len(content) // 3 + 400] = bytes(400)
    file.write_bytes(content)


def spoil_header(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4:200] = bytes(196)
    file.write_bytes(content)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def remove(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("damage", [cut, spoil, spoil_header, empty, remove])
def test_a_file_that_cannot_be_read_is_named_with_the_fix(
    damage: object, tmp_path: Path, database: Database
) -> None:
    files = [written(tmp_path / f"it's {name}.parquet", 0, 20_000) for name in "abc"]
    assert callable(damage)
    damage(files[1])
    with pytest.raises(WorkspaceError) as error:
        database.add("pages", Stored(tuple(files), NUMBERS, "sketch the collection again"))
        database.row("SELECT max(page) AS page, max(url) AS url FROM pages")
    assert str(error.value).startswith(f"{files[1]} cannot be read (")
    assert str(error.value).endswith("); sketch the collection again")


def test_a_file_that_goes_bad_while_batches_are_read(tmp_path: Path, database: Database) -> None:
    file = tmp_path / "pages.parquet"
    pq.write_table(rows(0, 400_000), file, row_group_size=10_000, use_dictionary=False)
    spoiled = bytearray(file.read_bytes())
    at = pq.read_metadata(file).row_group(39).column(1).data_page_offset
    spoiled[at : at + 40] = bytes(40)
    file.write_bytes(spoiled)
    database.add("pages", Stored((file,), NUMBERS, "sketch the collection again"))
    found = 0
    with pytest.raises(WorkspaceError, match=r"pages\.parquet cannot be read .*; sketch the coll"):
        for batch in database.batches("SELECT url FROM pages", 1000):
            found += len(batch)
    assert 0 < found < 400_000


class ElsewhereError(Exception):
    """An error that is not ours."""


@pytest.mark.parametrize("kind", [InputError, WebechoError, ElsewhereError, KeyboardInterrupt])
@pytest.mark.parametrize("asked", ["table", "batches", "keep"])
def test_what_a_reader_raises_is_raised(
    kind: type[BaseException], asked: str, database: Database
) -> None:
    def some() -> Iterator[pa.RecordBatch]:
        for number in range(200):
            yield from rows(1000 * number, 1000).to_batches()
        raise kind("page 200000 is gone; bring it back")

    database.add("pages", pa.RecordBatchReader.from_batches(NUMBERS, some()))
    query = "SELECT page + 1 AS next FROM pages"
    with pytest.raises(kind, match=r"^page 200000 is gone; bring it back$"):
        if asked == "batches":
            list(database.batches(query, 1000))
        elif asked == "table":
            database.table(query)
        else:
            database.keep("kept", query)


def test_too_little_memory_is_told_with_what_was_allowed() -> None:
    # A list is held as a whole, so that nothing of it can be spilled.
    query = "SELECT list(number::VARCHAR ORDER BY number % 7) AS n FROM range(9000000) t(number)"
    with (
        local_run(memory=100 << 20).database() as database,
        pytest.raises(MemoryBudgetError, match="than the 105MB allowed; give --memory more"),
    ):
        database.table(query)


def test_batches_that_run_out_of_memory_midway() -> None:
    query = """
        SELECT CASE WHEN number = 900000 THEN
            (SELECT list(n::VARCHAR ORDER BY n % 7)::VARCHAR FROM range(9000000) t(n))
        ELSE 'x' END AS text FROM range(1000000) t(number)
    """
    with (
        local_run(memory=100 << 20).database() as database,
        pytest.raises(MemoryBudgetError, match="than the 105MB allowed; give --memory more"),
    ):
        for _ in database.batches(query, 1000):
            pass


def test_a_wrong_query_is_an_error_of_ours(database: Database) -> None:
    with pytest.raises(WebechoError, match=r"a query failed \(.*nowhere.*\); please report this"):
        database.table("SELECT * FROM nowhere")
    with pytest.raises(WebechoError, match="a query failed"):
        list(database.batches("SELECT CAST('x' || i AS INT) AS n FROM range(9) t(i)", 2))


def test_one_row_by_names(database: Database) -> None:
    assert database.row("SELECT 1 AS one, NULL AS none") == {"one": 1, "none": None}
