"""What is measured of pairs on demand, from the pages themselves, read once more.

*Term difference*: how many tokens a minimal diff of the two pages removes and adds (Henzinger 2006,
section 3.2). It is looked for up to a limit; where there is more `more_than` has that limit, and
the difference is null. `text_difference` is the same without image terms. Where all are null the
pair was not measured, or its pages cannot be read again.

`resemblance` and the containments are counted from the shingle sets, or called `estimated`.

`equal_words` is the share of equal words: twice those that a minimal diff leaves over all words of
both. Of two pages that are too long and too different for one (rust/src/differences/equal_words.rs)
it is that of another diff and not above the true one, and `equal_words_estimated` says so.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import SettingsError, setting
from webecho.group.evidence import Evidence, gather, words_of
from webecho.group.reread_content import lists_of
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace

MEASURES = ("difference", "resemblance", "equal-words")
# The changes that are looked for: they take a square of steps, here some hundredths of a second.
LIMIT = 5_000
COLUMNS = {
    "difference": [
        pa.field("term_difference", pa.int64()),
        pa.field("text_difference", pa.int64()),
        pa.field("more_than", pa.int64()),
    ],
    "resemblance": [
        pa.field("resemblance", pa.float64()),
        pa.field("left_containment", pa.float64()),
        pa.field("right_containment", pa.float64()),
        pa.field("estimated", pa.bool_()),
    ],
    "equal-words": [
        pa.field("equal_words", pa.float64()),
        pa.field("equal_words_estimated", pa.bool_()),
    ],
}


@dataclass(frozen=True)
class MeasureSettings:
    """What is measured, and of how many of the pairs, drawn by a seed; None: of all."""

    measures: tuple[str, ...] = ()
    sample: int | None = None
    seed: int = 0
    limit: int = LIMIT

    def __post_init__(self) -> None:
        unknown = [name for name in self.measures if name not in MEASURES]
        if unknown:
            raise SettingsError(
                f"nothing measures {', '.join(unknown)}; there are {', '.join(MEASURES)}"
            )
        if self.sample is not None and self.sample < 1:
            raise SettingsError(setting("measured").to(self.sample), ": give 1 or more")
        if self.sample is not None and not self.measures:
            raise SettingsError(
                *(setting("measured"), " says of how many pairs; say what with "),
                setting("measure").to("difference"),
            )

    def only(self, measures: Iterable[str]) -> "MeasureSettings":
        """The same of some measures."""
        kept = tuple(measures)
        return replace(self, measures=kept, sample=self.sample if kept else None)

    @property
    def fields(self) -> list[pa.Field]:
        return [field for name in MEASURES if name in self.measures for field in COLUMNS[name]]

    def chosen(self, count: int) -> pa.Array:
        """The rows, of so many, that are measured, ascending."""
        if self.sample is None or self.sample >= count:
            return pa.array(range(count), pa.int64())
        return pa.array(sorted(random.Random(self.seed).sample(range(count), self.sample)))


@dataclass(frozen=True)
class Measuring:
    """What the pages of the measured pairs are compared by."""

    settings: MeasureSettings
    threads: int
    members: pa.Array
    terms: tuple[pa.Array, pa.Array, pa.Array] | None
    evidence: Evidence | None
    # Why some pages could not be read again.
    problems: tuple[str, ...]

    @classmethod
    def of(
        cls,
        workspace: Workspace,
        members: pa.Array,
        settings: MeasureSettings,
        reread: Reread | None,
        run: Run,
    ) -> "Measuring":
        """Reads these pages (ascending) once more."""
        problems: list[str] = []
        terms = evidence = None
        if {"difference", "equal-words"} & {*settings.measures}:
            sources = reread.sources if reread is not None else {}
            terms = lists_of(workspace, members, sources, run, words_of, problems)
        if "resemblance" in settings.measures:
            evidence = gather(workspace, members, reread, run)
            problems += [] if evidence.estimated is None else [evidence.estimated]
        return cls(settings, run.threads, members, terms, evidence, tuple(dict.fromkeys(problems)))

    def columns(self, left: pa.Array, right: pa.Array) -> dict[str, pa.Array]:
        """The measures of pairs of members."""
        found: dict[str, pa.Array] = {}
        if self.terms is not None:
            one, other = (
                pc.index_in(side, value_set=self.members).cast(pa.int64()) for side in (left, right)
            )
        if self.terms is not None and "equal-words" in self.settings.measures:
            batch = _core.equal_words(self.terms, one, other, self.threads)
            found["equal_words"] = batch["share"]
            found["equal_words_estimated"] = pc.invert(batch["exact"])
        if self.terms is not None and "difference" in self.settings.measures:
            most = self.settings.limit
            batch = _core.term_differences(self.terms, one, other, most, self.threads)
            above = pc.equal(batch["term_difference"], -1)
            none = pa.scalar(None, pa.int64())
            for name in ("term_difference", "text_difference"):
                found[name] = pc.if_else(pc.equal(batch[name], -1), none, batch[name])
            found["more_than"] = pc.if_else(above, pa.scalar(most, pa.int64()), none)
        if self.evidence is not None:
            kernel, members = self.evidence.kernel, self.members.cast(pa.uint32())
            batch = kernel.measure(members, left, right, self.threads)
            shared = batch["shared"].cast(pa.float64())
            sizes = [batch[f"{side}_size"].cast(pa.float64()) for side in ("left", "right")]
            total = pc.subtract(pc.add(*sizes), shared)
            # Features estimate the resemblance; how large each set is they do not tell.
            counted = pc.if_else(batch["estimated"], pa.scalar(None, pa.float64()), shared)
            found["resemblance"] = _share(shared, total)
            found["left_containment"] = _share(counted, sizes[0])
            found["right_containment"] = _share(counted, sizes[1])
            found["estimated"] = batch["estimated"]
        return found


def _share(shared: pa.Array, size: pa.Array) -> pa.Array:
    """The share of a set that is shared; null of pages without shingles."""
    return pc.divide(shared, pc.if_else(pc.equal(size, 0), pa.scalar(None, pa.float64()), size))
