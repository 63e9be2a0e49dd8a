"""The tables of Shivakumar 1998, worked out by hand on a small collection, and as they were planted
in a made-up web."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.study.no_pages import without_pages
from webecho.api.runs import as_run
from webecho.chunkings import Chunking
from webecho.errors import SettingsError
from webecho.study.figures import Bars
from webecho.study.replicas import by_chunking
from webecho.study.replication import ReplicationSettings, class_name, reason_rows
from webecho.study.result import Study
from webecho.synthetic.making import write_web
from webecho.synthetic.web import Web
from webecho.workspace.workspace import Workspace

CLASSES = ["1", "2", "3", "4–5", "6–10", "11–100", ">100"]


def lines(name: str, count: int) -> list[str]:
    return [f"line {number} of {name}" for number in range(count)]


# Three exact copies, one that shares 15 chunks of four lines with them and so 30 of two, one that
# shares 28 of two alone, and two that are short: one with a copy at the same address.
LONG = lines("the manual", 60)
PAGES = [
    ("http://a.example/manual", LONG),
    ("http://a.example/manual?", LONG),
    ("http://b.example/copy", LONG),
    ("http://b.example/more", [*LONG, *lines("more", 4)]),
    ("http://c.example/less", [*LONG[:58], "another line"]),
    ("http://d.example/short", ["a short page"]),
    ("http://d.example/short", ["a short page"]),
    (None, ["a short page"]),
    ("http://d.example/own", ["a page of its own"]),
]
SIZES = [len("\n".join(each).encode()) for _, each in PAGES]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replication")
    urls, texts = zip(*PAGES, strict=True)
    table = pa.table({"url": urls, "text": ["\n".join(text) for text in texts]})
    pq.write_table(table, folder / "small.parquet")
    webecho.sketch(folder / "small.parquet", folder / "small.echo")
    return folder / "small.echo"


@pytest.fixture(scope="module")
def study(small: Path) -> Study:
    return webecho.study_replication(small)


def column(study: Study, table: str, name: str) -> list[Any]:
    return study.tables[table][name].to_pylist()


def test_pages_by_the_number_of_their_replicas(study: Study) -> None:
    assert column(study, "replicas", "replicas") == CLASSES
    # The manual and the short page are there three times each.
    assert column(study, "replicas", "pages, page") == [3, 0, 6, 0, 0, 0, 0]
    assert column(study, "replicas", "share, page")[2] == 6 / 9
    # With 15 chunks of four lines a fourth, and with 25 of two a fifth; short pages as before.
    assert column(study, "replicas", "pages, lines:4") == [2, 0, 3, 4, 0, 0, 0]
    assert column(study, "replicas", "pages, lines:2") == [1, 0, 3, 5, 0, 0, 0]


def test_what_a_crawler_need_not_fetch(study: Study) -> None:
    assert column(study, "savings", "left out") == [
        "exact copies",
        "pages that share 15 chunks of lines:4",
        "pages that share 25 chunks of lines:2",
    ]
    copies = [1, 2, 6, 7]
    for row, gone in zip(
        study.tables["savings"].to_pylist(), (copies, [*copies, 3], [*copies, 3, 4]), strict=True
    ):
        saved = sum(SIZES[page] for page in gone)
        assert (row["pages"], row["bytes"]) == (9, sum(SIZES))
        assert (row["pages saved"], row["bytes saved"]) == (len(gone), saved)
        assert row["share of pages saved"] == len(gone) / 9
        assert row["share of bytes saved"] == saved / sum(SIZES)


def test_reasons_add_up_to_all_copies(study: Study) -> None:
    found = [tuple(row.values())[1:] for row in study.tables["reasons"].to_pylist()]
    assert found == [
        ("popular", 1, 1, 1 / 4),
        ("server alias", 0, 0, 0.0),
        ("url alias", 1, 1, 1 / 4),
        ("same address", 1, 1, 1 / 4),
        ("no address", None, 1, 1 / 4),
    ]


def test_a_cluster_may_have_several_reasons() -> None:
    counted = {"pages": [9, 2], "urls": [8, 2], "hosts": [5, 1], "servers": [3, 1]}
    rows = reason_rows(pa.table(counted), 9)
    assert [tuple(row.values())[:3] for row in rows] == [
        ("popular", 1, 2),
        ("server alias", 1, 2),
        ("url alias", 2, 4),
        ("same address", 1, 1),
    ]
    none = reason_rows(pa.table({name: pa.array([], pa.int64()) for name in counted}), 0)
    assert [tuple(row.values())[:3] for row in none] == [
        ("popular", 0, 0),
        ("server alias", 0, 0),
        ("url alias", 0, 0),
    ]


def test_what_it_costs(small: Path, study: Study) -> None:
    space = {row["step"]: row for row in study.tables["space"].to_pylist()}
    time = {row["step"]: row for row in study.tables["time"].to_pylist()}
    assert [*space] == ["fingerprints", "server map", "URL map"]
    assert [*time] == ["read and fingerprint", "sort", "overlap"]
    # Four hosts, and eight addresses; each with four bytes.
    names = len("a.example") * 4 + 4 * 4
    addresses = sum(len(url) + 4 for url, _ in PAGES if url)
    for chunking in ("page", "lines:4", "lines:2"):
        folder = small / Chunking.parse(chunking).table
        kept = sum(file.stat().st_size for file in folder.iterdir())
        assert space["fingerprints"][chunking] == kept / 1e6
        assert space["server map"][chunking] == names / 1e6
        assert space["URL map"][chunking] == addresses / 1e6
        assert all(row[chunking] >= 0 for row in time.values())
    # 44 hours, 163 minutes, 2.42 hours.
    assert time["read and fingerprint"]["page, paper"] == 44 * 3600
    assert time["sort"]["lines:4, paper"] == 163 * 60
    assert time["overlap"]["lines:2, paper"] == 8712 == round(2.42 * 3600)
    assert space["fingerprints"]["lines:2, paper"] == 4600


def test_beside_the_paper(study: Study) -> None:
    rows = {row["fact"]: row for row in study.tables["beside_paper"].to_pylist()}
    assert {fact: (row["value"], row["paper, low"]) for fact, row in rows.items()} == {
        "share of pages with one replica, page": (3 / 9, 0.64),
        "share of pages with two replicas, page": (0.0, 0.18),
        "share of pages with 10 to 100 replicas, page": (0.0, 0.05),
        "share of pages replicated, page": (6 / 9, 0.36),
        "share of pages replicated, lines:2": (8 / 9, 0.48),
        "share of pages saved, page": (4 / 9, 0.22),
        "share of pages saved, lines:4": (5 / 9, 0.29),
        "share of pages saved, lines:2": (6 / 9, 0.33),
        "share of bytes saved, page": (sum(SIZES[at] for at in (1, 2, 6, 7)) / sum(SIZES), 0.22),
        "share of bytes saved, lines:2": (
            sum(SIZES[at] for at in (1, 2, 3, 4, 6, 7)) / sum(SIZES),
            0.33,
        ),
    }
    assert study.sentences[0] == (
        "small: 33.3% of 9 pages have one replica, themselves, 0.0% two, and 0.0% 10 to 100; pages "
        "with more than one are 66.7% by exact copies and 88.9% by shared chunks of two lines."
    )


def test_the_figure_has_bars_for_each_chunking(small: Path, study: Study, tmp_path: Path) -> None:
    [(name, bars)] = study.figures.items()
    assert name == "replicas-small" and isinstance(bars, Bars)
    assert bars.names == CLASSES
    assert [*bars.series] == ["page", "lines:4", "lines:2"]
    for chunking, heights in bars.series.items():
        assert [*heights] == column(study, "replicas", f"share, {chunking}")
    without_pages(tmp_path)
    both = webecho.study_replication([small, tmp_path / "none.echo"])
    assert [*both.figures] == [
        *("replicas-small", "replicas-none"),
        *("replicas_by-page", "replicas_by-lines-4", "replicas_by-lines-2"),
    ]
    by_page = both.figures["replicas_by-page"]
    assert isinstance(by_page, Bars)
    assert by_page.series == {"small": bars.series["page"], "none": [0.0] * 7}
    assert by_page.caption == (
        "Pages by the number of their replicas, the page itself included (page)."
    )


def test_nothing_of_no_pages(tmp_path: Path) -> None:
    without_pages(tmp_path)
    study = webecho.study_replication(tmp_path / "none.echo")
    assert column(study, "replicas", "pages, page") == [0] * 7
    assert column(study, "savings", "pages saved") == [0] * 3
    assert study.tables["collections"].num_rows == 0


def test_how_classes_are_called() -> None:
    assert [class_name(*ends) for ends in ((1, 1), (4, 5), (101, None))] == ["1", "4–5", ">100"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"agree": 0.0}, "--agree 0.0 is not above 0 and at most 1"),
        ({"agree": 1.1}, "--agree 1.1 is not above 0 and at most 1"),
        ({"pages": 0}, "--pages 0: give 1 or more"),
        ({"rows": 0}, "--rows 0: give 1 or more"),
    ],
)
def test_settings_are_checked(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        ReplicationSettings(**settings)


# What was planted.

WEB = Web(pages=300, seed=3, words=60, popular=5, aliases=10, passages=40)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    write_web(WEB, folder / "web")
    webecho.sketch(folder / "web" / "pages", folder / "web.echo")
    return folder


@pytest.fixture(scope="module")
def planted(web: Path) -> Study:
    return webecho.study_replication(web / "web.echo", rows=100)


def truth(web: Path, table: str = "truth") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(web / "web" / f"{table}.parquet").to_pylist()
    return rows


def clusters(web: Path) -> Iterator[list[dict[str, Any]]]:
    """The pages of each identity set of more than one."""
    found = defaultdict(list)
    for row in truth(web):
        found[row["identity"]].append(row)
    return (rows for rows in found.values() if len(rows) > 1)


def test_replicas_are_those_that_were_planted(web: Path, planted: Study) -> None:
    rows = truth(web)
    often = Counter(row["identity"] for row in rows)
    sizes = Counter(often[row["identity"]] for row in rows)
    ends = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 100), (101, 10**9))
    expected = [
        sum(count for size, count in sizes.items() if low <= size <= high) for low, high in ends
    ]
    assert column(planted, "replicas", "pages, page") == expected
    [page, *_] = planted.tables["savings"].to_pylist()
    assert page["pages saved"] == len(rows) - len(often)
    kept = Workspace.open(web / "web.echo").table().select(["page", "bytes"]).to_pylist()
    superfluous = {row["page"] for row in rows if row["page"] != row["identity"]}
    assert page["bytes saved"] == sum(row["bytes"] for row in kept if row["page"] in superfluous)


@pytest.mark.parametrize(("size", "shared"), [(4, 15), (2, 25)])
def test_passages_make_replicas_if_they_are_long_enough(web: Path, size: int, shared: int) -> None:
    def common(one: dict[str, Any], other: dict[str, Any]) -> int:
        """Chunks that lie in the passage with all of their lines, on both pages at once."""
        if (one["line"] - other["line"]) % size:
            return 0
        return (one["line"] - 1 + one["lines"]) // size - -(-(one["line"] - 1) // size)

    passages = defaultdict(list)
    for row in truth(web, "passages"):
        passages[row["passage"]].append(row)
    expected = {
        row["page"]: 1 + sum(each != row and common(row, each) >= shared for each in rows)
        for rows in passages.values()
        for row in rows
    }
    assert {1, 2, 3} <= {*expected.values()}
    found = by_chunking(Workspace.open(web / "web.echo"), as_run())[f"lines:{size}"].replicas
    assert {page: found[page] for page in expected} == expected


def test_manuals_are_the_collections_that_were_planted(web: Path, planted: Study) -> None:
    manuals = defaultdict(list)
    for row in truth(web, "popular"):
        manuals[row["manual"]].append(row)
    expected = sorted(
        (
            (
                # A server with two names counts once.
                len({row["server"] for row in rows}),
                len({row["document"] for row in rows}),
                len({(row["server"], row["document"]) for row in rows}),
                rows[0]["url"].rpartition("/")[0] + "/",
            )
            for rows in manuals.values()
        ),
        reverse=True,
    )
    rows = planted.tables["collections"].to_pylist()
    found = [
        tuple(row[name] for name in ("servers", "pages", "copies", "representative"))
        for row in rows
        if "/manual-" in row["representative"]
    ]
    assert sorted(found, reverse=True) == expected
    servers = [row["servers"] for row in rows]
    assert servers == sorted(servers, reverse=True)
    assert [row["rank"] for row in rows] == [*range(1, len(rows) + 1)]
    assert min(row["pages"] for row in rows) >= 10


def test_as_many_rows_and_pages_as_asked_for(web: Path, planted: Study) -> None:
    every = planted.tables["collections"]
    assert len(every) > 5
    crawl = web / "web.echo"
    assert webecho.study_replication(crawl).tables["collections"] == every.slice(0, 5)
    most = max(every["pages"].to_pylist())
    large = webecho.study_replication(crawl, pages=most, rows=100).tables["collections"]
    assert {*large["pages"].to_pylist()} == {most}
    assert len(large) == every["pages"].to_pylist().count(most)
    assert len(webecho.study_replication(crawl, pages=most + 1).tables["collections"]) == 0
    # The smallest are those of single pages.
    small = webecho.study_replication(crawl, pages=1, rows=1000).tables["collections"]
    assert min(small["pages"].to_pylist()) < 10 and len(small) > len(every)


def test_reasons_are_those_that_were_planted(web: Path, planted: Study) -> None:
    server: dict[str, str] = {}
    for row in truth(web):
        server[row["host"]] = row["alias_of"] or row["host"]
    for row in truth(web, "popular"):
        server[row["host"]] = row["server"]
    first: dict[int, str] = {}
    for row in truth(web, "aliases"):
        if row["reason"] == "server alias":
            server[row["host"]] = first.setdefault(row["group"], row["host"])
    expected: Counter[str] = Counter()
    for rows in clusters(web):
        urls, hosts = ({row[name] for row in rows} for name in ("url", "host"))
        servers = {server[host] for host in hosts}
        expected["popular"] += len(servers) - 1
        expected["server alias"] += len(hosts) - len(servers)
        expected["url alias"] += len(urls) - len(hosts)
    found = {
        row["reason"]: row["superfluous pages"] for row in planted.tables["reasons"].to_pylist()
    }
    assert found == expected
    assert min(found.values()) > 10
