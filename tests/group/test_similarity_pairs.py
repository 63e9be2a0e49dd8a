"""The pairs of b, c, combined and by-site held against brute force, and what is told of them."""

import json
import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import Page, as_jsonl, edited, many_pages, markup, page, prose
from tests.command import contents, done, reseal
from tests.command import webecho as run
from webecho.workspace.layout import Layout
from webecho.workspace.workspace import Workspace

RULES = ("b", "c", "combined", "by-site")
LABELS = {
    "b": "b-2",
    "c": "c-372",
    "combined": "combined-2-355",
    "by-site": "by-site-2-355-372",
}
NAMES = ["left_url", "right_url", "left_id", "right_id"]
COLUMNS = ["left", "right", "b_similarity", "c_similarity", "same_site", "weight", *NAMES]


def family_web(families: int = 12, members: int = 8) -> list[Page]:
    """Pages in families: members differ from the first in a few words here and there, or, as pages
    of a database do, in many that follow each other; some are copies."""
    chance = random.Random(5)
    pages = []
    for family in range(families):
        words = prose(family, 600)
        for _ in range(members):
            if family % 3 == 0:
                text = [*words[:100], *prose(len(pages) + 1000, 40), *words[140:]]
            else:
                text = edited(words, *chance.sample(range(600), chance.choice([0, 1, 2, 4, 8])))
            host = f"www.site{chance.randrange(3)}.com"
            pages.append(page(len(pages), markup(text), host))
    chance.shuffle(pages)
    return pages


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    pages = as_jsonl(tmp_path / "pages.jsonl", family_web())
    done("sketch", pages, "-o", tmp_path / "crawl.echo", "--part-pages", 30)
    return tmp_path / "crawl.echo"


def brute(crawl: Path, rule: str) -> dict[tuple[int, int], tuple[int, int, bool]]:
    """Every pair of different token sequences, by the definitions of Henzinger 2006."""
    rows = Workspace.open(crawl).table().to_pylist()
    first: dict[bytes, int] = {}
    for row in rows:
        first.setdefault(row["digest"], row["page"])
    found = {}
    for left, right in combinations(sorted(first.values()), 2):
        one, other = rows[left], rows[right]
        both = zip(one["supershingles"], other["supershingles"], strict=True)
        b = sum(a == b for a, b in both)
        words = zip(one["projection"], other["projection"], strict=True)
        c = 384 - sum(((a ^ b) & (2**64 - 1)).bit_count() for a, b in words)
        same = one["site"] is not None and one["site"] == other["site"]
        combined = b >= 2 and c >= 355
        together = {
            "b": b >= 2,
            "c": c >= 372,
            "combined": combined,
            "by-site": combined if same else c >= 372,
        }
        if together[rule]:
            found[left, right] = (b, c, same)
    return found


@pytest.mark.parametrize("rule", RULES)
def test_pairs_are_those_of_brute_force(crawl: Path, rule: str) -> None:
    table = webecho.pairs(str(crawl), rule)
    assert table.column_names == COLUMNS
    rows = table.to_pylist()
    found = {
        (row["left"], row["right"]): (row["b_similarity"], row["c_similarity"], row["same_site"])
        for row in rows
    }
    assert found == brute(crawl, rule)
    assert list(found) == sorted(found)
    assert len(found) > 20
    assert {same for _, _, same in found.values()} == {True, False}
    pages = Workspace.open(crawl).table().to_pylist()
    for row in rows:
        assert row["weight"] == 1.0
        for side in ("left", "right"):
            assert row[f"{side}_url"] == pages[row[side]]["url"]
            assert row[f"{side}_id"] == pages[row[side]]["id"]


