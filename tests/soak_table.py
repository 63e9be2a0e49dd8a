"""How often what was attacked, and how often it fell: a table that any test adds to.

    def test_it(tally: Tally) -> None:
        tally("mutations: csv", tries=500, failures=0, remark="480 read, 20 refused")
        with tally.trying("killed"):  # one more; a failure if it raises
            ...

At the end of a session pytest prints the table, in Markdown, and adds it as JSON lines to the file
that the environment calls `WEBECHO_SOAK_TABLE`. What several sessions added to one is told by

    python -m tests.soak_table FILE

which fails unless everything was tried as often as is promised (`LEAST`) and nothing fell.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

PROPERTY = "tally"
FILE = "WEBECHO_SOAK_TABLE"


# What `make soak` tries at the least: what the names of attacks begin with, but for some, and how
# often.
LEAST = {
    "killed": (("killed", "asked to end"), (), 5_000),
    "out of room": (("out of room",), (), 1_000),
    "refused by the disk": (("refused",), (), 1_000),
    "mutations, by the functions": (("mutations: ",), ("mutations: command line",), 100_000),
    "mutations, by the command line": (("mutations: command line",), (), 2_000),
    "fuzzing": (("fuzzing: ",), (), 10_000_000),
    "memory": (("memory, ",), (), 40),
    "more than linear time": (("more than linear time",), (), 20),
}


@dataclass(frozen=True)
class Row:
    """What became of one attack."""

    attack: str
    tries: int
    failures: int = 0
    remark: str = ""


class Tally:
    """Takes rows for the table, wherever in several processes the test runs."""

    def __init__(self, properties: list[tuple[str, object]]) -> None:
        self.properties = properties

    def __call__(self, attack: str, tries: int, failures: int = 0, remark: str = "") -> None:
        # Reports, which go from process to process, have properties of plain values.
        self.properties.append((PROPERTY, [attack, tries, failures, remark]))

    @contextmanager
    def trying(self, attack: str) -> Iterator[None]:
        """One try, which fails if it raises."""
        try:
            yield
        except BaseException:
            self(attack, 1, 1)
            raise
        self(attack, 1)


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    return Tally(request.node.user_properties)


def rows_of(report: pytest.TestReport) -> list[Row]:
    """The rows of a test that ended."""
    if report.when != "call":
        return []
    found = (value for name, value in report.user_properties if name == PROPERTY)
    return [Row(*value) for value in found]  # type: ignore[misc]


def together(rows: Iterable[Row]) -> list[Row]:
    """A row for each attack, in the order in which they came."""
    found: dict[str, Row] = {}
    for row in rows:
        before = found.get(row.attack, Row(row.attack, 0, 0))
        remarks = dict.fromkeys(filter(None, (before.remark, row.remark)))
        found[row.attack] = Row(
            row.attack,
            before.tries + row.tries,
            before.failures + row.failures,
            "; ".join(remarks),
        )
    return list(found.values())


def as_markdown(rows: Iterable[Row]) -> str:
    lines = ["| attack | tries | failures | |", "| --- | ---: | ---: | --- |"]
    lines += [f"| {row.attack} | {row.tries:,} | {row.failures:,} | {row.remark} |" for row in rows]
    return "\n".join(lines)


def keep(rows: Iterable[Row]) -> None:
    """Adds the rows to the file, if one is wanted."""
    if file := os.environ.get(FILE):
        with Path(file).open("a") as kept:
            kept.writelines(json.dumps(asdict(row)) + "\n" for row in rows)


def kept(file: Path) -> list[Row]:
    """What sessions added to a file."""
    return together(Row(**json.loads(line)) for line in file.read_text().splitlines())


def summary(rows: Iterable[Row]) -> list[Row]:
    """A row for each promise of `LEAST`, which says by how much it is not kept."""
    rows = list(rows)
    found = []
    for name, (starts, apart, least) in LEAST.items():
        of_it = [
            row
            for row in rows
            if row.attack.startswith(starts) and not row.attack.startswith(apart)
        ]
        tries, failures = (sum(getattr(row, of) for row in of_it) for of in ("tries", "failures"))
        short = f"{least - tries:,} fewer than promised" if tries < least else ""
        found.append(Row(name, tries, failures, short))
    return found


def main(file: str) -> int:
    rows = kept(Path(file))
    promised = summary(rows)
    print(as_markdown(rows), as_markdown(promised), sep="\n\n")
    return int(any(row.failures for row in rows) or any(row.remark for row in promised))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
