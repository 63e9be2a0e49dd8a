"""Errors and warnings as Python programs see them."""

import operator
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import (
    as_parquet,
    as_table,
    small_web,
)


def test_unknown_names_are_settings_errors() -> None:
    table = as_table(small_web())
    with pytest.raises(webecho.SettingsError, match="no recipe is called 'mine'; there are"):
        webecho.sketch(table, recipe="mine")
    with pytest.raises(webecho.SettingsError, match="no rule is called 'mine'; there are payload"):
        webecho.clusters(table, "mine")
    with pytest.raises(webecho.SettingsError, match="that is for similar"):
        webecho.pairs(table, "exact", 0.8)
    with pytest.raises(TypeError, match="colour"):
        webecho.clusters(table, colour="red")


def test_errors_are_of_one_tree() -> None:
    kinds = (webecho.InputError, webecho.SettingsError, webecho.WorkspaceError)
    assert all(issubclass(kind, webecho.WebechoError) for kind in kinds)
    with pytest.raises(AttributeError, match="module 'webecho' has no attribute 'clusterz'"):
        operator.attrgetter("clusterz")(webecho)


def test_misspelt_options(tmp_path: Path) -> None:
    file = as_parquet(tmp_path / "pages.parquet", small_web())
    unknown = r"pairs\(\) got an unexpected keyword argument 'mesure'; did you mean measure\?"
    with pytest.raises(TypeError, match=unknown):
        webecho.pairs(str(file), "b", mesure="difference")
    with pytest.raises(TypeError, match=r"'zzz'; there are data, rule, resemblance,"):
        webecho.clusters(str(file), zzz=1)


