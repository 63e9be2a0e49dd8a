"""`webecho savings` as a user sees it."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.api.test_savings import PAGES
from tests.command import done, lines, webecho
from webecho.api.savings import SavingsRequest
from webecho.cli.savings import savings


@pytest.mark.usefixtures("here")
def test_savings_prints_what_can_be_saved() -> None:
    pq.write_table(PAGES, "pages.parquet")
    done("sketch", "-q", "pages.parquet", "-o", "pages.echo")
    result = done("savings", "pages.echo")
    shown = lines(result.stdout)
    assert shown[:5] == [
        "pages                            18",
        "addresses                        18",
        "to visit                         9",
        "to leave out                     9",
        "share to leave out               50.0%",
    ]
    at = shown.index("URL rules")
    assert shown[at + 1].split() == [
        *("host", "way", "rule", "into", "pairs", "contradictions"),
        *("low", "high", "status", "deny"),
    ]
    assert shown[at + 2].split() == [
        *("h.a", "parameter", "sid", "9", "0", "0.7009", "1.0000", "holds", "yes")
    ]
    assert result.stderr == "written: pages.echo/savings/text\n"
    assert Path("pages.echo/savings/text/urls.parquet").is_file()
    found = json.loads(done("savings", "-q", "pages.echo", "--format", "json").stdout)
    assert (found["to leave out"], found["rows"][0]["rule"]) == (9, "sid")
    table = done("savings", "-q", "pages.echo", "--format", "csv").stdout.splitlines()
    assert table[0].startswith("host,way,rule,into,pairs,contradictions,places,bytes,share,")
    assert len(table) == 2
    wrong = webecho("savings", "pages.echo", "--keep", "max:score")
    assert wrong.exit_code == 2
    assert "--keep max:score: addresses have no column of yours" in wrong.stderr


@pytest.mark.usefixtures("here")
def test_a_folder_of_ones_own() -> None:
    pq.write_table(PAGES, "pages.parquet")
    done("sketch", "-q", "pages.parquet", "-o", "pages.echo")
    done("savings", "-q", "pages.echo", "-o", "out", "--rule", "similar")
    assert json.loads(Path("out/savings.json").read_text())["settings"]["rule"] == "similar-0.8"
    assert not Path("pages.echo/savings").exists()


def test_defaults_are_those_of_the_request() -> None:
    request = SavingsRequest(Path("pages.echo"))
    defaults = {option.name: option.default for option in savings.params}
    assert (defaults["rule"], defaults["keep"], defaults["least"]) == (
        *(request.rule.name, request.keep, request.least),
    )
