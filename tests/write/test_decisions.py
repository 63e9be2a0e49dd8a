import pickle
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from tests.collections_made import WarcFile, as_jsonl, many_pages
from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.workspace.workspace import Workspace
from webecho.write.decisions import companions, rows_of, selections, source_decision
from webecho.write.selection import Selection

NOTHING = pa.table({"source": pa.array([], pa.int32()), "place": pa.array([], pa.int64())})


def sketched(folder: Path, *files: Path) -> Workspace:
    done("sketch", *files, "-o", folder / "crawl.echo", "--columns", "none")
    return Workspace.open(folder / "crawl.echo")


def stays(found: Iterable[Selection]) -> list[bool]:
    return [flag for some in found for flag in some.stays.to_pylist()]


def selected(
    workspace: Workspace, number: int, flags: pa.Array, gone_too: pa.Table
) -> Iterator[Selection]:
    """The selections of a source, as another machine makes them of what it is sent."""
    decided = pickle.loads(pickle.dumps(source_decision(workspace, number, flags, gone_too)))
    return selections(workspace, decided)


def crawl(folder: Path) -> Workspace:
    """Two pages with their requests, and a request of nobody's."""
    with WarcFile(folder / "a.warc", gzip=False) as warc:
        for number in (1, 2):
            id_ = warc.response(f"http://a.org/{number}", b"<p>%d" % number)
            warc.request(f"http://a.org/{number}", Concurrent_To=id_)
        warc.request("http://a.org/3", Concurrent_To="<urn:uuid:nobody>")
    return sketched(folder, folder / "a.warc")


def test_a_request_goes_with_its_page(tmp_path: Path) -> None:
    workspace = crawl(tmp_path)
    requests = [
        place
        for batch in workspace.batches(["place"], "skipped")
        for place in batch["place"].to_pylist()
    ]
    assert len(requests) == 3
    found = companions(workspace, pa.array([1], pa.int64()), local_run())
    assert found.to_pydict() == {"source": [0], "place": [requests[1]]}
    assert companions(workspace, pa.array([], pa.int64()), local_run()).num_rows == 0


def test_every_record_of_an_archive_is_selected(tmp_path: Path) -> None:
    workspace = crawl(tmp_path)
    gone_too = companions(workspace, pa.array([1], pa.int64()), local_run())
    (found,) = selected(workspace, 0, pa.array([True, False]), gone_too)
    assert found.places.to_pylist() == sorted(found.places.to_pylist())
    # Page, request, page, request, request.
    assert found.stays.to_pylist() == [True, True, False, False, True]


def test_of_a_table_only_pages_are_selected_and_each_source_its_own(tmp_path: Path) -> None:
    one = as_jsonl(tmp_path / "a.jsonl", many_pages(3), broken={1: "no JSON"})
    two = as_jsonl(tmp_path / "b.jsonl", many_pages(2, seed=1))
    workspace = sketched(tmp_path, one, two)
    flags = pa.array([True, False, True, True, False])
    found = list(selected(workspace, 0, flags, NOTHING))
    places = [place for some in found for place in some.places.to_pylist()]
    # The second line is no page.
    assert (places, stays(found)) == ([0, 2, 3], [True, False, True])
    assert stays(selected(workspace, 1, flags, NOTHING)) == [True, False]


def test_a_workspace_without_skipped_records_has_no_companions(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, as_jsonl(tmp_path / "a.jsonl", many_pages(3)))
    assert companions(workspace, pa.array([0, 1], pa.int64()), local_run()) == NOTHING


def test_a_decision_has_only_what_concerns_its_source(tmp_path: Path) -> None:
    files = [as_jsonl(tmp_path / f"{n}.jsonl", many_pages(3, seed=n)) for n in range(3)]
    workspace = sketched(tmp_path, *files)
    flags = pa.array([True] * 4 + [False] * 5)
    gone = pa.table({"source": [0, 0, 1, 2], "place": [7, 8, 9, 10]})
    found = source_decision(workspace, 1, flags, gone)
    assert (found.number, found.first, found.archive) == (1, 3, False)
    assert found.stays.to_pylist() == [True, False, False]
    assert found.gone_too.to_pylist() == [9]
    assert [number for number, _ in found.parts] == [1]
    assert rows_of(gone, 5).num_rows == 0
