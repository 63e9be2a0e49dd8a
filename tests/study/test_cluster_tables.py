"""Tables, sentences and figures of clusters, from numbers given by hand."""

from typing import Any

import pytest

from webecho.study.cluster_sizes import Sizes
from webecho.study.cluster_tables import (
    StudiedClusters,
    figures,
    machines,
    sentences,
    shown,
    tables,
)
from webecho.study.fits import Fits, fitted
from webecho.study.power_law import FitSettings

WORDS = {"description": "red lamps", "compared": 50, "its words": "red", "other words": "green"}


def largest(rank: int, differ: str | None, words: int | None = 0) -> dict[str, Any]:
    return {
        **{"rank": rank, "cluster": 10 * rank, "pages": 100 - rank, "urls": 90 - rank},
        **{"hosts": 5, "machines": 3, "hosts without ip": 2, "title": "Lamps"},
        **{"representative": f"http://a.example/{rank}", "differ in": differ},
        **WORDS,
        "differ in words": words,
    }


def outlying(size: int, clusters: int, together: int, hosts: int) -> dict[str, Any]:
    return {
        **{"size": size, "clusters": clusters, "fitted": 2.0, "times": clusters / 2},
        **{"on one set of hosts": together, "share on one set of hosts": together / clusters},
        **{"hosts of the set": hosts, "representative": "http://a.example/"},
    }


def studied(rule: str = "very-similar", **changed: Any) -> StudiedClusters:
    counts = {"pages": 1000, "pages in clusters": 400, "clusters": 100, "duplicates": 300}
    values: dict[str, Any] = {
        "collection": "web",
        "rule": rule,
        "counts": counts | {"share of duplicates": 0.3},
        "sizes": Sizes({2: 90, 22: 10}),
        "fits": Fits(),
        "times": 5.0,
        "outlying": [],
        "largest": [largest(1, "words", 12), largest(2, "nothing"), largest(3, None, None)],
    }
    return StudiedClusters(**values | changed)


def said(*found: StudiedClusters) -> list[str]:
    return [*sentences(found)]


def test_machines_are_written_as_in_the_paper() -> None:
    assert [machines(3, 0), machines(10, 18418), machines(0, 1)] == [
        "3",
        "10 (+ 18,418)",
        "0 (+ 1)",
    ]


def test_pages_beside_those_of_the_paper() -> None:
    [row] = tables([studied()])["clusters"].to_pylist()
    assert row == {
        **{"collection": "web", "rule": "very-similar", "pages": 1000, "pages, paper": 150_836_209},
        **{"pages in clusters": 400, "pages in clusters, paper": 57_305_947},
        **{"pages alone": 600, "pages alone, paper": 93_530_262},
        **{"clusters": 100, "clusters, paper": 13_283_856},
        **{"duplicates": 300, "duplicates, paper": 44_022_091},
        **{"share of duplicates": 0.3, "share of duplicates, paper": 0.292},
    }
    # Of other rules the paper says nothing.
    [row] = tables([studied("tokens")])["clusters"].to_pylist()
    assert not any("paper" in name for name in row)


def test_the_largest_clusters_beside_those_of_the_paper() -> None:
    first, second, third = tables([studied()])["largest"].to_pylist()
    assert (first["urls"], first["urls, paper"], first["machines"]) == (89, 921_374, "3 (+ 2)")
    assert (first["ips"], first["hosts without ip"], first["cluster"]) == (3, 2, 10)
    assert (second["urls, paper"], third["urls, paper"]) == (315_788, 201_869)
    assert (first["differ in"], first["differ in words"], third["differ in"]) == ("words", 12, None)


def test_a_screen_has_how_many_pages_differ() -> None:
    rows = shown([studied()])["largest"].to_pylist()
    assert [row["differ in"] for row in rows] == ["words (12 of 50)", "nothing", None]
    assert "cluster" not in rows[0]


def test_a_screen_has_sizes_of_more_than_one_cluster_alone() -> None:
    found = studied(outlying=[outlying(9, 345, 344, 9), outlying(58, 1, 1, 1)])
    assert shown([found])["outlying_sizes"]["size"].to_pylist() == [9]
    assert tables([found])["outlying_sizes"]["size"].to_pylist() == [9, 58]


def test_what_is_said_of_near_duplicates_and_of_the_largest() -> None:
    near, sizes, inside = said(studied())
    assert near == (
        "web, very-similar: of 1,000 pages 400 are like some other page and 600 like none; the "
        "former fall into 100 clusters, so 300 pages, or 30.0% of all, are near-duplicates of the "
        "100 that stand for them."
    )
    assert sizes.startswith("web, very-similar: clusters by size. Too few clusters for a power law")
    assert inside == (
        "web, very-similar: of the 3 largest clusters, of 97 to 99 pages: in 1 the pages do not "
        "differ in any meaningful way (in 1 not at all, in 0 by numbers, dates, order or their own "
        "names alone), in 1 they differ in words; of 1 it is not known, for they could not be read "
        "again."
    )
    assert len(said(studied(largest=[]))) == 2


