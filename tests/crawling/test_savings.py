"""Planted URL rules are found, with what was planted for and against them, and no others."""

from typing import Any

import pytest

from tests.api.refusals import in_python, on_command_line
from tests.crawling.conftest import Crawled
from webecho.crawling.savings import SavingsSettings
from webecho.group.keeping import keep
from webecho.group.rules.registry import rule

Named = tuple[str, str, str]


def expected(crawled: Crawled) -> dict[Named, tuple[int, int]]:
    """All that was planted, by the host, the way and what may be replaced: for it, and against."""
    found: dict[Named, tuple[int, int]] = {}
    for row in crawled.table("url_rules"):
        name = row["rule"] if row["kind"] in ("parameter", "prefix") else ""
        if row["pairs"] >= max(2, row["contradictions"]):
            found[row["host"], row["kind"], name] = row["pairs"], row["contradictions"]
    # Other names of a host without www., by whatever they were planted for.
    pages = crawled.truth.to_pylist()
    urls = {page["url"]: page["identity"] for page in pages}
    for page in pages:
        other = urls.get(page["url"].replace("://www.", "://"))
        planted = page["kind"] in ("alias", "popular", "server alias", "original")
        if planted and other is not None and page["url"].startswith("http://www."):
            pairs, against = found.get((page["host"], "www", ""), (0, 0))
            same = other == page["identity"]
            found[page["host"], "www", ""] = pairs + same, against + (not same)
    # Sessions: all pages of a family are under one path.
    families: dict[tuple[str, str], int] = {}
    for page in pages:
        if page["session_id"]:
            place = page["host"], page["url"].partition("?")[0]
            families[place] = families.get(place, -1) + 1
    for (host, _), pairs in families.items():
        found[host, "parameter", "sid"] = (
            found.get((host, "parameter", "sid"), (0, 0))[0] + pairs,
            0,
        )
    return {name: counts for name, counts in found.items() if counts[0] >= max(2, counts[1])}


def named(row: dict[str, Any]) -> Named:
    name = row["rule"] if row["way"] in ("parameter", "prefix") else ""
    return row["host"], row["way"], name


def test_planted_rules_are_found_and_none_invented(crawled: Crawled) -> None:
    rows = crawled.savings.rules.to_pylist()
    found = {named(row): (row["pairs"], row["contradictions"]) for row in rows}
    assert len(found) == len(rows)
    assert found == expected(crawled)
    assert len({way for _, way, _ in found}) == 4


def test_rules_that_hold_are_in_the_lists_and_others_are_not(crawled: Crawled) -> None:
    planted = {(row["host"], row["kind"]): row["nature"] for row in crawled.table("url_rules")}
    rows = crawled.savings.rules.to_pylist()
    ours = [row for row in rows if (row["host"], row["way"]) in planted]
    for row in ours:
        nature = planted[row["host"], row["way"]]
        assert row["status"] == {"holds": "holds", "mixed": "contradicted"}[nature]
        assert row["canonical"] == (nature == "holds")
        # Some pages have no address without the parameter.
        assert row["deny"] == (nature == "holds" and row["way"] != "parameter")
    held = [each for each in planted.values() if each == "holds"]
    assert sum(row["canonical"] for row in ours) == len(held) == 8


def test_the_reasons_of_what_is_left_out_are_counted(crawled: Crawled) -> None:
    reasons = [row["reason"] for row in crawled.savings.urls.to_pylist() if not row["visit"]]
    facts = crawled.savings.facts
    for reason in ("url alias", "server alias", "popular"):
        assert facts[f"of these, {reason}"] == reasons.count(reason) > 10
    assert facts["to leave out"] == len(reasons)


def test_settings_that_cannot_be() -> None:
    def wrong_least() -> object:
        return SavingsSettings(rule("text"), least=1.0)

    assert on_command_line(wrong_least) == "--least 1.0: give 0 to below 1"
    assert in_python(wrong_least) == "least=1.0: give 0 to below 1"
    said = (
        "addresses have no column of yours; give first, longest, shortest-url, earliest or latest"
    )
    assert on_command_line(lambda: SavingsSettings(rule("text"), keep("max:score"))) == (
        f"--keep max:score: {said}"
    )


@pytest.mark.parametrize("name", ["similar", "payload", "tokens", "very-similar"])
def test_every_rule_is_taken(crawled: Crawled, name: str) -> None:
    import webecho

    found = webecho.savings(crawled.workspace.path, rule=name)
    assert found.facts["to leave out"] > 100
