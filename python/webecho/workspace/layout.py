"""Where each file of a workspace lies. No other place knows the names.

```
manifest.json  run.json  .lock  .splits/  boilerplate.parquet  removed-<digest>.parquet
sketches/ links/ chunks-lines-4/ …  part-00000.parquet
                                             a folder for each table of the parts
clusters/<label>.parquet                     of a rule, by its label
pairs/<label>.parquet  pairs/identity.parquet
pairs/<label>/  counts.json  degrees.parquet  hot.parquet
overlap/<label>.parquet
studies/<name>/
search/  index.json  tantivy/                what a search engine needs to answer queries
savings/<label>/                             what a crawler can act on, by the rule's label
labels/labels.jsonl  labels/sample-….parquet  labels/guesses-….jsonl
```
"""

from dataclasses import dataclass
from pathlib import Path

# How the names of workspaces end.
ENDING = ".echo"
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
        return self.path / "manifest.json"

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

    @property
    def splits(self) -> Path:
        """What is made of splits of the inputs until it is put together."""
        return self.path / ".splits"

    def name(self, file: Path) -> str:
        """What a file is called in the workspace, wherever that lies."""
        return file.relative_to(self.path).as_posix()

    def removed(self, digest: str) -> Path:
        """The pages that a dedup removed, by the digest of their numbers."""
        return self.path / f"removed-{digest}.parquet"

    def found_removed(self) -> list[Path]:
        """All lists of removed pages; the manifest names the one that holds."""
        return sorted(self.path.glob(self.removed("*").name))

    def part(self, table: str, number: int) -> Path:
        """One part of a table of the parts."""
        suffix = MAPPED if table == LISTS else ".parquet"
        return self.path / table / f"part-{number:05d}{suffix}"

    def found_folders(self) -> list[str]:
        """The names of all folders, those of the tables of the parts among them."""
        return sorted(each.name for each in self.path.iterdir() if each.is_dir())

    def every_part(self, table: str) -> Path:
        """A glob for all parts of a table, for other tools."""
        return self.path / table / "*.parquet"

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

    def counts(self, label: str) -> Path:
        """How many pairs there are, and what else was counted."""
        return self.pair_counts(label) / "counts.json"

    def degrees(self, label: str) -> Path:
        """In how many pairs each page is."""
        return self.pair_counts(label) / "degrees.parquet"

    def hot_buckets(self, label: str) -> Path:
        """What very many pages share."""
        return self.pair_counts(label) / "hot.parquet"

    @property
    def identity(self) -> Path:
        """The identity sets for each of which one page stands in the pairs."""
        return self.pairs("identity")

    def found_pairs(self) -> list[Path]:
        """The pairs of all rules of which they were found."""
        files = sorted(self.identity.parent.glob("*.parquet"))
        return [file for file in files if file != self.identity]

    def overlap(self, label: str) -> Path:
        """The pages, hosts or sites that share chunks."""
        return self.path / "overlap" / f"{label}.parquet"

    def found_overlaps(self) -> list[Path]:
        """All that were found to share chunks."""
        return sorted(self.overlap("").parent.glob("*.parquet"))

    def study(self, name: str) -> Path:
        """The folder of a study's tables and figures."""
        return self.path / "studies" / name

    def study_table(self, study: str, table: str) -> Path:
        """A table of a study."""
        return self.study(study) / f"{table}.parquet"

    @property
    def search(self) -> Path:
        """The folder of the search engine's index, and what that was made of."""
        return self.path / "search"

    def savings(self, label: str) -> Path:
        """The folder of what a crawler can act on, by the rule with this label."""
        return self.path / "savings" / label

    def found_savings(self) -> list[Path]:
        """Such folders of all rules."""
        return sorted(each for each in self.savings("").glob("*") if each.is_dir())

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
        names = ("clusters", "pairs", "overlap", "savings", "search", "studies")
        return tuple(self.path / name for name in names)


def is_workspace(path: Path) -> bool:
    """Whether webecho wrote this folder, whatever its name; others have a manifest too."""
    files = Layout(path)
    beside = files.run.is_file() or files.every_part("sketches").parent.is_dir()
    return beside and files.manifest.is_file()
