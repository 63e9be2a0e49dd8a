"""Guesses for all pairs of a sample: in a file of their own, and as they were planted."""

from pathlib import Path

import duckdb

from tests.command import contents, done
from tests.evaluation.made_pairs import lines, sketched, with_pairs


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
