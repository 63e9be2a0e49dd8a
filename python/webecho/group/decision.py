"""What a dedup decides: which pages stay, checked before anything is written."""

from dataclasses import dataclass, field, fields, replace
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError, WebechoError, setting
from webecho.group.choices import LINKS, WITHIN
from webecho.group.columns import page_numbers
from webecho.group.keeping import Keep, ranks
from webecho.group.partition import group_numbers
from webecho.group.revisited import keep_originals, known_revisits
from webecho.group.rules.keys import OF_BYTES
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Rule
from webecho.group.stars import AGREES, NEAR, Stars
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages, Union
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class DedupSettings:
    """When two pages are copies, which one stays, and what becomes of the others."""

    rule: Rule = field(default_factory=lambda: rule("similar"))
    link: str = "kept"
    keep: Keep = field(default_factory=lambda: Keep("first"))
    within: str = "collection"
    by: str | None = None
    revisit: bool = False

    def __post_init__(self) -> None:
        for name, known in (("link", LINKS), ("within", WITHIN)):
            if getattr(self, name) not in known:
                given = getattr(self, name)
                raise SettingsError(setting(name).to(repr(given)), f": it is {' or '.join(known)}")

    def as_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = {"rule": self.rule.name, "resemblance": None}
        values |= {each.name: getattr(self, each.name) for each in fields(self)}
        values |= {"rule": self.rule.name, "keep": self.keep.label}
        return values | self.rule.written


@dataclass(frozen=True)
class Decision:
    """Which pages stay; `pages` are those that were compared, an earlier collection's first."""

    pages: Pages
    stars: Stars
    first: int
    rule: Rule
    # Copies that stay although another does: a revisit that stays needs them.
    originals: int = 0

    @property
    def removed(self) -> pa.Table:
        """The rows of `stars.removed` with the numbers of the new collection; what stays for them
        in an earlier one has negative numbers."""
        table = self.stars.removed
        for index, name in enumerate(("page", "kept_page")):
            table = table.set_column(
                index, table.field(index), pc.subtract(table[name], self.first)
            )
        return table

    @property
    def stays(self) -> pa.Array:
        """For every page of the new collection whether it stays."""
        here = self.stars.kept[self.first :]
        return pc.equal(here, page_numbers(self.pages.pages)[self.first :])

    def with_kept(self, pages: pa.Array) -> "Decision":
        """The same, but that these pages of the new collection stay."""
        return replace(self, stars=self.stars.with_kept(pc.add(pages, self.first)))


def decide(
    workspace: Workspace,
    settings: DedupSettings,
    run: Run,
    *,
    old: Workspace | None = None,
    reread: Reread | None = None,
) -> Decision:
    """What stays and what goes; what an `old` collection has comes first, and all of it stays."""
    pages: Pages = workspace if old is None else Union(old, workspace)
    first = 0 if old is None else old.pages
    order = ranks(workspace, settings.keep)
    if old is not None:
        before = page_numbers(first)
        order = pa.concat_arrays([before, pc.add(order, pa.scalar(first, pa.uint32()))])
    stars = run.engine.stars(
        pages,
        settings.rule,
        settings.link,
        order,
        run,
        partition=group_numbers(pages, settings.within, settings.by is not None),
        fixed=first,
        reread=reread,
    )
    stars, originals = keep_originals(workspace, stars, first, run)
    decision = Decision(pages, stars, first, settings.rule, originals)
    check(decision, known_revisits(workspace))
    return decision


def check(decision: Decision, revisits: pa.Table) -> None:
    """Every cluster keeps exactly one page, kept and removed pages are all pages, and of a revisit
    that stays the original stays too."""
    kept = decision.stars.kept
    numbers = page_numbers(len(kept))
    stays = pc.equal(kept, numbers)
    removed = decision.stars.removed
    wrong = (
        len(kept) != decision.pages.pages
        or not pc.all(stays.take(kept), min_count=0).as_py()
        or stays.true_count + len(removed) != len(kept)
        or not removed["page"]
        .combine_chunks()
        .equals(numbers.filter(pc.invert(stays)).cast("int64"))
    )
    if wrong:
        raise WebechoError(
            "a cluster would keep no page or two, so nothing was written; please report this"
        )
    stay = (stays.take(pc.add(column, decision.first)) for column in revisits.columns)
    if pc.any(pc.and_not(*stay), min_count=0).as_py():
        raise WebechoError(
            "the content of a page that stays would go, so nothing was written; please report this"
        )


# What is counted of pages that go, by how they agree with those that stay.
AGREEING = {each: f"removed, same {each}" for each in AGREES} | {NEAR: "removed, near"}


def counts(workspace: Workspace, decision: Decision) -> dict[str, int]:
    """How many pages were read, and what became of them."""
    removed = len(decision.stars.removed)
    agrees = decision.stars.removed["agrees"].combine_chunks()
    uncompared = by_bytes = chars = gone = 0
    stays, sets = decision.stays, decision.rule.sets
    for batch in workspace.batches(["page", "chars", "hollow", *sets.columns]):
        hollow = pc.fill_null(batch["hollow"], False)
        left_out = pc.less_equal(pc.fill_null(batch["chars"], 0), sets.longer_than)
        if sets.columns:
            blank = [batch[name].is_null() for name in sets.columns]
            left_out = pc.or_(left_out, reduce(pc.and_, blank))
        # What a page says of which next to nothing is left does not tell; its bytes do.
        if not set(sets.columns) & {*OF_BYTES}:
            left_out = pc.or_(left_out, hollow)
        elif sets.columns != OF_BYTES:
            by_bytes += hollow.true_count
        uncompared += left_out.true_count
        chars += pc.sum(batch["chars"]).as_py() or 0
        going = batch["chars"].filter(pc.invert(stays.take(batch["page"])))
        gone += pc.sum(going).as_py() or 0
    found = workspace.manifest.counts
    return {
        "read": workspace.pages,
        "kept": workspace.pages - removed,
        "kept, not compared": uncompared,
        "kept for their revisits": decision.originals,
        "nearly empty, compared by bytes": by_bytes,
        "removed": removed,
        **{AGREEING[each]: pc.equal(agrees, each).true_count for each in AGREES},
        "skipped": found.get("skipped", 0),
        "failed": found.get("failed", 0),
        "bytes read": found.get("bytes", 0),
        "characters read": chars,
        "characters removed": gone,
    }
