"""*Hot bucket*: what very many pages share, a supershingle or a piece of their projections. Its
pairs are counted, up to 2³³ comparisons, beyond that estimated, and at most `drawn` of them are
given, each with a *weight*, the number of pairs that it stands for."""

import re
from dataclasses import asdict, dataclass, field

import pyarrow as pa

from webecho.errors import SettingsError, setting

# What people write where no bucket is hot.
NEVER = "none"


@dataclass(frozen=True)
class HotSettings:
    """From how many pages on a bucket is hot (None: never), how many pairs are drawn from it, and
    the seed by which they are."""

    hot: int | None = 5_000
    drawn: int = 100_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.hot is not None and self.hot < 2:
            raise SettingsError(
                setting("hot").to(self.hot), ": a bucket with a pair has 2 pages; give 2 or more"
            )
        if self.drawn < 1:
            raise SettingsError(setting("drawn").to(self.drawn), ": give 1 or more")

    @property
    def label(self) -> str:
        """What is not as by default, to be added to the label of a rule."""
        usual, here = asdict(HotSettings()), asdict(self)
        given = {name: value for name, value in here.items() if value != usual[name]}
        return "".join(
            f"-{name}-{NEVER if value is None else value}" for name, value in given.items()
        )


# One thing that such a label says.
_SAID = rf"-({'|'.join(asdict(HotSettings()))})-(-?\w+)"
_LABEL = re.compile(rf"(?:{_SAID})+\Z")


def without_hot(label: str) -> tuple[str, dict[str, str]]:
    """The label of a rule alone, and by its names what `HotSettings.label` added to it."""
    alone = _LABEL.sub("", label)
    return alone, dict(re.findall(_SAID, label[len(alone) :]))


# None is left to chance.
ALL_PAIRS = HotSettings(hot=None)


@dataclass
class PairCounts:
    """What was counted while pairs were found; complete when all were given."""

    # The pairs there are, and if that had to be estimated its standard error.
    pairs: float = 0.0
    standard_error: float = 0.0
    # Those of them that the asked number of pieces does not find, which are not in `pairs`.
    missed: float = 0.0
    given: int = 0
    comparisons: int = 0
    hot_buckets: list[pa.RecordBatch] = field(default_factory=list)
    degrees: list[pa.Table] = field(default_factory=list)
