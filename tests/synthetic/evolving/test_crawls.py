"""Which URLs a crawl has, and in which order."""

from pathlib import Path

import pyarrow.parquet as pq

from webecho.synthetic.evolving.addresses import addresses, plan_addresses
from webecho.synthetic.evolving.crawls import (
    ORIGINAL_PAGE,
    is_anchor,
    make_visits_file,
    plan_crawl,
    visits,
)
from webecho.synthetic.evolving.lives import is_there, shown
from webecho.synthetic.web import Web

WEB = Web(pages=800, seed=8, words=40, form="parquet", snapshots=3, mirrors=17, followers=110)
TABLE, _ = plan_addresses(WEB)
ALL = list(addresses(TABLE))


def test_a_crawl_has_what_is_there_in_an_order_of_its_own() -> None:
    orders = []
    for snapshot in (1, 2, 3):
        rows = plan_crawl(WEB, TABLE, snapshot)
        found = rows["number"].to_pylist()
        there = [each.number for each in ALL if is_there(WEB, each, snapshot)]
        assert sorted(found) == there
        orders.append([number for number in found if number < 100])
    assert orders[0] != sorted(orders[0])
    in_both = set(orders[0]) & set(orders[1])
    first, second = ([number for number in each if number in in_both] for each in orders[:2])
    assert first != second


def test_anchors_come_first() -> None:
    rows = list(addresses(plan_crawl(WEB, TABLE, 2)))
    anchors = [is_anchor(each) for each in rows]
    assert sum(anchors) == 10
    assert all(anchors[:10])


def test_originals_are_the_pages_of_the_crawl_with_the_text() -> None:
    rows = plan_crawl(WEB, TABLE, 3)
    found = list(visits(rows, 0))
    assert [visit.page for visit in found] == list(range(len(rows)))
    copies = [visit for visit in found if visit.original >= 0]
    assert len(copies) > 200
    for visit in copies:
        original = found[visit.original].address
        assert original.number == shown(WEB, visit.address, 3).family
    # Of some the original is gone, or the text was written for none.
    members = [visit for visit in found if visit.address.member and visit.address.rate < 0]
    assert any(visit.original < 0 for visit in members)


def test_a_file_holds_a_piece_of_the_crawl(tmp_path: Path) -> None:
    rows = plan_crawl(WEB, TABLE, 2).slice(0, 50)
    truth, changes, size = make_visits_file(WEB, 2, tmp_path, (0, rows))
    stored = pq.read_table(tmp_path / "pages-00000.parquet")
    assert stored["url"].equals(truth["url"])
    assert size == sum(len(html.encode()) for html in stored["html"].to_pylist())
    assert {str(date)[:10] for date in stored["date"].to_pylist()} == {"2004-01-08"}
    assert set(changes["url"].to_pylist()) <= set(truth["url"].to_pylist())
    assert len(rows[ORIGINAL_PAGE]) == 50
