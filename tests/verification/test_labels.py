"""What is noticed of labels."""

from pathlib import Path

import webecho


def test_lines_are_whole_and_of_pages_that_are_there(crawl: Path) -> None:
    labels = crawl / "labels" / "labels.jsonl"
    whole = labels.read_text()
    labels.write_text(whole.replace('"labeller": "ada"', '"labeller": "bob"', 1))
    [found] = webecho.verify(crawl).problems
    assert found.startswith(f"{labels}, line 1: it is not what was written there")
    # Lines that people write have no checksum, and need none.
    mine = '{"left": 0, "right": 20, "label": "correct", "labeller": "eve"}\n'
    labels.write_text(whole + mine)
    assert not webecho.verify(crawl).problems
    labels.write_text(whole + mine.replace("20", "21"))
    assert webecho.verify(crawl).problems == (f"{labels} has labels of pages that are not there",)
    labels.write_text(whole + mine.replace('"label":', '"Label": 1, "label":'))
    assert "it says Label, which no line does" in webecho.verify(crawl).problems[0]


def test_what_people_said_is_no_guess(crawl: Path) -> None:
    [guesses] = (crawl / "labels").glob("guesses-*.jsonl")
    guesses.write_bytes((crawl / "labels" / "labels.jsonl").read_bytes())
    assert webecho.verify(crawl).problems == (f"{guesses} has labels that are no guesses",)
