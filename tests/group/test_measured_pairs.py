"""Measures of pairs by every rule, and what stays of them when pairs are found again."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import as_jsonl, page, prose
from tests.command import done
from tests.command import webecho as run
from tests.group.test_similarity_pairs import family_web
from webecho.group.measures import COLUMNS
from webecho.group.rules.registry import RULES
from webecho.workspace.layout import Layout

NAMES = [field.name for each in COLUMNS.values() for field in each]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    source = as_jsonl(tmp_path / "pages.jsonl", family_web(families=5))
    tables = ("--paragraphs", "--chunks", "lines:4")
    done("sketch", source, "-o", tmp_path / "crawl.echo", *tables)
    return tmp_path / "crawl.echo"


@pytest.mark.parametrize("rule", RULES)
def test_pairs_of_every_rule_can_be_measured(crawl: Path, rule: str) -> None:
    given = {"shared": 1} if rule == "overlap" else {}
    plain = webecho.pairs(crawl, rule, **given)
    found = webecho.pairs(crawl, rule, measure=[*COLUMNS], **given)
    # What the rule tells of its pairs is as it was.
    assert found.select(plain.column_names) == plain
    assert {*NAMES} <= {*found.column_names}
    assert len(found.column_names) == len({*found.column_names})
    for row in found.to_pylist():
        known = webecho.why(crawl, f"#{row['left']}", f"#{row['right']}")
        assert row["equal_words"] == known.equal_words
        assert row["resemblance"] == pytest.approx(known.resemblance)
        assert row["term_difference"] is not None


@pytest.mark.parametrize("rule", ["b", "similar"])
def test_what_was_measured_stays_when_pairs_are_found_again(crawl: Path, rule: str) -> None:
    measured = webecho.pairs(crawl, rule, measure=["difference"])
    assert webecho.pairs(crawl, rule) == measured
    # More is added, and what is measured of some pairs is kept of the others.
    more = webecho.pairs(crawl, rule, measure=["equal-words"], measured=3)
    assert more.select(measured.column_names) == measured
    assert more["equal_words"].null_count == len(more) - 3
    again = webecho.pairs(crawl, rule, measure=["equal-words"], measured=5)
    assert again.select(measured.column_names) == measured
    one, other = (table["equal_words"].to_pylist() for table in (more, again))
    kept = [value for value in one if value is not None]
    assert 5 <= len(again) - again["equal_words"].null_count <= 8
    assert [new for old, new in zip(one, other, strict=True) if old is not None] == kept


def test_other_pairs_are_not_given_what_was_measured_of_these(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "a.jsonl", family_web(families=3))
    done("sketch", source, "-o", tmp_path / "w.echo")
    webecho.pairs(tmp_path / "w.echo", "b", measure="difference")
    more = as_jsonl(tmp_path / "b.jsonl", [page(1, " ".join(prose(1, 50)))])
    done("sketch", more, "-o", tmp_path / "w.echo", "--append")
    assert "term_difference" not in webecho.pairs(tmp_path / "w.echo", "b").column_names


def test_a_damaged_table_has_nothing_to_keep(crawl: Path) -> None:
    webecho.pairs(crawl, "b", measure="difference")
    file = Layout(crawl).pairs("b-2")
    file.write_bytes(file.read_bytes()[:-100])
    found = run("pairs", crawl, "--rule", "b")
    assert found.exit_code == 0
    assert "what was measured of pairs before is lost" in found.stderr
    assert "term_difference" not in pq.read_schema(file).names
