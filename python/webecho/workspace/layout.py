"""Where each file of a workspace lies. No other place knows the names.

```
manifest.json  run.json  .lock  boilerplate.parquet
sketches/ links/ …  part-00000.parquet       a folder for each table of the parts
clusters/<label>.parquet                     of a rule, by its label
pairs/<label>.parquet  pairs/<label>/  pairs/identity.parquet
studies/<name>/
labels/labels.jsonl  labels/sample-….parquet  labels/guesses-….jsonl
```
"""

from dataclasses import dataclass
from pathlib import Path

MANIFEST = "manifest.json"
# The table that has the larger columns of the sketches where these are mapped, and how the names of
# mapped files end.
LISTS = "lists"
MAPPED = ".arrow"


@dataclass(frozen=True)
class Layout:
    """The files of the workspace at `path`, whether they are there or not."""

    path: Path

    @property
    def manifest(self) -> Path:
        return self.path / MANIFEST

    @property
    def run(self) -> Path:
        return self.path / "run.json"

    @property
    def lock(self) -> Path:
        return self.path / ".lock"

    @property
    def boilerplate(self) -> Path:
        """The keys of what is left out of the sketches."""
        return self.path / "boilerplate.parquet"

    def name(self, file: Path) -> str:
        """What a file is called in the workspace, wherever that lies."""
        return file.relative_to(self.path).as_posix()

    def part(self, table: str, number: int) -> Path:
        """One part of a table of the parts."""
        suffix = MAPPED if table == LISTS else ".parquet"
        return self.path / table / f"part-{number:05d}{suffix}"

    def clusters(self, label: str) -> Path:
        """The clusters of the rule with this label."""
        return self.path / "clusters" / f"{label}.parquet"

    def found_clusters(self) -> list[Path]:
        """The clusters of all rules of which they were found."""
        return sorted(self.clusters("").parent.glob("*.parquet"))

    def pairs(self, label: str) -> Path:
        """The pairs of the rule with this label."""
        return self.path / "pairs" / f"{label}.parquet"

    def pair_counts(self, label: str) -> Path:
        """The folder of what was counted beside these pairs."""
        return self.path / "pairs" / label

    @property
    def identity(self) -> Path:
        """The identity sets for each of which one page stands in the pairs."""
        return self.pairs("identity")

    def found_pairs(self) -> list[Path]:
        """The pairs of all rules of which they were found."""
        files = sorted(self.identity.parent.glob("*.parquet"))
        return [file for file in files if file != self.identity]

    def study(self, name: str) -> Path:
        """The folder of a study's tables and figures."""
        return self.path / "studies" / name

    @property
    def labels(self) -> Path:
        """What people said of pairs."""
        return self.path / "labels" / "labels.jsonl"

    def sample(self, name: str) -> Path:
        """Pairs that were drawn to be labelled; names begin with `sample-`."""
        return self.labels.with_name(f"{name}.parquet")

    def samples(self) -> list[Path]:
        """All samples that were drawn."""
        return sorted(self.labels.parent.glob("sample-*.parquet"))

    def guesses(self, name: str) -> Path:
        """Labels that were guessed for the pairs of the sample of this name."""
        return self.labels.with_name(f"{name.replace('sample', 'guesses', 1)}.jsonl")

    def found_guesses(self) -> list[Path]:
        """All labels that were guessed."""
        return sorted(self.labels.parent.glob("guesses-*.jsonl"))

    @property
    def found(self) -> tuple[Path, ...]:
        """The folders of what was found among the pages: it is wrong once there are more."""
        return tuple(self.path / name for name in ("clusters", "pairs", "studies"))
