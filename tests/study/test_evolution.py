"""The study of evolution: on snapshots made by hand, on a made-up web against brute force and what
was planted, and on real ones against independent counts."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import webecho
from tests.study.snapshots_made import snapshots, words
from webecho.errors import SettingsError
from webecho.study.evolution import EvolutionSettings
from webecho.study.figures import Lines, LogLog, Scatter, Stacked
from webecho.study.result import Study
from webecho.study.size_classes import CLASS_NAMES, CLASSES
from webecho.synthetic.snapshots import crawl_folder, read_across, snapshots_in
from webecho.workspace.workspace import Workspace

A, B, C, D, E = (f"http://{host}.example/" for host in "abcde")
Sets = Mapping[str, frozenset[str]]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("evolution")
    same, other, own = words("same"), words("other"), words("own")
    made = snapshots(
        folder,
        [(A, same), (B, same), (C, same), (D, own)],
        # C goes to a text of its own, D is gone, E is new and comes to A and B.
        [(A, same), (B, f"<b>{same}</b>"), (C, other), (E, same)],
        [(A, same), (B, same), (C, same), (D, own), (E, own)],
    )
    return webecho.study_evolution([each.path for each in made])


def test_a_small_example_by_hand(small: Study) -> None:
    rows = {
        (row["snapshot"], row["cluster size in 1"]): [*row.values()][2:]
        for row in small.tables["coefficients"].to_pylist()
    }
    # A, B: 2 of 3, 2 of {A, B, C, E}, 2 of {A, B, E}; C: 1 of 3, 1 of 3, 1 of 1. D could not be
    # downloaded, alone.
    third = pytest.approx
    assert rows[2, "2–10 pages"] == [3, third((2 + 2 + 1) / 9), third(4 / 9), third(7 / 9)]
    assert rows[2, "1 page"] == [1, 1, 1, 1]
    # The third has A, B and C together again, and E with D: 1 of 2.
    assert rows[3, "2–10 pages"] == [3, 1, 1, 1]
    assert rows[3, "1 page"] == [1, 1, 0.5, 0.5]


def test_how_its_pages_change(small: Study) -> None:
    counts = {
        row["features in common"]: row["downloads"]
        for row in small.tables["changes"].to_pylist()
        if row["downloads"]
    }
    # A twice and D the same bytes; B other markup, twice; C twice another text, and E.
    assert counts == {85: 3, 84: 2, 0: 3}
    persistence = small.tables["persistence"].to_pylist()
    assert [[*row.values()][2:8] for row in persistence] == [[4, 3, 1, 2, 1, 1], [4, 4, 1, 2, 0, 1]]


def test_what_becomes_of_its_clusters(small: Study) -> None:
    pages = {
        (row["from"], row["event"], row["url"]): (row["before"], row["after"])
        for row in small.tables["event_pages"].to_pylist()
    }
    assert pages[2, "birth", D] == ("new", D)
    assert pages[2, "birth", E] == (A, D)
    events = {
        (row["from"], row["event"]): row["clusters"] for row in small.tables["events"].to_pylist()
    }
    assert events[1, "same size"] == 1 and events[2, "birth"] == 1
    assert small.tables["arrivals"].to_pylist()[0]["new addresses"] == 1
    revisits = {row["url"]: row for row in small.tables["revisits"].to_pylist()}
    assert revisits.keys() == {B, C, E}
    assert (revisits[B]["visits"], revisits[B]["came out the same"]) == (2, 2)
    assert revisits[B]["representative"] == A and revisits[E]["representative"] == D


def test_figures_and_sentences(small: Study) -> None:
    kinds = {name: type(figure) for name, figure in small.figures.items()}
    assert kinds == {
        **dict.fromkeys(["containment", "similarity", "containment_reverse"], Lines),
        **{"sizes": LogLog, "host_changes": Scatter, "change_relative": Lines},
        **dict.fromkeys(["change_buckets", "change_classes"], Stacked),
        "calibration": Lines,
    }
    assert small.sentences[0].startswith("Of the 4 addresses of 1, 3 are similar to some other")
    # One host of four is absent in the second snapshot: D's.
    assert any("1 of the 4 hosts" in note and "missing=" in note for note in small.notes)
    paper = {row["fact"]: row["paper, low"] for row in small.tables["beside_paper"].to_pylist()}
    assert paper["share of duplicates"] == 0.292 and paper["share of hosts unchanged"] == 0.918
    of = {row["fact"]: row["collection"] for row in small.tables["beside_paper"].to_pylist()}
    assert (of["share of duplicates"], of["share of hosts unchanged"]) == ("1", "1 to 3")


def test_any_rule(tmp_path: Path) -> None:
    same = words("a", 200)
    made = snapshots(tmp_path, [(A, same), (B, same)], [(A, same)])
    paths = [each.path for each in made]
    for rule in ("tokens", "similar", "virtually-identical", "c", "paragraphs"):
        found = webecho.study_evolution(paths, rule, missing="drop")
        [first, _] = found.tables["snapshots"].to_pylist()
        assert first["clusters"] == 1 and first["rule"].startswith(rule)
    # Of one step nothing is held against another.
    assert found.tables["calibration"].num_rows == 0
    assert any("three snapshots" in note for note in found.notes)


def test_what_is_refused(tmp_path: Path) -> None:
    [one] = snapshots(tmp_path, [(A, words("a"))])
    with pytest.raises(SettingsError, match="two snapshots or more"):
        webecho.study_evolution([one.path])
    with pytest.raises(SettingsError, match="--rows 0"):
        EvolutionSettings(rows=0)
    with pytest.raises(SettingsError, match="--missing never"):
        EvolutionSettings(missing="never")  # type: ignore[arg-type]


def test_snapshots_without_pages(tmp_path: Path) -> None:
    made = snapshots(tmp_path, [], [(A, words("a"))], [])
    found = webecho.study_evolution([each.path for each in made])
    assert [row["addresses"] for row in found.tables["snapshots"].to_pylist()] == [0, 1, 0]
    assert found.tables["coefficients"].num_rows == 0
    found.write(tmp_path / "out")


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web") / "web"
    webecho.synth(
        *(folder,),
        **{"pages": 1_500, "words": 60, "snapshots": 6, "followers": 3_600, "form": "parquet"},
        lost={3: 0.25},
    )
    for number in snapshots_in(folder):
        webecho.sketch(crawl_folder(folder, number), folder.with_name(f"{number}.echo"))
    return folder


@pytest.fixture(scope="module")
def study(web: Path) -> Study:
    return webecho.study_evolution([web.with_name(f"{number}.echo") for number in range(1, 7)])


def very_similar(path: Path) -> Sets:
    """For each address those with which it shares two supershingles at the same places, or by a
    chain of such: by a table for each pair of places."""
    table = Workspace.open(path).table()
    urls, lists = table["url"].to_pylist(), table["supershingles"].to_pylist()
    parent = [*range(len(urls))]

    def root(page: int) -> int:
        while parent[page] != page:
            page = parent[page]
        return page

    for places in combinations(range(6), 2):
        first: dict[tuple[int, ...], int] = {}
        for page, values in enumerate(lists):
            if values is not None:
                key = tuple(values[place] for place in places)
                parent[root(page)] = root(first.setdefault(key, page))
    members = defaultdict(set)
    for page, url in enumerate(urls):
        members[root(page)].add(url)
    return {url: frozenset(members[root(page)]) for page, url in enumerate(urls)}


def averages(several: list[Sets], number: int) -> dict[str, list[float]]:
    """How many addresses there are of each class, and the averages of Φ₁ⁿ, Ψ and Φₙ¹."""
    first, last = several[0], several[number - 1]
    gone = frozenset(url for each in several[:number] for url in each) - {*last}
    found = defaultdict(list)
    for url, one in first.items():
        other = last.get(url, gone)
        both = len(one & other)
        classes = zip(CLASS_NAMES, CLASSES, strict=True)
        name = next(name for name, (low, high) in classes if low <= len(one) <= (high or 10**9))
        found[name].append((both / len(one), both / len(one | other), both / len(other)))
    return {
        name: [len(values), *(sum(each) / len(values) for each in zip(*values, strict=True))]
        for name, values in found.items()
    }


def found_averages(study: Study, number: int) -> dict[str, list[float]]:
    return {
        row["cluster size in 1"]: [*row.values()][2:]
        for row in study.tables["coefficients"].to_pylist()
        if row["snapshot"] == number
    }


def test_coefficients_are_what_brute_force_makes_of_supershingles(web: Path, study: Study) -> None:
    several = [very_similar(web.with_name(f"{number}.echo")) for number in range(1, 7)]
    for number in range(1, 7):
        expected, found = averages(several, number), found_averages(study, number)
        assert found.keys() == expected.keys() and len(found) == 3
        for name, values in expected.items():
            assert found[name] == pytest.approx(values)
            _, contained, alike, reverse = found[name]
            assert alike <= min(contained, reverse) + 1e-12
        assert found["1 page"][1] == 1


def test_coefficients_are_near_what_was_planted(web: Path, study: Study) -> None:
    rows = read_across(web, "memberships").to_pylist()
    members: dict[tuple[int, int], set[str]] = defaultdict(set)
    for row in rows:
        members[row["snapshot"], row["family"]].add(row["url"])
    several: list[dict[str, frozenset[str]]] = [{} for _ in range(6)]
    for row in rows:
        own = frozenset(members[row["snapshot"], row["family"]])
        several[row["snapshot"] - 1][row["url"]] = own
    planted, found = averages([*several], 6), found_averages(study, 6)
    for name, (addresses, *values) in planted.items():
        if addresses > 300:
            assert found[name][1:] == pytest.approx(values, abs=0.06)


def test_a_lost_quarter_of_the_hosts_is_noticed(study: Study) -> None:
    [note] = study.notes
    assert note.startswith("3: ") and "absent at once" in note
    third = study.tables["absent_hosts"].to_pylist()[1]
    assert third["snapshot"] == 3 and 0.2 < third["share absent"] < 0.35
    assert third["back in the next"] > 0.9 * third["absent at once"]
    # Retention dips there, and is back after it; not so for single addresses.
    dip = [found_averages(study, number)["2–10 pages"][1] for number in range(1, 7)]
    assert dip[2] < min(dip[1], dip[3])


def test_pages_change_as_planted(web: Path, study: Study) -> None:
    kinds = read_across(web, "changes")["kind"].to_pylist()
    *classes, every = study.tables["change_classes"].to_pylist()
    assert every["downloads"] == len(kinds) == sum(row["downloads"] for row in classes)
    assert all(row["downloads"] for row in classes)
    assert every["no change"] == kinds.count("none")
    # Of the same words in other bytes, and of other words.
    assert every["no text change"] >= kinds.count("markup")
    away = kinds.count("leave") + kinds.count("return") + kinds.count("all")
    assert every["complete change"] + every["large change"] == pytest.approx(away, rel=0.15)


def test_probabilities_of_revisits_are_calibrated(web: Path, study: Study) -> None:
    rows = study.tables["calibration"].to_pylist()
    assert len(rows) == 10 and min(row["addresses"] for row in rows) >= 200
    for row in rows:
        error = max(row["standard error"], row["standard error of clusters"])
        assert abs(row["observed"] - row["predicted"]) <= 3 * error
        assert row["clusters that count"] > 30
    # They are not all one.
    assert rows[0]["predicted"] < 0.2 and rows[-1]["predicted"] > 0.95
    # And near to the rates that were planted for hosts: the chance to follow is one less the rate.
    rates = {row["host"]: row["rate"] for row in read_across(web, "hosts").to_pylist()}
    by_rate: dict[float, list[float]] = defaultdict(list)
    for row in study.tables["revisits"].to_pylist():
        rate = rates[row["url"].split("/")[2]]
        if rate is not None and row["same text now"]:
            by_rate[rate].append(row["probability"])
    known = {rate: sum(each) / len(each) for rate, each in by_rate.items() if len(each) > 50}
    assert len(known) > 4
    for rate, mean in known.items():
        assert mean == pytest.approx(1 - rate, abs=0.1)


def test_threads_change_nothing(web: Path, study: Study) -> None:
    paths = [web.with_name(f"{number}.echo") for number in range(1, 7)]
    again = webecho.study_evolution(paths, threads=2, memory="1GB")
    assert again.tables == study.tables
    assert again.sentences == study.sentences


COUNTS: dict[str, list[list[Any]]] = {
    "snapshots": [[7_691, 6_379, 25, 3_934], [11_609, 10_618, 16, 5_688]],
    "policies": [
        *([1_029, 370, 15, 126], [1_154, 554, 1, 15], [1_165, 682, 4, 0]),
        *([1_164, 770, 1, 0], [1_161, 682, 3, 16]),
    ],
}


@pytest.mark.data
@pytest.mark.parametrize("name", COUNTS)
def test_real_snapshots(data: Path, tmp_path: Path, name: str) -> None:
    paths = []
    for number in range(1, len(COUNTS[name]) + 2):
        paths.append(tmp_path / f"{number}.echo")
        webecho.sketch(data / name / f"{number}.parquet", paths[-1])
    found = webecho.study_evolution(paths, repetitions=0)
    rows = found.tables["persistence"].to_pylist()
    names = ("persisting", "byte-identical", "gone", "new")
    assert [[row[name] for name in names] for row in rows] == COUNTS[name]
    assert found.tables["change_classes"].to_pylist()[-1]["downloads"] >= sum(
        persisting for persisting, *_ in COUNTS[name]
    )
    # All of it can be written, and the tables are what they were.
    found.write(tmp_path / "out")
    again = pq.read_table(tmp_path / "out" / "coefficients.parquet")
    assert again.to_pylist() == found.tables["coefficients"].to_pylist()
