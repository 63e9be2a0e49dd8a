"""The truth of all snapshots, read again and summed up."""

import pyarrow as pa

from tests.synthetic.reuse.conftest import Reused
from webecho.synthetic.reuse.truth import born, read_reuse


def test_what_became_of_pages() -> None:
    truth = pa.table(
        {
            "snapshot": pa.array([1, 1, 2, 2, 2, 2], pa.int32()),
            "change": ["new", "new", "same", "changed", "new", "new"],
            "kind": [
                "original",
                "few sentences",
                "original",
                "composed",
                "composed",
                "other order",
            ],
            "considered": [True, False, True, True, True, True],
        }
    )
    one = {"pages": 2, "same": 0, "changed": 0, "new": 2, "composed of old pages": 0}
    two = {"pages": 4, "same": 1, "changed": 1, "new": 2, "composed of old pages": 1}
    assert born(truth).to_pylist() == [
        {"snapshot": 1, **one, "duplicates": 0, "too short": 1},
        {"snapshot": 2, **two, "duplicates": 1, "too short": 0},
    ]


def test_snapshots_are_numbered(reused: Reused) -> None:
    truth = read_reuse(reused.folder)
    assert len(truth) == sum(map(len, reused.truths))
    assert truth["snapshot"].unique().to_pylist() == [1, 2, 3, 4]
