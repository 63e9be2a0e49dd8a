"""What all commands of `webecho study` have: where their tables and figures go."""

import json
import shutil
from pathlib import Path

import click
import pytest

import webecho
from tests.command import contents, done
from tests.command import webecho as run
from tests.lettered import sketched
from webecho.cli.study import free, study


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    return sketched(tmp_path, ["abcd", "abcd", "efgh"])


def test_there_is_a_command_for_each_study() -> None:
    shown = done("study", "--help").stdout
    for name in ("duplicates", "graph", "growth", "replication"):
        assert f"  {name}  " in shown


def test_the_folder_can_be_another(letters: Path, tmp_path: Path) -> None:
    done("study", "duplicates", letters, "-o", tmp_path / "out", "-q")
    assert (tmp_path / "out" / "duplicates.parquet").is_file()
    assert not (letters / "studies").exists()


def test_a_workspace_is_no_folder_for_results(letters: Path) -> None:
    before = contents(letters)
    assert run("study", "graph", letters, "-o", letters).exit_code == 2
    assert contents(letters) == before


def test_a_file_is_no_folder(letters: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    refused = run("study", "growth", letters, "-o", tmp_path / "notes.txt")
    assert refused.exit_code == 2
    assert "notes.txt is no folder; give another" in " ".join(refused.stderr.split())
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_which_folders_are_free(letters: Path, tmp_path: Path) -> None:
    context, option = click.Context(study), click.Option(["--out"])
    for folder in (None, tmp_path, tmp_path / "new"):
        assert free(context, option, folder) == folder
    with pytest.raises(click.BadParameter, match="is a workspace; give another folder, or none"):
        free(context, option, letters)


def test_where_a_study_was_written_is_said_unless_quiet(letters: Path, tmp_path: Path) -> None:
    command = ("study", "duplicates", letters, "-o", tmp_path / "out")
    assert done(*command).stderr == f"written: {tmp_path / 'out'}\n"
    assert done(*command, "-q").stderr == ""


def test_figures_are_drawn_for_one_column_or_two(letters: Path, tmp_path: Path) -> None:
    """As wide as asked, and with a title only if that is."""
    inches = {}
    for width in ("one", "two"):
        out = tmp_path / width
        done("study", "duplicates", letters, "-o", out, "--width", width, "--repetitions", 0)
        svg = (out / "cluster_sizes-complete.svg").read_text(encoding="utf-8")
        inches[width] = float(svg.split('width="')[1].split("pt")[0]) / 72
        assert "Clusters of duplicates by size" not in svg
    assert inches == pytest.approx({"one": 3.33, "two": 7.0}, abs=0.01)
    done("study", "duplicates", letters, "-o", out, "--title")
    titled = (out / "cluster_sizes-complete.svg").read_text(encoding="utf-8")
    assert "Clusters of duplicates by size" in titled


@pytest.mark.parametrize("study", ["duplicates", "growth", "clusters"])
def test_a_study_of_other_collections_is_replaced_only_by_force(
    letters: Path, tmp_path: Path, study: str
) -> None:
    (tmp_path / "others").mkdir()
    sketched(tmp_path / "others", ["abcd", "efgh", "efgh", "abcd"])
    others = tmp_path / "others" / "others.echo"
    # With the columns that the study of clusters asks for.
    for folder, workspace in ((tmp_path, letters), (tmp_path / "others", others)):
        shutil.rmtree(workspace, ignore_errors=True)
        done("sketch", folder / "letters.parquet", "-o", workspace, "--paragraphs", "-q")
    out = ("-o", tmp_path / "out", "-q")
    done("study", study, letters, *out)
    # The same collection may be studied again.
    done("study", study, letters, *out)
    before = contents(tmp_path / "out")
    refused = run("study", study, others, *out)
    assert refused.exit_code == 2
    told = " ".join(refused.stderr.split())
    assert f"holds a study of {letters.stem}, which would be replaced by one of others" in told
    assert "or --force" in told
    assert contents(tmp_path / "out") == before
    done("study", study, others, *out, "--force")
    assert contents(tmp_path / "out") != before


def test_a_collection_of_the_same_name_that_holds_something_else(
    letters: Path, tmp_path: Path
) -> None:
    out = ("-o", tmp_path / "out", "-q")
    done("study", "duplicates", letters, *out)
    held = json.loads((tmp_path / "out" / "study.json").read_text())["made of"]
    # The same pages under the same name, wherever they lie.
    moved = tmp_path / "elsewhere" / letters.name
    shutil.copytree(letters, moved)
    done("study", "duplicates", moved, *out)
    (tmp_path / "others").mkdir()
    sketched(tmp_path / "others", ["abcd", "efgh", "efgh", "abcd"])
    shutil.rmtree(moved)
    done("sketch", tmp_path / "others" / "letters.parquet", "-o", moved, "--paragraphs", "-q")
    refused = run("study", "duplicates", moved, *out)
    assert refused.exit_code == 2
    told = " ".join(refused.stderr.split())
    assert f"holds a study of {letters.stem}, {held[letters.stem]}, which would be" in told
    assert f"replaced by one of {letters.stem}, 4 pages (" in told
    done("study", "duplicates", moved, *out, "--force")


def test_in_python_too(letters: Path, tmp_path: Path) -> None:
    others = tmp_path / "others.echo"
    shutil.copytree(letters, others)
    out = tmp_path / "out"
    webecho.study_duplicates(letters).write(out)
    found = webecho.study_duplicates(others)
    with pytest.raises(webecho.InputError, match=r"holds a study of .*, or force=True"):
        found.write(out)
    assert found.write(out, force=True)
