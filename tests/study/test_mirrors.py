"""The funnel of Fetterly 2004, section 4: by hand on a small crawl, and slowly on others."""

import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest

import webecho
from tests.study.mirrors_made import Fetched, crawl, site, slowly
from tests.study.no_pages import without_pages
from webecho.errors import SettingsError
from webecho.study.figures import LogLog
from webecho.study.mirrors import MirrorSettings
from webecho.study.result import Study

TEN = range(10)
# a, b and c are mirrors on three machines, c with other names; d is another name of a, e has no
# machine; f has www. on another one, with other names; g has the same page ten times.
CRAWL = [
    *site("a.example", "10.0.0.1", range(12), "/doc/"),
    *site("b.example", "10.0.0.2", TEN, "/doc/"),
    *(Fetched(f"http://c.example/doc/{n}.txt", "10.0.0.3", n) for n in TEN),
    *site("d.example", "10.0.0.1", TEN, "/doc/"),
    *site("e.example", None, TEN, "/doc/"),
    *site("f.example", "10.0.0.5", range(20, 30)),
    *(Fetched(f"http://www.f.example/{n}.htm", "10.0.0.6", n) for n in range(20, 30)),
    *(Fetched(f"http://g.example/{n}", "10.0.0.7", 40) for n in TEN),
    *(Fetched(f"http://h.example/{n}", "10.0.0.8", n) for n in range(50, 67)),
]
FUNNEL = {
    # Ten of a to e, f, and g with itself.
    "raw pairs": 12,
    "auto-mirrors": 1,
    # d with a, b, c and e: where a has the page, that is the preferred name.
    "aliases": 4,
    # e with a, b and c.
    "unresolved": 3,
    # a with b, a with c, b with c, f with www.f.
    "remaining": 4,
    # Names of c and www.f are others.
    "confirmed by the last arc": 1,
    "confirmed by the last four": 1,
    "equal but for www.": 1,
    "equal but for www., disjoint IPs": 1,
    "not confirmed, equal but for www.": 1,
    "not confirmed, others": 2,
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crawl(tmp_path_factory.mktemp("mirrors"), CRAWL)


@pytest.fixture(scope="module")
def study(small: Path) -> Study:
    return webecho.study_mirrors(small)


def rows(study: Study, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = study.tables[table].to_pylist()
    return found


def steps(study: Study) -> dict[str, int | None]:
    return {row["step"]: row["host pairs"] for row in rows(study, "funnel")}


def test_the_funnel(study: Study) -> None:
    assert steps(study) == FUNNEL
    shares = {row["step"]: row["share of remaining"] for row in rows(study, "funnel")}
    assert shares["confirmed by the last arc"] == 1 / 4
    assert shares["aliases"] is None
    paper = {row["step"]: row["host pairs, paper"] for row in rows(study, "funnel")}
    assert paper["raw pairs"] == 231_709 == 118_119 + 71_246 + 4_977 + 37_367
    assert paper["remaining"] - paper["confirmed by the last arc"] == 17 + 5_542


def test_mirrored_pages(study: Study) -> None:
    [row] = rows(study, "mirrored")
    # Ten of a, b, c, f and www.f; those of the alias do not count.
    assert (row["pages"], row["mirrored pages"]) == (len(CRAWL), 50)
    assert row["share mirrored"] == 50 / len(CRAWL)
    assert row["in confirmed mirrors"] == 20
    assert (row["hosts"], row["hosts with IP"]) == (9, 8)


def test_how_effective_both_methods_are(study: Study) -> None:
    content, by_url = rows(study, "methods")
    assert (content["candidates"], content["confirmed"]) == (4, 1)
    assert content["share effective"] == 1 / 4
    assert content["share effective, paper"] == 0.731
    # Ten paths that four of nine hosts have weigh too little.
    assert (by_url["candidates"], by_url["share effective"]) == (0, None)
    assert by_url["share effective, paper"] == 0.577


def test_what_no_path_confirms_is_listed(study: Study) -> None:
    found = [
        (row["equal but for www."], row["host"], row["other host"], row["size"])
        for row in rows(study, "unconfirmed")
    ]
    assert found[0] == (True, "f.example", "www.f.example", 10)
    assert sorted(found[1:]) == [
        (False, "a.example", "c.example", 10),
        (False, "b.example", "c.example", 10),
    ]
    for row in rows(study, "unconfirmed"):
        assert row["url"].split("/")[2] == row["host"]
        # Both say the same.
        assert row["url"].rpartition(".")[0].rpartition("/")[2] in row["other url"]


def test_beside_the_paper(study: Study) -> None:
    found = {row["fact"]: (row["value"], row["paper, low"]) for row in rows(study, "beside_paper")}
    assert found == {
        "share of pairs confirmed by the last arc": (1 / 4, 0.851),
        "share of pairs confirmed by the last four": (1 / 4, 0.731),
        "share of pages mirrored": (50 / len(CRAWL), 0.049),
    }
    assert study.sentences[0] == (
        "crawl: of 12 pairs of hosts 1 are auto-mirrors; 4 aliases and 3 with an unresolved host. "
        "4 remain, of which 1 (25.0%) match in the last arc of a path and 1 (25.0%) in the last "
        "four or all there are."
    )


def test_figures_12_and_13(small: Path, study: Study, tmp_path: Path) -> None:
    figure = study.figures["sizes"]
    assert isinstance(figure, LogLog)
    assert {name: each.counts for name, each in figure.series.items()} == {
        "size": {10: 4},
        "one-to-one": {10: 4},
    }
    later = crawl(
        tmp_path, site("a.example", None, range(14)) + site("b.example", None, range(14)), "later"
    )
    both = webecho.study_mirrors([small, later])
    figure = both.figures["sizes_over_time"]
    assert isinstance(figure, LogLog)
    assert {name: each.counts for name, each in figure.series.items()} == {
        "crawl": {10: 4},
        "later": {14: 1},
    }
    known = {row["step"]: row for row in rows(both, "funnel") if row["collection"] == "later"}
    for step in ("aliases", "unresolved", "equal but for www., disjoint IPs"):
        assert known[step]["host pairs"] is None
        assert known[step]["note"] == "not known: there are no IP addresses"


def test_crawls_without_addresses_take_nothing_away(tmp_path: Path) -> None:
    pages = [Fetched(page.url, None, page.says) for page in CRAWL]
    found = steps(webecho.study_mirrors(crawl(tmp_path, pages)))
    assert found["remaining"] == FUNNEL["raw pairs"] - FUNNEL["auto-mirrors"]
    assert (found["aliases"], found["unresolved"]) == (None, None)


def test_the_papers_count(small: Path) -> None:
    found = steps(webecho.study_mirrors(small, count="roots"))
    # The first pages of a to e are a's: b with c is not counted, nor d and e with each other.
    assert found["raw pairs"] == 4 + 1
    # The root counts with no page but others.
    assert found["auto-mirrors"] == 0
    assert (found["aliases"], found["unresolved"], found["remaining"]) == (1, 1, 3)


@pytest.mark.parametrize("seed", range(3))
def test_funnels_as_if_every_two_hosts_were_looked_at(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    folders = ["/".join(chance.choices("abc", k=depth)) for depth in (1, 2, 3, 4, 5)]
    pages = [
        Fetched(
            f"http://{chance.choice(['', 'www.'])}{chance.choice('abcdef')}.example/"
            f"{chance.choice(folders)}/{chance.choice('xy')}?{number}",
            chance.choice([None, None, *(f"10.0.0.{n}" for n in range(9))]),
            chance.choice([number, *range(10)]),
        )
        for number in range(80)
    ]
    expected, found = (
        slowly(pages, 2),
        steps(webecho.study_mirrors(crawl(tmp_path, pages), pages=2)),
    )
    remaining = expected.left_over.keys() - expected.unresolved
    www = {
        pair for pair in remaining if pair[0].removeprefix("www.") == pair[1].removeprefix("www.")
    }
    assert found == {
        "raw pairs": len(expected.raw) + len(expected.auto),
        "auto-mirrors": len(expected.auto),
        "aliases": len(expected.raw) - len(expected.left_over),
        "unresolved": len(expected.unresolved),
        "remaining": len(remaining),
        "confirmed by the last arc": len(expected.last_arc),
        "confirmed by the last four": len(expected.last_four),
        "equal but for www.": len(www),
        "equal but for www., disjoint IPs": len(www),
        "not confirmed, equal but for www.": len(www - expected.last_arc),
        "not confirmed, others": len(remaining - expected.last_arc - www),
    }


def test_any_rule_groups_the_pages(small: Path, study: Study) -> None:
    for rule in ("payload", "similar", "virtually-identical"):
        assert steps(webecho.study_mirrors(small, rule)) == steps(study)


def test_limits_are_said(small: Path) -> None:
    found = webecho.study_mirrors(small, most_hosts=2, most_suffixes=5)
    assert "are on more than 2 hosts with enough in common" in found.notes[0]
    assert "compared by a Bloom filter" in found.notes[-1]
    assert steps(found)["confirmed by the last arc"] == 1


def test_that_no_hosts_share_enough_is_said(small: Path, study: Study) -> None:
    found = webecho.study_mirrors(small, pages=1000)
    assert steps(found)["raw pairs"] == 0
    assert "no two hosts have 1,000 pages each in clusters" in found.notes[0]
    assert "pages=1 asks for the fewest" in found.notes[0]
    assert not any("no two hosts" in note for note in study.notes)


def test_nothing_of_no_pages(tmp_path: Path) -> None:
    without_pages(tmp_path)
    found = webecho.study_mirrors(tmp_path / "none.echo")
    assert steps(found)["raw pairs"] == 0
    assert found.tables["mirrors"].num_rows == found.tables["crawler"].num_rows == 0
    later = shutil.copytree(tmp_path / "none.echo", tmp_path / "later.echo")
    twice = webecho.study_mirrors([tmp_path / "none.echo", later])
    assert twice.tables["retention"]["still mirrored"].to_pylist() == [0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pages": 0}, "--pages 0: give 1 or more"),
        ({"most_hosts": 1}, "--most-hosts 1: give 2 or more"),
        ({"most_suffixes": -1}, "--most-suffixes -1: give 0 or more"),
        ({"sample": -1}, "--sample -1: give 0 or more"),
        ({"count": "some"}, "--count some: give all or roots"),
    ],
)
def test_settings_are_checked(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        MirrorSettings(**settings)
