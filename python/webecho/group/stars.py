"""*Star*: a page that stays, and the pages that go with it.

Pages are taken in keep order. By the link `kept` a page stays unless the rule holds it together
with one that stays already, and goes with the first such page: every page that goes is similar to
the one named for it. By the link `chain` all pages that a chain of pairs holds together go with the
first of them (the papers' clusters), however little they have in common with it.
"""

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.candidates import find_candidates
from webecho.group.columns import flags, page_numbers
from webecho.group.evidence import Evidence, gather, supershingle_evidence
from webecho.group.identity import unite_identical
from webecho.group.rules import Rule
from webecho.memory import check_budget, grouping
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages

REMOVED = pa.schema(
    [
        pa.field("page", pa.int64(), nullable=False),
        pa.field("kept_page", pa.int64(), nullable=False),
        pa.field("rule", pa.string(), nullable=False),
        pa.field("resemblance", pa.float64()),
        pa.field("containment", pa.float64()),
        pa.field("kept_containment", pa.float64()),
        pa.field("b_similarity", pa.int64()),
        pa.field("estimated", pa.bool_(), nullable=False),
    ]
)


@dataclass(frozen=True)
class Stars:
    """For every page the one it goes with (itself if it stays), and those that go, by page."""

    kept: pa.Array
    removed: pa.Table
    # Why resemblances had to be estimated, if they had to.
    estimated: str | None = None


def find_stars(
    workspace: Pages,
    rule: Rule,
    link: str,
    ranks: pa.Array,
    run: Run,
    *,
    apart: pa.Array | None = None,
    fixed: int = 0,
    again: Reread | None = None,
) -> Stars:
    """What stays and what goes. Pages below number `fixed` always stay."""
    check_budget(run.memory, grouping(workspace.pages), f"comparing the pages of {workspace.path}")
    hollow = hollow_pages(workspace)
    forest = unite_identical(workspace, run, apart=apart, hollow=hollow)
    pages = page_numbers(workspace.pages)
    firsts = forest.firsts(ranks)
    if rule.name == "exact":
        found = _Compared(pages[:0], pages[:0], None)
    else:
        wanted = pc.and_not(pc.equal(firsts, pages), hollow)
        candidates = find_candidates(workspace, rule, wanted, run, apart=apart)
        evidence, least = _evidence(workspace, rule, candidates.members(), again, run)
        if link == "kept":
            here = ranks.take(candidates.members())
            gone, stay = candidates.stars(least, evidence.kernel, here, fixed)
        else:
            candidates.unite(forest, least, evidence.kernel)
            together = forest.firsts(ranks)
            changed = pc.and_(wanted, pc.not_equal(together, pages))
            gone, stay = pages.filter(changed), together.filter(changed)
        by_page = pc.sort_indices(gone)
        gone, stay = gone.take(by_page), stay.take(by_page)
        measures = evidence.kernel.measure(candidates.members(), gone, stay, run.threads)
        found = _Compared(gone, stay, measures, evidence.estimated)
        # The tables that come now are to take the place of what was compared.
        del candidates, evidence, wanted, by_page
    del forest, hollow
    pa.default_memory_pool().release_unused()
    goes_with = _replaced(firsts, found.gone, found.stay)
    # What was there before stays, also where it repeats itself.
    goes_with = pa.concat_arrays([pages[:fixed], goes_with[fixed:]])
    removed = _removed(pages, firsts, goes_with, rule, found.measures)
    return Stars(goes_with, removed, found.estimated)


@dataclass(frozen=True)
class _Compared:
    """Of the representatives those that go, the page that each goes with, and what was measured."""

    gone: pa.Array
    stay: pa.Array
    measures: pa.RecordBatch | None
    estimated: str | None = None


def _evidence(
    workspace: Pages, rule: Rule, members: pa.Array, again: Reread | None, run: Run
) -> tuple[Evidence, float]:
    """What members are compared by, and the least that holds two together."""
    if rule.name == "similar":
        return gather(workspace, members, again, run), rule.resemblance or 0.0
    count = workspace.recipe.supershingles
    return supershingle_evidence(workspace, members), rule.least_agreeing(count) / count


def hollow_pages(workspace: Pages) -> pa.Array:
    """For every page whether next to nothing is left of it: what it says stands in scripts, which
    are not compared, so that only its bytes can tell whether it is a copy."""
    found = [pa.array([], pa.int64())]
    for batch in workspace.batches(["page", "hollow"]):
        found.append(batch["page"].filter(pc.fill_null(batch["hollow"], False)))
    return flags(workspace, pa.concat_arrays(found))


def _replaced(firsts: pa.Array, gone: pa.Array, stay: pa.Array) -> pa.Array:
    """Each page's representative, or where that goes, the page it goes with."""
    at = pc.index_in(firsts, value_set=gone)
    return pc.if_else(at.is_null(), firsts, stay.take(at))


def _removed(
    pages: pa.Array,
    firsts: pa.Array,
    goes_with: pa.Array,
    rule: Rule,
    measures: pa.RecordBatch | None,
) -> pa.Table:
    """The rows of `REMOVED`."""
    going = pc.not_equal(goes_with, pages)
    page, kept, first = (each.filter(going) for each in (pages, goes_with, firsts))
    exact = pc.equal(kept, first)
    columns = {
        "page": page.cast(pa.int64()),
        "kept_page": kept.cast(pa.int64()),
        "rule": pc.if_else(exact, "exact", rule.name),
        "resemblance": pc.if_else(exact, 1.0, pa.scalar(None, pa.float64())),
        "b_similarity": pa.nulls(len(page), pa.int64()),
        "estimated": pa.repeat(False, len(page)),
    }
    columns["containment"] = columns["kept_containment"] = columns["resemblance"]
    if measures is not None:
        at = pc.index_in(first.cast(pa.int64()), value_set=measures["left"])
        found = {name: measures[name].take(at) for name in measures.schema.names}
        shared = found["shared"].cast(pa.float64())
        if rule.name == "similar":
            total = pc.subtract(pc.add(found["left_size"], found["right_size"]), found["shared"])
            counted = pc.if_else(found["estimated"], pa.scalar(None, pa.float64()), shared)
            near = {
                "resemblance": pc.divide(shared, total.cast(pa.float64())),
                "containment": pc.divide(counted, found["left_size"].cast(pa.float64())),
                "kept_containment": pc.divide(counted, found["right_size"].cast(pa.float64())),
                "estimated": found["estimated"],
            }
        else:
            near = {"b_similarity": found["shared"]}
        columns |= {name: pc.if_else(exact, columns[name], column) for name, column in near.items()}
    return pa.table({name: columns[name] for name in REMOVED.names}, schema=REMOVED)
