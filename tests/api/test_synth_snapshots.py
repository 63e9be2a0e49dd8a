"""Requests of several crawls of a made-up web."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import in_python, on_command_line
from tests.command import contents
from webecho.api.runs import as_run
from webecho.api.synth import SynthRequest, run_synth
from webecho.api.synth_snapshots import MadeSnapshots
from webecho.synthetic.snapshots import snapshots_in

WEB = Path("web")


def test_what_cannot_be_crawled_is_refused_at_once() -> None:
    refused = {
        "--snapshots 0: give 1 to 200": {"snapshots": 0},
        "--snapshots 201: give 1 to 200": {"snapshots": 201},
        "--graph is not for --snapshots; give one of them": {"snapshots": 3, "graph": True},
        "--popular is not for --snapshots; give one of them": {"snapshots": 3, "popular": 2},
        "--days 0: give 1 or more": {"snapshots": 3, "days": 0},
        "--mirrors -1: give 0 or more": {"snapshots": 3, "mirrors": -1},
        "--followers -5: give 0 or more": {"snapshots": 3, "followers": -5},
        "--lost 4=0.2: give a snapshot from 1 to 3, and a share between 0 and 1": {
            **{"snapshots": 3, "lost": ((4, 0.2),)}
        },
        "--lost 2=1.0: give a snapshot from 1 to 3, and a share between 0 and 1": {
            **{"snapshots": 3, "lost": ((2, 1.0),)}
        },
        "--lost 2: give a share of each snapshot once": {
            **{"snapshots": 3, "lost": ((2, 0.1), (2, 0.2))}
        },
    }
    for message, asked in refused.items():
        assert on_command_line(lambda asked=asked: SynthRequest(WEB, **asked)) == message
    for name, value in (("days", 3), ("mirrors", 3), ("followers", 3), ("lost", ((2, 0.5),))):
        asked = {name: value}
        message = on_command_line(lambda asked=asked: SynthRequest(WEB, **asked))
        assert message == (
            f"--{name} is for a web that is crawled several times; give --snapshots too"
        )
    assert in_python(lambda: SynthRequest(WEB, days=3)) == (
        "days= is for a web that is crawled several times; give snapshots= too"
    )
    assert in_python(lambda: SynthRequest(WEB, snapshots=3, lost=((4, 0.2),))).startswith(
        "lost={4: 0.2}: give a snapshot from 1 to 3"
    )


def test_what_is_planted_unless_it_is_asked_for() -> None:
    web = SynthRequest(WEB, pages=900, snapshots=4).web
    assert (web.snapshots, web.days, web.mirrors, web.followers) == (4, 7, 34, 300)
    web = SynthRequest(WEB, snapshots=4, mirrors=0, followers=7).web
    assert (web.mirrors, web.followers) == (0, 7)
    web = SynthRequest(WEB).web
    assert (web.snapshots, web.mirrors, web.followers) == (1, 0, 0)


def test_what_is_in_it() -> None:
    truth = pa.table(
        {
            "snapshot": [1, 1, 2, 2],
            "url": ["a", "b", "a", "c"],
            "host": ["h", "h", "h", "i"],
            "ip": ["10.0.0.1", None, "10.0.0.1", None],
            "family": [0, 0, 0, 7],
        }
    )
    made = MadeSnapshots(truth, WEB)
    assert made.summary == {
        **{"snapshots": 2, "pages": 4, "URLs": 3, "hosts": 2, "machines": 1, "families": 2}
    }
    assert made.places == {"crawls": "web/N/pages", "truths": "web/N/truth.parquet"}


def test_the_crawls_and_the_truths_are_written(tmp_path: Path) -> None:
    out = tmp_path / "web"
    asked = SynthRequest(
        out, pages=80, words=40, form="parquet", snapshots=3, mirrors=1, followers=11
    )
    found = run_synth(asked, as_run(threads=1))
    assert snapshots_in(out) == [1, 2, 3]
    for snapshot in (1, 2, 3):
        own = found.truth.filter(pa.compute.equal(found.truth["snapshot"], snapshot))
        assert own.drop_columns(["snapshot"]).equals(
            pq.read_table(out / f"{snapshot}/truth.parquet")
        )
    assert sum(found.kinds["changes"].to_pylist()) == len(pq.read_table(out / "changes.parquet"))


@pytest.mark.parametrize("snapshots", [1, 3])
def test_from_python(tmp_path: Path, snapshots: int) -> None:
    small = {"pages": 60, "words": 40, "form": "parquet"}
    more = {"mirrors": 1, "followers": 11, "days": 30, "lost": {2: 0.3}} if snapshots > 1 else {}
    truth = webecho.synth(tmp_path / "web", snapshots=snapshots, **small, **more)
    if snapshots == 1:
        # As if it had not been said.
        webecho.synth(tmp_path / "plain", **small)
        assert contents(tmp_path / "web") == contents(tmp_path / "plain")
        return
    assert set(truth["snapshot"].to_pylist()) == {1, 2, 3}
    dates = pq.read_table(tmp_path / "web" / "3" / "pages")["date"]
    assert str(dates[0].as_py())[:10] == "2004-03-01"
    assert "lost" in pq.read_table(tmp_path / "web" / "hosts.parquet")["absent"].to_pylist()
