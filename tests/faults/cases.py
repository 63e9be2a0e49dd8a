"""The commands whose calls go wrong: every verb and study on small inputs, ready for each."""

import shlex
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

from tests.collections_made import as_csv, as_folder, small_web
from tests.command import done
from tests.examples_made import make_inputs
from tests.golden.input_archives import wacz
from webecho.cli.examples import EXAMPLES

# What an example cannot do by itself, or would take long for.
MORE = {
    "label": "--from-truth known",
    "study clusters": "--repetitions 0",
    "study duplicates": "--repetitions 0",
    "study mirrors": "--repetitions 0",
}
# What the examples do not show, and writes in another way.
FURTHER = {
    "sketch by parts": "sketch crawl.warc.gz -o other.echo --part-pages 10 --keep-shingles",
    "sketch append": "sketch new.jsonl -o old.echo --append",
    "dedup jsonl": "dedup new.jsonl -o lines --removed gone",
    "dedup annotate": "dedup pages.parquet -o told --annotate",
    "dedup wacz": "dedup few.wacz -o packed --cdx",
    "dedup csv": "dedup few.csv -o rows --counts",
    "dedup folder": "dedup few -o files --removed gone",
    "dedup revisits": "dedup crawl.warc.gz -o repeated --revisit",
    "dedup again": "dedup pages.parquet -o revisited --rule tokens --force",
    "dedup against": "dedup new.jsonl -o later --against seen.echo --append-kept",
    "pairs report": "pairs crawl.echo --rule c --report",
    "study files": "study clusters crawl.echo --repetitions 0 -o written",
}


# Commands that draw figures, or many pages, take seconds, others tenths: where calls of others go
# wrong, a ninth or a twentieth as many of theirs do.
SLOW = {
    **dict.fromkeys(("study duplicates", "study growth", "study mirrors"), 9),
    **dict.fromkeys(("study graph", "study replication", "synth"), 9),
    **dict.fromkeys(("evaluate", "pairs report"), 20),
    **dict.fromkeys(("study clusters", "study evolution", "study files"), 20),
}


@dataclass(frozen=True)
class Case:
    name: str
    arguments: tuple[str, ...]

    def most(self, calls: int) -> int:
        """At how many calls it goes wrong where most do at so many."""
        return calls // SLOW.get(self.name, 1)


def cases() -> Iterator[Case]:
    for verb, examples in EXAMPLES.items():
        if verb == "completion":
            continue
        for number, (_, example) in enumerate(examples):
            name = f"{verb} {number + 1}" if number else verb
            command = f"{example} {MORE.get(verb, '')}".removeprefix("webecho ")
            yield Case(
                name, tuple(shlex.split(command.replace("restore clean", "restore revisited")))
            )
    for name, command in FURTHER.items():
        yield Case(name, tuple(shlex.split(command)))


CASES = {case.name: case for case in cases()}
READY = (
    "sketch crawl.warc.gz -o crawl.echo",
    "pairs crawl.echo --rule b",
    "label crawl.echo --rule b --from-truth known",
    "dedup crawl.warc.gz -o revisited --revisit",
    "sketch old.jsonl -o seen.echo --columns features,supershingles",
)


def make_ready(folder: Path) -> None:
    """Inputs, and what some commands need of others."""
    folder.mkdir()
    with chdir(folder):
        make_inputs(60)
        few = small_web()
        wacz(Path("few.wacz"), few)
        as_csv(Path("few.csv"), few)
        as_folder(Path("few"), few)
        for command in READY:
            done(*shlex.split(command), "--quiet")
