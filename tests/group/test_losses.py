"""Shares that sources, hosts and groups lose, by hand."""

from typing import Any

import pyarrow as pa
import pytest

import webecho
from webecho.errors import LossError
from webecho.group.losses import LOSSES, above, by_resemblance, warnings
from webecho.group.stars import REMOVED

TEXTS = ["one two three four five", "six seven eight nine ten", "eleven twelve thirteen"]


def web(*rows: tuple[int, str, str | None]) -> pa.Table:
    """Rows of texts by number, on a host, in a language."""
    return pa.table(
        {
            "text": [TEXTS[text] for text, _, _ in rows],
            "url": [f"http://{host}/{number}" for number, (_, host, _) in enumerate(rows)],
            "lang": [lang for _, _, lang in rows],
        }
    )


PAGES = web((0, "a", "en"), (0, "a", "en"), (1, "a", "en"), (1, "b", "de"), (2, "b", "en"))


def losses(table: pa.Table, **options: Any) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = webecho.dedup(table, **options).summary["losses"]
    return found


def test_each_source_host_and_group_is_told_the_largest_share_first() -> None:
    found = losses(PAGES)
    assert found["source"] == [
        {
            "kind": "source",
            "name": "table 1",
            "pages": 5,
            "removed": 2,
            "dropped": 0,
            "share_removed": 0.4,
            "lost_words": 0,
        }
    ]
    shares = [(row["name"], row["removed"], row["pages"]) for row in found["host"]]
    assert shares == [("b", 1, 2), ("a", 1, 3)]
    assert "by" not in found
    # Within languages the second page of text 1 has no other.
    found = losses(PAGES, by="lang")
    assert [(row["name"], row["removed"], row["pages"]) for row in found["by"]] == [
        ("en", 1, 4),
        ("de", 0, 1),
    ]


def test_each_value_of_a_column_is_told_without_keeping_pages_apart() -> None:
    # As text 1 is compared across languages, the German page goes.
    table = PAGES.append_column("tier", pa.array([1, 1, 2, None, 1]))
    found = losses(table, losses_by=["lang", "tier"])
    assert [*found] == ["source", "host", "column lang", "column tier"]
    shares = {
        kind: [(row["name"], row["removed"], row["pages"]) for row in found[kind]] for kind in found
    }
    assert shares["column lang"] == [("de", 1, 1), ("en", 1, 4)]
    assert shares["column tier"] == [(None, 1, 1), ("1", 1, 3), ("2", 0, 1)]
    # Beside groups, and of a column that makes them too.
    both = losses(table, by="lang", losses_by=("tier", "lang"))
    assert [*both] == ["source", "host", "by", "column tier", "column lang"]
    assert [row | {"kind": ""} for row in both["by"]] == [
        row | {"kind": ""} for row in both["column lang"]
    ]
    assert (sum(row["removed"] for row in both["by"]), both["by"][0]["name"]) == (1, "en")


def test_all_of_what_is_lost_is_a_table_of_the_kind_that_was_given() -> None:
    found = webecho.dedup(PAGES, losses_by="lang").losses
    assert isinstance(found, pa.Table)
    assert found["kind"].to_pylist() == ["source", *["host"] * 2, *["column lang"] * 2]
    frame = webecho.dedup(PAGES.to_pandas()).losses
    assert frame[["kind", "name", "removed"]].values.tolist() == [
        ["source", "table 1", 2],
        ["host", "b", 1],
        ["host", "a", 1],
    ]


def test_a_value_of_twenty_pages_is_judged_and_one_of_fewer_is_not() -> None:
    one = [(0, f"h{number}", "en") for number in range(20)]
    other = [(0, f"o{number}", None) for number in range(20)]
    table = web(*one, *other[:19]).append_column("n", pa.array(range(39)))
    # All have one text, so that 38 of 39 go; of the language 19 of 20, and of none all 19.
    with pytest.warns(UserWarning), pytest.raises(LossError) as refused:
        webecho.dedup(table, losses_by=["lang", "n"], most_lost=0.94)
    assert str(refused.value).startswith(
        "the source table 1 loses 97.4% of its 39 pages, more than most_lost=0.94, and so does "
        "what has the lang en (95.0% of 20); nothing was written"
    )
    with (
        pytest.warns(UserWarning, match="would remove http://o0/20 for http://h0/0"),
        pytest.raises(LossError, match=r"what has no lang loses 100.0% of its 20 pages, more"),
    ):
        webecho.dedup(web(*one, *other), losses_by="lang", most_lost=0.98)