@pytest.mark.parametrize("rule", RULES)
def test_clusters_are_chains_of_these_pairs(crawl: Path, rule: str) -> None:
    """And copies belong to the cluster of the page that stands for them."""
    cluster = {row["page"]: row["page"] for row in Workspace.open(crawl).table().to_pylist()}

    def root(number: int) -> int:
        return number if cluster[number] == number else root(cluster[number])

    webecho.pairs(str(crawl), rule)
    identity = pq.read_table(Layout(crawl).identity).to_pylist()
    joined = [(row["stands"], row["page"]) for row in identity]
    for left, right in [*joined, *brute(crawl, rule)]:
        low, high = sorted((root(left), root(right)))
        cluster[high] = low
    table = webecho.clusters(str(crawl), rule)
    assert table["cluster"].to_pylist() == [root(number) for number in range(len(cluster))]
    assert max(table["size"].to_pylist()) > 2


def test_identity_sets_are_told(crawl: Path) -> None:
    done("pairs", crawl, "--rule", "b")
    sets: dict[bytes, list[int]] = {}
    for row in Workspace.open(crawl).table().to_pylist():
        sets.setdefault(row["digest"], []).append(row["page"])
    expected = [
        {"page": number, "stands": min(pages), "size": len(pages)}
        for pages in sets.values()
        for number in pages
        if len(pages) > 1
    ]
    expected.sort(key=lambda row: row["page"])
    assert pq.read_table(Layout(crawl).identity).to_pylist() == expected
    counts = json.loads((Layout(crawl).pair_counts("b-2") / "counts.json").read_bytes())
    assert counts["pages in identity sets"] == len(expected) > 10
    assert counts["identity sets"] == len({row["stands"] for row in expected})
    assert counts["distinct pages"] == len(sets)


def test_degrees_are_the_numbers_of_pairs(crawl: Path) -> None:
    for rule in RULES:
        done("pairs", crawl, "--rule", rule)
        degrees: dict[int, int] = {}
        for pair in brute(crawl, rule):
            for number in pair:
                degrees[number] = degrees.get(number, 0) + 1
        found = pq.read_table(
            Layout(crawl).pair_counts(LABELS[rule]) / "degrees.parquet"
        ).to_pylist()
        assert {row["page"]: row["degree"] for row in found} == degrees
        assert [row["page"] for row in found] == sorted(degrees)


@pytest.mark.parametrize(
    ("rule", "options", "label"),
    [
        ("b", ["--least-b", 4], "b-4"),
        ("b", ["--hot", "none"], "b-2-hot-none"),
        ("c", ["--least-c", 380], "c-380"),
        ("c", ["--pieces", 12], "c-372-pieces-12"),
        ("combined", ["--least-b", 1, "--least-c", 330], "combined-1-330"),
        ("by-site", ["--least-c", 360, "--least-c-across", 375], "by-site-2-360-375"),
        ("b", ["--hot", 100, "--drawn", 7, "--seed", 3], "b-2-hot-100-drawn-7-seed-3"),
    ],
)
def test_thresholds_are_in_the_label(
    crawl: Path, rule: str, options: list[Any], label: str
) -> None:
    result = done("pairs", crawl, "--rule", rule, *options)
    assert Layout(crawl).pairs(label).is_file()
    assert result.stdout.splitlines()[0].split() == ["rule", label]


def test_lower_thresholds_give_more_pairs(crawl: Path) -> None:
    def count(rule: str, **thresholds: int) -> int:
        return int(webecho.pairs(str(crawl), rule, **thresholds).num_rows)

    assert count("b", least_b=1) > count("b") > count("b", least_b=6) > 0
    assert count("c", least_c=340) > count("c") > count("c", least_c=380)
    assert count("b") > count("combined") > count("combined", least_c=375)
    # 384 bits can only be parted so that pairs of 321 are found.
    assert count("c", least_c=321) >= count("c", least_c=340)