def fits_of(counts: dict[int, int]) -> dict[str, Any]:
    return {"sizes": Sizes(counts), "fits": fitted(counts, FitSettings(0))}


def test_what_is_said_of_outlying_sizes() -> None:
    fits = fits_of({2: 90, 3: 12, 9: 10, 14: 12})
    rows = [outlying(9, 10, 9, 9), outlying(14, 12, 12, 1), outlying(58, 1, 1, 1)]
    *_, text, _ = said(studied(outlying=rows, **fits))
    assert text.startswith(
        "web, very-similar: sizes of more than one cluster with at least 5 times the clusters of "
        "the trend (power law of all sizes, exponent −2."
    )
    # 9 and 12 of 22; mirrors are those on several hosts.
    assert text.endswith(
        "): 9, 14. Of their 22 clusters 21 (95.5%) lie on one set of hosts with others of their "
        "size, 9 on a set of several hosts, as mirrors of one collection do. Of size 14 there are "
        "most, 12 where the trend has 2.0: 100.0% of them lie on one host."
    )
    *_, text, _ = said(studied(outlying=rows[:1], **fits))
    assert text.endswith("10 where the trend has 2.0: 90.0% of them lie on one set of 9 hosts.")
    *_, text, _ = said(studied(outlying=rows[2:], **fits))
    assert "no size of more than one cluster has 5 times the clusters of the trend" in text


def test_rules_of_one_collection_are_compared() -> None:
    counts = {"pages": 1000, "pages in clusters": 150, "clusters": 50, "duplicates": 100}
    counts |= {"share of duplicates": 0.1}
    steep, flat = fits_of({2: 900, 3: 40, 4: 10}), fits_of({2: 900, 3: 400, 4: 200})
    one, other = studied(**steep), studied("virtually-identical", counts=counts, **flat)
    *_, fewer, exponent = said(one, other)
    assert fewer == (
        "web: 10.0% near-duplicates by virtually-identical, 30.0% by very-similar: 200 pages fewer."
    )
    assert "the exponent of virtually-identical clusters is smaller: " in exponent
    assert exponent.count(" ± ") == 2 and "errors alone" not in exponent
    few = fits_of({2: 90, 3: 22, 4: 9}), fits_of({2: 90, 3: 23, 4: 10})
    *_, exponent = said(studied(**few[0]), studied("virtually-identical", counts=counts, **few[1]))
    assert exponent.endswith(" of very-similar clusters, which errors alone may do.")
    *_, more, exponent = said(other, one)
    assert more.endswith("by very-similar, 10.0% by virtually-identical: 200 pages more.")
    assert "the exponent of very-similar clusters is not smaller: " in exponent
    # Two collections are not.
    assert len(said(one, studied(collection="other", **flat))) == len(said(one)) * 2


def test_facts_beside_the_paper() -> None:
    rows = [largest(rank, "words" if rank < 8 else "nothing", 1) for rank in range(1, 21)]
    fits = fits_of({2: 90, 3: 12, 9: 10})
    outliers = [outlying(9, 10, 9, 9), outlying(58, 1, 1, 1)]
    found = studied(largest=rows, outlying=outliers, **fits)
    facts = {row["fact"]: row for row in tables([found])["beside_paper"].to_pylist()}
    assert {fact: (row["value"], row["paper, low"]) for fact, row in facts.items()} == {
        "share of duplicates, very-similar": (0.3, 0.292),
        "exponent of the trend, very-similar": (pytest.approx(found.trend.exponent), -2.5),
        "of the 20 largest that differ in words, very-similar": (7, 3),
        "share on one set of hosts at an outlying size, most, very-similar": (0.9, 0.9),
    }
    # Fewer rows than the paper has are another quantity.
    few = {row["fact"] for row in tables([studied()])["beside_paper"].to_pylist()}
    assert few == {"share of duplicates, very-similar"}


def test_figures_by_rule_and_by_collection() -> None:
    every = [
        studied(rule, collection=name, sizes=Sizes({2: count}))
        for count, (name, rule) in enumerate(
            (name, rule) for name in ("one", "two") for rule in ("very-similar", "tokens")
        )
    ]
    found = dict(figures(every))
    assert {name: [*each.series] for name, each in found.items()} == {
        "cluster_sizes-very-similar": ["one", "two"],
        "cluster_sizes-tokens": ["one", "two"],
        # The first rule is drawn last, upon the other.
        "cluster_sizes_by_rule-one": ["tokens", "very-similar"],
        "cluster_sizes_by_rule-two": ["tokens", "very-similar"],
    }
    assert found["cluster_sizes-tokens"].series["two"].counts == {2: 3}
    assert found["cluster_sizes_by_rule-two"].series["very-similar"].counts == {2: 2}
    assert [*dict(figures(every[:1]))] == ["cluster_sizes-very-similar"]
