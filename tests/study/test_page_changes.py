"""How many features successive downloads have in common, against the features themselves."""

from pathlib import Path
from typing import Any

from tests.study.snapshots_made import snapshots, words
from webecho.api.runs import as_run
from webecho.study.captures import add_captures
from webecho.study.page_changes import add_page_changes
from webecho.workspace.workspace import Workspace

A, B, C, D, E, F = (f"http://{host}.example/" for host in "abcdef")
EMPTY, OTHER_EMPTY = "<p></p>", "<br>"
# Of 100 words one is another: five of 96 shingles change.
EDITED = words("a", 100).replace("a50 ", "z ")


def changes(made: list[Workspace]) -> list[dict[str, Any]]:
    run = as_run(threads=2)
    with run.database() as database:
        add_captures(database, made, run)
        add_page_changes(database, made, run)
        query = """
        SELECT earlier, earlier_page, later, later_page, common FROM changes
        ORDER BY later NULLS LAST, later_page NULLS LAST
        """
        return database.table(query).to_pylist()


def test_all_kinds_of_change(tmp_path: Path) -> None:
    made = snapshots(
        tmp_path,
        [(A, words("a", 100)), (B, words("b")), (C, words("c")), (D, EMPTY), (E, EMPTY)],
        # A is edited, B has other markup, C is absent, D stays without words, E gets some.
        [(E, words("e")), (D, OTHER_EMPTY), (A, EDITED), (B, f"<i>{words('b')}</i>")],
        # A as it was at first, B as before, C is compared with the first snapshot, F is new.
        [(F, words("f")), (C, words("other")), (B, f"<i>{words('b')}</i>"), (A, words("a", 100))],
        [(E, EMPTY), (D, OTHER_EMPTY), (F, words("f")), (F, words("again"))],
    )
    found = changes(made)
    features = [each.table()["features"].to_pylist() for each in made]

    def agree(earlier: int, page: int, later: int, other: int) -> int:
        pairs = zip(features[earlier - 1][page], features[later - 1][other], strict=True)
        return sum(one == two for one, two in pairs)

    edited = agree(1, 0, 2, 2)
    assert 65 <= edited < 84
    assert [tuple(row.values()) for row in found] == [
        (1, 4, 2, 0, 0),
        (1, 3, 2, 1, 84),
        (1, 0, 2, 2, edited),
        (1, 1, 2, 3, 84),
        (1, 2, 3, 1, 0),
        (2, 3, 3, 2, 85),
        (2, 2, 3, 3, edited),
        (2, 0, 4, 0, 0),
        (2, 1, 4, 1, 85),
        (3, 0, 4, 2, 85),
    ]


def test_one_snapshot_has_no_changes(tmp_path: Path) -> None:
    assert changes(snapshots(tmp_path, [(A, words("a"))])) == []


def test_snapshots_without_common_addresses(tmp_path: Path) -> None:
    assert changes(snapshots(tmp_path, [(A, words("a"))], [], [(B, words("a"))])) == []
