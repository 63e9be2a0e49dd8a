"""Made-up webs of which it is known of every pair whether it is correct, and how often intervals
hold the truth."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.engine.protocol import Database
from webecho.evaluation.judge.derived import members
from webecho.evaluation.judge.labelled import Labelled, labelled_rows
from webecho.evaluation.judge.precision_tables import SHARES, share_of
from webecho.evaluation.label.matching import Pair
from webecho.evaluation.label.planted import BY_KIND
from webecho.evaluation.label.reasons import Judgement
from webecho.evaluation.sample.drawing import SamplePlan, drawn, gather
from webecho.evaluation.sample.strata import stratify
from webecho.workspace.workspace import Workspace

# As in docs/evaluate.md.
FAMILIES = {
    "database": 8, "directory": 1.25, "shop": 1, "parked": 1, "own address": 1.5,
    "time stamp": 0.6, "execution time": 0.4, "visitor count": 0.2, "session id": 1, "form": 1.5,
}  # fmt: skip
SAMPLED = ("b-2", "c-372")
KINDS = ("all", "same site", "different sites")
Told = tuple[str, str]


@dataclass(frozen=True)
class Web:
    """A web and its pairs: B-similarity, C-similarity, same site or not, and what they are."""

    workspace: Workspace
    truth: Path

    @cached_property
    def pairs(self) -> dict[Pair, tuple[int, int, bool, Judgement]]:
        pages = pq.read_table(self.truth, columns=["cluster", "kind"]).to_pylist()
        made = {page["cluster"]: page["kind"] for page in pages if page["kind"] != "original"}
        found = {}
        for rule in SAMPLED:
            columns = ["left", "right", "b_similarity", "c_similarity", "same_site"]
            table = pq.read_table(self.workspace.files.pairs(rule), columns=columns)
            for left, right, *measured in zip(*table.to_pydict().values(), strict=True):
                one, other = pages[left]["cluster"], pages[right]["cluster"]
                said = Judgement(BY_KIND[made[one]] if one == other else "incorrect", ())
                found[left, right] = (*measured, said)
        return found

    @cached_property
    def shares(self) -> dict[Told, float]:
        """The share of correct pairs of each rule, by its definition."""
        counts: dict[Told, list[int]] = {}
        for b, c, same, said in self.pairs.values():
            combined = b >= 2 and c >= 355
            for rule, holds in {
                "b": b >= 2,
                "c": c >= 372,
                "combined": combined,
                "by-site": combined if same else c >= 372,
            }.items():
                for kind in ("all", "same site" if same else "different sites"):
                    own = counts.setdefault((rule, kind), [0, 0])
                    own[0] += holds
                    own[1] += holds and said.label == "correct"
        return {told: correct / count for told, (count, correct) in counts.items() if count}


def made(folder: Path, pages: int, seed: int) -> Web:
    """A web of so many pages, and the pairs of `b` and `c`."""
    shares = [
        option for each, share in FAMILIES.items() for option in ("--family", f"{each}={share}")
    ]
    done("synth", folder / "web", "--pages", pages, "--seed", seed, "--power", 3,
         "--duplicates", 0.6, *shares, "--quiet")  # fmt: skip
    echo = folder / "web.echo"
    done("sketch", folder / "web" / "pages", "-o", echo, "--recipe", "henzinger2006", "--quiet")
    for rule in ("b", "c"):
        done("pairs", echo, "--rule", rule, "--quiet")
    return Web(Workspace.open(echo), folder / "web" / "truth.parquet")


@contextmanager
def samples(web: Web, size: int) -> Iterator["Samples"]:
    """Samples of this size: pairs are gathered and stratified once, and drawn by each seed."""
    run = local_run(2)
    plan = SamplePlan(SAMPLED, size)
    with run.database() as database:
        gather(database, web.workspace, plan)
        # What is drawn by a seed needs nothing of the pages' files.
        database.keep("held", "SELECT * FROM pairs")
        database.view("pairs", "SELECT * FROM held")
        strata, keys = stratify(database, len(SAMPLED), size)
        yield Samples(web, database, strata, keys, size)


@dataclass(frozen=True)
class Samples:
    web: Web
    database: Database
    strata: list[Any]
    keys: tuple[str, ...]
    size: int

    def labelled(self, seed: int) -> Labelled:
        """The sample of a seed with what is known of its pairs."""
        plan = SamplePlan(SAMPLED, self.size, seed)
        rows = drawn(self.database, plan, self.strata, self.keys).to_pylist()
        said = {
            (row["left"], row["right"]): self.web.pairs[row["left"], row["right"]][3]
            for row in rows
        }
        return labelled_rows(plan.name, rows, {*SAMPLED}, said, {}, {})


def coverage(web: Web, size: int, repetitions: int) -> dict[Told, float]:
    """How often the interval of each share of correct pairs has the truth in it."""
    covered = dict.fromkeys(web.shares, 0)
    recipe = web.workspace.recipe
    with samples(web, size) as each:
        for seed in range(repetitions):
            known = each.labelled(seed)
            for rule in ("b", "c", "combined", "by-site"):
                rows = members(known, rule, recipe)
                for kind in KINDS:
                    if (rule, kind) not in covered:
                        continue
                    same = {"all": None, "same site": True, "different sites": False}[kind]
                    own = [row for row in rows if same in (None, row.pair.same_site)]
                    told = share_of(known, own, SHARES["correct"])
                    assert told is not None
                    truth = web.shares[rule, kind]
                    # A sum of floats may be off in its last digit.
                    covered[rule, kind] += told.low - 1e-9 <= truth <= told.high + 1e-9
    return {told: count / repetitions for told, count in covered.items()}
