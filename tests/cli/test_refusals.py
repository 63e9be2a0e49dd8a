"""Messages that name the fix, and exit codes."""

from pathlib import Path

import pytest

from tests.collections_made import as_parquet, small_web
from tests.command import webecho
from webecho.formats.detection import FORMATS

WRONG_USE = {
    "no verb": ((), "Usage:"),
    "unknown verb": (("cluster",), "No such command 'cluster'"),
    "no input": (("sketch", "-o", "w.echo"), "Missing argument 'INPUT…'"),
    "no output": (("sketch", "pages.jsonl"), "Missing option '-o' / '--out'"),
    "unknown option": (("sketch", "pages.jsonl", "-o", "w.echo", "--colour"), "--colour"),
    "unknown recipe": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--recipe", "mine"),
        "'mine'; there are fetterly2004, henzinger2006, shivakumar1998, webecho",
    ),
    "unknown column": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--columns", "features,mega"),
        "there is no sketch column mega; there are features, supershingles, projection",
    ),
    "unknown rule": (("clusters", "w.echo", "--rule", "same"), "'same' is not one of"),
    "no resemblance": (("pairs", "w.echo", "--resemblance", "0"), "0.0 is not in the range"),
    "no size": (
        ("pairs", "w.echo", "--memory", "much"),
        "'much' is no size; try 500MB or 2GB",
    ),
    "no threads": (("pairs", "w.echo", "--threads", "0"), "0 is not in the range"),
    "no type": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--type", "html"),
        "'html' is no media type; give one such as text/html, text/* for all texts, or * for all "
        "types",
    ),
    "no status": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--status", "20"),
        "20 is no HTTP status; give one such as 200 or 404",
    ),
    "no shell": (("completion",), "Choose from:\n  bash,\n  zsh,\n  fish"),
    "no converter": (
        ("sketch", "pages.jsonl", "-o", "w.echo", "--convert", "application/pdf"),
        "give TYPE=COMMAND, such as application/pdf='pdftotext - -'",
    ),
}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("arguments", "message"), WRONG_USE.values(), ids=WRONG_USE)
def test_wrong_use_is_2_and_names_the_fix(arguments: tuple[str, ...], message: str) -> None:
    result = webecho(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr + result.stdout
    assert not Path("w.echo").exists()


def test_a_resemblance_for_another_rule_is_wrong_use(crawl: Path) -> None:
    result = webecho("clusters", crawl, "--rule", "exact", "--resemblance", "0.9")
    assert result.exit_code == 2
    assert "the rule text has no --resemblance; that is for similar" in result.stderr


def files(folder: Path) -> None:
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "empty").mkdir()
    (folder / "what.bin").write_bytes(bytes(range(256)))
    (folder / "array.json").write_text('[{"text": "one"}]')
    (folder / "cut.parquet").write_bytes(b"PAR1" + bytes(100))
    (folder / "numbers.jsonl").write_text('{"a": 1, "b": 2}\n')
    as_parquet(folder / "pages.parquet", small_web())


FAILURES = {
    "missing file": (("sketch", "nothing.warc.gz"), "no such file or folder; check the spelling"),
    "missing glob": (("sketch", "*.wacz"), "nothing matches; check the pattern, and put it in"),
    "empty file": (("sketch", "empty.jsonl"), "empty.jsonl: is empty; check how it was made"),
    "empty folder": (("sketch", "empty"), "empty: holds no files"),
    "unknown format": (("sketch", "what.bin"), "name it with --input-format warc|"),
    "named format": (
        ("sketch", "what.bin", "--input-format", "pdf"),
        f"no format is called 'pdf'; there are {', '.join(FORMATS)}",
    ),
    "one array": (("sketch", "array.json"), "convert it: jq -c '.[]' array.json"),
    "broken Parquet": (("sketch", "cut.parquet"), "not a Parquet file, or a broken one"),
    "no text": (
        ("sketch", "numbers.jsonl"),
        "name it with --text or --html. Its columns: a, b",
    ),
    "missing column": (
        ("sketch", "pages.parquet", "--text", "body"),
        "there is no column 'body'; name another with --text. Its columns: id, url, html",
    ),
    "two texts": (
        ("sketch", "pages.parquet", "--text", "html", "--html", "html"),
        "a page is read from one of them, leave the other out",
    ),
    "the same twice": (
        ("sketch", "pages.parquet", "./pages.parquet"),
        "was given before, with pages.parquet; leave one of them out",
    ),
    "no workspace": (("clusters", "empty"), "make one with: webecho sketch 'empty' -o NAME.echo"),
    "no program": (
        ("sketch", "pages.parquet", "--convert", "application/pdf=no-such-program - -"),
        "--convert application/pdf: there is no program 'no-such-program'; install it, or give",
    ),
    "no quote": (
        ("sketch", "pages.parquet", "--convert", "application/pdf=cat 'x"),
        "--convert application/pdf: cat 'x: not a command",
    ),
    "no protocol": (("sketch", "nowhere://a/b.warc"), "nowhere://a/b.warc: "),
}


@pytest.mark.parametrize(("arguments", "message"), FAILURES.values(), ids=FAILURES)
def test_failures_are_1_and_name_the_fix(
    here: Path, arguments: tuple[str, ...], message: str
) -> None:
    files(here)
    out = ("-o", "w.echo") if arguments[0] == "sketch" else ()
    result = webecho(*arguments, *out)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert message in result.stderr
    assert result.stderr.startswith("webecho: ")
    assert result.stderr.count("\n") == 1
    # Nothing is begun that cannot be ended.
    assert not Path("w.echo").exists()


@pytest.mark.parametrize(
    "command",
    [
        "dedup pages.jsonl -o s3://b/w.echo",
        *("restore a.warc -o s3://b/w.echo", "synth s3://b/w.echo"),
        "study duplicates crawl.echo -o s3://b/w.echo",
    ],
)
def test_results_far_away_are_refused_in_a_line(here: Path, command: str) -> None:
    before = sorted(here.iterdir())
    result = webecho(*command.split())
    assert (result.exit_code, result.stderr) == (
        1,
        "webecho: s3://b/w.echo: results are written to this machine only; give a folder with -o, "
        "and copy it there\n",
    )
    assert sorted(here.iterdir()) == before


def test_names_in_errors_are_harmless_on_a_terminal(here: Path) -> None:
    name = "\x1b]0;x\x07\u202e\x7f"
    (here / f"{name}.jsonl").write_text(f'{{"{name}": 1}}\n')
    for command in (
        ("sketch", f"{name}.warc", "-o", "w.echo"),
        ("sketch", f"{name}.jsonl", "-o", "w.echo"),
        ("sketch", "pages.jsonl", "-o", "w.echo", "--text", name),
        ("sketch", "pages.jsonl", "-o", "w.echo", "--input-format", name),
        ("clusters", name),
        ("evaluate", name, "--labels", name),
        ("dedup", "pages.jsonl", "-o", "out", "--keep", name),
        (name,),
    ):
        result = webecho(*command)
        assert result.exit_code in (1, 2), command
        assert not set(result.output) & set(name) - set("]0;x"), command
        assert result.stderr
