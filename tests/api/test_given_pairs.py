"""Pairs that a program gives, of a workspace or of a table."""

from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.api.refusals import in_python
from tests.collections_made import as_parquet, small_web
from webecho.api.given_pairs import GivenRequest
from webecho.errors import SettingsError

TEXTS = ["one two three four five six", "one two three four five seven", "eight nine ten"]


def test_rows_of_two_names_are_measured_of_a_table() -> None:
    table = pa.table({"id": [7, 8, 9], "text": TEXTS})
    found = webecho.pairs(table, given=[(8, 7), ("#2", "#0")])
    assert found.select(["row", "left", "right"]).to_pylist() == [
        {"row": 1, "left": 1, "right": 0},
        {"row": 2, "left": 2, "right": 0},
    ]
    # Of two shingles each one is shared; five of six words are.
    assert found["resemblance"].to_pylist() == [1 / 3, 0.0]
    assert found["equal_words"].to_pylist() == [pytest.approx(5 / 6), 0.0]
    assert found["c_similarity"].null_count == 0
    # One measure needs no list around it.
    found = webecho.pairs(table, given=[(8, 7)], measure="equal-words")
    assert "resemblance" not in found.column_names and "equal_words" in found.column_names


def test_what_is_found_measures_the_same_as_what_is_given(tmp_path: Path) -> None:
    file = as_parquet(tmp_path / "pages.parquet", small_web())
    webecho.sketch(str(file), str(tmp_path / "crawl.echo"))
    crawl = str(tmp_path / "crawl.echo")
    found = webecho.pairs(crawl, "similar", measure="equal-words")
    given = tmp_path / "pairs.csv"
    names = zip(found["left"].to_pylist(), found["right"].to_pylist(), strict=True)
    given.write_text("".join(f"#{left},#{right}\n" for left, right in names))
    again = webecho.pairs(crawl, given=given)
    rows = [found.to_pylist(), again.select(found.column_names).to_pylist()]
    # 8 and 9 have no words, and so no shingles that could be shared.
    assert [row["resemblance"] for side in rows for row in side if row["left"] == 8] == [1.0, None]
    expected, measured = ([row for row in side if row["left"] != 8] for side in rows)
    assert len(expected) == 8 and measured == expected


def test_rows_that_name_no_pair_are_a_warning() -> None:
    with pytest.warns(
        UserWarning, match=r"1 of 2 rows name no pair of pages, such as given, row 2"
    ):
        found = webecho.pairs(TEXTS, given=[(0, 1), (0, 9)])
    assert found.num_rows == 1


def test_what_makes_no_sense_is_refused() -> None:
    def by_rule() -> object:
        return webecho.pairs(TEXTS, "b", given=[(0, 1)])

    assert in_python(by_rule) == (
        "rule= is for finding pairs, and given= names them; leave one of them out"
    )
    assert in_python(lambda: webecho.pairs(TEXTS, given=[(0, 1)], least_b=1)).startswith("least_b=")
    with pytest.raises(SettingsError, match="given= has '01', which is no pair; give rows such as"):
        webecho.pairs(TEXTS, given=["01"])
    with pytest.raises(SettingsError, match="nothing measures speed"):
        GivenRequest(Path("nowhere.echo"), Path("pairs.csv"), ("speed",))