def test_importing_warns_of_nothing() -> None:
    """Whoever runs a program with `-W error` can still use webecho."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import webecho; webecho.sketch"],
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")


def test_errors_name_the_arguments_of_python(tmp_path: Path) -> None:
    table = pa.table({"text": ["a b"], "html": ["<p>a b"]})
    with pytest.raises(webecho.InputError, match="text=text and html=html are both given"):
        webecho.sketch(table, text="text", html="html")
    with pytest.raises(webecho.InputError, match=r"no column 'x'; name another with url=. Its"):
        webecho.sketch(table, url="x")
    webecho.sketch(table, tmp_path / "w.echo")
    with pytest.raises(
        webecho.WorkspaceError, match="choose another out=, or sketch into it with append=True"
    ):
        webecho.sketch(pa.table({"text": ["c"]}), tmp_path / "w.echo")
    (tmp_path / "a.bin").write_bytes(bytes(9))
    with pytest.raises(webecho.InputError, match="name it with format=warc"):
        webecho.sketch(tmp_path / "a.bin")
    # A command stays one.
    with pytest.raises(webecho.WorkspaceError, match=r"webecho sketch … --columns projection,feat"):
        webecho.sketch(table, tmp_path / "p.echo", columns="projection")
        webecho.clusters(tmp_path / "p.echo")


MISSPELT = {
    "sketch": ("colums", "columns"),
    "clusters": ("resemblence", "resemblance"),
    "pairs": ("least_bb", "least_b"),
    "pair_report": ("repetition", "repetitions"),
    "overlap": ("most_page", "most_pages"),
    "passages": ("besides", "beside"),
    "savings": ("leest", "least"),
    "study_replication": ("agrees", "agree"),
    "study_genealogy": ("leest", "least"),
    "genealogy": ("dept", "depth"),
    "dedup": ("resemblence", "resemblance"),
    "why": ("txet", "text"),
    "diff": ("insde", "inside"),
    "evaluate": ("sample", "samples"),
    "restore": ("forse", "force"),
    "synth": ("page", "pages"),
    "verify": ("thread", "threads"),
    "study_clusters": ("row", "rows"),
    "study_duplicates": ("matches", "match"),
    "study_mirrors": ("most_host", "most_hosts"),
    "study_querylog": ("minimum", "minimal"),
    "study_evolution": ("mising", "missing"),
    "study_graph": ("edge", "edges"),
    "study_growth": ("step", "steps"),
}


@pytest.mark.parametrize("name", MISSPELT)
def test_wrong_keywords_are_named_with_the_nearest_right_one(name: str) -> None:
    wrong, right = MISSPELT[name]
    said = f"{name}() got an unexpected keyword argument '{wrong}'; did you mean {right}?"
    with pytest.raises(TypeError) as error:
        getattr(webecho, name)("here", **{wrong: 1})
    assert str(error.value) == said


def test_every_function_is_held_to_that() -> None:
    functions = {name for name in webecho.__all__ if name.islower() and name != "__version__"}
    assert functions == MISSPELT.keys()


SAID = {
    "a column inside": (
        lambda table: webecho.diff("#0", "#0", inside=table, text="nowhere"),
        "there is no column 'nowhere'; name another with text=. Its columns: text, html",
    ),
    "an order of pages": (
        lambda table: webecho.dedup(table, keep="max:score"),
        "there is no column 'score'; name another with keep=max:COLUMN or min:COLUMN. Its",
    ),
    "what is added": (
        lambda table: webecho.dedup(table, append_kept=True),
        "append_kept=True adds to the workspace of against=; name one",
    ),
    "measures": (
        lambda table: webecho.pairs(table, "b", measured=3),
        "measured= says of how many pairs; say what with measure=difference",
    ),
    "of another rule": (
        lambda table: webecho.pairs(table, "exact", hot=3, drawn=9),
        "the rule text has no hot=, drawn=; that is for b, c, combined, by-site",
    ),
    "a converter": (
        lambda table: webecho.sketch(table, convert={"a/b": ""}),
        "convert=a/b: empty command; give {TYPE: COMMAND}, e.g. application/pdf='pdftotext - -'",
    ),
    "families": (
        lambda _: webecho.synth("web", families={"shop": 0}),
        "families={'shop': 0}: give a share above 0",
    ),
    "components": (
        lambda _: webecho.synth("web", components={"core": 1}),
        "components= is for a web with graph=True; give both or none",
    ),
    "a bow tie": (
        lambda _: webecho.synth("web", graph=True, components={"in": 1}),
        "a bow tie has a core; give components={'core': SHARE} too",
    ),
    "a share": (
        lambda _: webecho.evaluate("w.echo", least_r=2),
        "least_r=2 is no share; give 0 to 1",
    ),
    "too many supershingles": (
        lambda table: webecho.clusters(table, "b", least_b=7),
        "least_b=7: a page has 6 supershingles; give 1 to 6",
    ),
    "too many pieces": (
        lambda table: webecho.pairs(table, "c", pieces=65),
        "pieces=65: 384 bits make 12 to 64 pieces",
    ),
    "what a rule does not ask": (
        lambda table: webecho.clusters(table, "b", least_c_across=1),
        "the rule b has no least_c_across=; that is for by-site",
    ),
    "what a rule asks instead": (
        lambda table: webecho.pairs(table, "edited", 0.9),
        "the rule edited has no resemblance=; that is for similar, and edited has equal_words=",
    ),
    "text for a number": (
        lambda table: webecho.pairs(table, resemblance="0.9"),
        "resemblance='0.9' is no number; try 0.8",
    ),
    "the two of one pair": (
        lambda _: webecho.study_querylog(("1.echo", "2.echo"), {"log": "a.tsv"}),
        "pairs=('1.echo', '2.echo'): give pairs of an old and a new workspace, such as [('",
    ),
    "a log without a name": (
        lambda _: webecho.study_querylog([("1.echo", "2.echo")], "a.tsv"),
        "queries='a.tsv': give files by the names of logs, such as {'log': 'requests.tsv'}",
    ),
    "a bucket": (
        lambda table: webecho.pairs(table, "b", hot=1),
        "hot=1: a bucket with a pair has 2 pages; give 2 or more",
    ),
    "a link": (
        lambda table: webecho.dedup(table, link="loose"),
        "link='loose': it is kept or chain",
    ),
    "a level": (
        lambda _: webecho.study_graph("w.echo", level="host"),
        "level=host is for edges=, which is not given",
    ),
}


@pytest.mark.parametrize(("call", "message"), SAID.values(), ids=SAID)
def test_messages_are_for_python(call: Callable[[pa.Table], object], message: str) -> None:
    with pytest.raises(webecho.WebechoError) as error:
        call(pa.table({"text": ["a b"], "html": ["<p>a b"]}))
    assert message in str(error.value)


SCRIPT = """
import pyarrow as pa, sys
import webecho
words = [f"word{number}" for number in range(200)]
texts = [" ".join(words[start:]) for start in (0, 0, 1, 2, 50)]
table = pa.table({"text": texts})
found = webecho.pairs(table, ["b", "similar"], measure="equal-words")
webecho.sketch(table, "crawl.echo", paragraphs=True)
# What holds the database is still there when the interpreter is taken down.
kept = [webecho.study_duplicates("crawl.echo"), webecho.study_clusters("crawl.echo")]
try:
    webecho.clusters("nowhere.echo")
except webecho.WebechoError as error:
    kept.append(error)
kept.append(kept)
"""


def test_a_program_ends_without_a_word_of_libraries(tmp_path: Path) -> None:
    for command in (
        ["-c", SCRIPT],
        ["-m", "webecho", "pairs", "crawl.echo", "--rule", "b", "--report", "-q"],
        ["-m", "webecho", "study", "duplicates", "crawl.echo", "-q"],
    ):
        run = subprocess.run(
            [sys.executable, *command], capture_output=True, check=False, cwd=tmp_path
        )
        assert (run.returncode, run.stderr) == (0, b""), command


def test_what_other_tools_call_it_is_known() -> None:
    with pytest.raises(TypeError, match=r"'threshold'; did you mean resemblance\?"):
        webecho.dedup(["one text", "another text"], threshold=0.7)  # type: ignore[call-overload]