def test_several_columns_name_a_group_together() -> None:
    table = PAGES.append_column("tier", pa.array([1, 1, 2, 2, 1]))
    found = losses(table, by=["lang", "tier"])
    assert {row["name"] for row in found["by"]} == {'["en", "1"]', '["en", "2"]', '["de", "2"]'}


def test_what_is_dropped_is_not_removed() -> None:
    (row,) = losses(PAGES, min_words=4)["source"]
    assert (row["removed"], row["dropped"], row["share_removed"]) == (2, 1, 0.4)


def test_too_large_a_loss_is_refused_with_pairs() -> None:
    assert webecho.dedup(PAGES, most_lost=0.4).kept.num_rows == 3
    with (
        pytest.warns(UserWarning, match=r"would remove http://a/1 for http://a/0"),
        pytest.raises(LossError, match=r"the source table 1 loses 40.0% of its 5 pages, more than"),
    ):
        webecho.dedup(PAGES, most_lost="39%")


def test_a_host_of_few_pages_is_not_judged_and_a_group_is() -> None:
    # Half of host b goes.
    assert webecho.dedup(PAGES, most_lost=0.45).kept.num_rows == 3
    table = web((0, "a", "en"), (0, "a", "en"), (0, "a", "en"), (1, "b", "de"), (2, "b", "de"))
    with pytest.warns(UserWarning), pytest.raises(LossError, match=r"the group en loses 66\.7%"):
        webecho.dedup(table, by="lang", most_lost="50%")


def test_a_refusal_names_the_others_groups_first() -> None:
    pages = [(0, host, "en") for host in "abc"] + [(1, "d", None)] * 3 + [(2, "e", "de")]
    with (
        pytest.warns(UserWarning) as told,
        pytest.raises(LossError) as refused,
    ):
        webecho.dedup(web(*pages), by="lang", most_lost="50%")
    assert (
        "the group en loses 66.7% of its 3 pages, more than most_lost=0.5, and so do "
        "the group without a value (66.7% of 3), the source table 1 (57.1% of 7); nothing was"
    ) in str(refused.value)
    assert {each.filename for each in told} == {__file__}


def rows(*losing: tuple[str, str | None, int, float]) -> pa.Table:
    return pa.Table.from_pylist(
        [
            {
                "kind": kind,
                "name": name,
                "pages": pages,
                "removed": round(pages * share),
                "dropped": 0,
                "share_removed": share,
                "lost_words": 0,
            }
            for kind, name, pages, share in losing
        ],
        LOSSES,
    )


def test_what_should_worry_is_told() -> None:
    found = rows(("host", "a", 40, 0.95), ("host", "b", 10, 1.0), ("source", "c.warc", 90, 0.9))
    (told,) = warnings(found)
    assert told == (
        "hosts that lose more than 90% of their pages: a (95.0% of 40); --most-lost 50% would stop "
        "at such a loss"
    )
    values = rows(("column lang", "en", 20, 0.95), ("column lang", None, 30, 0.91))
    (told,) = warnings(values)
    assert told.startswith(
        "values of lang that lose more than 90% of their pages: en (95.0% of 20), none (91.0% of "
        "30); --most-lost"
    )
    many = rows(*(("host", f"h{number}", 40, 0.95) for number in range(5)))
    assert "and 2 more" in warnings(many)[0]
    assert above(found, 0.5, {"host": 20})["name"].to_pylist() == ["a", "c.warc"]


def test_resemblances_are_counted_by_ranges() -> None:
    values = [1.0, 1.0, 0.999, 0.95, 0.9499, 0.8, 0.81, None]
    removed = pa.table({"resemblance": pa.array(values, REMOVED.field("resemblance").type)})
    assert by_resemblance(removed) == {
        "1": 2,
        "0.95 to 1": 2,
        "0.9 to 0.95": 1,
        "0.8 to 0.85": 2,
        "not measured": 1,
    }
