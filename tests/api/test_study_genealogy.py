"""Requests of the study of genealogy, and `webecho.study_genealogy`."""

from pathlib import Path

import pytest

import webecho
from tests.api.refusals import on_command_line
from tests.study.kin_reference import written
from webecho.api.study_genealogy import StudyGenealogyRequest
from webecho.errors import SettingsError
from webecho.study.genealogy import GenealogySettings

TWO = (Path("old.echo"), Path("new.echo"))
A = "abcdefghijklmnop"
URL = "http://{}.example/1".format


def test_what_is_asked_goes_to_the_study() -> None:
    request = StudyGenealogyRequest(
        TWO, least=5, count="paper", sample=None, most_texts=9, parents=3, rows=2, seed=8
    )
    settings = request.settings
    assert (settings.least, settings.count, settings.most_texts) == (5, "paper", 9)
    assert (settings.parents, settings.rows) == (3, 2)
    assert (settings.sample.size, settings.sample.seed) == (None, 8)
    assert StudyGenealogyRequest(TWO).settings == GenealogySettings()
    assert GenealogySettings().sample.size == 120_000


def test_settings_are_checked_when_they_are_made() -> None:
    assert on_command_line(lambda: StudyGenealogyRequest(TWO, least=0)) == (
        "--least 0: give 1 or more"
    )
    assert on_command_line(lambda: StudyGenealogyRequest(TWO, count="both")) == (  # type: ignore[arg-type]
        "--count both: it is one of all, paper"
    )
    assert "two snapshots or more" in on_command_line(lambda: StudyGenealogyRequest(TWO[:1]))
    assert "give a folder for it: -o FOLDER" in on_command_line(
        lambda: StudyGenealogyRequest(TWO, write=True)
    )
    with pytest.raises(SettingsError, match="sample=0: give 1 or more, or all"):
        webecho.study_genealogy(["old.echo", "new.echo"], sample=0)


def test_only_parents_that_were_drawn_are_found(tmp_path: Path) -> None:
    """One of two parents is drawn; by both there are two."""
    shots = [[(URL("a"), A), (URL("b"), A[::-1])], [(URL("c"), A + A[::-1])]]
    paths = written(tmp_path, shots)
    study = webecho.study_genealogy(paths, sample=1)
    assert study.tables["descendants"]["parents"].to_pylist() == [1]
    assert study.tables["documents"]["drawn"].to_pylist() == [1, 1]
    assert any("1 of 2 documents are drawn" in note for note in study.notes)
    assert webecho.study_genealogy(paths).tables["descendants"]["parents"].to_pylist() == [2]


def test_threads_and_repetitions_change_nothing(tmp_path: Path) -> None:
    shots = [
        [(URL(str(each)), A[each:] + A[:each]) for each in range(12)],
        [(URL(str(each + 6)), A[each:] + A[: each + 4]) for each in range(12)],
    ]
    paths = written(tmp_path, shots)
    one, other = (webecho.study_genealogy(paths, least=3, threads=each) for each in (1, 2))
    assert one.tables.keys() == other.tables.keys()
    for name, table in one.tables.items():
        assert table.equals(other.tables[name]), name
    assert one.sentences == other.sentences
