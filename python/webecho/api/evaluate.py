"""`webecho.evaluate`."""

import os
from collections.abc import Sequence
from pathlib import Path

from webecho.api.inputs import as_run, several
from webecho.errors import SettingsError, in_python
from webecho.evaluation.judge.evaluation import Evaluation, EvaluationSettings
from webecho.evaluation.judge.evaluation import evaluate as judge
from webecho.evaluation.judge.thresholds import LEAST_R
from webecho.workspace.locks import reading

Name = str | os.PathLike[str]


@in_python(rule="rules", sample="samples")
def evaluate(
    workspace: Name,
    *,
    rules: str | Sequence[str] = (),
    labels: Name | None = None,
    samples: Name | Sequence[Name] = (),
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

    `rules` are those that are judged (all that can be unless told), `labels` is the file of labels
    and `samples` are the samples that were labelled (those of the workspace unless told).
    `compare` puts two rules side by side, `equal_recall` finds the C threshold at which `c` has as
    many correct pairs as that rule, `least_r` is what a chosen threshold must leave of the correct
    pairs of `b`, `measure` measures term differences where nobody did, `truth` is a made-up web or
    a file of correct pairs. Nothing is written.
    """
    if compare is not None and (isinstance(compare, str) or len(compare) != 2):
        raise SettingsError(f"compare = {compare!r}: give two rules, such as ('b', 'combined')")
    settings = EvaluationSettings(
        rules=several(rules),
        labels=None if labels is None else Path(labels),
        samples=tuple(Path(sample) for sample in several(samples)),
        least_r=least_r,
        seed=seed,
        equal_recall=equal_recall,
        compare=None if compare is None else (compare[0], compare[1]),
        measure=measure,
        truth=None if truth is None else Path(truth),
    )
    with reading(Path(workspace)) as opened:
        return judge(opened, settings, as_run(threads, memory, seed))
