"""A labeller at work: what comes next, what was said, how it is undone."""

from pathlib import Path

import pytest

from tests.evaluation.made_pairs import lines, sketched, with_pairs
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.errors import SettingsError
from webecho.evaluation.guess.differences import guess
from webecho.evaluation.label.page_text import PageTextReader
from webecho.evaluation.label.session import NOTE, Session, linked, pairs_of
from webecho.evaluation.sample.drawing import SamplePlan, draw


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Two pairs of three pages, and nothing said yet."""
    pages = [(f"http://a.example/{number}", f"<p>one two {number}".encode()) for number in "012"]
    workspace = sketched(tmp_path, pages)
    with_pairs(workspace, "b-2", [(0, 1, 2, 380, True), (0, 2, 3, 380, True)])
    sample = draw(workspace, SamplePlan(("b-2",), 10), local_run())
    reader = PageTextReader(workspace, _core.Sketcher(workspace.recipe.as_dict(), 1), local_run())
    return Session(pairs_of(sample), reader, tmp_path / "labels.jsonl", "ada", guess)


def test_the_next_pair_is_the_first_without_a_label(session: Session) -> None:
    assert session.state() == {"labeller": "ada", "total": 2, "labelled": 0, "next": 1}
    session.say(1, "correct", ["time-stamp"], "")
    assert session.state() == {"labeller": "ada", "total": 2, "labelled": 1, "next": 2}
    session.say(2, "undecided", [], "who knows")
    assert session.state()["next"] is None
    assert session.shown(2)["said"] == {"label": "undecided", "reasons": (), "note": "who knows"}


def test_what_was_said_last_is_taken_back_first(session: Session) -> None:
    session.say(2, "correct", [], "")
    session.say(1, "incorrect", ["main-item"], "")
    assert [session.undo(), session.undo(), session.undo()] == [1, 2, None]
    assert session.state()["labelled"] == 0
    # Nothing is removed from the file: a line takes back what another said.
    assert [line["label"] for line in lines(session.file)] == ["correct", "incorrect", None, None]


def test_others_who_label_meanwhile_are_not_in_the_way(session: Session) -> None:
    other = Session(session.pairs, session.reader, session.file, "bob", guess)
    other.say(1, "correct", [], "")
    assert session.state()["labelled"] == 0
    assert session.undo() is None
    assert other.state()["labelled"] == 1


def test_a_pair_is_shown_with_what_differs_and_a_guess(session: Session) -> None:
    shown = session.shown(1)
    assert shown["changes"] == 1
    assert shown["left"]["words"] == shown["right"]["words"] == 3
    assert {"change": 0, "text": "0"} in shown["left"]["segments"]
    assert shown["said"] is None


def test_notes_have_an_end(session: Session) -> None:
    with pytest.raises(SettingsError, match="the note has 2001 characters, at most 2000 are kept"):
        session.say(1, "correct", [], "x" * (NOTE + 1))
    assert not session.file.exists()


def test_pages_that_are_gone_are_told(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, [("http://a.example/", b"<p>a"), ("http://b.example/", b"<p>b")])
    with_pairs(workspace, "b-2", [(0, 1, 2, 380, True)])
    sample = draw(workspace, SamplePlan(("b-2",), 1), local_run())
    (tmp_path / "pages.parquet").unlink()
    reader = PageTextReader(workspace, _core.Sketcher(workspace.recipe.as_dict(), 1), local_run())
    shown = Session(pairs_of(sample), reader, tmp_path / "labels.jsonl", "ada", guess).shown(1)
    assert "pages.parquet" in shown["left"]["gone"]
    assert shown["guess"] == {"label": "undecided", "reasons": ("cannot-evaluate",)}


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_labellers_have_names(name: str, session: Session) -> None:
    with pytest.raises(SettingsError, match="is no name"):
        Session([], session.reader, session.file, name, guess)


def test_only_what_a_browser_fetches_is_a_link() -> None:
    assert linked("http://a.example/") == "http://a.example/"
    assert linked("HTTPS://a.example/") == "HTTPS://a.example/"
    odd = "http://a.example/\u202egpj.exe"
    for url in (None, "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "a", odd):
        assert linked(url) is None
