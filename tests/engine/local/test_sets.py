"""Sets of pages that are the same, by hand."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl, page, prose
from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.engine.local.sets import unite_sets
from webecho.group.rules.keys import IDENTITY, PAYLOAD, Digest, Paragraphs, Sets
from webecho.workspace.workspace import Workspace

LONG = " ".join(prose(1, 200))
TEXTS = [LONG, "short text", LONG, "Short, text!", "short text", LONG.upper(), "…", "…", "", ""]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    file = as_jsonl(tmp_path / "pages.jsonl", [page(n, text) for n, text in enumerate(TEXTS)])
    done("sketch", file, "-o", tmp_path / "pages.echo", "--paragraphs")
    return Workspace.open(tmp_path / "pages.echo")


def sets_of(workspace: Workspace, sets: Sets, **given: pa.Array) -> list[int]:
    names, _ = unite_sets(workspace, sets, local_run(), **given).clusters()
    found: list[int] = names.to_pylist()
    return found


def test_identity_sets(workspace: Workspace) -> None:
    # The same tokens, or none and the same bytes; an empty page is the same as nobody.
    assert sets_of(workspace, IDENTITY) == [0, 1, 0, 1, 1, 0, 6, 6, 8, 9]


def test_the_same_bytes(workspace: Workspace) -> None:
    bytes_alone = Digest("bytes", ("markup_digest",), "bytes")
    assert sets_of(workspace, bytes_alone) == [0, 1, 0, 3, 1, 5, 6, 6, 8, 9]
    # What nobody decoded is stored as it is read, also where nothing but bytes can tell.
    for hollow in (None, pa.array([True] * 10)):
        assert sets_of(workspace, PAYLOAD, hollow=hollow) == [0, 1, 0, 3, 1, 5, 6, 6, 8, 9]


def test_what_hollow_pages_say_does_not_count(workspace: Workspace) -> None:
    hollow = pa.array([False, False, False, True, True, False, False, False, False, False])
    # Page 4 has the bytes of page 1, but that one is told by its tokens.
    assert sets_of(workspace, IDENTITY, hollow=hollow) == [0, 1, 0, 3, 4, 0, 6, 6, 8, 9]
    assert sets_of(workspace, Paragraphs(450), hollow=pa.array([True] * 10)) == [*range(10)]


def test_the_same_paragraphs(workspace: Workspace) -> None:
    # As the text is, and of long pages alone.
    assert sets_of(workspace, Paragraphs(450)) == [0, 1, 0, 3, 4, 5, 6, 7, 8, 9]
    assert sets_of(workspace, Paragraphs(5)) == [0, 1, 0, 3, 1, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        (IDENTITY, [0, 1, 2, 3, 1, 2, 6, 7, 8, 9]),
        (Paragraphs(5), [0, 1, 2, 3, 1, 5, 6, 7, 8, 9]),
    ],
)
def test_pages_of_other_groups_are_apart(
    workspace: Workspace, sets: Sets, expected: list[int]
) -> None:
    partition = pa.array([0, 1, 1, 0, 1, 1, 0, 1, 0, 1], pa.uint32())
    assert sets_of(workspace, sets, partition=partition) == expected
