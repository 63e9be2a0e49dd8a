"""The plan of all snapshots."""

from dataclasses import replace

import pytest

from tests.synthetic.reuse.conftest import WEB
from webecho.synthetic.reuse.births import TOO_SHORT
from webecho.synthetic.reuse.plan import Plan, plan_reuse


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_reuse(WEB)


def test_each_snapshot_is_somewhat_larger(plan: Plan) -> None:
    # Where there is no room for the cases there are more.
    assert [len(pages) for pages in plan.snapshots] == [400, 432, 464, 487]
    larger = plan_reuse(replace(WEB, pages=1200, snapshots=3))
    assert [len(pages) for pages in larger.snapshots] == [1200, 1260, 1323]
    for pages in plan.snapshots:
        assert len({page.document for page in pages}) == len(pages)
    first = [page.document for page in plan.snapshots[0]]
    assert first != sorted(first)


def test_new_pages_are_what_was_asked_for(plan: Plan) -> None:
    for number, pages in enumerate(plan.snapshots[1:], 2):
        new = [page for page in pages if page.change == "new"]
        assert all(page.born == number for page in new)
        cases = [case for case in plan.cases if case.new[0].born in (1, number)]
        of_cases = {page.document for case in cases for page in case.new}
        composed = [
            page for page in new if page.kind == "composed" and page.document not in of_cases
        ]
        through = [page for page in composed if page.sources[0].topic is not None]
        asked = set(plan.asked[number - 2].topics)
        assert {source.topic for page in through for source in page.sources} <= asked
        again = [page for page in new if page.kind in ("same paragraphs", "other order")]
        count = len(new) - len(of_cases)
        assert len(composed) == pytest.approx(WEB.copies * count, abs=8)
        assert len(through) == pytest.approx(WEB.through_queries * len(composed), abs=2)
        assert len(again) == pytest.approx(WEB.duplicates * count, abs=8)


def test_nothing_is_copied_from_pages_that_are_too_short(plan: Plan) -> None:
    short = {page.document for pages in plan.snapshots for page in pages if page.kind in TOO_SHORT}
    sources = {
        source.document for pages in plan.snapshots for page in pages for source in page.sources
    }
    assert short and sources and not short & sources


@pytest.mark.parametrize("shares", [{"copies": 0.0}, {"through_queries": 0.0}])
def test_without_copies_through_queries_there_are_no_cases(shares: dict[str, float]) -> None:
    plan = plan_reuse(replace(WEB, **shares))
    assert plan.cases == []
    sources = [source for pages in plan.snapshots for page in pages for source in page.sources]
    assert all(source.topic is None for source in sources)
    composed = [page for page in plan.snapshots[-1] if page.kind == "composed"]
    assert bool(composed) == (shares != {"copies": 0.0})


def test_a_web_without_duplicates() -> None:
    plan = plan_reuse(replace(WEB, duplicates=0.0))
    kinds = {page.kind for pages in plan.snapshots for page in pages}
    # But for those that the cases need.
    assert {"composed", "original"} <= kinds
    again = [page for pages in plan.snapshots for page in pages if page.kind == "same paragraphs"]
    assert {page.document for page in again} == {
        case.case.old[2].document for case in plan.cases if case.case.condition == 6
    }