def test_what_cannot_be_is_refused(crawl: Path) -> None:
    for arguments, message in [
        (["--rule", "b", "--least-b", 7], "--least-b 7: a page has 6 supershingles; give 1 to 6"),
        (["--rule", "c", "--least-c", 385], "--least-c 385: a page has 384 bits; give 1 to 384"),
        (["--rule", "c", "--least-c", 300], "too low to be looked for; give 321 or more"),
        (["--rule", "c", "--pieces", 11], "--pieces 11: 384 bits make 12 to 64 pieces"),
        (["--rule", "b", "--least-c", 300], "the rule b has no --least-c"),
        (["--rule", "exact", "--hot", 10], "the rule text has no --hot"),
        (["--rule", "b", "--hot", 1], "--hot 1"),
    ]:
        result = run("pairs", crawl, *arguments)
        assert result.exit_code == 2
        assert message in " ".join(result.stderr.split())


def test_pieces_that_miss_pairs_say_how_many(tmp_path: Path) -> None:
    """Of projections made up so that each of 12 pieces has one differing bit."""
    pages = [page(number, markup(prose(number, 30))) for number in range(4)]
    done("sketch", as_jsonl(tmp_path / "p.jsonl", pages), "-o", tmp_path / "w.echo")
    file = tmp_path / "w.echo" / "sketches" / "part-00000.parquet"
    table = pq.read_table(file)
    projections = table["projection"].to_pylist()
    projections[1] = [word ^ (1 << 3) ^ (1 << 40) for word in projections[0]]
    projections[3] = [projections[2][0] ^ 1, *projections[2][1:]]
    place = table.column_names.index("projection")
    column = pa.array(projections, table.schema.field("projection").type)
    pq.write_table(table.set_column(place, table.schema.field("projection"), column), file)
    reseal(tmp_path / "w.echo")
    found = webecho.pairs(str(tmp_path / "w.echo"), "c").to_pylist()
    assert [(row["left"], row["right"], row["c_similarity"]) for row in found] == [
        (0, 1, 372),
        (2, 3, 383),
    ]
    result = done("pairs", tmp_path / "w.echo", "--rule", "c", "--pieces", 12)
    assert "missed by 12 pieces          1\n" in result.stdout
    # The two pages are together only where all pieces are looked at; so also in Python.
    sizes = [
        webecho.clusters(tmp_path / "w.echo", "c", pieces=pieces)["size"].to_pylist()
        for pieces in (12, 13)
    ]
    assert sizes == [[1, 1, 2, 2], [2, 2, 2, 2]]
    found = pq.read_table(Layout(tmp_path / "w.echo").pairs("c-372-pieces-12")).to_pylist()
    assert [(row["left"], row["right"]) for row in found] == [(2, 3)]


def test_a_hot_bucket_gives_a_sample_with_weights(tmp_path: Path) -> None:
    """Two hundred pages that differ in one word each, and a few others."""
    words = prose(1, 1000)
    pages = [page(number, markup(edited(words, 5 * number))) for number in range(200)]
    pages += [page(number + 200, markup([*prose(2, 200), f"x{number}"])) for number in range(5)]
    source = as_jsonl(tmp_path / "pages.jsonl", pages)
    done("sketch", source, "-o", tmp_path / "w.echo")
    crawl = str(tmp_path / "w.echo")
    every = webecho.pairs(crawl, "c").to_pylist()
    assert len(every) > 15_000
    drawn = webecho.pairs(crawl, "c", hot=100, drawn=50).to_pylist()
    plain = {(row["left"], row["right"]): row for row in every}
    for row in drawn:
        assert plain[row["left"], row["right"]] == row | {"weight": 1.0}
    assert sum(row["weight"] for row in drawn) == pytest.approx(len(every))
    told = Layout(tmp_path / "w.echo").pair_counts("c-372-hot-100-drawn-50")
    counts = json.loads((told / "counts.json").read_bytes())
    assert (counts["pairs"], counts["pairs given"]) == (len(every), len(drawn))
    buckets = pq.read_table(told / "hot.parquet").to_pylist()
    assert counts["hot buckets"] == len(buckets) > 0
    assert max(bucket["drawn"] for bucket in buckets) == 50
    assert all(bucket["standard_error"] == 0 for bucket in buckets)
    # What is drawn is chance; how many partners a page has is counted.
    plain_degrees = Layout(tmp_path / "w.echo").pair_counts("c-372") / "degrees.parquet"
    assert pq.read_table(told / "degrees.parquet").equals(pq.read_table(plain_degrees))
    other = webecho.pairs(crawl, "c", hot=100, drawn=50, seed=1).to_pylist()
    assert other != drawn
    # Clusters need no sample: they are whole.
    assert webecho.clusters(crawl, "c")["size"][0].as_py() == 200


