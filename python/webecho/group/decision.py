"""What a dedup decides: which pages stay, checked before anything is written."""

from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError, WebechoError, flag, setting
from webecho.group.choices import LINKS, WITHIN
from webecho.group.columns import page_numbers
from webecho.group.dropping import Dropping, counted, dropped_pages, set_apart
from webecho.group.keeping import Keep, ranks
from webecho.group.partition import group_numbers
from webecho.group.revisited import keep_originals, known_revisits
from webecho.group.rules.keys import OF_BYTES
from webecho.group.rules.registry import rule
from webecho.group.rules.rule import Rule
from webecho.group.stars import AGREES, NEAR, Stars
from webecho.run import Run
from webecho.workspace.mapped import by_blocks
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages, Union
from webecho.workspace.workspace import Workspace

# What becomes of a page, or of a record that belongs to one.
FATES = KEPT, REMOVED, DROPPED = range(3)


@dataclass(frozen=True)
class DedupSettings:
    """When two pages are copies, which one stays, and what becomes of the others."""

    rule: Rule = field(default_factory=lambda: rule("similar"))
    link: str = "kept"
    keep: tuple[Keep, ...] = (Keep("first"),)
    within: tuple[str, ...] = ("collection",)
    by: tuple[str, ...] = ()
    revisit: bool = False
    dropping: Dropping = field(default_factory=Dropping)
    # Whether pages go for those of an earlier collection alone, and never for one another.
    only_against: bool = False

    def __post_init__(self) -> None:
        if self.only_against and self.link != "kept":
            raise SettingsError(
                *(flag("only_against"), " compares no pages of the inputs with one another, and "),
                *(setting("link").to(self.link), " goes by such pairs; leave one of them out"),
            )
        for name, given, known in (
            ("link", (self.link,), LINKS),
            ("within", self.within, WITHIN),
        ):
            for each in given:
                if each not in known:
                    said = setting(name).to(repr(each))
                    raise SettingsError(said, f": it is {' or '.join(known)}")

    def as_dict(self) -> dict[str, Any]:
        """The settings as JSON has them."""
        values: dict[str, Any] = {
            "rule": self.rule.name,
            "resemblance": None,
            "link": self.link,
            "keep": [each.label for each in self.keep],
            "within": [*self.within],
            "by": [*self.by],
            "revisit": self.revisit,
        }
        if self.only_against:
            values["only_against"] = True
        return values | asdict(self.dropping) | self.rule.written


@dataclass(frozen=True)
class Decision:
    """Which pages stay; `pages` are those that were compared, an earlier collection's first."""

    pages: Pages
    stars: Stars
    first: int
    rule: Rule
    # For every page of the new collection why it is dropped: see dropping.py.
    dropped: pa.Array
    # Copies that stay although another does: a revisit that stays needs them.
    originals: int = 0

    @property
    def removed(self) -> pa.Table:
        """The rows of `stars.removed` with the numbers of the new collection; what stays for them
        in an earlier one has negative numbers."""
        table = self.stars.removed
        if not self.first:
            return table
        for index, name in enumerate(("page", "kept_page")):
            table = table.set_column(
                index, table.field(index), pc.subtract(table[name], self.first)
            )
        return table

    @property
    def stays(self) -> pa.Array:
        """For every page of the new collection whether it stays."""
        here = self.stars.kept[self.first :]
        itself = pc.equal(here, page_numbers(self.pages.pages)[self.first :])
        return pc.and_(itself, self.dropped.is_null())

    @property
    def fates(self) -> pa.Array:
        """For every page of the new collection what becomes of it: see `FATES`."""
        left = pc.if_else(self.stays, pa.scalar(KEPT, pa.int8()), pa.scalar(REMOVED, pa.int8()))
        return pc.if_else(self.dropped.is_valid(), pa.scalar(DROPPED, pa.int8()), left)

    @property
    def gone(self) -> pa.Array:
        """The pages of the new collection that are removed or dropped."""

        def those(numbers: pa.Array, stay: pa.Array) -> pa.Array:
            return numbers.filter(pc.invert(stay)).cast(pa.int64())

        return by_blocks(those, page_numbers(len(self.dropped)), self.stays)

    @property
    def gone_for(self) -> pa.Array:
        """For each page that is gone the one that stays for it, as a workspace notes it: see
        workspace/removed.py."""
        all_kept = self.stars.kept[self.first :]

        def stays_for(gone: pa.Array) -> pa.Array:
            kept = all_kept.take(gone).cast(pa.int64())
            before = pc.less(kept, self.first)
            number = pc.if_else(before, pc.bit_wise_not(kept), pc.subtract(kept, self.first))
            return pc.if_else(self.dropped.take(gone).is_valid(), None, number)

        return by_blocks(stays_for, self.gone)

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
    dropped = dropped_pages(workspace, settings.dropping)
    if old is not None:
        before = page_numbers(first)
        order = pa.concat_arrays([before, pc.add(order, pa.scalar(first, pa.uint32()))])
        if reread is not None and reread.shelf is not None:
            reread.shelf.renumber(first)
    stars = run.engine.stars(
        pages,
        settings.rule,
        settings.link,
        order,
        run,
        partition=set_apart(group_numbers(pages, settings.within, settings.by), dropped, first),
        fixed=first,
        reread=reread,
    )
    if settings.only_against:
        # The earlier pages come first and all stay: what is similar to one went with one.
        removed = stars.removed
        for_others = pc.greater_equal(removed["kept_page"], first)
        stars = stars.with_kept(removed["page"].filter(for_others).combine_chunks())
    stars, dropped, originals = keep_originals(workspace, stars, dropped, first, run)
    decision = Decision(pages, stars, first, settings.rule, dropped, originals)
    check(decision, known_revisits(workspace))
    return decision


