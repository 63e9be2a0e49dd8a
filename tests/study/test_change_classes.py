"""How much pages change, by cluster size: shares worked out by hand."""

import numpy as np
import pyarrow as pa
import pytest

from webecho.engine.local.engine import local_run
from webecho.study.change_classes import (
    CHANGES,
    bucket_shares,
    bucket_table,
    change_counts,
    change_ends,
    class_rows,
    class_shares,
    relative_shares,
)


def test_six_classes_as_in_the_paper() -> None:
    assert change_ends(84) == [(0, 0), (1, 28), (29, 56), (57, 83), (84, 84), (85, 85)]


def counts() -> np.ndarray:
    # Features in common, and the size of the cluster in the earlier download.
    rows = [
        *[(85, 1)] * 6,
        *[(85, 2)] * 2,
        *((84, 1), (84, 7), (0, 1), (28, 1), (29, 1), (83, 10), (57, 11), (0, 100_001)),
    ]
    common, sizes = zip(*rows, strict=True)
    with local_run().database() as database:
        database.add("changes", pa.table({"common": common, "earlier_size": sizes}))
        return change_counts(database, 84)


def test_downloads_by_class_of_size_and_bucket() -> None:
    found = counts()
    assert found.shape == (7, 86) and found.sum() == 16
    assert (found[0, 85], found[1, 85], found[1, 83], found[2, 57], found[6, 0]) == (6, 2, 1, 1, 1)


def test_figure_8_shares_of_each_bucket() -> None:
    shares = bucket_shares(counts())
    assert [shares[0, 85], shares[1, 85]] == [0.75, 0.25]
    assert [shares[0, 0], shares[6, 0]] == [0.5, 0.5]
    # A bucket of no downloads has no shares.
    assert shares[:, 40].tolist() == [0] * 7
    totals = shares.sum(axis=0)
    assert {*totals.round(12).tolist()} == {0.0, 1.0}


def test_figure_9_relative_to_the_mean_of_86_bars() -> None:
    relative = relative_shares(counts())
    # Clusters of 2 to 10: bars of 1/4, 1/2 and 1 in three buckets, nothing in the other 83.
    mean = (0.25 + 0.5 + 1) / 86
    assert relative[1, [85, 84, 83]] == pytest.approx([0.25 / mean, 0.5 / mean, 1 / mean])
    # What is below each curve is the same, on a linear scale.
    assert relative.sum(axis=1) == pytest.approx([86, 86, 86, 0, 0, 0, 86])


def test_figure_10_classes_of_change() -> None:
    rows = class_rows(counts())
    assert [row["cluster size"] for row in rows][::7] == ["1 page", "all"]
    one = rows[0]
    assert [one[name] for name in ("downloads", *CHANGES)] == [10, 1, 1, 1, 0, 1, 6]
    assert one["share, no change"] == 0.6
    assert [rows[-1][name] for name in CHANGES] == [2, 1, 1, 2, 2, 8]
    shares = class_shares(rows)
    assert [*shares] == [*reversed(CHANGES)]
    assert shares["no change"] == [0.6, 0.5, 0, 0, 0, 0, 0]


def test_one_table_has_all_of_it() -> None:
    table = bucket_table(counts())
    assert table.num_rows == 86 and table["downloads"].to_pylist()[85] == 8
    assert table["share, 2–10 pages"].to_pylist()[83] == 1
    assert sum(table["relative, 1 page"].to_pylist()) == pytest.approx(86)
