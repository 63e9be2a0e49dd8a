"""`webecho.synth` of a web over time."""

from pathlib import Path

import pyarrow as pa

import webecho
from tests.api.refusals import in_python, on_command_line
from webecho.api.runs import as_run
from webecho.api.synth import SynthRequest, run_synth
from webecho.api.synth_reuse import MadeReuse

WEB = Path("web")


def test_what_is_in_it() -> None:
    truth = pa.table(
        {
            "snapshot": pa.array([1, 1, 2], pa.int32()),
            "document": [0, 1, 1],
            "host": ["a.example", "b.example", "b.example"],
            "change": ["new", "new", "same"],
            "kind": ["original"] * 3,
            "considered": [True] * 3,
        }
    )
    made = MadeReuse(truth, WEB)
    assert made.summary == {"snapshots": 2, "pages": 3, "documents": 2, "hosts": 2}
    assert made.places == {
        "crawls": "web/N/pages",
        "truths": "web/N/truth.parquet",
        "query logs": "web/queries",
    }
    assert made.kinds["pages"].to_pylist() == [2, 1]


def test_each_face_is_told_in_its_words() -> None:
    def once() -> object:
        return SynthRequest(WEB, reuse=True, pages=400)

    needs = "needs an old snapshot and a new one: give"
    assert on_command_line(once) == f"--reuse {needs} --snapshots 2 to 50"
    assert in_python(once) == f"reuse=True {needs} snapshots=2 to 50"


def test_the_truth_has_all_snapshots(tmp_path: Path) -> None:
    out = tmp_path / "web"
    request = SynthRequest(out, pages=300, reuse=True, snapshots=2, form="parquet")
    found = run_synth(request, as_run(threads=1))
    again = webecho.synth(
        out, pages=300, reuse=True, snapshots=2, form="parquet", force=True, through_queries=0.25
    )
    assert again == found.truth
    assert found.summary["pages"] == len(again) == 615
