"""What queries lead to, and the table of cases; see test_logs.py for what stands in pages."""

from itertools import pairwise

from tests.synthetic.reuse.conftest import WEB, Reused


def test_copies_through_a_query(reused: Reused) -> None:
    """The pages that were composed through a query are counted by it."""
    through: dict[tuple[int, str], set[str]] = {}
    for row in reused.table("copies"):
        if row["via"] is not None:
            through.setdefault((row["child_snapshot"], row["via"]), set()).add(row["child_url"])
    rows = reused.table("queries")
    after = {"real": 2, "real-2": 3, "real-3": 4}
    found = {(after[row["log"]], row["query"]): row for row in rows if row["log"] in after}
    assert {one: len(urls) for one, urls in through.items()} == {
        one: row["copies"] for one, row in found.items() if row["copies"]
    }
    assert all(row["copies"] == 0 for row in rows if row["log"] == "wrong")
    assert all(row["answers"] > 0 for one, row in found.items() if one in through)


def test_cases_name_pages_that_are_there(reused: Reused) -> None:
    rows = reused.table("cases")
    assert len(rows) == 18 * (WEB.snapshots - 1)
    logs = {row["query"]: row["log"] for row in reused.table("queries") if row["topic"] is not None}
    for row in rows:
        old, new = reused.texts[row["snapshot"] - 2], reused.texts[row["snapshot"] - 1]
        assert row["url"] in new and set(row["old_urls"]) <= set(old)
        assert (row["url"] in old) == (row["condition"] == 4)
        assert all(query in logs for query in row["queries"])
    kept = [row for row in rows if row["kept"]]
    assert {row["condition"] for row in kept} == {None, 5, 6}
    # Of two pages the first one in the order of the crawl is kept.
    for one, other in pairwise(rows):
        if one["case"] == other["case"] and one["minimal"] == other["minimal"]:
            assert one["page"] < other["page"] and one["kept"] and not other["kept"]
