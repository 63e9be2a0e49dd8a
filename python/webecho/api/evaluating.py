"""`webecho.evaluation`: `evaluate` is the name of the package that does the work."""

import os
from collections.abc import Sequence
from pathlib import Path

from webecho.api.inputs import as_bytes, default_threads
from webecho.errors import in_python
from webecho.evaluate.evaluation import Evaluation, EvaluationSettings, evaluate
from webecho.evaluate.thresholds import LEAST_R
from webecho.sketches.workspace import reading

Name = str | os.PathLike[str]


@in_python()
def evaluation(
    workspace: Name,
    *,
    rules: Sequence[str] = (),
    labels: Name | None = None,
    samples: Sequence[Name] = (),
    compare: tuple[str, str] | None = None,
    equal_recall: str | None = None,
    least_r: float = LEAST_R,
    measure: bool = False,
    truth: Name | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | str | None = None,
) -> Evaluation:
    """What labels tell of the rules of a workspace: `.facts`, `.tables` by name and `.notes`.

    Options as of `webecho evaluate`; nothing is written.
    """
    settings = EvaluationSettings(
        rules=tuple(rules),
        labels=None if labels is None else Path(labels),
        samples=tuple(Path(sample) for sample in samples),
        least_r=least_r,
        seed=seed,
        equal_recall=equal_recall,
        compare=compare,
        measure=measure,
        truth=None if truth is None else Path(truth),
    )
    with reading(Path(workspace)) as opened:
        return evaluate(
            opened, settings, threads=threads or default_threads(), memory=as_bytes(memory)
        )
