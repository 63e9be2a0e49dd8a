"""Values as they stand in print."""

import pyarrow as pa
import pytest

from webecho.show.files.cells import columns, text


def printed(table: pa.Table) -> dict[str, list[str]]:
    return {each.header: [*each.cells] for each in columns(table)}


def test_shares_and_thousands() -> None:
    table = pa.table({"documents": [12748, None], "share of duplicates": [0.0106, 0.5]})
    assert printed(table) == {"documents": ["12,748", ""], "% of duplicates": ["1.1", "50.0"]}


@pytest.mark.parametrize(("low", "high"), [("_low", "_high"), (", low", ", high")])
def test_intervals_stand_beside_what_they_are_of(low: str, high: str) -> None:
    table = pa.table({"r": [0.5, None], f"r{low}": [0.4, None], f"r{high}": [0.61, None]})
    assert printed(table) == {"R": ["0.50 (0.40–0.61)", ""]}


def test_the_papers_number_is_called_that() -> None:
    table = pa.table({"share": [0.5], "share, paper": [0.524], "pairs": [3.6], "pairs, paper": [9]})
    shown = [(each.header, *each.cells) for each in columns(table)]
    assert shown == [("%", "50.0"), ("paper", "52.4"), ("pairs", "4"), ("paper", "9")]


def test_facts_are_written_by_their_names() -> None:
    table = pa.table(
        {
            "fact": ["share of duplicates", "pairs", "average degree"],
            "value": [0.0106, 1234.0, 3.491],
            "paper, low": [0.358, 5.0, None],
            "paper, high": [0.431, 5.0, None],
        }
    )
    found = printed(table)
    assert found["value"] == ["1.1 %", "1,234", "3.49"]
    assert found["paper"] == ["35.8–43.1 %", "5", ""]


def test_numbers_alone() -> None:
    values = [True, -3, 0.0, 0.0004, 0.004, -2.456, 341.23, 12345.6, "text"]
    assert [text(value) for value in values] == [
        *("yes", "−3", "0.00", "<0.001", "0.004", "−2.46", "341.2", "12,346", "text")
    ]


def test_what_is_near_0_or_1_is_not_rounded_to_it() -> None:
    # 1 / 1001 is the least p of 1,000 permutations, and 0.001 in sentences too.
    values = [1 / 1001, -0.0007, 0.9949, 0.995, 0.9951, 0.99949, 0.9996, -0.9951, -0.9999, 1.0]
    assert [text(value) for value in values] == [
        *("0.001", "−0.001", "0.99", "0.995", "0.995", "0.999", ">0.999", "−0.995", "<−0.999"),
        "1.00",
    ]


def test_numbers_are_told_from_text() -> None:
    found = columns(pa.table({"site": ["a"], "pairs": [1], "share": [0.5], "followed": [True]}))
    assert [each.numeric for each in found] == [False, True, True, False]
