"""The rooms of the Python package import only what `docs/inside.md` says they may."""

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "python" / "webecho"
HEADING = "## The rooms of the Python package"
EVERY = "every room but"

# What varies is data: outside the room that has it nobody asks for its name or kind.
FORBIDDEN = {
    "a rule is asked for its name": (r"\brule\.name\s*(==|!=|in\b|not in\b)", "group/rules"),
    "a source is asked for its kind": (r"isinstance\([^)]*\w*Source\b", "read"),
    "options travel as a dictionary": (r"\boptions: dict\[str, Any\]", "cli"),
    "DuckDB is called": (r"\bduckdb\.|import duckdb", "engine/local"),
}

# Modules that only declare something, and so have nothing that could be tested by itself.
DECLARATIONS = {
    *("engine/protocol", "formats/skipped", "group/choices", "group/pair_columns"),
    "group/rules/keys",
}


def table(text: str) -> dict[str, set[str]]:
    """For each room of a Markdown table the rooms that it may import."""
    rows = re.findall(r"^\| `([\w/]+)` *\|[^|]*\|([^|]*)\|$", text, flags=re.M)
    rooms = {room for room, _ in rows}
    named = {room: set(re.findall(r"`([\w/]+)`", may)) for room, may in rows}
    return {
        room: rooms - {room} - named[room] if EVERY in may else named[room] for room, may in rows
    }


def room_of(module: str, rooms: set[str]) -> str:
    """The innermost room that a module, such as `group/rules/similar`, is in."""
    parts = module.split("/")
    tried = ("/".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((name for name in tried if name in rooms), parts[0])


def imports(file: Path) -> Iterator[str]:
    """The modules of webecho that a file imports when it runs, here or in a function."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("webecho."):
                yield name.removeprefix("webecho.").replace(".", "/")


def modules(src: Path) -> dict[str, Path]:
    found = {path.relative_to(src).with_suffix("").as_posix(): path for path in src.rglob("*.py")}
    return {name: path for name, path in found.items() if not name.startswith("__")}


def violations(src: Path, allowed: dict[str, set[str]]) -> set[str]:
    """What rooms import and may not."""
    rooms = set(allowed)
    return {
        f"{module} imports {used}"
        for module, file in modules(src).items()
        for used in imports(file)
        if (mine := room_of(module, rooms)) != (theirs := room_of(used, rooms))
        and theirs not in allowed[mine]
    }


def found_outside(src: Path, pattern: str, room: str) -> list[str]:
    """The lines outside a room that have what only the room should have."""
    return [
        f"{module}:{number}: {line.strip()}"
        for module, file in modules(src).items()
        if not f"{module}/".startswith(f"{room}/")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(pattern, line)
    ]


@pytest.fixture(scope="module")
def allowed() -> dict[str, set[str]]:
    page = (ROOT / "docs" / "inside.md").read_text(encoding="utf-8")
    return table(page.split(HEADING)[1].split("\n## ")[0])


def test_the_table_names_every_room(allowed: dict[str, set[str]]) -> None:
    there = {path.stem for path in SRC.iterdir() if (path / "__init__.py").is_file()}
    there |= {path.stem for path in SRC.glob("*.py") if not path.stem.startswith("__")}
    assert {room.split("/")[0] for room in allowed} - {"_core"} == there
    # And nothing that is not there.
    assert all(
        (SRC / room).is_dir() or (SRC / f"{room}.py").is_file() for room in set(allowed) - {"_core"}
    )


def test_rooms_import_only_what_they_may(allowed: dict[str, set[str]]) -> None:
    assert not violations(SRC, allowed)


def test_rooms_are_in_one_direction(allowed: dict[str, set[str]]) -> None:
    TopologicalSorter(allowed).prepare()


def test_no_package_has_the_name_of_a_public_function() -> None:
    import webecho

    rooms = {path.stem for path in SRC.iterdir()}
    assert not rooms & set(webecho.__all__)


def test_tests_mirror_the_tree() -> None:
    tests = ROOT / "tests"
    missing = {
        module
        for module in modules(SRC)
        if not module.split("/")[-1].startswith("__")
        and not (tests / module).with_name(f"test_{module.split('/')[-1]}.py").is_file()
    }
    assert missing == DECLARATIONS


@pytest.mark.parametrize("what", FORBIDDEN)
def test_what_varies_is_data(what: str) -> None:
    assert not found_outside(SRC, *FORBIDDEN[what])


def tree(folder: Path, **files: str) -> Path:
    for name, code in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    return folder


@pytest.mark.parametrize(
    "code",
    [
        "from webecho.high.lid import close",
        "from webecho.high import lid",
        "import webecho.high.lid",
        "def f():\n    from webecho.high.lid import close\n",
    ],
)
def test_an_import_of_what_is_above_is_seen(tmp_path: Path, code: str) -> None:
    src = tree(tmp_path, low__floor=code, high__lid="")
    assert violations(src, {"low": set(), "high": set()})
    assert not violations(src, {"low": {"high"}, "high": set()})


def test_a_room_within_a_room_is_its_own(tmp_path: Path) -> None:
    src = tree(tmp_path, group__rules__one="from webecho.group.pairs import f", group__pairs="")
    assert violations(src, {"group": {"group/rules"}, "group/rules": set()})
    assert not violations(src, {"group": set()})


def test_types_alone_are_no_import(tmp_path: Path) -> None:
    code = "if TYPE_CHECKING:\n    from webecho.high import lid\n"
    assert not violations(tree(tmp_path, low__floor=code), {"low": set(), "high": set()})


def test_forbidden_lines_are_seen_outside_their_room_only(tmp_path: Path) -> None:
    code = 'if rule.name == "c":\n    pass\n'
    src = tree(tmp_path, group__rules__c=code, show__pairs=code)
    assert found_outside(src, *FORBIDDEN["a rule is asked for its name"]) == [
        'show/pairs:1: if rule.name == "c":'
    ]
