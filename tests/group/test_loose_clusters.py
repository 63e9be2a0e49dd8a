"""Large clusters that chains hold together, and the rule does not."""

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import prose
from webecho.group.loose_clusters import closeness
from webecho.group.rules.registry import rule
from webecho.settings import WEBECHO


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("exact", None),
        ("similar", ("resemblance", 0.8)),
        ("very-similar", ("b_similarity", 2)),
        ("combined", ("b_similarity", 2)),
        # Across sites bits alone are asked for, and more of them.
        ("by-site", ("c_similarity", 355)),
    ],
)
def test_what_all_checks_of_a_rule_ask_for(name: str, expected: tuple[str, float] | None) -> None:
    assert closeness(rule(name), WEBECHO) == expected


def test_large_and_loose_chains_are_named() -> None:
    # Each text has a few words of its own, and all but those of its neighbour.
    words = prose(1, 400)
    texts = [" ".join(words[start : start + 100]) for start in range(0, 300, 4)]
    table = pa.table({"text": texts})
    chained = webecho.dedup(table, link="chain")
    assert len(chained.kept) == 1
    warning, lost = chained.summary["warnings"]
    assert lost.startswith("sources that lose more than 90% of their pages: table 1 (98.7% of 75)")
    assert warning.startswith(f"large and loose: {len(texts) - 1} pages go with page 0 by chains")
    assert warning.endswith(" at the lowest; link='kept' removes only what is similar to it")
    kept = webecho.dedup(table)
    assert kept.summary["warnings"] == []
    assert min(kept.duplicates["resemblance"].to_pylist()) >= 0.8
