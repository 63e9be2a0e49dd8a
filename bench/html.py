"""HTML on one core: webecho to sketches, against others to plain text alone."""

import json

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bench import pages
from bench.contest import RESULTS
from bench.corpora import DATA
from bench.environments import HERE, OURS, environment
from bench.measure import Row
from bench.process import run

# The script, its library, what it does, and how many times as fast webecho is to be.
EXTRACTORS = (
    ("webecho_features", OURS, "HTML to digests, features and supershingles", None),
    ("selectolax_text", "selectolax", "HTML to plain text", 5.0),
    ("resiliparse_text", "resiliparse", "HTML to plain text", 8.0),
)
TIMEOUT = 600.0
ROUNDS = 3  # they take turns


def rows(repeat: int) -> tuple[list[Row], list[dict[str, object]]]:
    """What is printed, and what is kept."""
    source = DATA / "html.parquet"
    bodies = pages.html()
    DATA.mkdir(parents=True, exist_ok=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"html": bodies.cast(pa.large_string())}), source)
    size = pc.sum(pc.binary_length(bodies)).as_py()
    seconds: dict[str, list[float]] = {script: [] for script, *_ in EXTRACTORS}
    failures: dict[str, str] = {}
    for _ in range(ROUNDS):
        for script, library, *_ in EXTRACTORS:
            place = environment(library)
            if place.failure:
                failures[script] = place.failure
                continue
            target = RESULTS / f"{script}.json"
            command = [place.python, str(HERE / "peers" / f"{script}.py"), str(source)]
            ran = run([*command, str(target), str(repeat)], target, TIMEOUT)
            if ran.failure:
                failures[script] = ran.failure
                continue
            seconds[script] += json.loads(target.read_text())
    ours = min(seconds[EXTRACTORS[0][0]])
    printed, kept = [], []
    for script, library, what, wanted in EXTRACTORS:
        version = environment(library).version
        name = f"{library} {version}: {what}, 1 core"
        row: dict[str, object] = {"peer": script, "library": library, "version": version}
        row |= {"what": what, "bytes": size, "wanted_ratio": wanted}
        if script in failures:
            kept.append(row | {"failure": failures[script]})
            printed.append(Row(name, 0, 1.0, None, failures[script]))
            continue
        best = min(seconds[script])
        note = f"webecho is {best / ours:.1f} times as fast; {wanted:.0f} wanted" if wanted else ""
        printed.append(Row(name, size, best, None, note))
        kept.append(
            row | {"seconds": best, "mb_per_second": size / best / 1e6, "ratio": best / ours}
        )
    return printed, kept
