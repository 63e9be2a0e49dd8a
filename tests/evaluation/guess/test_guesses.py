"""Guesses for all pairs of a sample: in a file of their own, and as they were planted."""

import json
from itertools import combinations
from pathlib import Path

import duckdb
import pytest

from tests.command import contents, done
from tests.evaluation.made_pairs import lines, sketched, with_pairs

OPTIONS = ("--rule", "b", "--sample", 12, "--guess", "--format", "json")


def test_guesses_are_written_apart_and_called_guesses(tmp_path: Path) -> None:
    about = " ".join(f"word{number}" for number in range(50))
    pages = [(f"http://a.example/{n}", f"<p>{about} Hits: {n} {about}".encode()) for n in range(3)]
    workspace = sketched(tmp_path, pages)
    with_pairs(workspace, "b-2", [(0, 1, 6, 384, True), (0, 2, 6, 384, True)])
    told = done("label", workspace.path, "--rule", "b", "--guess")
    assert "labels  guessed" in told.stdout and "Guesses, by nobody checked" in told.stdout
    assert "visitor count only         2      2  1.00 (1.00–1.00)" in told.stdout
    files = [*(workspace.path / "labels").glob("*.jsonl")]
    assert [file.name for file in files] == ["guesses-b-2-500-seed-0.jsonl"]
    assert all(line["guess"] and line["labeller"] == "webecho" for line in lines(files[0]))
    before = contents(workspace.path)
    done("label", workspace.path, "--rule", "b", "--guess")
    assert contents(workspace.path) == before


def test_shares_of_guesses_are_of_all_pairs_and_not_of_the_sample(tmp_path: Path) -> None:
    """45 pairs on one site show other visitor counts, ten on different sites their own address; of
    a sample of twelve these are more than two fifths."""
    about = " ".join(f"word{number}" for number in range(50))
    pages = [(f"http://a.example/{n}", f"<p>{about} Hits: {n} {about}") for n in range(10)]
    pages += [
        (f"http://s{n}.example/", f"<p>{about} http://s{n}.example/ {about}") for n in range(5)
    ]
    workspace = sketched(tmp_path, [(url, html.encode()) for url, html in pages])
    same = [(one, other, 2, 340, True) for one, other in combinations(range(10), 2)]
    different = [(one, other, 2, 340, False) for one, other in combinations(range(10, 15), 2)]
    with_pairs(workspace, "b-2", same + different)
    rows = json.loads(done("label", workspace.path, *OPTIONS).stdout)["rows"]
    found = {(row["kind"], row["reason"]): row for row in rows}
    visitors, url = found["all", "visitor count only"], found["all", "URL only"]
    assert (visitors["pairs"], visitors["share"]) == pytest.approx((45, 45 / 55))
    assert (url["pairs"], url["share"]) == pytest.approx((10, 10 / 55))
    assert visitors["labelled"] + url["labelled"] == 12 and url["labelled"] >= 4
    assert url["share_low"] <= url["share"] < url["share_high"] < 0.5
    assert found["same site", "visitor count only"]["share"] == 1
    assert found["different sites", "URL only"]["share"] == 1
    # Labels tell it the same way as guesses, and have the paper's shares beside it.
    guesses = workspace.files.guesses("sample-b-2-12-seed-0")
    told = json.loads(
        done("evaluate", workspace.path, "--labels", guesses, "--format", "json").stdout
    )
    reasons = [row for row in told["tables"]["reasons"] if row["rule"] == "b-2"]
    assert [{name: row[name] for name in rows[0]} for row in reasons] == rows
    assert {*reasons[0]} - {*rows[0]} == {"share, paper"}


def test_guesses_of_no_pairs(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, [("http://a.example/", b"<p>one")])
    with_pairs(workspace, "b-2", [])
    told = json.loads(done("label", workspace.path, *OPTIONS).stdout)
    assert (told["pairs"], told["rows"]) == (0, [])


PLANTED = {
    "time stamp": ["time-stamp"],
    "visitor count": ["visitor-count"],
    "execution time": ["execution-time"],
    "parked": ["url"],
}


def test_what_was_planted_in_a_made_up_web_is_guessed(tmp_path: Path) -> None:
    """Of pairs of one family the planted difference is the guess; of all others the main item."""
    web, crawl = tmp_path / "web", tmp_path / "web.echo"
    done("synth", web, "--pages", 3000, "--as", "parquet", "--quiet", "--seed", 5)
    done("sketch", web / "pages", "-o", crawl, "--quiet")
    done("pairs", crawl, "--rule", "b", "--quiet")
    done("label", crawl, "--rule", "b", "--sample", 250, "--guess", "--quiet")
    found = duckdb.sql(
        f"""
        SELECT CASE WHEN ours.kind = 'original' THEN theirs.kind ELSE ours.kind END AS kind,
            ours.cluster = theirs.cluster AS family, reasons, count(*)
        FROM read_json('{crawl}/labels/guesses-b-2-250-seed-0.jsonl') AS guesses
        JOIN '{web}/truth.parquet' AS ours ON ours.page = guesses."left"
        JOIN '{web}/truth.parquet' AS theirs ON theirs.page = guesses."right"
        GROUP BY ALL
        """
    ).fetchall()
    for kind, family, reasons, _ in found:
        expected = PLANTED.get(kind, ["main-item"]) if family else ["main-item"]
        assert reasons == expected, (kind, family, reasons)
    assert {*PLANTED} <= {kind for kind, family, _, _ in found if family}
