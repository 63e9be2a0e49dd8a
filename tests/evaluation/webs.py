"""Made-up webs of which it is known of every pair whether it is correct, and how often the
intervals of samples of their pairs hold the truth.

A web is made, sketched and searched once. A repetition draws from each stratum as many pairs as a
sample of its size has of it, every one with the same chance, gives them the label that is true, and
asks for the shares that `webecho evaluate` prints.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from pathlib import Path

import pyarrow.parquet as pq

from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.evaluation.judge.derived import Member, members
from webecho.evaluation.judge.labelled import Labelled, LabelledPair, labelled, only
from webecho.evaluation.judge.precision_tables import shares_of
from webecho.evaluation.label.matching import Pair
from webecho.evaluation.label.planted import BY_KIND
from webecho.evaluation.label.reasons import Judgement, LabelName
from webecho.evaluation.sample.drawing import SamplePlan, draw, sample_file
from webecho.evaluation.sample.strata import StratumSize, allocate, shares
from webecho.workspace.workspace import Workspace

# As in docs/evaluate.md.
FAMILIES = {
    "database": 8, "directory": 1.25, "shop": 1, "parked": 1, "own address": 1.5,
    "time stamp": 0.6, "execution time": 0.4, "visitor count": 0.2, "session id": 1, "form": 1.5,
}  # fmt: skip
SAMPLED = ("b-2", "c-372")
RULES = ("b", "c", "combined", "by-site")
KINDS: dict[str, bool | None] = {"all": None, "same site": True, "different sites": False}
# All pairs on different sites are correct in these webs, nearly all of them pages that show their
# own address. Who is strict holds each third family of those to be different pages.
STRICT_KIND, STRICT_PART = "own address", 3
# A rule and a kind of its pairs.
Told = tuple[str, str]


@dataclass(frozen=True)
class Web:
    """A web whose pairs of `b` and `c` were found, and how strictly they are labelled."""

    workspace: Workspace
    truth: Path
    strict: bool = False

    @cached_property
    def said(self) -> dict[Pair, Judgement]:
        pages = pq.read_table(self.truth, columns=["cluster", "kind"]).to_pylist()
        made = {page["cluster"]: page["kind"] for page in pages if page["kind"] != "original"}
        found = {}
        for rule in SAMPLED:
            table = pq.read_table(self.workspace.files.pairs(rule), columns=["left", "right"])
            for left, right in zip(*table.to_pydict().values(), strict=True):
                one, other = pages[left]["cluster"], pages[right]["cluster"]
                label = self.label(one, made[one]) if one == other else "incorrect"
                found[left, right] = Judgement(label, ())
        return found

    def label(self, family: int, kind: str) -> LabelName:
        """What is said of two pages of a family."""
        if self.strict and kind == STRICT_KIND and family % STRICT_PART == 0:
            return "incorrect"
        return BY_KIND[kind]

    @cached_property
    def every(self) -> Labelled:
        """All pairs in their strata, each with its label."""
        plan, run = SamplePlan(SAMPLED, len(self.said)), local_run(2)
        draw(self.workspace, plan, run)
        file = sample_file(self.workspace, plan)
        found = labelled(self.workspace, [file], self.said, run)
        file.unlink()
        return found

    @cached_property
    def shares(self) -> dict[Told, float]:
        """The share of correct pairs of each rule, by its definition."""
        counts: dict[Told, list[int]] = {}
        for pair in self.every.pairs:
            b, c = pair.b_similarity or 0, pair.c_similarity or 0
            combined = b >= 2 and c >= 355
            for rule, holds in {
                "b": b >= 2,
                "c": c >= 372,
                "combined": combined,
                "by-site": combined if pair.same_site else c >= 372,
            }.items():
                for kind in ("all", "same site" if pair.same_site else "different sites"):
                    own = counts.setdefault((rule, kind), [0, 0])
                    own[0] += holds
                    own[1] += holds and pair.label == "correct"
        return {told: correct / count for told, (count, correct) in counts.items()}

    def samples(self, size: int, repetitions: int) -> Iterator[Labelled]:
        """So many samples of a size, with labels."""
        by_stratum: dict[tuple[str, int], list[LabelledPair]] = {}
        for pair in self.every.pairs:
            by_stratum.setdefault(pair.stratum, []).append(pair)
        strata = [by_stratum[key] for key in sorted(by_stratum)]
        taken = allocate(sizes(strata), size)
        chance = random.Random(1)
        for _ in range(repetitions):
            yield only(
                self.every,
                [
                    pair
                    for own, count in zip(strata, taken, strict=True)
                    for pair in chance.sample(own, count)
                ],
            )


def sizes(strata: list[list[LabelledPair]]) -> list[StratumSize]:
    """How large strata are, and how much of the rules' pairs they have."""
    counts = [
        (len(own), *(sum(rule in pair.weights for pair in own) for rule in SAMPLED))
        for own in strata
    ]
    return [StratumSize(row[0], share) for row, share in zip(counts, shares(counts), strict=True)]


def made(folder: Path, pages: int, seed: int) -> Web:
    """A web of so many pages, and the pairs of `b` and `c`."""
    families = [
        option for each, share in FAMILIES.items() for option in ("--family", f"{each}={share}")
    ]
    done("synth", folder / "web", "--pages", pages, "--seed", seed, "--power", 3,
         "--duplicates", 0.6, *families, "--quiet")  # fmt: skip
    echo = folder / "web.echo"
    done("sketch", folder / "web" / "pages", "-o", echo, "--recipe", "henzinger2006", "--quiet")
    for rule in ("b", "c"):
        done("pairs", echo, "--rule", rule, "--quiet")
    return Web(Workspace.open(echo), folder / "web" / "truth.parquet")


def of_kind(rows: list[Member], kind: str) -> list[Member]:
    return [row for row in rows if KINDS[kind] in (None, row.pair.same_site)]


def coverage(web: Web, size: int, repetitions: int) -> dict[Told, int]:
    """In how many samples the interval of each share of correct pairs holds the truth."""
    held: Counter[Told] = Counter()
    for known in web.samples(size, repetitions):
        for rule in RULES:
            rows = members(known, rule, web.workspace.recipe)
            for kind in KINDS:
                told = shares_of(known, of_kind(rows, kind))["correct"]
                # A sum of floats may be off in its last digit.
                holds = told.low - 1e-9 <= web.shares[rule, kind] <= told.high + 1e-9
                held[rule, kind] += holds
    return dict(held)


def bounds(repetitions: int, least: float, most: float, doubt: float) -> tuple[int, int]:
    """The fewest and the most repetitions in which intervals hold that cover at least and at most
    these shares, but for a chance of so much at either end: quantiles of binomial distributions."""

    def below(share: float) -> list[float]:
        """The chance to hold in so many repetitions or fewer."""
        found, total = [], 0.0
        for count in range(repetitions + 1):
            ways = comb(repetitions, count)
            total += ways * share**count * (1 - share) ** (repetitions - count)
            found.append(total)
        return found

    low = next(count for count, chance in enumerate(below(least)) if chance > doubt)
    high = next(count for count, chance in enumerate(below(most)) if chance >= 1 - doubt)
    return low, high
