"""The functions of `webecho` as a program calls them: `python_calls SECTION…`, among the inputs.

Only public names are used. Each call prints what it gave, or the error that it raised.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

import webecho
from tests.golden.python_shown import show

HERE = Path("in")
SMALL = HERE / "small.parquet"
WEB = HERE / "web" / "pages"
# The same function under the name that it has, or had when its package was called `evaluate`.
evaluate: Callable[..., Any] = getattr(
    webecho, "evaluation" if "evaluation" in webecho.__all__ else "evaluate"
)


def small() -> pa.Table:
    return pq.read_table(SMALL)


def sketching() -> None:
    show("names", lambda: sorted(webecho.__all__)[:6])
    show("a path", lambda: webecho.sketch(SMALL))
    show("paths", lambda: webecho.sketch([str(SMALL), HERE / "small.jsonl"], columns="features"))
    show("a table", lambda: webecho.sketch(small(), text="html", columns=()))
    show("a frame", lambda: webecho.sketch(small().to_pandas(), id="url", url="id"))
    show("polars", lambda: webecho.sketch(polars.DataFrame(small()), recipe="fetterly2004"))
    show("lazy", lambda: webecho.sketch(polars.DataFrame(small()).lazy(), columns="none"))
    show("batches", lambda: webecho.sketch(stream(small()), "stream.echo"))
    show("duckdb", lambda: webecho.sketch(relation(), columns=["projection"]))
    show(
        "kept",
        lambda: webecho.sketch(
            SMALL, "kept.echo", paragraphs=True, links=True, keep_shingles=True, memory="2GB"
        ),
    )
    show("appended", lambda: webecho.sketch(HERE / "many.parquet", "kept.echo", append=True))
    show("again", lambda: webecho.sketch(SMALL, "kept.echo"))
    show("an archive", lambda: webecho.sketch(HERE / "broken.warc", statuses=404, types="text/*"))
    show("lines", lambda: webecho.sketch(HERE / "lines.xyz", format="jsonl"))
    show("no lines", lambda: webecho.sketch(HERE / "what.xyz", format="jsonl"))
    show("no column", lambda: webecho.sketch(small().drop(["html"])))
    show("another", lambda: webecho.sketch(small(), text="nowhere"))
    show("both", lambda: webecho.sketch(small(), text="html", html="html"))
    show("no file", lambda: webecho.sketch("nowhere.parquet"))
    show("no table", lambda: webecho.sketch(3))
    show("nothing", lambda: webecho.sketch([]))
    show("no recipe", lambda: webecho.sketch(SMALL, recipe="nobody"))
    show("no such column", lambda: webecho.sketch(SMALL, columns=["colours"]))
    show("no keyword", lambda: webecho.sketch(SMALL, txet="html"))
    show("little memory", lambda: webecho.sketch(SMALL, memory="10MB"))
    show("what memory", lambda: webecho.sketch(SMALL, memory="much"))
    show("what format", lambda: webecho.sketch(SMALL, format="yaml"))
    show("no program", lambda: webecho.sketch(HERE / "broken.warc", convert={"a/b": "no_such"}))


def stream(table: pa.Table) -> pa.RecordBatchReader:
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=3))


def relation() -> Any:
    return duckdb.sql(f"SELECT * FROM read_parquet('{SMALL}')")


RULES = (
    *("exact", "similar", "very-similar", "virtually-identical", "paragraphs"),
    *("b", "c", "combined", "by-site"),
)


def grouping() -> None:
    webecho.sketch(WEB, "web.echo")
    for rule in RULES:
        show(f"clusters by {rule}", partial(webecho.clusters, "web.echo", rule))
        show(f"pairs by {rule}", partial(webecho.pairs, WEB, rule))
    show("of a table", lambda: webecho.clusters(small(), resemblance=0.5))
    show("of a frame", lambda: webecho.pairs(small().to_pandas(), "exact", id="id"))
    show("thresholds", lambda: webecho.clusters(SMALL, "combined", least_b=1, least_c=330))
    show("across", lambda: webecho.pairs("web.echo", "by-site", least_c_across=350))
    show("hot", lambda: webecho.pairs("web.echo", "b", hot=3, drawn=5, seed=1))
    show("all", lambda: webecho.pairs("web.echo", "b", hot=None))
    show("measured", lambda: webecho.pairs("web.echo", "c", measure="difference", measured=9))
    show("both", lambda: webecho.pairs(SMALL, "b", measure=["difference", "resemblance"]))
    show("pieces", lambda: webecho.pairs("web.echo", "c", pieces=12))
    show("broken", lambda: webecho.clusters(HERE / "broken.warc", "exact"))
    show("broken pairs", lambda: webecho.pairs(HERE / "broken.jsonl", "exact"))
    show("a workspace and a recipe", lambda: webecho.clusters("web.echo", recipe="webecho"))
    show("a workspace and a column", lambda: webecho.pairs("web.echo", text="html"))
    show("no rule", lambda: webecho.clusters(SMALL, "minhash"))
    show("what resemblance", lambda: webecho.clusters(SMALL, resemblance=2))
    show("another's threshold", lambda: webecho.pairs(SMALL, "exact", least_b=2))
    show("too high", lambda: webecho.pairs(SMALL, "b", least_b=7))
    show("no keyword", lambda: webecho.clusters(SMALL, resemblence=0.5))
    show("strange keyword", lambda: webecho.pairs(SMALL, xyzzy=1))
    show("no measure", lambda: webecho.pairs(SMALL, "b", measure="speed"))
    show("measured alone", lambda: webecho.pairs(SMALL, "b", measured=3))
    show("little memory", lambda: webecho.pairs("web.echo", "b", memory=10**8))
    show("no workspace", lambda: webecho.clusters("nowhere.echo"))
    show("a stream", lambda: webecho.clusters(stream(small())))
    copy = Path("copy.parquet")
    copy.write_bytes(SMALL.read_bytes())
    webecho.sketch(copy, "copy.echo")
    copy.unlink()
    show("without its source", lambda: webecho.clusters("copy.echo"))
    show("pairs without it", lambda: webecho.pairs("copy.echo"))
    show("measured without it", lambda: webecho.pairs("copy.echo", "b", measure="difference"))
    show("paragraphs without it", lambda: webecho.clusters("copy.echo", "paragraphs"))
    show("why without it", lambda: webecho.why("copy.echo", 0, 4))


def deduplicating() -> None:
    show("a table", lambda: webecho.dedup(small()))
    show("pandas", lambda: webecho.dedup(small().to_pandas(), rule="exact").kept)
    show("polars", lambda: webecho.dedup(polars.DataFrame(small()), link="chain").kept)
    show("lazy", lambda: webecho.dedup(polars.DataFrame(small()).lazy(), keep="longest").kept)
    show("two", lambda: webecho.dedup([small(), small().to_pandas()], resemblance=0.9).kept)
    show("a path", lambda: webecho.dedup(SMALL, within="host"))
    show("mixed", lambda: webecho.dedup([SMALL, small()]).kept)
    odd = pq.read_table(HERE / "odd.parquet")
    show("by", lambda: webecho.dedup(odd, html="body", by="lang", keep="max:score"))
    show("undecided", lambda: webecho.dedup(small(), keep="earliest").summary)
    show("written", lambda: webecho.dedup(HERE / "small.warc", "clean", revisit=True))
    show("there already", lambda: webecho.dedup(HERE / "small.warc", "clean"))
    show("forced", lambda: webecho.dedup(HERE / "small.warc", "clean", force=True).summary)
    webecho.sketch(HERE / "first.parquet", "first.echo", columns=["features", "supershingles"])
    second = HERE / "second.parquet"
    show("against", lambda: webecho.dedup(second, against="first.echo"))
    show(
        "appended",
        lambda: webecho.dedup(second, "second", against="first.echo", append_kept=True).summary,
    )
    show("not appended", lambda: webecho.dedup(second, against="first.echo", append_kept=True))
    show("nothing to append to", lambda: webecho.dedup(SMALL, append_kept=True))
    show("by similarity", lambda: webecho.dedup(SMALL, rule="b").kept)
    show("no rule", lambda: webecho.dedup(SMALL, rule="minhash"))
    show("no keep", lambda: webecho.dedup(SMALL, keep="best"))
    show("no link", lambda: webecho.dedup(SMALL, link="none"))
    show("no within", lambda: webecho.dedup(SMALL, within="planet"))
    show("no column", lambda: webecho.dedup(SMALL, by="colour"))
    show("no value", lambda: webecho.dedup(small(), keep="max:colour"))
    show("no keyword", lambda: webecho.dedup(SMALL, resemblence=0.5))
    show("a table to write", lambda: webecho.dedup(small(), "x"))
    show("a stream", lambda: webecho.dedup(stream(small())))
    show("little memory", lambda: webecho.dedup(SMALL, memory="10MB"))
    show("restored", lambda: webecho.restore("clean/data", "back"))
    show("restored again", lambda: webecho.restore(Path("clean/data"), "back"))
    show("restored anew", lambda: webecho.restore(["clean/data"], "back", force=True))
    show("nothing to restore", lambda: webecho.restore("nowhere.warc", "back"))


def comparing() -> None:
    webecho.sketch(SMALL, "small.echo")
    webecho.clusters("small.echo")
    webecho.pairs("small.echo")
    show("why", lambda: webecho.why("small.echo", "doc-0", "#4"))
    show("numbers", lambda: webecho.why("small.echo", 0, 2, 0.99))
    show("of a table", lambda: webecho.why(small(), "doc-0", "doc-1", recipe="henzinger2006"))
    show("nobody", lambda: webecho.why("small.echo", "doc-0", "doc-99"))
    show("no keyword", lambda: webecho.why(SMALL, "doc-0", "doc-1", txet="html"))
    show("no text", lambda: webecho.why(small(), "doc-0", "doc-1", text="nowhere"))
    show("a workspace and a column", lambda: webecho.why("small.echo", 0, 1, text="html"))
    old, new = HERE / "old.html", HERE / "new.html"
    show("diff", lambda: webecho.diff(old, str(new)))
    show("bytes", lambda: webecho.diff(b"<p>one two three", b"<p>one two four", 0.1))
    show("inside", lambda: webecho.diff("doc-0", "doc-4", inside=SMALL, html="html"))
    show("inside a table", lambda: webecho.diff("#0", "#4", inside=small(), text="nowhere"))
    show("inside a workspace", lambda: webecho.diff("#0", "#4", inside="small.echo"))
    show("many pages", lambda: webecho.diff(SMALL, old))
    show("no file", lambda: webecho.diff("nowhere.html", old))
    show("no format", lambda: webecho.diff(HERE / "what.xyz", old, format="yaml"))
    show("streams", lambda: webecho.diff("-", "-"))
    show("no recipe", lambda: webecho.diff(old, new, recipe="nobody"))


def judging() -> None:
    """Of a workspace `web.echo` that has labels."""
    show("all", lambda: evaluate("web.echo"))
    show("some", lambda: evaluate("web.echo", rules="b", least_r=0.5, seed=2).facts)
    show("asked", lambda: evaluate("web.echo", compare=("b", "combined"), equal_recall="b"))
    show("truth", lambda: evaluate("web.echo", rules=["b", "c"], truth=HERE / "web", measure=True))
    show("one rule", lambda: evaluate("web.echo", compare="b"))
    show("no rule", lambda: evaluate("web.echo", rules="nobody"))
    show("no labels", lambda: evaluate("web.echo", labels="nowhere.jsonl"))
    show("no sample", lambda: evaluate("web.echo", samples="nowhere.parquet"))
    show("no share", lambda: evaluate("web.echo", least_r=2))
    show("no truth", lambda: evaluate("web.echo", truth=HERE / "graph"))
    show("no workspace", lambda: evaluate("nowhere.echo"))


def studying() -> None:
    letters, graph = "letters.echo", "graph.echo"
    webecho.sketch(HERE / "letters.parquet", letters, columns="none")
    webecho.sketch(HERE / "graph" / "pages", graph, columns="none", links=True)
    show("duplicates", lambda: webecho.study_duplicates(letters))
    show("of two", lambda: webecho.study_duplicates([letters, graph], near=0.8, match="paper"))
    show("texts", lambda: webecho.study_duplicates(letters, compare="text", threads=1))
    flags = pa.array([True] * 20 + [False] * 13)
    show("reachable", lambda: webecho.study_duplicates(letters, reachable=[flags]))
    show("not reachable", lambda: webecho.study_duplicates(letters, reachable=[flags[:3]]))
    show("two for one", lambda: webecho.study_duplicates(letters, reachable=[flags, None]))
    show("drawn", lambda: webecho.study_duplicates(letters).draw(Path("figures")))
    show("near", lambda: webecho.study_duplicates(letters, near=2))
    show("graph", lambda: webecho.study_graph(graph, start="core"))
    show("too little", lambda: webecho.study_graph(graph, least=1, tries=1))
    edges = HERE / "edges.csv"
    show("edges", lambda: webecho.study_graph(letters, edges=edges, start="#0", least=0.1))
    show("no kind", lambda: webecho.study_graph(graph, kinds="image"))
    show("kinds of edges", lambda: webecho.study_graph(letters, edges=edges, kinds="a"))
    show("level", lambda: webecho.study_graph(letters, level="host"))
    show("no tries", lambda: webecho.study_graph(graph, tries=0))
    show("growth", lambda: webecho.study_growth(letters, steps=4, seed=3))
    show(
        "estimated",
        lambda: webecho.study_growth(
            graph, steps=8, steps_run=0.5, go_on=True, estimate_from=letters, other_steps=4
        ),
    )
    show("no steps", lambda: webecho.study_growth(letters, steps=0))
    show("going on", lambda: webecho.study_growth(letters, go_on=True))
    show("other steps", lambda: webecho.study_growth(letters, other_steps=3))
    show("many steps", lambda: webecho.study_growth(letters, steps=1000))
    show("little memory", lambda: webecho.study_duplicates(letters, memory="10MB"))
    show("no workspace", lambda: webecho.study_duplicates("nowhere.echo"))


def making() -> None:
    show("a web", lambda: webecho.synth("web", pages=40, form="parquet", seed=2))
    show("there already", lambda: webecho.synth("web", pages=40))
    families = {"time stamp": 2, "shop": 1}
    show("families", lambda: webecho.synth("web", pages=30, families=families, force=True))
    parts = {"core": 3, "out": 1}
    show("a graph", lambda: webecho.synth("graph", pages=60, graph=True, components=parts))
    show("no pages", lambda: webecho.synth("x", pages=0))
    show("no family", lambda: webecho.synth("x", families={"nobody": 1}))
    unknown: Any = "jsonl"
    show("no form", lambda: webecho.synth("x", form=unknown))
    show("no graph", lambda: webecho.synth("x", components=parts))
    show("too many", lambda: webecho.synth("x", duplicates=0.9))


SECTIONS = (sketching, grouping, deduplicating, comparing, judging, studying, making)

if __name__ == "__main__":
    by_name = {section.__name__: section for section in SECTIONS}
    for name in sys.argv[1:]:
        by_name[name]()
