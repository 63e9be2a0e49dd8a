"""The main job: read, sketch, group, decide what stays, write.

What stays is written in the inputs' own formats under `OUT/data`, beside the tables that tell what
was decided and why; all of it appears at once, when it is complete. The workspace lies beside it as
`OUT.echo`, and lets a run that was stopped go on.
"""

import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError, WebechoError
from webecho.group.apart import WITHIN, group_numbers
from webecho.group.keeping import Keep, ranks
from webecho.group.rules import Rule, rule
from webecho.group.stars import LINKS, Stars, find_stars
from webecho.read.collection import Collection
from webecho.read.pages import Source
from webecho.sketches.joined import Joined, Pages, note_removed
from webecho.sketches.workspace import Workspace
from webecho.write.decisions import companions, verdicts
from webecho.write.kept import Written, write_kept
from webecho.write.layout import places_of
from webecho.write.originals import originals_of
from webecho.write.results import write_results, write_skipped, write_summary

# What dedup needs of every page; all workspaces of dedups have the same, so that one can be
# compared with another.
COLUMNS = ("features", "supershingles")
SETTINGS = ("rule", "resemblance", "link", "keep", "within", "by", "revisit")


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
                raise SettingsError(f"{name} cannot be {given!r}; it is {' or '.join(known)}")

    def as_dict(self) -> dict[str, Any]:
        values = {name: getattr(self, name, None) for name in SETTINGS}
        values |= {"rule": self.rule.name, "resemblance": self.rule.resemblance}
        return values | {"keep": self.keep.label}


@dataclass(frozen=True)
class Decision:
    """Which pages stay; `pages` are those that were compared, an earlier collection's first."""

    pages: Pages
    stars: Stars
    first: int

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
        return pc.equal(here, pa.array(range(self.first, self.pages.pages), pa.uint32()))


def decide(
    workspace: Workspace,
    settings: DedupSettings,
    *,
    threads: int,
    memory: int | None = None,
    old: Workspace | None = None,
    sources: Mapping[int, Source] | None = None,
) -> Decision:
    """What stays and what goes; what an `old` collection has comes first, and all of it stays."""
    pages: Pages = workspace if old is None else Joined(old, workspace)
    first = 0 if old is None else old.pages
    order = ranks(workspace, settings.keep)
    if old is not None:
        before = pa.array(range(first), pa.uint32())
        order = pa.concat_arrays([before, pc.add(order, pa.scalar(first, pa.uint32()))])
    stars = find_stars(
        pages,
        settings.rule,
        settings.link,
        order,
        threads=threads,
        memory=memory,
        apart=group_numbers(pages, settings.within, settings.by is not None),
        fixed=first,
        sources=sources,
    )
    decision = Decision(pages, stars, first)
    check(decision)
    return decision


def check(decision: Decision) -> None:
    """Every cluster keeps exactly one page, and kept and removed pages are all pages."""
    kept = decision.stars.kept
    numbers = pa.array(range(len(kept)), pa.uint32())
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


def counts(workspace: Workspace, decision: Decision) -> dict[str, int]:
    """How many pages were read, and what became of them."""
    exact = pc.equal(decision.stars.removed["rule"], "exact")
    removed = len(decision.stars.removed)
    exactly = pc.sum(exact).as_py() or 0
    blank = 0
    for batch in workspace.batches(["digest", "markup_digest"]):
        blank += pc.and_(batch["digest"].is_null(), batch["markup_digest"].is_null()).true_count
    found = workspace.manifest.counts
    return {
        "read": workspace.pages,
        "kept": workspace.pages - removed,
        "kept, not compared": blank,
        "removed": removed,
        "removed, exact": exactly,
        "removed, near": removed - exactly,
        "skipped": found.get("skipped", 0),
        "failed": found.get("failed", 0),
        "bytes read": found.get("bytes", 0),
    }


def write_out(
    collection: Collection,
    workspace: Workspace,
    decision: Decision,
    settings: DedupSettings,
    out: Path,
    *,
    threads: int,
    memory: int | None = None,
    force: bool = False,
) -> dict[str, Any]:
    """Writes what stays and what was decided, all at once, and gives the summary."""
    sources = [source for each in collection.inputs for source in each.sources]
    stays, gone = decision.stays, decision.removed
    gone_too = companions(workspace, gone["page"], threads, memory)
    with appearing(out, force) as folder:
        paths = places_of(collection, folder / "data")
        found = originals_of(workspace, gone, sources) if settings.revisit else None

        def write(number: int) -> Written:
            return write_kept(
                sources[number],
                verdicts(workspace, number, stays, gone_too),
                paths[number],
                originals=found and found(number),
            )

        with ThreadPoolExecutor(threads) as pool:
            written = list(pool.map(write, range(len(sources))))
        write_results(decision.pages, decision.stars, folder, threads, memory)
        write_skipped(workspace, folder)
        summary = summarise(workspace, decision, settings, written, len(gone_too))
        write_summary(summary, folder)
        note_removed(workspace, gone["page"].combine_chunks())
    return summary


def summarise(
    workspace: Workspace,
    decision: Decision,
    settings: DedupSettings,
    written: list[Written],
    companions_gone: int,
) -> dict[str, Any]:
    before = sum(source["stamp"].get("size", 0) for source in workspace.manifest.sources)
    after = sum(each.bytes for each in written)
    return {
        "counts": counts(workspace, decision)
        | {
            "records removed with their pages": companions_gone,
            "revisits": sum(each.revisits for each in written),
            "bytes of inputs": before,
            "bytes written": after,
        },
        "settings": settings.as_dict(),
        "recipe": f"{workspace.recipe.name} (version {workspace.recipe.version})",
        "inputs": [each["name"] for each in workspace.manifest.inputs],
        "estimated": decision.stars.estimated,
        "lost": [text for each in written for text in each.lost],
    }


@contextmanager
def appearing(out: Path, force: bool) -> Iterator[Path]:
    """A folder that gets its name when the block ends well, and is gone when it does not."""
    check_out(out, force)
    aside = out.with_name(f".{out.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    (aside / "data").mkdir(parents=True)
    try:
        yield aside
        before = out.with_name(f".{out.name}.old")
        if out.exists():
            out.replace(before)
        aside.replace(out)
        if before.is_dir():
            shutil.rmtree(before)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def check_out(out: Path, force: bool) -> None:
    """Refuses to replace what is there, unless told to and it is what a dedup wrote."""
    if not out.exists():
        return
    ours = (out / "summary.json").is_file() and (out / "data").is_dir()
    if not force:
        raise SettingsError(f"{out} exists; choose another -o, or give --force to replace it")
    if not ours:
        raise SettingsError(f"{out} exists and no dedup wrote it; choose another -o")
