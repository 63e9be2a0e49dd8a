"""The type of ids: whole numbers where all are such, text where not, open while there are none."""

import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import contents, done, webecho
from webecho import sketch
from webecho.workspace.workspace import Workspace


def test_ids_that_are_numbers_and_ids_that_are_not_can_be_in_one_workspace(tmp_path: Path) -> None:
    numbers, words = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(pa.table({"text": ["one", "two"], "id": [1, 2]}), numbers)
    pq.write_table(pa.table({"text": ["three"], "id": ["x"]}), words)
    for inputs in ((numbers, words), (words, numbers)):
        out = tmp_path / f"{inputs[0].stem}.echo"
        done("sketch", *inputs, "-o", out)
        found = sketch([str(each) for each in inputs])["id"].to_pylist()
        assert found == (["1", "2", "x"] if inputs[0] == numbers else ["x", "1", "2"])
    done("sketch", words, "-o", tmp_path / "append.echo")
    done("sketch", numbers, "-o", tmp_path / "append.echo", "--append")
    assert contents(tmp_path / "append.echo") == contents(tmp_path / "b.echo")
    done("sketch", numbers, "-o", tmp_path / "refused.echo")
    before = contents(tmp_path / "refused.echo")
    result = webecho("sketch", words, "-o", tmp_path / "refused.echo", "--append")
    assert result.exit_code == 1
    assert "are numbers" in result.stderr and "--id" in result.stderr
    assert contents(tmp_path / "refused.echo") == before


def id_files(folder: Path) -> dict[str, Path]:
    tables = {
        "none": {"text": ["one", "two", "three"]},
        "numbers": {"text": ["four"], "id": [4]},
        "words": {"text": ["five"], "id": ["e"]},
    }
    for name, columns in tables.items():
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    pq.write_table(pa.table({"text": ["six"]}), folder / "nothing.parquet")
    return {name: folder / f"{name}.parquet" for name in (*tables, "nothing")}


@pytest.mark.parametrize(
    "order",
    [
        ("none", "numbers"),
        ("none", "words"),
        ("numbers", "none"),
        ("words", "none"),
        ("none", "nothing", "numbers", "none2"),
        ("none", "words", "numbers"),
    ],
)
def test_inputs_without_ids_leave_the_type_of_ids_open(
    tmp_path: Path, order: tuple[str, ...]
) -> None:
    files = id_files(tmp_path)
    files["none2"] = Path(shutil.copy(files["none"], tmp_path / "none2.parquet"))
    inputs = [files[name] for name in order]
    together, apart = tmp_path / "together.echo", tmp_path / "apart.echo"
    done("sketch", *inputs, "-o", together, "--part-pages", 2)
    done("sketch", inputs[0], "-o", apart, "--part-pages", 2)
    for each in inputs[1:]:
        done("sketch", each, "-o", apart, "--part-pages", 2, "--append")
    assert contents(apart) == contents(together)
    expected = pa.string() if "words" in order else pa.int64()
    assert sketch([str(each) for each in inputs])["id"].type == expected


def test_parts_that_get_another_type_of_ids_survive_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest is saved, but the new files have not their names yet."""
    files = id_files(tmp_path)
    done("sketch", files["none"], files["numbers"], "-o", tmp_path / "whole.echo")
    done("sketch", files["none"], "-o", tmp_path / "cut.echo")
    append = ("sketch", files["numbers"], "-o", tmp_path / "cut.echo", "--append")
    save = Workspace.save

    def killed(workspace: Workspace) -> None:
        save(workspace)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Workspace, "save", killed)
        assert webecho(*append).exit_code == 130
    done(*append)
    assert contents(tmp_path / "cut.echo") == contents(tmp_path / "whole.echo")
