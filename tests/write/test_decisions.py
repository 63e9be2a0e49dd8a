import pickle
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa

from tests.collections_made import WarcFile, as_jsonl, many_pages
from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.group.decision import DROPPED, KEPT, REMOVED
from webecho.group.dropping import Dropping
from webecho.workspace.workspace import Workspace
from webecho.write.decisions import Fates, companions, selections, source_decision
from webecho.write.selection import Selection

NOTHING = pa.table({"source": pa.array([], pa.int32()), "place": pa.array([], pa.int64())})


def sketched(folder: Path, *files: Path) -> Workspace:
    done("sketch", *files, "-o", folder / "crawl.echo", "--columns", "none")
    return Workspace.open(folder / "crawl.echo")


def fates(
    *pages: int, removed: pa.Table = NOTHING, dropped: pa.Table = NOTHING, **dropping: bool
) -> Fates:
    together = {REMOVED: removed, DROPPED: dropped}
    return Fates(pa.array(pages, pa.int8()), together, Dropping(**dropping))


def stays(found: Iterable[Selection]) -> list[bool]:
    return [flag for some in found for flag in some.stays.to_pylist()]


def selected(
    workspace: Workspace, number: int, fates: Fates, fate: int = KEPT
) -> Iterator[Selection]:
    """The selections of a source, as another machine makes them of what it is sent."""
    decided = pickle.loads(pickle.dumps(source_decision(workspace, number, fates)))
    return selections(workspace, decided, fate)


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
    (found,) = selected(workspace, 0, fates(KEPT, REMOVED, removed=gone_too))
    assert found.places.to_pylist() == sorted(found.places.to_pylist())
    # Page, request, page, request, request.
    assert found.stays.to_pylist() == [True, True, False, False, True]
    (gone,) = selected(workspace, 0, fates(KEPT, REMOVED, removed=gone_too), REMOVED)
    assert gone.stays.to_pylist() == [False, False, True, True, False]
    # What is dropped takes its request along as well.
    both = fates(KEPT, DROPPED, removed=gone_too, dropped=gone_too)
    (gone,) = selected(workspace, 0, both, DROPPED)
    assert gone.stays.to_pylist() == [False, False, True, True, False]
    assert not stays(selected(workspace, 0, both, REMOVED))[3]


def test_of_a_table_only_pages_are_selected_and_each_source_its_own(tmp_path: Path) -> None:
    one = as_jsonl(tmp_path / "a.jsonl", many_pages(3), broken={1: "no JSON"})
    two = as_jsonl(tmp_path / "b.jsonl", many_pages(2, seed=1))
    workspace = sketched(tmp_path, one, two)
    of_pages = fates(KEPT, REMOVED, KEPT, KEPT, REMOVED)
    found = list(selected(workspace, 0, of_pages))
    places = [place for some in found for place in some.places.to_pylist()]
    # The second line is no page.
    assert (places, stays(found)) == ([0, 2, 3], [True, False, True])
    assert stays(selected(workspace, 1, of_pages)) == [True, False]


def test_a_workspace_without_skipped_records_has_no_companions(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, as_jsonl(tmp_path / "a.jsonl", many_pages(3)))
    assert companions(workspace, pa.array([0, 1], pa.int64()), local_run()) == NOTHING


def test_lines_that_are_no_pages_are_dropped_on_request(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", many_pages(3), broken={1: "no JSON", 2: ""})
    workspace = sketched(tmp_path, file)
    every = (KEPT, REMOVED, KEPT)

    def dropped(**dropping: bool) -> list[int]:
        given = fates(*every, **dropping)
        kept, gone = ([*selected(workspace, 0, given, fate)] for fate in (KEPT, DROPPED))
        assert stays(selected(workspace, 0, given, REMOVED)).count(True) == 1
        assert not any(a and b for a, b in zip(stays(kept), stays(gone), strict=True))
        return [
            place
            for some in gone
            for place, goes in zip(some.places.to_pylist(), some.stays.to_pylist(), strict=True)
            if goes
        ]

    assert dropped() == []
    assert dropped(drop_failed=True) == [1]
    assert dropped(drop_empty=True) == [3]
    assert dropped(drop_failed=True, drop_empty=True) == [1, 3]
