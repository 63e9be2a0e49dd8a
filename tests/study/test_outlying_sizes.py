"""Sizes far above the trend, and the hosts of their clusters, worked out by hand."""

import numpy as np
import pyarrow as pa
import pytest

from webecho.api.runs import as_run
from webecho.study.cluster_sizes import Sizes
from webecho.study.fits import Fits, fitted
from webecho.study.log_log_line import Line
from webecho.study.outlying_sizes import COLUMNS, Trend, most_clusters, outlying_sizes, trend
from webecho.study.power_law import FitSettings

# A line that has 1,000 clusters of size 1, 10 of size 10, 1 of size 31.6.
LINE = Trend("line", Line(exponent=-2.0, error=0.1, intercept=3.0, spread=0.1))


def found(clusters: list[list[str | None]], times: float = 5, agree: float = 0.8) -> list[dict]:
    """The outlying sizes of clusters that are given by the hosts of their pages."""
    rows = []
    for hosts in clusters:
        first = len(rows)
        for host in hosts:
            number = len(rows)
            url = None if host is None else f"http://{host}/{number}"
            rows.append({"page": number, "cluster": first, "size": len(hosts), "url": url})
            rows[-1] |= {"host": host, "id": f"id-{number}"}
    counts: dict[int, int] = {}
    for hosts in clusters:
        counts[len(hosts)] = counts.get(len(hosts), 0) + 1
    table = pa.Table.from_pylist(rows)
    with as_run().database() as database:
        database.add("clusters", table.select(["page", "cluster", "size"]))
        database.add("sketches", table.select(["page", "url", "host", "id"]))
        return outlying_sizes(database, Sizes(counts), LINE, times, agree)


def test_sizes_with_five_times_the_clusters_of_the_trend() -> None:
    # The trend has 2.5 clusters of 20 pages, 0.1 of 100.
    twenty = [[f"h{number}.example" for number in range(20)]] * 13
    hundred = [["one.example"] * 100]
    [first, second] = found([*twenty, *hundred])
    assert [*first] == [*COLUMNS]
    assert (first["size"], first["clusters"]) == (20, 13)
    assert (first["fitted"], first["times"]) == pytest.approx((2.5, 5.2))
    assert (second["size"], second["clusters"], second["times"]) == (100, 1, pytest.approx(10))
    # Twelve are 4.8 times 2.5.
    assert [row["size"] for row in found(twenty[1:])] == []
    assert [row["size"] for row in found(twenty[1:], times=4.8)] == [20]


def test_mirrors_of_one_collection_lie_on_one_set_of_hosts() -> None:
    mirrors = [f"h{number}.example" for number in range(20)]
    # Nineteen of twenty hosts are the same: 19 / 21 agree by more than 0.8.
    other = [*mirrors[1:], "other.example"]
    twelve, apart = [mirrors] * 11 + [other], [["own.example"] * 20] * 3
    [row] = found([*apart, *twelve])
    assert (row["clusters"], row["on one set of hosts"]) == (15, 12)
    assert (row["share on one set of hosts"], row["hosts of the set"]) == (12 / 15, 21)
    # The first cluster of the set stands for it, after three of 20 pages.
    assert row["representative"] == "http://h0.example/60"
    [row] = found([*apart, *twelve], agree=1)
    assert (row["on one set of hosts"], row["hosts of the set"]) == (11, 20)


def test_clusters_without_addresses_lie_on_no_set() -> None:
    [row] = found([[None] * 20] * 13)
    assert (row["on one set of hosts"], row["share on one set of hosts"]) == (0, 0.0)
    assert (row["hosts of the set"], row["representative"]) == (0, None)
    [row] = found([[None] * 20] * 12 + [[*[None] * 19, "a.example"]])
    assert (row["on one set of hosts"], row["hosts of the set"]) == (1, 1)
    # By the page that names the cluster, which has an id alone.
    assert row["representative"] == "id-240"


def test_of_sets_as_large_the_first_is_taken() -> None:
    sets = {frozenset({"a"}): [7, 9], frozenset({"b"}): [3, 30], frozenset({"c", "d"}): [1]}
    assert most_clusters(sets, 0.8) == (2, 1, 3)


def test_without_a_trend_nothing_is_outlying() -> None:
    with as_run().database() as database:
        database.add("clusters", pa.table({"page": [0, 1], "cluster": [0, 0], "size": [2, 2]}))
        columns = {"url": ["u", "v"], "host": ["h", "h"], "id": ["1", "2"]}
        database.add("sketches", pa.table({"page": [0, 1], **columns}))
        assert outlying_sizes(database, Sizes({2: 1}), None, 5, 0.8) == []


def test_the_trend_is_the_papers_line_where_there_is_one() -> None:
    counts = {size: round(100_000 * size**-2.5) for size in range(2, 60)}
    fits = fitted(counts, FitSettings(0))
    line = trend(Sizes(counts), fits)
    assert line is not None and fits.line is not None
    assert (line.name, line.exponent) == ("log-log line", fits.line.exponent)
    assert line.exponent == pytest.approx(-2.5, abs=0.1)


def test_the_trend_of_few_sizes_is_of_all_of_them() -> None:
    """The law that fits best from some size on begins where the mirrors are: by it they are none of
    those that stand out."""
    counts = {2: 800, 3: 180, 4: 60, 5: 40, 9: 340, 10: 2, 20: 1}
    fits = fitted(counts, FitSettings(0))
    assert fits.line is None and fits.law is not None and fits.law.least == 9
    every = trend(Sizes(counts), fits)
    assert every is not None and every.name == "power law of all sizes"

    def likelihood(exponent: float) -> float:
        """Of all sizes, by a sum over the sizes that there could be."""
        sizes = np.arange(2, 2_000_000, dtype=np.float64)
        whole = np.log((sizes**-exponent).sum())
        return sum(n * (-exponent * np.log(size) - whole) for size, n in counts.items())

    best = -every.exponent
    assert likelihood(best) > max(likelihood(best - 0.02), likelihood(best + 0.02))
    assert 340 / every.count(9) > 5 > 40 / every.count(5)
    assert trend(Sizes({2: 30}), Fits()) is None
