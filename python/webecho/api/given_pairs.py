"""`webecho pairs --given`: what two pages have in common, of pairs that somebody names.

Nothing is looked for, and nothing is written into the workspace.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.api.inputs import Inputs, InputsOrWorkspace, failure, opened
from webecho.errors import SettingsError, setting
from webecho.evaluation.label.named_pairs import named_pairs, rows_of
from webecho.group.given_pairs import measured_pairs
from webecho.group.measures import MEASURES, MeasureSettings
from webecho.run import Run
from webecho.settings import SKETCH_COLUMNS

GIVEN = setting("given")
# What rows in memory are called where they are told of.
IN_MEMORY = "given"


@dataclass(frozen=True)
class GivenRequest:
    """Whose pages, the pairs of them (a file, or rows of two names each), and what is measured: all
    that can be, unless `measure` names something. The first `most` pairs are given (None: all)."""

    pages: InputsOrWorkspace
    given: Path | tuple[Any, ...]
    measure: tuple[str, ...] = ()
    most: int | None = None

    def __post_init__(self) -> None:
        # It is checked when it is made.
        _ = self.measures

    @property
    def measures(self) -> MeasureSettings:
        return MeasureSettings(self.measure or MEASURES)

    def rows(self, most: int | None) -> Iterable[tuple[str, Any]]:
        """The rows with their places; of a file no more than so many characters."""
        if isinstance(self.given, Path):
            return rows_of(self.given, most)
        return ((f"{IN_MEMORY}, row {number}", row) for number, row in enumerate(self.given, 1))


@dataclass(frozen=True)
class MeasuredPairs:
    """The pairs that were asked for, with their measures; how many there are, and of how many rows;
    the rows that name no pair; why something had to be estimated, or could not be read."""

    rows: pa.Table
    pairs: int
    given: int
    problems: tuple[str, ...]
    estimated: str | None
    failure: str | None

    @property
    def summary(self) -> dict[str, int]:
        return {"rows": self.given, "pairs": self.pairs, "left out": len(self.problems)}


def run_given(request: GivenRequest, run: Run) -> MeasuredPairs:
    """Measures the pairs, in the order in which they were given."""
    shelved = "resemblance" in request.measures.measures
    columns = tuple(SKETCH_COLUMNS) if isinstance(request.pages, Inputs) else ()
    with opened(request.pages, run, columns, shelved=shelved) as (workspace, reread):
        run.begin("comparing")
        # As much again, and more, is made of it.
        most = None if run.memory is None else run.memory // 16
        named = named_pairs(workspace, request.rows(most), run)
        found, problems = measured_pairs(workspace, named.pairs, request.measures, run, reread)
        rows = found if request.most is None else found.slice(0, request.most)
        why = next(iter(problems), None)
        made = MeasuredPairs(
            *(rows, found.num_rows, named.rows, named.problems, why, failure(workspace))
        )
        run.log("counts", made.summary)
        return made


def as_given(given: Any) -> Path | tuple[Any, ...]:
    """Pairs as a Python program has them: a path, or rows of two names each."""
    if isinstance(given, str | os.PathLike):
        return Path(given)
    rows = tuple(given)
    for row in rows:
        if isinstance(row, str) or not isinstance(row, Mapping | Sequence):
            raise SettingsError(GIVEN, f" has {row!r}, which is no pair; give rows such as (0, 12)")
    return rows


def check_alone(rule: Sequence[str], others: Mapping[str, Any], usual: Mapping[str, Any]) -> None:
    """Refuses what is for finding pairs where pairs are given."""
    named = [name for name, value in others.items() if value != usual.get(name)]
    if [*rule] != ["similar"]:
        named.insert(0, "rule")
    if named:
        raise SettingsError(
            *(setting(named[0]), " is for finding pairs, and "),
            *(GIVEN, " names them; leave one of them out"),
        )


def in_words(found: MeasuredPairs) -> str | None:
    """What rows were left out, in a sentence."""
    if not found.problems:
        return None
    count = len(found.problems)
    return f"{count:,} of {found.given:,} rows name no pair of pages, such as {found.problems[0]}"
