"""What the examples of `--help` are about, by the names that they have there."""

import json
from pathlib import Path
from random import Random

import webecho

URL = "http://a.example/terms.html"


def make_inputs(pages: int) -> None:
    """In the present folder: archives, tables, two snapshots, a query log, two pages."""
    webecho.synth("known", pages=pages, words=80)
    Path("crawl.warc.gz").symlink_to(next(Path("known/pages").glob("*.warc.gz")))
    webecho.synth("table", pages=pages * 2 // 3, words=80, form="parquet")
    Path("pages.parquet").symlink_to(next(Path("table/pages").glob("*.parquet")))
    for name, found in snapshots(pages * 4 // 15).items():
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, found)))
        webecho.sketch(f"{name}.jsonl", f"{name}.echo")
    Path("log.tsv").write_text("time\tquery\n2020-01-05T00:00:00\tword3 word14\n")
    Path("one.html").write_text("<p>some words that are here")
    Path("other.html").write_text("<p>some words that are there")


def snapshots(pages: int) -> dict[str, list[dict[str, str]]]:
    """An old and a new collection, whose pages have sentences from the old."""
    drawn = Random(1)
    sentences = [" ".join(f"word{drawn.randrange(500)}" for _ in range(20)) for _ in range(90)]

    def page(number: int, first: int, date: str) -> dict[str, str]:
        url = URL if number == 0 else f"http://a.example/{number}.html"
        text = ". ".join(sentences[first : first + 30]) + "."
        return {"url": url, "text": text, "date": date}

    return {
        "old": [page(number, number, "2019-07-01T00:00:00Z") for number in range(pages)],
        "new": [page(number, number + 20, "2020-07-01T00:00:00Z") for number in range(pages)],
    }
