"""Which pages stay for the revisits that stay, worked out by hand."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import WarcFile, edited, markup, prose
from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.errors import WebechoError
from webecho.group.decision import DedupSettings, check, decide
from webecho.group.keeping import keep
from webecho.group.revisited import known_revisits
from webecho.group.stars import Stars
from webecho.workspace.workspace import Workspace

TEXT = markup(prose(1, 204)).encode()
NEAR = markup(edited(prose(1, 204), 100)).encode()


def sketched(folder: Path, *files: WarcFile) -> Workspace:
    columns = ("--columns", "features,supershingles")
    path = folder / "w.echo"
    done("sketch", *(each.file for each in files), "-o", path, *columns)
    return Workspace.open(path)


def stays(workspace: Workspace, **settings: str) -> list[int]:
    order = keep(settings.pop("keep", "first"))
    found = decide(workspace, DedupSettings(keep=(order,), **settings), local_run())
    kept: list[int] = found.stars.kept.to_pylist()
    return kept


@pytest.mark.parametrize("order", ["first", "longest", "shortest-url", "earliest", "latest"])
@pytest.mark.parametrize("link", ["kept", "chain"])
def test_what_holds_its_content_stays_before_a_revisit(
    tmp_path: Path, order: str, link: str
) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as one:
        one.revisit("http://x/", Refers_To="<urn:uuid:b.warc.gz-1>")
    with WarcFile(tmp_path / "b.warc.gz") as two:
        two.response("http://x/a-long-address", TEXT)
    assert stays(sketched(tmp_path, one, two), keep=order, link=link) == [1, 1]


def test_an_original_stays_for_a_revisit_of_another_host(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        warc.response("http://a.org/0", NEAR)
        original = warc.response("http://a.org/1", TEXT)
        warc.revisit("http://b.org/2", Refers_To=original)
        warc.revisit("http://b.org/3", Refers_To=original)
    workspace = sketched(tmp_path, warc)
    assert stays(workspace) == [0, 0, 0, 0]
    # There is nothing on that host but the two revisits: one stays, and what it repeats too.
    found = decide(workspace, DedupSettings(within=("host",)), local_run())
    assert found.stars.kept.to_pylist() == [0, 1, 2, 2]
    assert found.originals == 1
    assert found.removed["page"].to_pylist() == [3]


def test_a_revisit_needs_the_one_that_it_names_instead_of_its_original(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        warc.response("http://a.org/0", NEAR)
        original = warc.response("http://a.org/1", TEXT)
        between = warc.revisit("http://a.org/2", Refers_To=original)
        warc.revisit("http://a.org/3", Refers_To=original)
        warc.revisit("http://b.org/4", Refers_To=between)
    workspace = sketched(tmp_path, warc)
    assert known_revisits(workspace).to_pydict() == {"page": [2, 3, 4], "revisit_of": [1, 1, 1]}
    assert stays(workspace, within=("host",)) == [0, 1, 2, 0, 4]


def test_a_decision_that_leaves_a_revisit_without_content_is_refused(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        original = warc.response("http://a.org/1", TEXT)
        warc.revisit("http://b.org/2", Refers_To=original)
    workspace = sketched(tmp_path, warc)
    right = decide(workspace, DedupSettings(), local_run())
    check(right, known_revisits(workspace))
    removed = right.stars.removed
    other = removed.set_column(0, removed.field(0), pa.array([0], pa.int64()))
    other = other.set_column(1, removed.field(1), pa.array([1], pa.int64()))
    stars = Stars(pa.array([1, 1], pa.uint32()), other)
    with pytest.raises(WebechoError, match="content of a page that stays would go"):
        check(replace(right, stars=stars), known_revisits(workspace))
