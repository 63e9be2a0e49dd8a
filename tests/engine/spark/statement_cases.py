"""Runs that together send every statement of the package, over small webs that have something of
all that statements look for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import webecho
from tests.collections_made import WarcFile
from tests.study.reuse_made import NEW, OLD, collection, counted_log, page, sentences, timed_log
from webecho.api.clusters import ClustersRequest, run_clusters
from webecho.api.dedup import DedupRequest, FolderRequest, run_into_folder
from webecho.api.evaluate import EvaluateRequest, run_evaluate
from webecho.api.label import LabelRequest, run_label
from webecho.api.overlap import OverlapRequest, run_overlap
from webecho.api.pairs import PairsRequest, run_pairs
from webecho.api.rules import RuleChoice
from webecho.api.savings import SavingsRequest, run_savings
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.api.study_clusters import StudyClustersRequest, run_study_clusters
from webecho.api.study_duplicates import StudyDuplicatesRequest, run_study_duplicates
from webecho.api.study_evolution import StudyEvolutionRequest, run_study_evolution
from webecho.api.study_genealogy import StudyGenealogyRequest, run_study_genealogy
from webecho.api.study_graph import StudyGraphRequest, run_study_graph
from webecho.api.study_growth import StudyGrowthRequest, run_study_growth
from webecho.api.study_mirrors import StudyMirrorsRequest, run_study_mirrors
from webecho.api.study_querylog import QueryLogFile, StudyQuerylogRequest, run_study_querylog
from webecho.api.study_replication import StudyReplicationRequest, run_study_replication
from webecho.api.verify import VerifyRequest, run_verify
from webecho.api.why import WhyRequest, run_why
from webecho.run import Run
from webecho.settings import WEBECHO
from webecho.study.captures import add_captures
from webecho.study.page_changes import add_page_changes
from webecho.workspace.locks import reading


@dataclass(frozen=True)
class Webs:
    """Where they lie: a web, its snapshots, two collections with query logs, and archives."""

    folder: Path
    web: Path
    snapshots: tuple[Path, ...]
    reuse: tuple[Path, Path]
    logs: tuple[QueryLogFile, ...]
    archive: Path


Case = Callable[[Webs, Run], object]


def webs(folder: Path) -> Webs:
    """They are made up and sketched, each with odd pages at its end."""
    planted = {"popular": 2, "aliases": 4, "url_rules": 4, "passages": 4}
    webecho.synth(folder / "web", pages=300, words=60, form="parquet", **planted)
    webecho.synth(folder / "shots", pages=150, words=60, form="parquet", snapshots=3)
    logs = (
        QueryLogFile("log", str(counted_log(folder / "log.tsv", {"geography": 4, "other": 2}))),
        QueryLogFile("times", str(timed_log(folder / "times.tsv", TIMES))),
    )
    pq.write_table(ODD, folder / "odd.parquet")
    return Webs(
        folder,
        sketched(folder / "web.echo", folder / "web" / "pages", folder / "odd.parquet"),
        tuple(
            sketched(
                folder / f"{number}.echo",
                folder / "shots" / number / "pages",
                folder / "odd.parquet",
            )
            for number in ("1", "2", "3")
        ),
        reuse(folder),
        logs,
        archive(folder),
    )


def empty_webs(folder: Path, like: Webs) -> Webs:
    """The same without a page."""
    pq.write_table(ODD.slice(0, 0), folder / "none.parquet")
    none = [sketched(folder / f"{name}.echo", folder / "none.parquet") for name in ("1", "2", "3")]
    return replace(like, folder=folder, web=none[0], snapshots=(*none,), reuse=(none[0], none[1]))


def sketched(workspace: Path, *inputs: Path) -> Path:
    webecho.sketch([*map(str, inputs)], workspace, links=True, paragraphs=True)
    return workspace


# Pages without an address, a host, a date, a machine, a token; the same text, and no other order
# of it than that of their numbers.
SOME = " ".join(f"word{number}" for number in range(80))
ODD = pa.table(
    {
        "url": [
            *(None, "", "http://ä.example/x", "HTTP://A.example:80/x?", "http://a.example/x"),
            *("no address", None),
        ],
        "html": [SOME, SOME, "", "<p>one</p>", SOME, "<script>x</script>", ""],
        "date": pa.nulls(7, pa.timestamp("ms", "UTC")),
        "ip": [None, "10.0.0.1", None, None, "10.0.0.1", None, ""],
    }
)
TIMES = [
    ("2003-09-20 10:00:00", "geography"),
    ("2003-10-02 10:00:00", "geography"),
    ("2003-11-03 11:00:00", "other"),
]


def reuse(folder: Path) -> tuple[Path, Path]:
    """New pages made of what one query gives of old ones."""
    a, b = sentences("river", 1, 20), sentences("mountain", 1, 20)
    old = {"http://a.example/": page("geography", a), "http://b.example/": page("geography", b)}
    old |= {"http://c.example/": page("other", sentences("sea", 1, 20))}
    new = {"http://n.example/": page(a[:12], b[:12]), "http://a.example/": page("geography", a)}
    return collection(folder, "old", old, OLD), collection(folder, "new", new, NEW)


def archive(folder: Path) -> Path:
    """Copies, and revisits of a page and of a revisit."""
    body = "<p>" + " ".join(f"word{number}" for number in range(60)) + "</p>"
    with WarcFile(folder / "crawl.warc.gz") as made:
        first = made.response("http://a.example/1", body.encode())
        made.request("http://a.example/1", Concurrent_To=first)
        made.response("http://a.example/2", body.encode())
        made.response("http://b.example/", body.replace("word7", "other").encode())
        again = made.revisit("http://a.example/1", Refers_To=first)
        made.revisit("http://a.example/1", Refers_To=again)
        made.revisit("http://c.example/1", Refers_To=first)
        made.response("http://a.example/3", body.replace("<p>", "<p >").encode())
    return made.file


def rules(webs: Webs, run: Run, *names: str) -> None:
    for name in names:
        run_pairs(PairsRequest(webs.web, RuleChoice(name)), run)


def measured_twice(webs: Webs, run: Run) -> None:
    """What was measured of pairs stays when they are found again."""
    run_pairs(PairsRequest(webs.web, RuleChoice("edited"), measure=("difference",)), run)
    run_pairs(PairsRequest(webs.web, RuleChoice("edited")), run)


def label(webs: Webs, run: Run) -> None:
    """Samples of rules, labelled by the truth and guessed, and what they tell."""
    truth, gold = webs.folder / "web", webs.folder / "gold.csv"
    # Nothing else than what the truth is about.
    web = sketched(webs.folder / "labelled.echo", truth / "pages")
    for rule in ("b", "c"):
        run_pairs(PairsRequest(web, RuleChoice(rule)), run)
    asked = partial(LabelRequest, web, "ada", sample=40)
    for request in (
        asked(rules=("b", "c"), from_truth=truth),
        asked(rules=("b",), from_truth=truth, seed=1),
        asked(rules=("b", "c"), guess=True),
    ):
        run_label(request, run, lambda _: None)
    # Measured only after the samples were drawn.
    found = run_pairs(PairsRequest(web, RuleChoice("b"), measure=("difference",), measured=40), run)
    evaluated = partial(EvaluateRequest, web)
    run_evaluate(evaluated(compare=("b", "combined"), equal_recall="b", truth=truth), run)
    lines = [f"#{row['left']},#{row['right']}\n" for row in found.rows.slice(0, 3).to_pylist()]
    gold.write_text("left,right\n" + "".join(lines))
    run_evaluate(evaluated(truth=gold), run)


def why(webs: Webs, run: Run) -> None:
    """Two pages of a cluster, and the pairs that make it one; and whether what was found holds."""
    run_clusters(ClustersRequest(webs.web, RuleChoice("b")), run)
    pair = run_pairs(PairsRequest(webs.web, RuleChoice("b")), run).rows.slice(0, 1).to_pylist()[0]
    run_why(WhyRequest(webs.web, f"#{pair['left']}", f"#{pair['right']}"), run)
    run_verify(VerifyRequest(webs.web), run)


def dedup(webs: Webs, run: Run) -> None:
    """Archives with revisits, with an index; revisits that stay, of another host's pages; chains,
    and boilerplate."""
    into = partial(DedupRequest, (str(webs.archive),), revisit=True)
    run_into_folder(FolderRequest(into(), webs.folder / "first", cdx=True), run)
    run_into_folder(FolderRequest(into(within="host"), webs.folder / "hosts"), run)
    run_verify(VerifyRequest(webs.folder / "first"), run)
    pages = (str(webs.folder / "web" / "pages"),)
    chained = DedupRequest(pages, RuleChoice(resemblance=0.3), link="chain")
    run_into_folder(FolderRequest(chained, webs.folder / "chained"), run)
    recipe = replace(WEBECHO, boilerplate=2)
    run_sketch(SketchRequest(pages, webs.folder / "blocks.echo", recipe=recipe), run)


def mirrors(webs: Webs, run: Run) -> None:
    """The mirrors of two snapshots, by filters as where there are too many paths, and of one by the
    roots of clusters; and what they save."""
    out = webs.folder / "mirrors"
    asked = partial(StudyMirrorsRequest, pages=3, repetitions=0)
    run_study_mirrors(asked(webs.snapshots[:2], most_suffixes=1, write=True, out=out), run)
    run_study_mirrors(asked(webs.snapshots[:1], count="roots"), run)
    run_savings(SavingsRequest(webs.snapshots[0], mirrors=out), run)


def one_snapshot(webs: Webs, run: Run) -> None:
    """The changes of a single snapshot, which are none."""
    with reading(webs.snapshots[0]) as workspace, run.database() as database:
        add_captures(database, [workspace], run)
        add_page_changes(database, [workspace], run)


def querylog(webs: Webs, run: Run) -> None:
    """By the answers of a search engine, and by those that were made elsewhere."""
    asked = partial(StudyQuerylogRequest, (webs.reuse,), drop=0, minimal=(3, 5), permutations=3)
    run_study_querylog(asked(webs.logs, cases=2), run)
    ranking = webs.folder / "ranking.tsv"
    rows = ("geography\t1\thttp://a.example/", "geography\t2\thttp://b.example/")
    ranking.write_text("query\trank\turl\n" + "\n".join(rows) + "\n")
    run_study_querylog(asked(webs.logs[:1], ranking=(str(ranking),)), run)


CASES: dict[str, Case] = {
    "clusters": lambda webs, run: run_clusters(
        ClustersRequest(webs.web, RuleChoice("very-similar"), summary=True, most=5), run
    ),
    "pairs": lambda webs, run: rules(webs, run, "similar", "by-site", "paragraphs", "combined"),
    "edited": measured_twice,
    "pair report": lambda webs, run: run_pairs(
        PairsRequest(
            *(webs.web, RuleChoice("b")),
            measure=("difference",),
            measured=40,
            report=True,
            repetitions=0,
        ),
        run,
    ),
    "overlap": lambda webs, run: run_overlap(
        OverlapRequest(webs.web, RuleChoice("overlap", most_pages=20), level="host"), run
    ),
    "savings": lambda webs, run: run_savings(SavingsRequest(webs.web), run),
    "label": label,
    "why": why,
    "dedup": dedup,
    "study duplicates": lambda webs, run: run_study_duplicates(
        StudyDuplicatesRequest((webs.web,), repetitions=0), run
    ),
    "study clusters": lambda webs, run: run_study_clusters(
        StudyClustersRequest((webs.web,), repetitions=0), run
    ),
    "study graph": lambda webs, run: run_study_graph(
        StudyGraphRequest((webs.web,), least=0.01, repetitions=0), run
    ),
    "study growth": lambda webs, run: run_study_growth(StudyGrowthRequest((webs.web,)), run),
    "study replication": lambda webs, run: run_study_replication(
        StudyReplicationRequest((webs.web,), pages=2), run
    ),
    "study evolution": lambda webs, run: run_study_evolution(
        StudyEvolutionRequest(webs.snapshots[:2], repetitions=0), run
    ),
    "changes of one snapshot": one_snapshot,
    "study mirrors": mirrors,
    "study genealogy": lambda webs, run: run_study_genealogy(
        StudyGenealogyRequest(webs.snapshots, least=3), run
    ),
    "study querylog": querylog,
}
# What is asked of webs without a page; the others begin with a page, or with files.
OF_NOTHING = sorted({*CASES} - {"label", "why", "dedup"})
