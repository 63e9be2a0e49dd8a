"""`webecho verify` notices whatever becomes of a file, and other verbs do not go on with it."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import webecho
from tests.command import done
from tests.command import webecho as run
from tests.verification.damage import damages, files_of, flipped, made
from webecho.errors import WorkspaceError
from webecho.workspace.workspace import Workspace


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A workspace and a dedup's output; what is done to them is undone."""
    return made(tmp_path_factory.mktemp("made"))


def test_what_was_written_is_whole(collection: tuple[Path, Path]) -> None:
    crawl, out = collection
    found = webecho.verify(crawl)
    assert (bool(found), found.problems) == (True, ())
    assert found.facts == {
        "path": str(crawl),
        "files": len(files_of(crawl)),
        "pages": 21,
        "parts": 6,
        "complete": True,
    }
    assert webecho.verify(out).facts["kept"] == 13
    result = done("verify", crawl)
    assert result.stdout.splitlines()[-1].split() == ["problems", "0"]


def check_damage(folder: Path, count: int, seed: int) -> None:
    """Each of so many damages is noticed, and a file that it was done to is named."""
    noticed = 0
    for what, contents in damages(folder, count, seed):
        before = {file: file.read_bytes() for file in contents}
        for file, content in contents.items():
            file.write_bytes(content)
        result = run("verify", folder, "--quiet")
        for file, content in before.items():
            file.write_bytes(content)
        assert result.exit_code == 1, what
        assert any(str(file) in result.stderr for file in contents), (what, result.stderr)
        noticed += 1
    assert noticed == count
    assert webecho.verify(folder)


@pytest.mark.parametrize("which", [0, 1], ids=["workspace", "output"])
def test_flips_and_swaps_are_noticed(collection: tuple[Path, Path], which: int) -> None:
    check_damage(collection[which], 30, seed=which)


@pytest.mark.soak
@pytest.mark.parametrize("which", [0, 1], ids=["workspace", "output"])
def test_five_hundred_flips_and_swaps_are_noticed(
    collection: tuple[Path, Path], which: int
) -> None:
    check_damage(collection[which], 500, seed=10 + which)


@pytest.mark.parametrize("which", [0, 1], ids=["workspace", "output"])
def test_what_is_cut_short_or_gone_is_noticed(collection: tuple[Path, Path], which: int) -> None:
    folder = collection[which]
    for file in one_of_each(folder):
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2])
        assert run("verify", folder).exit_code == 1, file
        file.write_bytes(content)
        if file.name.startswith("part-"):
            file.unlink()
            result = run("verify", folder)
            file.write_bytes(content)
            assert (result.exit_code, f"{file} is missing" in result.stderr) == (1, True)


def one_of_each(folder: Path) -> list[Path]:
    """A file of each kind: of a folder the last with each ending."""
    return [*{(file.parent, file.suffix): file for file in files_of(folder)}.values()]


VERBS: dict[str, tuple[object, ...]] = {
    "clusters": ("clusters",),
    "clusters exact": ("clusters", "--rule", "tokens"),
    "pairs": ("pairs", "--rule", "b"),
    "why": ("why", "#0", "#1"),
    "duplicates": ("study", "duplicates"),
    "graph": ("study", "graph"),
    "evaluate": ("evaluate", "--all"),
    "label": ("label", "--rule", "b-2", "--sample", 5, "--guess"),
}


def called(verb: str, workspace: Path) -> tuple[int, str, str]:
    words = 2 if VERBS[verb][0] == "study" else 1
    arguments = VERBS[verb]
    result = run(*arguments[:words], workspace, *arguments[words:], "--format", "json", "--quiet")
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_goes_on_beside_a_flipped_bit(
    collection: tuple[Path, Path], tmp_path: Path, verb: str
) -> None:
    """It ends with an error that names the file, or does not need the file and says what it says
    without the flip."""
    crawl = collection[0]
    path = tmp_path / "copy.echo"
    shutil.copytree(crawl, path)
    expected = called(verb, path)
    chance = random.Random(verb)
    refused = 0
    for file in one_of_each(crawl):
        shutil.rmtree(path)
        shutil.copytree(crawl, path)
        hurt = path / file.relative_to(crawl)
        content = hurt.read_bytes()
        hurt.write_bytes(flipped(content, chance.randrange(8 * len(content))))
        code, printed, said = called(verb, path)
        if file.name.endswith(".jsonl"):
            # Of labels the lines that are whole count, and it is said which is not.
            assert hurt.name in said + printed or (code, printed) == expected[:2]
        elif (code, printed) != expected[:2]:
            assert code in (1, 2), (file, said)
            assert hurt.name in said, (file, said)
            refused += 1
    assert refused > 0


def test_what_is_no_ones_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="is no workspace, and has no checksums"):
        webecho.verify(tmp_path)
    result = run("verify", tmp_path)
    assert (result.exit_code, str(tmp_path) in result.stderr) == (1, True)


Writer = Callable[[Path, Path], object]
WRITERS: dict[str, Writer] = {
    "study": lambda crawl, out: done("study", "growth", crawl, "-o", out),
    "savings": lambda crawl, out: done("savings", crawl, "-o", out),
    "report": lambda crawl, out: webecho.pair_report(crawl, "b").write(out),
    "evaluation": lambda crawl, out: webecho.evaluate(crawl).write(out),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_written_into_a_folder_is_looked_at(
    collection: tuple[Path, Path], tmp_path: Path, writer: str
) -> None:
    crawl = shutil.copytree(collection[0], tmp_path / "crawl.echo")
    out = tmp_path / "out"
    WRITERS[writer](crawl, out)
    found = webecho.verify(out)
    assert (found.problems, found.facts) == ((), {"path": str(out), "files": len(files_of(out))})
    # What somebody lays beside it is not of the list, and no problem.
    (out / "notes.txt").write_text("mine")
    assert webecho.verify(out)
    csv = next(out.glob("*.csv"))
    csv.write_bytes(csv.read_bytes() + b"\n")
    assert webecho.verify(out).problems == (
        f"{csv} cannot be read (it is not what was written there); write that folder again",
    )
    csv.unlink()
    assert webecho.verify(out).problems == (
        f"{csv} is missing, which {out / 'checksums.json'} has",
    )
    (out / "checksums.json").write_text("{}")
    [problem] = webecho.verify(out).problems
    assert str(out / "checksums.json") in problem


def test_a_workspace_that_is_not_finished_is_not_well(tmp_path: Path) -> None:
    webecho.sketch(pa.table({"text": ["a b", "c d"]}), tmp_path / "w.echo")
    workspace = Workspace.open(tmp_path / "w.echo")
    workspace.manifest.complete = False
    workspace.save()
    found = webecho.verify(tmp_path / "w.echo")
    assert not found
    assert found.problems == (
        f"{tmp_path / 'w.echo'} is not finished; run the same `webecho sketch` or `webecho dedup` "
        "command again to go on",
    )
    assert run("verify", tmp_path / "w.echo").exit_code == 1
