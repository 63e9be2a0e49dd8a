"""The study of clusters, worked out by hand on a small collection, and as they were planted in a
made-up web."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import Any
from unicodedata import category

import pyarrow.parquet as pq
import pytest
from warcio.archiveiterator import ArchiveIterator

import webecho
from tests.collections_made import WarcFile, edited, prose
from tests.study.no_pages import without_pages
from webecho.errors import SettingsError
from webecho.study.clusters import ClusterSettings
from webecho.study.result import Study
from webecho.synthetic.making import write_web
from webecho.synthetic.web import Web

# Three copies on three hosts and two machines, one on a host without an IP, and a page of which 1
# of 200 words is another; a pair that differs in the number of visitors; two pages that are alone.
TEXT, VISITED = prose(1, 200), prose(2, 200)


def numbered(words: list[str], number: int) -> list[str]:
    return [*words[:100], str(number), *words[100:]]


PAGES = [
    ("http://a.example/", "10.0.0.1", TEXT),
    ("http://b.example/", "10.0.0.1", TEXT),
    ("http://c.example/", "10.0.0.2", TEXT),
    ("http://d.example/", None, TEXT),
    ("http://a.example/2", "10.0.0.1", edited(TEXT, 100)),
    ("http://v.example/1", "10.0.0.3", numbered(VISITED, 17)),
    ("http://v.example/2", "10.0.0.3", numbered(VISITED, 18)),
    ("http://x.example/", "10.0.0.4", prose(3, 200)),
    ("http://y.example/", "10.0.0.4", prose(4, 200)),
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clusters")
    with WarcFile(folder / "small.warc") as warc:
        for url, ip, words in PAGES:
            warc.response(url, " ".join(words).encode(), ip=ip)
    webecho.sketch(warc.file, folder / "small.echo")
    return folder / "small.echo"


@pytest.fixture(scope="module")
def study(small: Path) -> Study:
    return webecho.study_clusters(small)


def rows_of(study: Study, table: str, rule: str = "very-similar") -> list[dict[str, Any]]:
    return [row for row in study.tables[table].to_pylist() if row["rule"] == rule]


def test_pages_in_clusters(study: Study) -> None:
    [row] = rows_of(study, "clusters")
    # {0, 1, 2, 3, 4} and {5, 6}.
    names = ("pages", "pages in clusters", "pages alone", "clusters", "duplicates")
    assert [row[name] for name in names] == [9, 7, 2, 2, 5]
    assert row["share of duplicates"] == 5 / 9
    assert [(row["size"], row["clusters"]) for row in rows_of(study, "cluster_sizes")] == [
        (2, 1),
        (5, 1),
    ]
    # All six supershingles agree on the copies alone.
    [row] = rows_of(study, "clusters", "virtually-identical")
    assert [row[name] for name in names] == [9, 4, 5, 1, 3]


def test_the_largest_clusters(study: Study) -> None:
    first, second = rows_of(study, "largest")
    names = ("rank", "pages", "urls", "hosts", "machines", "ips", "hosts without ip")
    assert [first[name] for name in names] == [1, 5, 5, 4, "2 (+ 1)", 2, 1]
    assert [second[name] for name in names] == [2, 2, 2, 1, "1", 1, 0]
    assert [row["representative"] for row in (first, second)] == [PAGES[0][0], PAGES[5][0]]


def test_whether_they_differ_and_in_which_words(study: Study) -> None:
    first, second = rows_of(study, "largest")
    assert (first["differ in"], first["compared"], first["differ in words"]) == ("words", 4, 1)
    # What replaces the word has a digit in it, and does not count.
    assert (first["its words"], first["other words"]) == (TEXT[100], "")
    assert (second["differ in"], second["compared"]) == ("nothing meaningful", 1)
    [same] = rows_of(study, "largest", "virtually-identical")
    assert (same["differ in"], same["compared"], same["differ in words"]) == ("nothing", 3, 0)


def test_descriptions_are_of_the_clusters_own_words(study: Study) -> None:
    for row, text in zip(rows_of(study, "largest"), (TEXT, VISITED), strict=True):
        told = row["description"].replace(",", "").split()
        assert len(told) == 8 and {*told} <= {*text}


def test_the_same_whatever_the_threads(small: Path, study: Study) -> None:
    again = webecho.study_clusters(small, threads=1)
    assert again.tables == study.tables and again.sentences == study.sentences


def test_rules_are_given_by_names_and_labels(small: Path) -> None:
    found = webecho.study_clusters(small, rules=["tokens", "similar-0.9", "similar-0.9", "exact"])
    assert found.tables["clusters"]["rule"].to_pylist() == ["tokens", "similar-0.9", "text"]
    assert found.tables["clusters"]["clusters"].to_pylist() == [1, 2, 1]
    one = webecho.study_clusters(small, rules="tokens")
    assert [*one.figures] == ["cluster_sizes-tokens"]
    with pytest.raises(SettingsError, match="no rule is called 'nearly'; there are payload, text"):
        webecho.study_clusters(small, rules="nearly")


def test_rules_whose_tables_are_not_there_yet(small: Path) -> None:
    found = webecho.study_clusters(small, rules=["paragraphs", "overlap"])
    assert len(found.tables["clusters"]) == 2


def test_several_workspaces_lie_upon_each_other(small: Path, tmp_path: Path) -> None:
    without_pages(tmp_path)
    both = webecho.study_clusters([small, tmp_path / "none.echo"])
    assert both.collections == ("small", "none")
    assert [*both.figures["cluster_sizes-very-similar"].series] == ["small", "none"]
    assert [*both.figures] == [
        *("cluster_sizes-very-similar", "cluster_sizes-virtually-identical"),
        *("cluster_sizes_by_rule-small", "cluster_sizes_by_rule-none"),
    ]
    counts = both.tables["clusters"].to_pylist()
    assert [(row["collection"], row["clusters"]) for row in counts] == [
        *(("small", 2), ("small", 1), ("none", 0), ("none", 0))
    ]


def test_pages_that_are_gone_are_told(small: Path, tmp_path: Path) -> None:
    source = tmp_path / "gone.warc"
    source.write_bytes((small.parent / "small.warc").read_bytes())
    webecho.sketch(source, tmp_path / "gone.echo")
    source.unlink()
    found = webecho.study_clusters(tmp_path / "gone.echo")
    [note] = found.notes
    assert note.startswith("gone: some clusters are not described, for ") and str(source) in note
    assert [row["description"] for row in rows_of(found, "largest")] == [None, None]
    assert [row["pages"] for row in rows_of(found, "largest")] == [5, 2]
    estimated = webecho.study_clusters(tmp_path / "gone.echo", rules="similar")
    assert "resemblances are estimated from features, not counted" in estimated.notes[0]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rows": 0}, "--rows 0: give 1 or more"),
        ({"times": 1.0}, "--times 1.0 is not above 1; try 5"),
        ({"agree": 0.0}, "--agree 0.0 is not above 0 and at most 1"),
    ],
)
def test_settings_are_checked(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        ClusterSettings(**settings)


# What was planted.

WEB = Web(pages=3000, seed=5, words=120)
# Families by what their pages differ in.
SAME = {"exact copy", "mirror", "alias", "session id"}
WITHOUT_MEANING = {"time stamp", "execution time", "visitor count", "parked"}
IN_WORDS = {"shop", "near-copy"}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, list[dict[str, Any]], Path]:
    folder = tmp_path_factory.mktemp("planted")
    write_web(WEB, folder / "web")
    webecho.sketch(folder / "web" / "pages", folder / "web.echo")
    truth = pq.read_table(folder / "web" / "truth.parquet").to_pylist()
    study = webecho.study_clusters(folder / "web.echo", rules="similar-0.6", rows=5000)
    return study, truth, folder


def kinds(truth: list[dict[str, Any]], clusters: Mapping[int, list[int]]) -> dict[int, str]:
    """Of each cluster that is of one family what that is made of."""
    of_family = {row["cluster"]: row["kind"] for row in truth if row["kind"] != "original"}
    found = {}
    for cluster, pages in clusters.items():
        families = {truth[page]["cluster"] for page in pages}
        if len(families) == 1:
            found[cluster] = of_family[families.pop()]
    return found


def members(folder: Path) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for row in webecho.clusters(folder / "web.echo", resemblance=0.6).to_pylist():
        if row["size"] > 1:
            found[row["cluster"]].append(row["page"])
    return found


def test_families_differ_in_what_was_planted(
    planted: tuple[Study, list[dict[str, Any]], Path],
) -> None:
    study, truth, folder = planted
    kind = kinds(truth, members(folder))
    said: dict[str, Counter[str]] = defaultdict(Counter)
    for row in study.tables["largest"].to_pylist():
        if row["cluster"] in kind:
            said[kind[row["cluster"]]][row["differ in"]] += 1
    assert said.keys() == SAME | WITHOUT_MEANING | IN_WORDS
    for name in SAME:
        assert [*said[name]] == ["nothing"]
    for name in WITHOUT_MEANING:
        assert said[name].keys() <= {"nothing meaningful", "nothing"}, (name, said[name])
        assert said[name]["nothing meaningful"] > 0
    for name in IN_WORDS:
        assert [*said[name]] == ["words"]


def test_a_description_names_words_of_its_family_alone(
    planted: tuple[Study, list[dict[str, Any]], Path],
) -> None:
    """Words that at least half of its pages have, and a tenth of the others at most: of 1,000 that
    were drawn, so that it may be a little more of all."""
    study, truth, folder = planted
    texts = []
    for file in sorted((folder / "web" / "pages").iterdir()):
        texts += words_of_warc(file)
    often = Counter(word for words in texts for word in words)
    rows = [
        row
        for row in study.tables["largest"].to_pylist()
        # In these a character is a token.
        if row["pages"] >= 5 and truth[row["cluster"]]["script"] not in ("Han", "Thai")
    ]
    assert len(rows) > 20
    own = members(folder)
    for row in rows:
        told = row["description"].casefold().replace(",", "").split()
        assert len(told) == 8
        for word in told:
            having = sum(word in texts[page] for page in own[row["cluster"]])
            assert 2 * having >= row["pages"], (row["description"], word)
            assert often[word] - having <= 0.13 * len(texts), (row["description"], word)


def words_of_warc(file: Path) -> list[set[str]]:
    """The words of each page, by other means than ours: character by character."""
    found = []
    with file.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                html = record.content_stream().read().decode()
                text = unescape(re.sub(r"<[^>]*>", " ", html)).casefold()
                signs = (sign if category(sign)[0] in "LMN" else " " for sign in text)
                found.append({*"".join(signs).split()})
    return found


def test_machines_are_those_that_were_planted(
    planted: tuple[Study, list[dict[str, Any]], Path],
) -> None:
    study, truth, folder = planted
    own = members(folder)
    for row in study.tables["largest"].to_pylist():
        pages = [truth[page] for page in own[row["cluster"]]]
        assert row["urls"] == len({page["url"] for page in pages})
        assert row["hosts"] == len({page["host"] for page in pages})
        assert row["machines"] == f"{len({page['ip'] for page in pages})}"


# Real pages.


@pytest.mark.data
def test_the_nine_packages_of_a_manual_stand_out(data: Path, tmp_path: Path) -> None:
    """Debian packs its installation guide once for each of nine architectures. Clusters of nine
    that lie on all of them are counted once more by hand."""
    crawl = tmp_path / "debian.echo"
    webecho.sketch(data / "debian_html.parquet", crawl, columns="supershingles")
    study = webecho.study_clusters(crawl, rules="very-similar", rows=1, repetitions=0)
    hosts: dict[int, set[str]] = defaultdict(set)
    for row in webecho.clusters(crawl, "very-similar").to_pylist():
        if row["size"] == 9:
            hosts[row["cluster"]].add(row["url"].split("/")[2])
    guides = [
        each
        for each in hosts.values()
        if len(each) == 9 and all(host.startswith("installation-guide-") for host in each)
    ]
    [row] = study.short["outlying_sizes"].to_pylist()
    assert (row["size"], row["clusters"], row["hosts of the set"]) == (9, len(hosts), 9)
    assert row["on one set of hosts"] == len(guides) > 0.9 * len(hosts)
    assert row["times"] > 5
