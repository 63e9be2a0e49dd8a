"""Trees of a few lines, of which it is known how they differ."""

from pathlib import Path

from tests.golden.case import case
from tests.golden.comparing import Trees, compared
from tests.golden.recording import Tree

CASE = case("said", "webecho one\nwebecho other")


def made(folder: Path, code: str) -> Path:
    package = folder / "webecho"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(f"import sys\nfrom pathlib import Path\n{code}\n")
    return folder


def told(folder: Path, old: str, new: str) -> list[str]:
    """What is told of two trees whose program has this code."""
    first = Tree(made(folder / "a", old), folder / "work")
    first.prepare()
    inputs = folder / "inputs"
    inputs.mkdir()
    return compared(CASE, Trees(first, Tree(made(folder / "b", new), folder / "work"), inputs))


def test_the_same_says_nothing(tmp_path: Path) -> None:
    code = "print('seconds ', id(object())); Path(sys.argv[1]).write_text('text')"
    assert told(tmp_path, code, f"{code} # in other words") == []


def test_every_difference_is_told(tmp_path: Path) -> None:
    old = "print('all'); Path('found.txt').write_text(sys.argv[1])"
    new = "print('most'); Path('found.txt').write_text('some'); sys.exit(sys.argv[1] == 'one')"
    lines = told(tmp_path, old, new)
    for expected in ("$ webecho one", "  -exit 0", "  +exit 1", "  -  all", "  +  most"):
        assert expected in lines
    assert lines[-4:] == ["found.txt:", "  @@ -1 +1 @@", "  -other", "  +some"]


def test_the_old_tree_is_not_run_twice(tmp_path: Path) -> None:
    assert told(tmp_path, "print(1)", "print(1)") == []
    (tmp_path / "a" / "webecho" / "__main__.py").write_text("print(2)")
    work = tmp_path / "work"
    again = Trees(Tree(tmp_path / "a", work), Tree(tmp_path / "b", work), tmp_path / "inputs")
    assert compared(CASE, again) == []
