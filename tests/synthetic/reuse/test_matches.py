"""What the six conditions leave, from the truth: by hand, and of a whole web."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pyarrow as pa
import pytest

from tests.synthetic.reuse.conftest import WEB, Reused
from webecho.synthetic.reuse.conditions import MINIMAL_NUMBERS
from webecho.synthetic.reuse.genealogy import Genealogy
from webecho.synthetic.reuse.making import write_reuse
from webecho.synthetic.reuse.matches import Match, Matches, read_matches

CONDITIONS = range(1, 7)


def web_by_hand() -> Matches:
    """Old pages 0 (sentences 1 to 9), 1 (11 to 19) and 2, a duplicate of 1; query q finds all
    three. New page 0 has six sentences of 0 and six of 1, page 1 is its duplicate, page 2 has six
    others of each, and 3 six of 0 alone."""
    new = [[*range(1, 7), *range(11, 17)]] * 2 + [[*range(4, 10), *range(14, 20)], [*range(1, 7)]]
    truth = pa.table(
        {
            "snapshot": pa.array([1, 1, 1, 2, 2, 2, 2], pa.int32()),
            "page": pa.array([0, 1, 2, 0, 1, 2, 3], pa.int64()),
            "considered": [True] * 7,
            "paragraph_cluster": pa.array([0, 1, 1, 0, 0, 2, 3], pa.int64()),
            "sentences": [[*range(1, 10)], *[[*range(11, 20)]] * 2, *new],
        }
    )
    pairs = [(page, old, 4) for page in (0, 1, 2) for old in (0, 1, 2)] + [(3, 0, 4)]
    copies = pa.table(
        {
            "child_snapshot": [2] * len(pairs),
            "child_page": [page for page, _, _ in pairs],
            "parent_snapshot": [1] * len(pairs),
            "parent_page": [old for _, old, _ in pairs],
            "shared": [shared for _, _, shared in pairs],
        }
    )
    columns = ("old_snapshot", "old_page", "new_snapshot", "new_page", "shared")
    stays = pa.table({name: pa.array([], pa.int64()) for name in columns})
    queries = pa.table({"log": ["real"], "role": ["frequent"], "query": ["q"]})
    answers = pa.table({"query": ["q"] * 3, "snapshot": [1] * 3, "page": [0, 1, 2]})
    return Matches(Genealogy(truth, copies, stays), queries, answers)


def test_matches_by_hand() -> None:
    found = web_by_hand()
    assert found.asked("real") == ["q"] and found.asked("wrong") == []
    # 0 with 1 and with its duplicate 2 are the same two clusters; 1 and 2 have nothing distinct.
    first = [Match(0, 0, 1, "q"), Match(0, 0, 2, "q")]
    assert found.left(["q"], 1, 4) == first
    assert found.left(["q"], 1, 5) == []
    assert found.left([], 1, 4) == []
    # Its duplicate is left out by either of the last two conditions.
    assert {match.new for match in found.left(["q"], 1, 4, without=[5])} == {0}
    assert {match.new for match in found.left(["q"], 1, 4, without=[6])} == {0, 2}
    assert {match.new for match in found.left(["q"], 1, 4, without=[5, 6])} == {0, 1, 2}


@pytest.fixture(scope="module")
def matches(reused: Reused) -> Matches:
    return read_matches(reused.folder)


def log_after(snapshot: int) -> str:
    return "real" if snapshot == 1 else f"real-{snapshot}"


def test_each_condition_alone_leaves_its_cases_out(reused: Reused, matches: Matches) -> None:
    @cache
    def left(old: int, minimal: int, *without: int, more: str = "") -> set[int]:
        """The new pages that are left under the conditions but for some."""
        queries = [*matches.asked(log_after(old)), more]
        return {match.new for match in matches.left(queries, old, minimal, without)}

    rows = reused.table("cases")
    for row in rows:
        at = row["snapshot"] - 1, row["minimal"]
        assert (row["page"] in left(*at)) == row["kept"], row
        if row["condition"] in CONDITIONS and not row["kept"]:
            only = [number for number in CONDITIONS if row["page"] in left(*at, number)]
            # A page that takes from one page alone has no two to compare either.
            assert only == ([] if row["case"] == "one page" else [row["condition"]]), row
        if row["condition"] == 0:
            [query] = row["queries"]
            assert row["page"] in left(*at, more=query)
    found = {(row["snapshot"], row["condition"]) for row in rows}
    assert found == {(snapshot, n) for snapshot in (2, 3, 4) for n in (None, 0, *CONDITIONS)}


def test_the_real_log_finds_more_at_every_minimal_number(matches: Matches) -> None:
    real, wrong = matches.asked("real"), matches.asked("wrong")
    assert len(real) == len(wrong)
    counts = [
        [len({match.new for match in matches.left(log, 1, minimal)}) for log in (real, wrong)]
        for minimal in MINIMAL_NUMBERS
    ]
    assert all(right > other for right, other in counts)
    assert counts == sorted(counts, reverse=True)


def test_without_copies_through_queries_neither_does(tmp_path: Path) -> None:
    write_reuse(replace(WEB, snapshots=2, through_queries=0), tmp_path / "web")
    matches = read_matches(tmp_path / "web")
    real, wrong = matches.asked("real"), matches.asked("wrong")
    assert len(real) == len(wrong)
    # Something is found all the same, by chance.
    both = sorted({*real, *wrong})
    assert matches.left(both, 1, 5)
    assert len(matches.genealogy.copies.filter(matches.genealogy.copies["via"].is_valid())) == 0
