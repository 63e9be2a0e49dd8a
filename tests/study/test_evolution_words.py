"""What is said of snapshots has their numbers."""

import numpy as np
import pyarrow as pa

from tests.study.clusters_given import database_of
from webecho.engine.local.engine import local_run
from webecho.study.captures import Captured
from webecho.study.change_classes import class_rows
from webecho.study.cluster_coefficients import averages
from webecho.study.cluster_events import ARRIVED, SUMMARY, joined, steps
from webecho.study.evolution_words import Found, difference, notes, sentences
from webecho.study.fits import Fits
from webecho.study.host_clusters import host_changes, unchanged_hosts
from webecho.study.log_log_line import Line
from webecho.study.persistence import absent_hosts
from webecho.study.power_law import PowerLaw
from webecho.study.revisits import SKIPPING

ONE = {"h/1": 1, "h/2": 1, "i/1": 1, "i/2": 2}
TWO = {"h/1": 1, "h/2": 1, "h/9": 2}


def found(fits: list[Fits] | None = None) -> Found:
    counts = np.zeros((7, 86), np.int64)
    counts[0, 85], counts[1, 84], counts[1, 60], counts[0, 0] = 60, 10, 30, 20
    snapshot = {"single": 1, "in clusters": 3, "clusters": 1, "duplicates": 2}
    skipped = [(0.9, 50, 0.25, 40, 0.95, 0.925, 3)]
    with local_run().database() as database:
        database_of(database, [ONE, TWO])
        happened = [*steps(database, 2, 5)]
        tables = {
            "snapshots": pa.Table.from_pylist(
                [
                    {"name": name, "addresses": 4, "share of duplicates": share, **snapshot}
                    for name, share in (("w1", 0.5), ("w2", 0.25))
                ]
            ),
            "coefficients": averages(database, 2, 2, "cluster"),
            "unchanged_hosts": unchanged_hosts(host_changes(database, 2, "cluster")),
            "change_classes": pa.Table.from_pylist(class_rows(counts)),
            "events": joined([each.counts for each in happened], SUMMARY),
            "arrivals": joined([each.arrivals for each in happened], ARRIVED),
            "skipping": pa.Table.from_pylist(
                [dict(zip(SKIPPING.names, row, strict=True)) for row in skipped], SKIPPING
            ),
            "absent_hosts": absent_hosts(database, 2),
        }
    return Found(["w1", "w2"], tables, fits or [Fits(), Fits()])


def test_sentences() -> None:
    lines = [Fits(line=Line(-2.5, 0.1, 3, 0.1)), Fits(line=Line(-2.4, 0.1, 3, 0.1))]
    said = [*sentences(found(lines))]
    assert said[0] == (
        "Of the 4 addresses of w1, 3 are similar to some other, while 1 are not; the former fall "
        "into 1 clusters. In other words 2, or 50.0%, are near-duplicates of the representatives "
        "of clusters; in w2 it is 25.0%."
    )
    assert "are −2.50 ± 0.10 and −2.40 ± 0.10: they do not differ by more than errors." in said[1]
    # Of {h/1, h/2, i/1} the first two are still together, 2 of 3 each, and 1 of 3.
    assert said[2].startswith("Of an address in a cluster of w1, 55.6% of the cluster are still ")
    assert "50.0% of 2 hosts are in the same number of clusters in w1 and w2" in said[4]
    assert said[5].startswith("Of 120 downloads 50.0% are the same bytes as the one before, 8.3%")
    assert "2–10 pages changes most often (75.0% of the downloads), that of 1 page" in said[6]
    assert "saved 25.0% of its visits; 92.5% of those that w2 has still had it, 95.0%" in said[-1]
    far = [lines[0], Fits(line=Line(-3.1, 0.1, 3, 0.1))]
    assert "they differ." in [*sentences(found(far))][1]


def test_exponents_that_are_hard_to_compare() -> None:
    one, other = PowerLaw(-3.95, 0.11, 2, 968, 968, 0.04, 0.0), PowerLaw(-3.4, 0.1, 6, 99, 999, 0.1)
    assert difference(one, other) == (
        "they differ, but are hard to compare: they begin at different sizes, 2 and 6, and one "
        "misses its points"
    )
    assert difference(one, one) == (
        "they do not differ by more than errors, but are hard to compare: both miss their points"
    )
    assert difference(other, other) == "they do not differ by more than errors"


def test_facts_beside_the_paper() -> None:
    lines = [Fits(line=Line(-2.5, 0.1, 3, 0.1)), Fits(line=Line(-2.4, 0.1, 3, 0.1))]
    first, last, both = found(lines).facts().items()
    # Each under the snapshot that it is of.
    assert (first[0], last[0], both[0]) == ("w1", "w2", "w1 to w2")
    assert first[1]["share of duplicates"] == 0.5 and both[1]["share of hosts unchanged"] == 0.5
    assert first[1]["exponent of the log-log line, first"] == -2.5
    assert last[1]["exponent of the log-log line, last"] == -2.4
    assert last[1]["exponent of the power law, last"] is None
    assert both[1]["average containment, 1 page"] == 1


def test_notes() -> None:
    said = notes(found(), [Captured(9, 3, 0, 6), Captured(9, 1, 2, 6)], "cluster")
    assert [str(note) for note in said] == [
        "w2: 1 of the 2 hosts of the snapshot before (50.0%), with 2 addresses, are absent at "
        "once: rather the crawl failed than the web; curves dip there, and --missing drop leaves "
        "out what is not there",
        "4 pages have no address, and cannot be followed: they are left out",
        "2 revisits are of pages that their snapshot has not: they count as not downloaded",
        "probabilities of revisits take three snapshots or more to be held against one",
    ]
    assert "missing='drop'" in said[0].for_python()
    [lost, _] = notes(found(), [Captured(9, 0, 0, 9)] * 2, "drop")
    assert str(lost).endswith("rather the crawl failed than the web")