def check(decision: Decision, revisits: pa.Table) -> None:
    """Every cluster keeps exactly one page, kept and removed pages are all pages, and of a revisit
    that stays the original stays too."""
    kept = decision.stars.kept
    numbers = page_numbers(len(kept))
    stays = pc.equal(kept, numbers)
    removed = decision.stars.removed
    going = by_blocks(lambda some, stay: some.filter(pc.invert(stay)), numbers, stays)
    wrong = (
        len(kept) != decision.pages.pages
        or not pc.all(by_blocks(stays.take, kept), min_count=0).as_py()
        or stays.true_count + len(removed) != len(kept)
        or not pc.all(by_blocks(pc.equal, removed["page"], going), min_count=0).as_py()
    )
    if not wrong:
        # Of an earlier collection nothing is dropped.
        present = pa.concat_arrays([pa.repeat(True, decision.first), decision.stays])
        staying = by_blocks(present.take, removed["kept_page"])
        wrong = not pc.all(staying, min_count=0).as_py()
    if wrong:
        raise WebechoError(
            "a cluster would keep no page or two, so nothing was written; please report this"
        )
    stay = (decision.stays.take(column) for column in revisits.columns)
    if pc.any(pc.and_not(*stay), min_count=0).as_py():
        raise WebechoError(
            "the content of a page that stays would go, so nothing was written; please report this"
        )


# What is counted of pages that go, by how they agree with those that stay.
AGREEING = {each: f"removed, same {each}" for each in AGREES} | {NEAR: "removed, near"}


def counts(workspace: Workspace, decision: Decision, dropping: Dropping) -> dict[str, int]:
    """How many pages were read, and what became of them."""
    removed = len(decision.stars.removed)
    agrees = decision.stars.removed["agrees"]
    uncompared = by_bytes = chars = gone = short = 0
    stays, sets = decision.stays, decision.rule.sets
    dropped = decision.dropped.is_valid()
    for batch in workspace.batches(["page", "chars", "hollow", *sets.columns]):
        here = dropped.take(batch["page"])
        hollow = pc.and_not(pc.fill_null(batch["hollow"], False), here)
        left_out = pc.less_equal(pc.fill_null(batch["chars"], 0), sets.longer_than)
        if sets.columns:
            blank = [batch[name].is_null() for name in sets.columns]
            left_out = pc.or_(left_out, reduce(pc.and_, blank))
        # What a page says of which next to nothing is left does not tell; its bytes do.
        if not set(sets.columns) & {*OF_BYTES}:
            left_out = pc.or_(left_out, hollow)
        elif sets.columns != OF_BYTES:
            by_bytes += hollow.true_count
        uncompared += pc.and_not(left_out, here).true_count
        chars += pc.sum(batch["chars"]).as_py() or 0
        going = pc.and_not(pc.invert(stays.take(batch["page"])), here)
        gone += pc.sum(batch["chars"].filter(going)).as_py() or 0
        short += pc.sum(batch["chars"].filter(here)).as_py() or 0
    found = workspace.manifest.counts
    return {
        "read": workspace.pages,
        "kept": stays.true_count,
        "kept, not compared": uncompared,
        "kept for their revisits": decision.originals,
        "nearly empty, compared by bytes": by_bytes,
        "removed": removed,
        **{AGREEING[each]: pc.sum(pc.equal(agrees, each)).as_py() or 0 for each in AGREES},
        **counted(decision.dropped, dropping),
        "skipped": found.get("skipped", 0),
        "failed": found.get("failed", 0),
        "failed, dropped": found.get("failed", 0) if dropping.drop_failed else 0,
        "bytes read": found.get("bytes", 0),
        "characters read": chars,
        "characters removed": gone,
        "characters dropped": short,
    }
