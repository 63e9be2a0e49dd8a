"""Tables of reasons, and guesses held against what was planted in a made-up web."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from tests.command import contents, done
from tests.evaluation.made_pairs import lines, sketched, with_pairs
from webecho.evaluation.judge.breakdown import breakdown
from webecho.evaluation.label.reasons import Judgement


def test_a_breakdown_worked_out_by_hand() -> None:
    rows = [
        {"rule": "b-2", "left": 0, "right": n, "same_site": n < 4, "weight": 10.0}
        for n in range(1, 8)
    ]
    judged = {
        (0, 1): Judgement("correct", ("url",)),
        (0, 2): Judgement("correct", ("url",)),
        (0, 3): Judgement("correct", ("url", "time-stamp")),
        (0, 4): Judgement("correct", ()),
        (0, 5): Judgement("undecided", ("form",)),
        (0, 6): Judgement("incorrect", ("main-item",)),
    }
    found = breakdown(pa.Table.from_pylist(rows), judged)
    assert [tuple(row.values()) for row in found.to_pylist()] == [
        ("b-2", "correct", "URL only", 2, 0.5, 2, pytest.approx(2 / 3), 20.0),
        ("b-2", "correct", "combination", 1, 0.25, 1, pytest.approx(1 / 3), 10.0),
        ("b-2", "correct", "rest", 1, 0.25, 0, 0.0, 10.0),
        ("b-2", "incorrect", "main item differs", 1, 1.0, 0, None, 10.0),
        ("b-2", "undecided", "form", 1, 1.0, 0, None, 10.0),
    ]


def test_guesses_are_written_apart_and_called_guesses(tmp_path: Path) -> None:
    about = " ".join(f"word{number}" for number in range(50))
    pages = [(f"http://a.example/{n}", f"<p>{about} Hits: {n} {about}".encode()) for n in range(3)]
    workspace = sketched(tmp_path, pages)
    with_pairs(workspace, "b-2", [(0, 1, 6, 384, True), (0, 2, 6, 384, True)])
    told = done("label", workspace.path, "--rule", "b", "--guess")
    assert "labels  guessed" in told.stdout and "Guesses, by nobody checked" in told.stdout
    assert "b-2   correct  visitor count only      2  1.0000" in told.stdout
    files = [*(workspace.path / "labels").glob("*.jsonl")]
    assert [file.name for file in files] == ["guesses-b-2-500-seed-0.jsonl"]
    assert all(line["guess"] and line["labeller"] == "webecho" for line in lines(files[0]))
    before = contents(workspace.path)
    done("label", workspace.path, "--rule", "b", "--guess")
    assert contents(workspace.path) == before


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