def test_threads_and_repetition_change_no_byte(crawl: Path) -> None:
    written = []
    for threads in (1, 2, 3):
        for rule in RULES:
            done("pairs", crawl, "--rule", rule, "--threads", threads)
            done("pairs", crawl, "--rule", rule, "--threads", threads, "--hot", 5, "--drawn", 3)
        written.append(contents(crawl))
    assert written[0] == written[1] == written[2]


def test_pages_without_address_are_on_no_site() -> None:
    words = prose(1, 1000)
    texts = [" ".join(edited(words, 10 * number)) for number in range(4)]
    rows = webecho.pairs(pa.table({"text": texts, "id": [7, 8, None, 9]}), "by-site").to_pylist()
    assert len(rows) == 6
    assert not any(row["same_site"] for row in rows)
    assert {row["left_url"] for row in rows} == {None}
    assert [row["left_id"] for row in rows] == [7, 7, 7, 8, 8, None]


def test_no_pairs_are_a_table_without_rows(tmp_path: Path) -> None:
    alone = str(as_jsonl(tmp_path / "alone.jsonl", [page(1, " ".join(prose(1, 20)))]))
    nothing = str(as_jsonl(tmp_path / "nothing.jsonl", [page(1, ""), page(2, "<p></p>")]))
    usual = str(as_jsonl(tmp_path / "usual.jsonl", many_pages(30)))
    for rule in RULES:
        schema = webecho.pairs(usual, rule).schema
        for source in (alone, nothing):
            table = webecho.pairs(source, rule)
            assert table.num_rows == 0
            assert table.schema.equals(schema)
            assert set(webecho.clusters(source, rule)["size"].to_pylist()) == {1}


def test_a_measure_whose_column_is_not_there_is_null(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", family_web())
    for column, rule, other, missing in [
        ("supershingles", "b", "c", "c_similarity"),
        ("projection", "c", "b", "b_similarity"),
    ]:
        crawl = tmp_path / f"{column}.echo"
        done("sketch", source, "-o", crawl, "--columns", column)
        table = webecho.pairs(str(crawl), rule)
        assert table.num_rows > 0
        assert table[missing].null_count == table.num_rows
        for needs in (other, "combined", "by-site"):
            result = run("pairs", crawl, "--rule", needs)
            assert result.exit_code == 1
            assert "has no column" in result.stderr


def test_a_recipe_of_fewer_bits_asks_for_as_many_in_proportion(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", family_web())
    fewer = webecho.settings.recipe("webecho", bits=128)
    found = webecho.pairs(str(source), "c", recipe=fewer)
    assert found.num_rows > 50
    assert min(found["c_similarity"].to_pylist()) == 124
    assert max(found["c_similarity"].to_pylist()) <= 128


def test_a_budget_changes_nothing_or_is_refused(crawl: Path) -> None:
    free = webecho.pairs(str(crawl), "by-site")
    assert webecho.pairs(str(crawl), "by-site", memory="900MB").equals(free)
    result = run("pairs", crawl, "--rule", "b", "--memory", "100MB")
    assert result.exit_code == 1
    assert "needs at least" in result.stderr
