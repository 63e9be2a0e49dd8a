"""How people name rules, and what they are told where that means none."""

from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, edited, markup, page, prose
from tests.command import done, webecho
from tests.evaluation.made_pairs import sketched, with_pairs
from webecho.errors import SettingsError, WorkspaceError
from webecho.group.rule_names import how_to_label, options, rule_label
from webecho.group.rules.registry import RULES
from webecho.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return sketched(tmp_path, [("http://a.example/", b"<p>one page"), ("http://b.example/", b"")])


def test_names_of_rules(workspace: Workspace) -> None:
    with pytest.raises(WorkspaceError, match=r"no pairs of the rule b; .* pairs .* --rule b$"):
        rule_label(workspace, "b")
    with_pairs(workspace, "b-3", [])
    assert rule_label(workspace, "b") == rule_label(workspace, "b-3") == "b-3"
    with_pairs(workspace, "b-4", [])
    with pytest.raises(SettingsError, match="has pairs of b-3, b-4; say which with --rule b-3"):
        rule_label(workspace, "b")
    # The paper's parameters are what a bare name means.
    with_pairs(workspace, "b-2", [])
    assert rule_label(workspace, "b") == "b-2"


def test_what_finds_the_pairs_of_a_rule() -> None:
    assert options("by-site") == "--rule by-site"
    assert options("by-site-2-355-372") == (
        "--rule by-site --least-b 2 --least-c 355 --least-c-across 372"
    )
    assert options("similar-0.9") == "--rule similar --resemblance 0.9"
    assert options("b-2-hot-none") == "--rule b --least-b 2 --hot none"
    assert options("c-372-pieces-12-hot-50") == "--rule c --least-c 372 --pieces 12 --hot 50"
    assert options("overlap-words-8-sliding-5-most_pages-9") == (
        "--rule overlap --chunk words:8:sliding --shared 5 --most-pages 9"
    )
    assert options("virtually-identical") == "--rule virtually-identical"


def test_the_commands_that_are_told_do_what_they_say(tmp_path: Path) -> None:
    text = " ".join(f"word{n}" for n in range(200))
    pages = [(f"http://a.example/{n}", f"<p>{text} {n}".encode()) for n in range(3)]
    workspace = sketched(tmp_path, pages)
    told = how_to_label(workspace, "b-3")
    assert told == (
        f"label its pairs with: webecho label {workspace.path} --rule b-3, after they were found "
        f"with: webecho pairs {workspace.path} --rule b --least-b 3"
    )
    done(*told.rpartition("webecho ")[2].split(), "--quiet")
    assert rule_label(workspace, "b-3") == "b-3"
    assert "found with" not in how_to_label(workspace, "b-3")


@pytest.mark.parametrize("verb", ["label", "evaluate"])
def test_what_no_rule_is_called(workspace: Workspace, verb: str) -> None:
    with_pairs(workspace, "b-2", [(0, 1, 2, 380, False)])
    done("label", workspace.path, "--rule", "b", "--guess", "--quiet")
    [guesses] = (workspace.path / "labels").glob("guesses-*")
    named = ("--labels", guesses) if verb == "evaluate" else ()
    for name in ("bb", "b-2-3", "b-2.5", "b-.", "similar-0.8.", "similiar"):
        failed = webecho(verb, workspace.path, "--rule", name, *named)
        assert failed.exit_code == 2
        assert f"no rule is called '{name}'; there are payload," in failed.stderr
        assert f"{workspace.path} has pairs of b-2" in failed.stderr


def test_rules_without_their_sketches(tmp_path: Path) -> None:
    pages = [(f"http://a.example/{n}", b"<p>one page") for n in range(2)]
    workspace = sketched(tmp_path, pages, "--columns", "supershingles")
    with_pairs(workspace, "b-2", [(0, 1, 2, None, True)])
    done("label", workspace.path, "--rule", "b", "--guess", "--quiet")
    [guesses] = (workspace.path / "labels").glob("guesses-*")
    command = ("evaluate", workspace.path, "--labels", guesses)
    done(*command)
    for asked in (("--rule", "combined"), ("--compare", "b", "c"), ("--equal-recall", "b")):
        failed = webecho(*command, *asked)
        assert failed.exit_code == 1
        assert "has no column projection; sketch again with: webecho sketch" in failed.stderr
    guesses.unlink()
    workspace.files.pairs("b-2").unlink()
    # What it advises can be done.
    told = webecho("evaluate", workspace.path).stderr
    assert told.endswith(f"label pairs with: webecho label {workspace.path} --rule b\n")


def in_lines(words: list[str]) -> list[str]:
    """The words on 100 lines, for rules that go by these."""
    return [f"<br>{word}" if place % 6 == 0 else word for place, word in enumerate(words)]


# Labels of it tell of higher thresholds of its own.
OTHER = {"similar": "edited-0.9"}


@pytest.mark.parametrize("name", RULES)
def test_pairs_of_every_rule_are_labelled_and_judged(tmp_path: Path, name: str) -> None:
    text = prose(1, 600)
    bodies = [in_lines(each) for each in (text, text, edited(text, 300))]
    pages = [page(number, markup(body)) for number, body in enumerate(bodies)]
    source = as_jsonl(tmp_path / "pages.jsonl", pages)
    crawl = tmp_path / "crawl.echo"
    done("sketch", source, "-o", crawl)
    done("pairs", crawl, "--rule", name, "--quiet")
    done("label", crawl, "--rule", name, "--guess", "--quiet")
    [guesses] = (crawl / "labels").glob("guesses-*")
    label = rule_label(Workspace.open(crawl), name)
    for asked in ((), ("--rule", name), ("--rule", label)):
        done("evaluate", crawl, "--labels", guesses, *asked)
    # Labels tell of another rule only where similarities do.
    other = OTHER.get(name, "similar-0.9")
    failed = webecho("evaluate", crawl, "--labels", guesses, "--rule", other)
    assert failed.exit_code == 2
    assert f"the labels on pairs of {label} do not tell of {other}; label" in failed.stderr
