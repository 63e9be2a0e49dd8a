"""Mirrors, subtree mirrors, aliases, auto-mirrors and template-mates of a made-up web that changes
are told apart, and none is missed."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import webecho
from webecho.study.result import Study
from webecho.synthetic.snapshots import crawl_folder, read_across, snapshots_in

SNAPSHOTS = 4
Row = dict[str, Any]
# What becomes of each way in which hosts were planted to repeat each other, if both are there.
EXPECTED = {
    "mirror": "remaining",
    "mirror behind by 1": "remaining",
    "mirror behind by 2": "remaining",
    "group of four": "remaining",
    "subtree": "remaining",
    "subtree behind by 1": "remaining",
    "subtree is a host": "remaining",
    "mirror with gaps": "remaining",
    "alias on one machine": "alias",
    "alias without www": "alias",
    "alias without www, other machine": "remaining",
    "mirror, no addresses": "unresolved",
    "mirror, one address": "unresolved",
    "planned mirror": "remaining",
    "planned alias": "alias",
    "common page": "remaining",
}


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted") / "web"
    webecho.synth(folder, pages=400, snapshots=SNAPSHOTS, seed=11, followers=0)
    for number in snapshots_in(folder):
        webecho.sketch(crawl_folder(folder, number), folder.parent / f"{number}.echo")
    return folder


@pytest.fixture(scope="module")
def study(web: Path) -> Study:
    return webecho.study_mirrors(
        [web.parent / f"{number}.echo" for number in snapshots_in(web)], repetitions=0
    )


def truth_file(web: Path, number: int) -> Path:
    return crawl_folder(web, number).parent / "truth.parquet"


def rows(study: Study, table: str, number: int) -> list[Row]:
    found: list[Row] = study.tables[table].to_pylist()
    return [row for row in found if row["collection"] == str(number)]


def planted(web: Path, number: int) -> list[Row]:
    found: list[Row] = read_across(web, "mirrors").to_pylist()
    return [row for row in found if row["snapshot"] == number]


def contents(web: Path, number: int) -> dict[str, Counter[int]]:
    """Of each host how many pages it has of each identity set."""
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for row in pq.read_table(truth_file(web, number)).to_pylist():
        found[row["host"]][row["identity"]] += 1
    return found


def shared(one: Counter[int], other: Counter[int]) -> int:
    """Pages in common, of the host that has fewer of them."""
    both = one.keys() & other.keys()
    return min(sum(each[identity] for identity in both) for each in (one, other))


@pytest.mark.parametrize("number", range(1, SNAPSHOTS + 1))
def test_none_is_missed_and_all_are_told_apart(web: Path, study: Study, number: int) -> None:
    known = contents(web, number)
    found = {
        frozenset((row["host"], row["other host"])): row for row in rows(study, "mirrors", number)
    }
    ways = Counter[str]()
    for row in planted(web, number):
        pair = frozenset((row["host"], row["mirror_of"]))
        if row["kind"] == "auto-mirror" or shared(*(known[host] for host in sorted(pair))) < 10:
            continue
        ways[row["way"]] += 1
        told = found[pair]
        assert told["status"] == EXPECTED[row["way"]], row
        assert told["equal but for www."] == (
            row["host"].removeprefix("www.") == row["mirror_of"].removeprefix("www.")
        )
        if told["status"] == "remaining":
            # Template-mates have the same page, but at other addresses.
            confirmed = row["kind"] != "template-mate"
            assert (told["last arc"] > 0, told["last four"] > 0) == (confirmed, confirmed), row
    # What is behind may have too little in common, and a plan has not each of its own.
    sure = {way for way in EXPECTED if "behind" not in way and "planned" not in way}
    assert sure <= ways.keys()


@pytest.mark.parametrize("number", range(1, SNAPSHOTS + 1))
def test_no_others_are_found(web: Path, study: Study, number: int) -> None:
    """Two hosts are found only if they were planted to repeat each other, or a third."""
    first: dict[str, str] = {}
    for row in planted(web, number):
        if row["kind"] != "auto-mirror":
            first[row["host"]] = first[row["mirror_of"]] = row["mirror_of"]
    few = {"mirror of few pages", "one template"}
    apart = {row["host"] for row in planted(web, number) if row["way"] in few}
    for row in rows(study, "mirrors", number):
        assert first[row["host"]] == first[row["other host"]], row
        assert not {row["host"], row["other host"]} & apart


@pytest.mark.parametrize("number", range(1, SNAPSHOTS + 1))
def test_auto_mirrors_are_found(web: Path, study: Study, number: int) -> None:
    found = {row["host"]: row["pages"] for row in rows(study, "auto_mirrors", number)}
    hosts = {row["host"]: row for row in planted(web, number) if row["kind"] == "auto-mirror"}
    assert hosts
    for host, row in hosts.items():
        if row["pages"] >= 10:
            assert found[host] >= 2 * row["pages"] - 2, row


@pytest.mark.parametrize("number", range(1, SNAPSHOTS + 1))
def test_subtrees_are_mapped_as_they_were_planted(web: Path, study: Study, number: int) -> None:
    found = defaultdict(list)
    for row in rows(study, "subtrees", number):
        sides = (row["host"], row["path"]), (row["other host"], row["other path"])
        found[frozenset((row["host"], row["other host"]))].append(({*sides}, row))
    known = contents(web, number)
    looked_at = 0
    for row in planted(web, number):
        within = row["kind"] == "auto-mirror"
        pair = [known[row["host"]], known[row["mirror_of"]]]
        if row["kind"] == "template-mate" or row["lag"] or row["pages"] < 10:
            continue
        if not within and shared(*pair) < 10:
            continue
        looked_at += 1
        sides = {(row["host"], f"{row['path']}/"), (row["mirror_of"], f"{row['path_of']}/")}
        [told] = [
            each
            for named, each in found[frozenset((row["host"], row["mirror_of"]))]
            if named == sides
        ]
        assert told["matched"] <= told["counterparts"] == row["pages"]
        turned = (told["host"], told["path"]) == (row["host"], f"{row['path']}/")
        here, there = ("missing there", "missing here")[:: 1 if turned else -1]
        assert (told[here], told[there]) == (row["extra"], row["missing"]), (row, told)
    assert looked_at > 15


def test_copies_are_as_fresh_as_they_were_planted(web: Path, study: Study) -> None:
    lags = {
        frozenset((row["host"], row["mirror_of"])): (row["host"], row["lag"])
        for row in planted(web, SNAPSHOTS)
        if row["kind"] in ("mirror", "subtree", "alias")
    }
    behind = Counter[int]()
    for number in range(2, SNAPSHOTS + 1):
        for row in rows(study, "freshness", number):
            copy, lag = lags.get(frozenset((row["mirror host"], row["canonical host"])), ("", 0))
            late, early = row["mirror behind"], row["canonical behind"]
            if copy == row["canonical host"]:
                late, early = early, late
            if lag == 0:
                # Of a group, or not behind at all.
                continue
            behind[lag] += late
            assert early == 0, row
            by = "mirror behind by" if copy == row["mirror host"] else "canonical behind by"
            assert row[by] is None or row[by] <= lag
    assert behind[1] >= 20 and behind[2] >= 5


def test_what_a_crawler_may_use_is_safe_in_savings(web: Path, study: Study, tmp_path: Path) -> None:
    study.write(tmp_path / "study")  # type: ignore[attr-defined]
    crawl = web.parent / f"{SNAPSHOTS}.echo"
    without = webecho.savings(crawl)
    found = webecho.savings(crawl, mirrors=tmp_path / "study")
    listed = [row for row in found.rules.to_pylist() if row["way"] == "mirror" and row["canonical"]]
    assert len(listed) >= 10
    assert found.facts["mirrors of other hosts in lists"] == len(listed)
    assert found.facts["left out by deny patterns"] > without.facts["left out by deny patterns"]
    # No less is visited than by contents alone, and nothing goes whose content is not visited.
    assert found.facts["to visit"] == without.facts["to visit"]
    identity = {
        row["url"]: row["identity"] for row in pq.read_table(truth_file(web, SNAPSHOTS)).to_pylist()
    }
    told = found.urls.to_pylist()
    denied = {row["url"] for row in told if row["by_pattern"]}
    assert denied
    for row in told:
        assert row["visit_url"] not in denied
        if row["by_pattern"]:
            assert identity[row["visit_url"]] == identity[row["url"]]
