"""An evaluation made in code."""

import pyarrow as pa

from webecho.evaluation.judge.evaluation import Evaluation
from webecho.evaluation.judge.thresholds import CURVE


def evaluation() -> Evaluation:
    precision = pa.table(
        {
            "rule": ["b-2", "b-2"],
            "kind": ["all", "same site"],
            "pairs": [10.4, 7.0],
            "correct": [0.5, 0.25],
            "correct_low": [0.4, 0.2],
            "correct_high": [0.6, 0.3],
            "forms": [0.0, 0.0],
        }
    )
    training = pa.Table.from_pylist(
        [{"threshold": t, "labelled": 9, "precision": t / 400, "r": 0.9} for t in range(340, 371)],
        CURVE,
    )
    sites = pa.table({"rule": ["b-2"] * 8 + ["c-372"] * 2, "site": [*"abcdefghij"]})
    return Evaluation(
        {"chosen C-similarity": 355, "labelled pairs": 10},
        {
            "precision": precision,
            "training": training,
            "thresholds": training,
            "incorrect_sites": sites,
        },
    )
