"""Revisits: records that say "as fetched before" are exact copies of what they refer to."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from tests.collections_made import DATE, WarcFile, as_warc, edited, many_pages, markup, page, prose
from tests.command import contents, counts, done, reseal, webecho
from webecho import clusters, pairs
from webecho.engine.local.engine import LocalEngine, local_run
from webecho.engine.protocol import Database
from webecho.run import Run
from webecho.sketches.revisits import OWN, Originals, resolve_revisits, with_originals
from webecho.workspace.workspace import Workspace

SKETCH = (
    *("bytes", "chars", "tokens", "title", "markup_digest", "digest"),
    *("features", "supershingles", "projection"),
)
TEXT = markup(prose(1, 104), "A page").encode()
URL = "http://a.example.org/"


def sketched(path: Path, *warcs: Path, more: tuple[object, ...] = ()) -> list[dict[str, Any]]:
    done("sketch", *warcs, "-o", path, "--part-pages", 2, *more)
    found: list[dict[str, Any]] = Workspace.open(path).table().to_pylist()
    return found


def sketch_of(row: dict[str, Any]) -> list[Any]:
    return [row[name] for name in SKETCH]


def groups(workspace: Path, rule: str) -> list[set[int]]:
    found: dict[int, set[int]] = {}
    for row in clusters(str(workspace), rule).to_pylist():
        found.setdefault(row["cluster"], set()).add(row["page"])
    return [group for group in found.values() if len(group) > 1]


def test_a_revisit_gets_the_sketch_of_the_record_it_names(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        original = warc.response(URL, TEXT)
        warc.response("http://a.example.org/2", b"<p>another page</p>")
        warc.revisit("http://www.example.org/again", Refers_To=original)
    first, _, again = sketched(tmp_path / "w.echo", warc.file)
    assert sketch_of(again) == sketch_of(first)
    # What is its own stays its own.
    assert (again["url"], again["host"]) == ("http://www.example.org/again", "www.example.org")
    assert again["id"] == "<urn:uuid:in.warc.gz-3>"
    assert again["fetched"].isoformat() == "2004-02-29T12:00:00+00:00"
    assert again["place"] > first["place"]
    assert groups(tmp_path / "w.echo", "exact") == [{0, 2}]
    counted = counts(tmp_path / "w.echo")
    assert (counted["pages"], counted["revisits"]) == (3, 1)
    assert counted["revisits of unknown records"] == 0


def test_a_revisit_is_known_by_id_by_address_and_date_or_by_digest(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        original = warc.response(URL, TEXT)
        warc.response("http://a.example.org/2", b"<p>another</p>", digest=False)
        warc.revisit("http://a.example.org/by-id", Refers_To=original)
        warc.revisit(
            "http://a.example.org/by-address",
            Refers_To_Target_URI="http://a.example.org/2",
            Refers_To_Date=DATE,
        )
        warc.revisit(
            "http://a.example.org/by-digest", Payload_Digest="sha1:<urn:uuid:in.warc.gz-2>"
        )
        warc.revisit(
            "http://a.example.org/wrong-date",
            Refers_To_Target_URI="http://a.example.org/2",
            Refers_To_Date="1999-01-01T00:00:00Z",
        )
    found = sketched(tmp_path / "w.echo", warc.file)
    assert sketch_of(found[2]) == sketch_of(found[0])
    assert sketch_of(found[3]) == sketch_of(found[1])
    assert sketch_of(found[4]) == sketch_of(found[1])
    assert sketch_of(found[5]) == [None] * len(SKETCH)
    assert counts(tmp_path / "w.echo")["revisits of unknown records"] == 1
    assert groups(tmp_path / "w.echo", "exact") == [{0, 2}, {1, 3, 4}]


def test_unknown_revisits_have_rows_of_nulls_and_belong_with_nothing(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc") as warc:
        for number in range(3):
            warc.revisit(f"http://a.example.org/{number}", Refers_To="<urn:uuid:elsewhere>")
        warc.revisit("http://a.example.org/says-nothing")
        warc.response("http://a.example.org/empty", b"")
        warc.response("http://a.example.org/tokenless", b"<hr>")
    found = sketched(tmp_path / "w.echo", warc.file)
    assert [sketch_of(row) for row in found[:4]] == [[None] * len(SKETCH)] * 4
    counted = counts(tmp_path / "w.echo")
    assert counted["revisits"] == counted["revisits of unknown records"] == 4
    # They are not empty: nobody knows what they are.
    assert counted["pages without tokens"] == 2
    for rule in ("exact", "very-similar", "virtually-identical", "similar"):
        assert groups(tmp_path / "w.echo", rule) == []
        assert pairs(str(tmp_path / "w.echo"), rule).num_rows == 0
    shown = done("clusters", tmp_path / "w.echo", "--rule", "exact").stdout
    assert "pages                6\npages in clusters    0\n" in shown


def test_an_original_may_come_later_or_in_another_input(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "one.warc.gz") as one:
        one.revisit("http://a.example.org/later", Refers_To="<urn:uuid:one.warc.gz-2>")
        one.response(URL, TEXT)
        one.revisit("http://a.example.org/other", Refers_To="<urn:uuid:two.warc.gz-1>")
    with WarcFile(tmp_path / "two.warc.gz") as two:
        two.response("http://b.example.org/", b"<p>in the second file</p>")
    found = sketched(tmp_path / "w.echo", one.file, two.file)
    assert sketch_of(found[0]) == sketch_of(found[1])
    assert sketch_of(found[2]) == sketch_of(found[3])
    assert groups(tmp_path / "w.echo", "exact") == [{0, 1}, {2, 3}]


def test_an_original_that_is_appended_makes_its_revisits_known(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "one.warc.gz") as one:
        one.revisit("http://a.example.org/0", Refers_To="<urn:uuid:two.warc.gz-1>")
        one.response(URL, TEXT)
        one.revisit("http://a.example.org/2", Refers_To="<urn:uuid:nowhere>")
    with WarcFile(tmp_path / "two.warc.gz") as two:
        two.response("http://b.example.org/", b"<p>in the second file</p>")
        two.revisit("http://b.example.org/1", Refers_To="<urn:uuid:one.warc.gz-2>")
    for more in ((), ("--keep-shingles",)):
        path = tmp_path / f"apart{len(more)}.echo"
        found = sketched(path, one.file, more=more)
        assert [row["tokens"] for row in found] == [None, 106, None]
        assert counts(path)["revisits of unknown records"] == 2
        found = sketched(path, two.file, more=("--append", *more))
        assert [row["tokens"] for row in found] == [4, 106, None, 4, 106]
        assert counts(path)["revisits of unknown records"] == 1
        assert groups(path, "exact") == [{0, 3}, {1, 4}]
        together = tmp_path / f"together{len(more)}.echo"
        sketched(together, one.file, two.file, more=more)
        for rule in ("exact", "similar"):
            done("clusters", together, "--rule", rule)
            done("clusters", path, "--rule", rule)
        assert contents(path) == contents(together)


def test_chains_that_go_through_an_append_end_as_if_read_at_once(tmp_path: Path) -> None:
    """What a revisit means may change when more is known, but never with the order of the runs."""
    with WarcFile(tmp_path / "one.warc.gz") as one:
        one.response(URL, TEXT)
        # 1 and 2 repeat 0, but 2 may also mean the first page of the other file.
        one.revisit("http://a.example.org/1", Refers_To="<urn:uuid:one.warc.gz-1>")
        one.revisit(
            "http://a.example.org/2",
            Refers_To="<urn:uuid:one.warc.gz-2>",
            Refers_To_Target_URI="http://b.example.org/",
            Refers_To_Date=DATE,
        )
        # 3 repeats a revisit of the other file, which repeats 0.
        one.revisit("http://a.example.org/3", Refers_To="<urn:uuid:two.warc.gz-2>")
    with WarcFile(tmp_path / "two.warc.gz") as two:
        two.response("http://b.example.org/", b"<p>in the second file</p>")
        two.revisit("http://b.example.org/1", Refers_To="<urn:uuid:one.warc.gz-1>")
    apart, together = tmp_path / "apart.echo", tmp_path / "together.echo"
    assert [row["tokens"] for row in sketched(apart, one.file)] == [106, 106, 106, None]
    found = sketched(apart, two.file, more=("--append",))
    assert [row["revisit_of"] for row in found] == [None, 0, 4, 0, None, 0]
    assert [row["tokens"] for row in found] == [106, 106, 4, 106, 4, 106]
    sketched(together, one.file, two.file)
    assert contents(apart) == contents(together)


def test_thousands_of_records_may_share_a_digest(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc") as warc:
        for number in range(3000):
            digest = "sha1:ROBOTS"
            warc.revisit(f"http://a.example.org/{number}", Payload_Digest=digest)
            warc.revisit(f"http://b.example.org/{number}", Refers_To=f"<urn:uuid:in.warc-{number}>")
    done("sketch", warc.file, "-o", tmp_path / "w.echo")
    assert counts(tmp_path / "w.echo")["revisits of unknown records"] == 6000


def test_near_duplicates_of_a_revisited_page_are_found_wherever_the_original_is(
    tmp_path: Path,
) -> None:
    """The revisit comes first and stands for its copies, but only the original has the text."""
    near = edited(prose(1, 104), 50)
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        warc.revisit("http://a.example.org/0", Refers_To="<urn:uuid:in.warc.gz-3>")
        warc.response("http://a.example.org/1", markup(near, "A page").encode())
        warc.response("http://a.example.org/2", TEXT)
    for more in ((), ("--keep-shingles",)):
        path = tmp_path / f"{len(more)}.echo"
        sketched(path, warc.file, more=more)
        # 106 tokens are 102 shingles, of which the edit changes five: 97 of 107 are shared.
        found = pairs(str(path), "similar", 0.8).to_pylist()
        assert [(row["left"], row["right"]) for row in found] == [(0, 1), (0, 2), (1, 2)]
        assert [row["resemblance"] for row in found] == [97 / 107, 1.0, 97 / 107]
        assert [row["estimated"] for row in found] == [False] * 3
        assert groups(path, "similar") == [{0, 1, 2}]


def test_of_several_records_that_a_revisit_may_mean_the_first_is_taken(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        warc.response("http://a.example.org/0", b"<p>first of two</p>")
        warc.response("http://a.example.org/0", b"<p>second</p>")
        warc.revisit(
            "http://a.example.org/2",
            Refers_To_Target_URI="http://a.example.org/0",
            Refers_To_Date=DATE,
        )
    found = sketched(tmp_path / "w.echo", warc.file)
    assert [row["tokens"] for row in found] == [3, 1, 3]


def test_a_revisit_of_a_revisit_is_a_copy_of_the_original(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        original = warc.response(URL, TEXT)
        again = warc.revisit("http://a.example.org/1", Refers_To=original)
        warc.revisit("http://a.example.org/2", Refers_To=again)
        warc.revisit("http://a.example.org/3", Refers_To="<urn:uuid:in.warc.gz-4>")
    found = sketched(tmp_path / "w.echo", warc.file)
    assert sketch_of(found[2]) == sketch_of(found[0])
    # A record that names itself, or a ring of them, is unknown.
    assert sketch_of(found[3]) == [None] * len(SKETCH)
    assert groups(tmp_path / "w.echo", "exact") == [{0, 1, 2}]


def test_a_revisit_of_an_empty_page_is_empty(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        empty = warc.response("http://a.example.org/0", b"", digest=False)
        blank = warc.response("http://a.example.org/1", b"<hr>", digest=False)
        warc.revisit("http://a.example.org/2", Refers_To=empty)
        warc.revisit("http://a.example.org/3", Refers_To=blank)
    found = sketched(tmp_path / "w.echo", warc.file)
    assert [row["tokens"] for row in found] == [0, 0, 0, 0]
    assert found[3]["markup_digest"] == found[1]["markup_digest"]
    assert {3, 1} in groups(tmp_path / "w.echo", "exact")


def test_many_revisits_over_many_parts(tmp_path: Path) -> None:
    """Every third record is a revisit of some other; all of them become copies of it."""
    web = [page(number, markup(prose(number, 30))) for number in range(20)]
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        ids = [f"<urn:uuid:in.warc.gz-{number + number // 2 + 1}>" for number in range(20)]
        meant = []
        for number, each in enumerate(web):
            assert warc.response(each.url, each.html.encode()) == ids[number]
            if number % 2:
                meant.append((number * 7) % 20)
                warc.revisit(f"{each.url}?again", Refers_To=ids[meant[-1]])
    found = sketched(tmp_path / "w.echo", warc.file)
    originals = [row for row in found if not row["url"].endswith("again")]
    revisits = [row for row in found if row["url"].endswith("again")]
    assert len(revisits) == 10
    for row, number in zip(revisits, meant, strict=True):
        assert sketch_of(row) == sketch_of(originals[number])
    assert [row["page"] for row in found] == list(range(30))


def test_a_file_of_revisits_alone_does_not_stop_a_run(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        warc.revisit("http://a.example.org/0")
    plain = as_warc(tmp_path / "more.warc", [page(0, "<p>text</p>")])
    assert webecho("sketch", warc.file, "-o", tmp_path / "w.echo", "--strict").exit_code == 0
    found = sketched(tmp_path / "both.echo", warc.file, plain)
    assert [row["tokens"] for row in found] == [None, 1]


def test_long_chains_end_where_they_begin(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        last = warc.response(URL, TEXT)
        for number in range(50):
            last = warc.revisit(f"http://a.example.org/{number}", Refers_To=last)
        # A ring of three, and a tail that leads into it.
        for step in (2, 3, 1, 1):
            refers = f"<urn:uuid:in.warc.gz-{51 + step}>"
            warc.revisit(f"http://b.example.org/{step}", Refers_To=refers)
    found = sketched(tmp_path / "w.echo", warc.file)
    assert [row["revisit_of"] for row in found] == [None] + [0] * 50 + [None] * 4
    assert [row["tokens"] for row in found] == [106] * 51 + [None] * 4
    assert counts(tmp_path / "w.echo")["revisits of unknown records"] == 4


def test_revisits_are_resolved_within_the_budget(tmp_path: Path) -> None:
    given: list[int | None] = []

    class Watched(LocalEngine):
        def database(self, run: Run) -> AbstractContextManager[Database]:
            given.append(run.memory)
            return super().database(run)

    with WarcFile(tmp_path / "in.warc.gz") as warc:
        warc.revisit("http://a.example.org/2", Refers_To=warc.response(URL, TEXT))
    done("sketch", warc.file, "-o", tmp_path / "w.echo")
    resolve_revisits(Workspace.open(tmp_path / "w.echo"), Run(Watched(), memory=10**9))
    assert given == [10**9]


def unresolved(workspace: Workspace) -> None:
    """Takes from the revisits what they have of their originals, as if nobody had looked yet."""
    for table in ("sketches", "shingles"):
        for file in workspace.part_files(table):
            rows = pq.read_table(file)
            own = pc.less(rows["page"], 40)
            for name in {*rows.column_names} - OWN | {"revisit_of"} & {*rows.column_names}:
                at, kind = rows.column_names.index(name), rows.field(name)
                nulls = pa.scalar(None, kind.type)
                rows = rows.set_column(at, kind, pc.if_else(own, rows[name], nulls))
            pq.write_table(rows, file)
    reseal(workspace.path)


def test_parts_are_rewritten_some_rows_at_a_time(tmp_path: Path) -> None:
    """However many are held, the same bytes."""
    with WarcFile(tmp_path / "in.warc.gz") as warc:
        ids = [warc.response(each.url, each.html.encode()) for each in many_pages(40)]
        for number in range(60):
            warc.revisit(f"http://b.example.org/{number}", Refers_To=ids[number * 7 % 40])
    done("sketch", warc.file, "--keep-shingles", "-o", tmp_path / "w.echo")
    whole = contents(tmp_path / "w.echo")
    unresolved(Workspace.open(tmp_path / "w.echo"))
    workspace = Workspace.open(tmp_path / "w.echo")
    assert workspace.table()["revisit_of"].null_count == 100
    resolve_revisits(workspace, local_run(), {"sketches": 3, "shingles": 2})
    assert contents(tmp_path / "w.echo") == whole
    found = workspace.table()["revisit_of"].to_pylist()
    assert found[40:] == [number * 7 % 40 for number in range(60)]


@pytest.mark.parametrize("held", [1, 2, 3, 10])
@pytest.mark.parametrize("read", [1, 2, 3, 10])
def test_originals_are_handed_out_however_rows_are_cut(held: int, read: int) -> None:
    """Pages 3, 4 and 8 of ten are revisits of 0, 1 and 1."""
    tokens = [10, 11, 12, None, None, 15, 16, 17, None, 19]
    known = {3: 0, 4: 1, 8: 1}
    pages = pa.table(
        {
            "page": pa.array(range(10), pa.int64()),
            "revisit_of": pa.nulls(10, pa.int64()),
            "tokens": pa.array(tokens, pa.int64()),
        }
    )
    taken = pa.table(
        {
            "page": pa.array(known, pa.int64()),
            "revisit_of": pa.array(known.values(), pa.int64()),
            "tokens": pa.array([tokens[page] for page in known.values()], pa.int64()),
        }
    )
    originals = Originals(iter(taken.to_batches(max_chunksize=held)))
    found = [
        with_originals(pa.Table.from_batches([batch]), originals)
        for batch in pages.to_batches(max_chunksize=read)
    ]
    assert pa.concat_tables(found).to_pydict() == {
        "page": list(range(10)),
        "revisit_of": [None, None, None, 0, 1, None, None, None, 1, None],
        "tokens": [10, 11, 12, 10, 11, 15, 16, 17, 11, 19],
    }
