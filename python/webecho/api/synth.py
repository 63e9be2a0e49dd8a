"""`webecho synth`: a made-up web, of which it is known what repeats what."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.synth_reuse import MadeReuse, run_reuse
from webecho.api.synth_snapshots import MadeSnapshots, run_snapshots
from webecho.api.values import Name, as_out
from webecho.memory import making
from webecho.run import Report, Run
from webecho.synthetic.making import write_web
from webecho.synthetic.snapshots import PAGES
from webecho.synthetic.truth import TRUTH, kinds
from webecho.synthetic.web import COMPONENT_NAMES, FOLLOWERS, MIRRORED_GROUPS, PLANTED, Form, Web

Shares = tuple[tuple[str, float], ...]
Losses = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class SynthRequest:
    """What web is made up (see `Web`), and the folder for it; `force` replaces an earlier one."""

    out: Path
    pages: int = Web.pages
    seed: int = Web.seed
    form: Form = Web.form
    words: int = Web.words
    power: float = Web.power
    duplicates: float = Web.duplicates
    families: Shares = Web.families
    graph: bool = Web.graph
    components: Shares = Web.components
    passages: int = Web.passages
    popular: int = Web.popular
    aliases: int = Web.aliases
    url_rules: int = Web.url_rules
    questions: int = Web.questions
    snapshots: int = Web.snapshots
    days: int = Web.days
    mirrors: int | None = None
    followers: int | None = None
    lost: Losses = Web.lost
    reuse: bool = Web.reuse
    copies: float = Web.copies
    through_queries: float = Web.through_queries
    force: bool = False

    def __post_init__(self) -> None:
        # It is checked when it is made.
        _ = self.web

    @property
    def web(self) -> Web:
        return Web(
            *(self.pages, self.seed, self.words, self.power, self.duplicates, self.form),
            families=self.families,
            graph=self.graph,
            components=self.components,
            **{name: getattr(self, name) for name in PLANTED},
            snapshots=self.snapshots,
            days=self.days,
            mirrors=self.unless_asked(self.mirrors, MIRRORED_GROUPS),
            followers=self.unless_asked(self.followers, int(FOLLOWERS * self.pages)),
            lost=self.lost,
            reuse=self.reuse,
            copies=self.copies,
            through_queries=self.through_queries,
        )

    def unless_asked(self, asked: int | None, usual: int) -> int:
        """How much is planted in a web that is crawled several times."""
        if asked is not None:
            return asked
        return usual if self.snapshots > 1 and not self.reuse else 0


@dataclass(frozen=True)
class MadeUp:
    """The truth, a row a page, and where it and the crawl are."""

    truth: pa.Table
    crawl: Path
    file: Path
    graph: bool

    @property
    def places(self) -> dict[str, str]:
        """Where it is."""
        return {"crawl": str(self.crawl), "truth": str(self.file)}

    @property
    def summary(self) -> dict[str, Any]:
        """What is in it."""
        truth = self.truth
        return {
            "pages": len(truth),
            "hosts": pc.count_distinct(truth["host"]).as_py(),
            "machines": pc.count_distinct(truth["ip"]).as_py(),
            "families": pc.count_distinct(truth["original"]).as_py(),
            "exact copies": pc.sum(pc.not_equal(truth["page"], truth["identity"])).as_py(),
            **(self.components if self.graph else {}),
        }

    @property
    def kinds(self) -> pa.Table:
        """How many pages of which kind were planted."""
        return kinds(self.truth)

    @property
    def components(self) -> dict[str, int]:
        """How many pages there are in each part of the bow tie."""
        parts = self.truth["component"]
        return {name: pc.sum(pc.equal(parts, name)).as_py() for name in COMPONENT_NAMES}


def run_synth(request: SynthRequest, run: Run) -> MadeUp | MadeSnapshots | MadeReuse:
    """Makes the web up; the threads are processes here."""
    web, out = request.web, request.out
    if web.reuse:
        return run_reuse(web, out, request.force, run)
    if web.snapshots > 1:
        return run_snapshots(web, out, request.force, run)
    run.check_memory(making(web.pages, run.threads, web.graph), "synth")
    run.begin("planning")
    truth = write_web(web, out, force=request.force, processes=run.threads, report=run.report)
    made = MadeUp(truth, out / PAGES, out / TRUTH, web.graph)
    run.log("counts", made.summary)
    return made


@public
def synth(
    out: Name,
    *,
    pages: int = Web.pages,
    seed: int = Web.seed,
    form: Form = Web.form,
    words: int = Web.words,
    power: float = Web.power,
    duplicates: float = Web.duplicates,
    families: Mapping[str, float] | None = None,
    graph: bool = Web.graph,
    components: Mapping[str, float] | None = None,
    passages: int = Web.passages,
    popular: int = Web.popular,
    aliases: int = Web.aliases,
    url_rules: int = Web.url_rules,
    questions: int = Web.questions,
    snapshots: int = Web.snapshots,
    days: int = Web.days,
    mirrors: int | None = None,
    followers: int | None = None,
    lost: Mapping[int, float] | None = None,
    reuse: bool = Web.reuse,
    copies: float = Web.copies,
    through_queries: float = Web.through_queries,
    force: bool = False,
    threads: int = 1,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> pa.Table:
    """The truth about a made-up web, a row a page; its crawl is written to `out/pages` and the
    truth to `out/truth.parquet`.

    More than one of the `threads`, which are processes here, need the calling program to guard its
    own start by `if __name__ == "__main__"`, as always with multiprocessing.

    Arguments:
        out: the folder to write to.
        pages: how many are made.
        form: of the crawl: warc or parquet.
        words: the mean words of text a page.
        power: families of n pages are as frequent as n to the minus this.
        duplicates: the share of the pages that are made from another one.
        families: what families are made of, with shares, such as `{"time stamp": 2}`.
        graph: make documents of whole paragraphs, linked as a bow tie.
        components: what the bow tie consists of, with shares, such as `{"core": 4}`.
        passages: how many passages are planted that otherwise different pages share.
        popular: how many manuals that many servers have.
        aliases: how many groups of other names of servers and pages.
        url_rules: how many hosts whose addresses tell the same content.
        questions: how many questions, most of which stand in pages.
        snapshots: crawls of the web, as it changes, in `out/1`, `out/2` and so on.
        days: from one to the next.
        mirrors: with `snapshots`: groups of hosts that repeat each other, or seem to.
        followers: with `snapshots`: URLs that leave their cluster and return.
        lost: with `snapshots`: the share of the hosts that one lacks, such as `{2: 0.1}`.
        reuse: with `snapshots`: new pages are composed of old ones.
        copies: the share of the new pages that are.
        through_queries: the share of these that somebody found by a query.
        force: replace an earlier made-up web.
        threads: processes that write pages.

    Example:
        >>> webecho.synth("small", pages=20, words=30).num_rows
        20
    """
    request = SynthRequest(
        out=as_out(out),
        pages=pages,
        seed=seed,
        form=form,
        words=words,
        power=power,
        duplicates=duplicates,
        families=Web.families if families is None else tuple(families.items()),
        graph=graph,
        components=Web.components if components is None else tuple(components.items()),
        passages=passages,
        popular=popular,
        aliases=aliases,
        url_rules=url_rules,
        questions=questions,
        snapshots=snapshots,
        days=days,
        mirrors=mirrors,
        followers=followers,
        lost=Web.lost if lost is None else tuple(lost.items()),
        reuse=reuse,
        copies=copies,
        through_queries=through_queries,
        force=force,
    )
    with running_locally(threads, memory, report, progress, engine=engine) as run:
        return run_synth(request, run).truth
