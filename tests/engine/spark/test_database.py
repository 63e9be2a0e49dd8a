"""Spark's SQL as the protocol has it: named tables, dialects that agree, and errors that are ours.

What statements give is compared with DuckDB, on tables made to differ where dialects do.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.engine.local.engine import local_run
from webecho.engine.protocol import Database
from webecho.engine.spark import database as module
from webecho.errors import InputError, WebechoError, WorkspaceError
from webecho.workspace.stored import Stored

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
NUMBERS = pa.schema([("page", pa.int64()), ("url", pa.string())])


@pytest.fixture
def database(spark: "SparkSession") -> Iterator[Database]:
    from webecho.engine.spark.engine import spark_run

    with spark_run(spark).database() as opened:
        yield opened


def rows(first: int, count: int) -> pa.Table:
    pages = range(first, first + count)
    return pa.table({"page": pages, "url": [f"u{page}" for page in pages]}, schema=NUMBERS)


def written(file: Path, first: int, count: int) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows(first, count), file, compression="zstd")
    return file


def test_a_stored_table_has_the_rows_of_its_files(tmp_path: Path, database: Database) -> None:
    # A folder may be called as a partition of Spark's is.
    files = (written(tmp_path / "page=7" / "1.parquet", 0, 2), written(tmp_path / "2", 2, 1))
    database.add("pages", Stored(files, NUMBERS))
    found = database.table("SELECT page, url FROM pages ORDER BY page NULLS LAST")
    assert found.to_pydict() == {"page": [0, 1, 2], "url": ["u0", "u1", "u2"]}
    assert database.columns("pages") == ["page", "url"]


# What Hadoop and URIs read something into, and what Spark leaves out as its own or hidden.
NAMES = [
    *(
        "a b",
        " a",
        "a%20b",
        "50%",
        "{a,b}",
        "[a-b]",
        "a*",
        "a?",
        "a#b",
        "a,b",
        "a:b",
        "a;b",
        "a\\b",
    ),
    *("x=1", "ä 页", "_a", ".a", "a.parquet.crc"),
]


@pytest.mark.parametrize("name", NAMES)
def test_files_may_have_any_name(name: str, tmp_path: Path, database: Database) -> None:
    files = (written(tmp_path / name / name, 0, 2), written(tmp_path / "ab" / "ab", 2, 1))
    database.add("pages", Stored(files, NUMBERS))
    found = database.table("SELECT page FROM pages ORDER BY page NULLS LAST")
    assert found["page"].to_pylist() == [0, 1, 2]


def test_a_table_without_rows_has_its_columns(database: Database) -> None:
    database.add("pages", Stored((), NUMBERS))
    assert database.columns("pages") == ["page", "url"]
    found = database.table("SELECT page, url FROM pages WHERE url = 'x'")
    assert (found.num_rows, found.schema.types) == (0, NUMBERS.types)
    database.keep("kept", "SELECT url, count(*) AS pages FROM pages GROUP BY url")
    assert database.table("SELECT * FROM kept").schema.names == ["url", "pages"]
    reader = database.batches("SELECT url FROM kept", 10)
    assert (reader.schema.names, [*reader]) == (["url"], [])


def test_rows_in_memory_rows_that_come_once_and_many(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pa.concat_tables([rows(0, 4), rows(4, 6)])
    database.add("pages", whole)
    assert database.row("SELECT sum(page) AS total FROM pages")["total"] == 45
    database.add("pages", whole.to_reader(max_chunksize=3))
    assert database.row("SELECT sum(page) AS total FROM pages")["total"] == 45
    monkeypatch.setattr(module, "IN_MEMORY", 10)
    database.add("pages", whole)
    assert database.row("SELECT sum(page) AS total FROM pages")["total"] == 45


def test_batches_are_in_the_order_asked_for(database: Database) -> None:
    database.add("pages", rows(0, 5000))
    reader = database.batches("SELECT page FROM pages ORDER BY page DESC NULLS LAST", 1000)
    batches = [*reader]
    assert max(map(len, batches)) <= 1000
    assert [page for batch in batches for page in batch["page"].to_pylist()] == [
        *range(4999, -1, -1)
    ]


@pytest.mark.parametrize("name", ["two words", 'with"quote', "it's", "select", "a.b", "x`y"])
def test_names_may_be_anything(name: str, database: Database) -> None:
    count = 'SELECT count(*) AS pages FROM "{}"'.format(name.replace('"', '""'))
    database.add(name, rows(0, 3))
    assert database.row(count) == {"pages": 3}
    database.view(name, "SELECT 1 AS page")
    assert database.row(count) == {"pages": 1}
    database.keep(name, "SELECT 1 AS page UNION ALL SELECT 2")
    assert database.row(count) == {"pages": 2}
    assert database.columns(name) == ["page"]


def test_what_is_kept_may_be_made_of_what_had_the_name(database: Database) -> None:
    database.add("pages", rows(0, 3))
    for _ in range(3):
        database.keep("pages", "SELECT page * 2 AS page FROM pages")
    found = database.table("SELECT page FROM pages ORDER BY page NULLS LAST")
    assert found["page"].to_pylist() == [0, 8, 16]


def test_a_view_runs_whenever_it_is_asked_for_and_what_is_kept_once(database: Database) -> None:
    database.add("pages", rows(0, 3))
    database.view("seen", "SELECT count(*) AS pages FROM pages")
    database.keep("kept", "SELECT count(*) AS pages FROM pages")
    database.add("pages", rows(0, 5))
    assert database.row("SELECT * FROM seen") == {"pages": 5}
    assert database.row("SELECT * FROM kept") == {"pages": 3}


def test_two_databases_have_names_of_their_own(spark: "SparkSession") -> None:
    from webecho.engine.spark.engine import spark_run

    run = spark_run(spark)
    with run.database() as one, run.database() as other:
        one.add("pages", rows(0, 3))
        other.add("pages", rows(0, 5))
        assert one.row("SELECT count(*) AS pages FROM pages") == {"pages": 3}
    assert not spark.catalog.tableExists("pages")


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def spoil(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 3 : len(content) // 3 + 400] = bytes(400)
    file.write_bytes(content)


def remove(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize("damage", [cut, spoil, remove])
def test_a_file_that_cannot_be_read_is_named_with_the_fix(
    damage: Any, tmp_path: Path, database: Database
) -> None:
    files = [written(tmp_path / f"it's {name}.parquet", 0, 20_000) for name in "abc"]
    damage(files[1])
    with pytest.raises(WorkspaceError) as error:
        database.add("pages", Stored(tuple(files), NUMBERS, "sketch the collection again"))
        database.row("SELECT max(page) AS page, max(url) AS url FROM pages")
    assert str(error.value).startswith(f"{files[1]} cannot be read (")
    assert str(error.value).endswith("); sketch the collection again")
    assert "\n" not in str(error.value)


def test_on_a_cluster_no_file_of_the_drivers_is_read(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "is_local", lambda *_, **__: False)
    monkeypatch.setattr(module, "IN_MEMORY", 64)
    monkeypatch.setattr(database, "_folder", Path("nowhere"))
    for given in (rows(0, 50), rows(0, 50).to_reader(7)):
        database.add("pages", given)
        found = database.batches("SELECT page FROM pages ORDER BY page", 7)
        batches = [*found]
        assert max(map(len, batches)) <= 7
        assert pa.Table.from_batches(batches)["page"].to_pylist() == [*range(50)]


@pytest.mark.parametrize("kind", [InputError, KeyboardInterrupt])
def test_what_a_reader_raises_is_raised(kind: type[BaseException], database: Database) -> None:
    def some() -> Iterator[pa.RecordBatch]:
        yield from rows(0, 10).to_batches()
        raise kind("page 10 is gone; bring it back")

    with pytest.raises(kind, match=r"^page 10 is gone; bring it back$"):
        database.add("pages", pa.RecordBatchReader.from_batches(NUMBERS, some()))
        database.table("SELECT page FROM pages")


def test_a_wrong_query_is_an_error_of_ours(database: Database) -> None:
    with pytest.raises(WebechoError, match=r"Spark failed \(.*nowhere.*\); please report this"):
        database.table("SELECT * FROM nowhere")
    with pytest.raises(WebechoError, match="Spark failed"):
        database.row("SELECT CAST('x' AS INT) AS number")


# Where dialects differ: nulls, ties, whole numbers that are divided, texts that sort otherwise,
# numbers without a sign, the lists and digests of sketches.
ODD = pa.table(
    {
        "page": pa.array([0, 1, 2, 3, 4, 5, None], pa.int64()),
        "host": ["b", None, "a", "B", "ä", "a", None],
        "size": pa.array([7, 7, None, 0, -7, 2**31, 7], pa.int64()),
        "count": pa.array([1, 2, 3, None, 2**63, 5, 6], pa.uint64()),
        "share": [0.1, 0.2, 0.3, None, float("inf"), -0.0, 0.0],
        "flag": [True, False, None, True, None, False, None],
        "features": pa.array([[1, 2], [], None, [3], [1, 2], [-1], None], pa.list_(pa.int64())),
        "digest": pa.array([b"\x00", b"\xff", None, b"a", b"", b"b", b"\x80"], pa.binary()),
        "class": pa.array([1, 1, 2, 2, None, 300, 65535], pa.uint16()),
    }
)
QUERIES = [
    "SELECT host, page FROM odd ORDER BY host NULLS FIRST, page NULLS LAST",
    "SELECT host, page FROM odd ORDER BY host DESC NULLS LAST, page DESC NULLS FIRST",
    "SELECT page, size / 2 AS half, -size / 2 AS less FROM odd ORDER BY page NULLS LAST",
    "SELECT page, CAST(floor(size / 2) AS BIGINT) AS half FROM odd ORDER BY page NULLS LAST",
    "SELECT host, count(*) AS pages, sum(size) AS sizes, min(page) AS page, sum(count) AS counted "
    "FROM odd GROUP BY host ORDER BY page NULLS LAST",
    "SELECT count(*) FILTER (WHERE flag) AS yes, count(DISTINCT host) AS hosts, "
    "bool_or(flag) AS some, max(share) AS share FROM odd",
    "SELECT page, row_number() OVER (PARTITION BY size ORDER BY host NULLS LAST, page NULLS LAST) "
    "AS place FROM odd ORDER BY page NULLS LAST",
    "SELECT page, rank() OVER (ORDER BY size NULLS FIRST) AS place FROM odd "
    "ORDER BY page NULLS LAST",
    "SELECT one.page, other.page AS twin FROM odd AS one JOIN odd AS other "
    "ON one.features = other.features AND one.page < other.page",
    "SELECT one.page FROM odd AS one WHERE EXISTS (SELECT * FROM odd AS other "
    "WHERE other.host IS NOT DISTINCT FROM one.host AND other.page > one.page)",
    "SELECT page FROM odd WHERE page NOT IN (SELECT page FROM odd WHERE page IS NOT NULL "
    "AND size = 7)",
    "SELECT digest, page FROM odd ORDER BY digest NULLS LAST",
    "SELECT class, features, page FROM odd ORDER BY page NULLS LAST",
    "SELECT host, page FROM odd WHERE host LIKE 'a%' OR lower(host) = 'b' ORDER BY page NULLS LAST",
    "SELECT page AS \"a name, with ≥ and |\", host || '/' || CAST(page AS STRING) AS joined "
    "FROM odd ORDER BY page NULLS LAST",
    "SELECT sum(size) AS none, count(*) AS rows, max(host) AS host FROM odd WHERE 1 = 0",
    "SELECT host, count(*) AS rows FROM odd WHERE 1 = 0 GROUP BY host",
]


@pytest.mark.parametrize("query", QUERIES)
def test_dialects_agree_on_odd_tables(query: str, database: Database) -> None:
    from tests.engine.spark.both import check_equal

    database.add("odd", ODD)
    with local_run().database() as other:
        other.add("odd", ODD)
        check_equal(database.table(query), other.table(query), query, query)
