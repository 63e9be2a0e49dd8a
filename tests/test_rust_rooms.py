"""The rooms of the Rust core use only what `docs/inside.md` says they may."""

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "rust" / "src"
HEADING = "## The rooms of the Rust core"
EVERY = "every other room"

Module = tuple[str, ...]


def table(text: str) -> dict[str, set[str]]:
    """For each room of a Markdown table the rooms that it may use."""
    rows = re.findall(r"^\| `(\w+)` *\|[^|]*\|([^|]*)\|$", text, flags=re.M)
    rooms = {room for room, _ in rows}
    return {
        room: rooms - {room} if EVERY in may_use else set(re.findall(r"`(\w+)`", may_use))
        for room, may_use in rows
    }


def modules(src: Path) -> dict[Module, Path]:
    """The file of each module; the crate itself is the empty path."""
    found = {path.relative_to(src).with_suffix("").parts: path for path in src.rglob("*.rs")}
    return {() if module == ("lib",) else module: path for module, path in found.items()}


def code_of(file: Path) -> str:
    """What a file says apart from comments."""
    return re.sub(r"(?<!:)//.*", "", file.read_text(encoding="utf-8"))


def expanded(path: str) -> Iterator[Module]:
    """The paths that `a::{b, c::d}` stands for."""
    head, brace, inner = path.partition("{")
    start = tuple(part.strip() for part in head.split("::") if part.strip())
    if not brace:
        yield start
        return
    depth, item = 0, ""
    for sign in inner.rsplit("}", 1)[0] + ",":
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            if item.strip():
                yield from (start + rest for rest in expanded(item))
            item = ""
        else:
            item += sign


def paths(code: str) -> Iterator[str]:
    """All paths of some code that begin at the crate, here or above, and `use` of children."""
    for found in re.finditer(r"(?<![\w:])(?:[a-z_]\w*\s*::\s*)+(?:\w+|\{)", code):
        path = found[0]
        if path.endswith("{"):
            depth, end = 1, found.end()
            while depth:
                depth += (code[end] == "{") - (code[end] == "}")
                end += 1
            path = code[found.start() : end]
        yield path


def absolute(path: Module, within: Module, known: dict[Module, Path]) -> Module | None:
    """The whole path of one that is written inside a module; None if it leads to another crate."""
    if path[0] == "crate":
        return path[1:]
    if path[0] not in ("super", "self"):
        return within + path if within + path[:1] in known else None
    while path[0] in ("super", "self"):
        within = within[:-1] if path[0] == "super" else within
        path = path[1:]
        if not path:
            break
    return within + path


def uses(src: Path, with_tests: bool) -> Iterator[tuple[Module, Module]]:
    """Which module, by its file, uses which other."""
    known = modules(src)
    for module, file in known.items():
        code = code_of(file)
        # A module written inside a file is one step further from the crate.
        inner = re.compile(r"^(?:pub(?:\(\w+\))? )?mod (\w+) \{\n(.*?)^\}", re.M | re.S)
        parts = [(module, inner.sub("", code))]
        if with_tests:
            parts += [((*module, found[1]), found[2]) for found in inner.finditer(code)]
        for within, part in parts:
            for written in paths(part):
                for path in expanded(written):
                    used = absolute(path, within, known)
                    while used and used not in known:
                        used = used[:-1]
                    if used and used != module:
                        yield module, used


def violations(src: Path, allowed: dict[str, set[str]]) -> set[str]:
    """What rooms use and may not."""
    return {
        f"{'/'.join(user)} uses {'/'.join(used)}"
        for user, used in uses(src, with_tests=True)
        if user and user[0] != used[0] and used[0] not in allowed[user[0]]
    }


def cycle(src: Path) -> list[str]:
    """Files that use each other in a ring, if any do; tests may use whatever their room may."""
    graph: dict[Module, set[Module]] = {}
    for user, used in uses(src, with_tests=False):
        if user[-1:] != ("tests",):
            graph.setdefault(user, set()).add(used)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return ["/".join(module) for module in error.args[1]]
    return []


def knowing_python(src: Path) -> set[str]:
    """The rooms in which a crate of Python's is named."""
    named = re.compile(r"\b(?:pyo3|arrow_pyarrow)\b")
    found = modules(src).items()
    return {module[0] if module else "lib" for module, file in found if named.search(code_of(file))}


@pytest.fixture(scope="module")
def allowed() -> dict[str, set[str]]:
    page = (ROOT / "docs" / "inside.md").read_text(encoding="utf-8")
    return table(page.split(HEADING)[1].split("\n## ")[0])


def test_the_table_names_every_room_and_nothing_else(allowed: dict[str, set[str]]) -> None:
    assert set(allowed) == {module[0] for module in modules(SRC) if module}
    assert {path.stem for path in SRC.glob("*.rs")} == {*allowed, "lib"}


def test_the_crate_says_the_same(allowed: dict[str, set[str]]) -> None:
    header = (SRC / "lib.rs").read_text(encoding="utf-8").replace("//! ", "")
    assert table(header) == allowed


def test_rooms_use_only_what_they_may(allowed: dict[str, set[str]]) -> None:
    assert not violations(SRC, allowed)


def test_rooms_are_in_one_direction(allowed: dict[str, set[str]]) -> None:
    TopologicalSorter(allowed).prepare()


def test_no_file_uses_one_that_uses_it() -> None:
    assert not cycle(SRC)


def test_only_the_border_knows_python() -> None:
    assert knowing_python(SRC) == {"border"}


def crate(folder: Path, **files: str) -> Path:
    for name, code in files.items():
        path = folder / (name.replace("__", "/") + ".rs")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code)
    return folder


@pytest.mark.parametrize(
    "code",
    [
        "use crate::high::lid::close;",
        "use crate::{\n    low,\n    high::{self, lid},\n};",
        "use super::super::high::lid;",
        "fn f() {\n    crate::high::lid::close();\n}",
        "#[cfg(test)]\nmod tests {\n    use super::super::super::high::lid;\n}",
    ],
)
def test_a_use_of_what_is_above_is_seen(tmp_path: Path, code: str) -> None:
    src = crate(tmp_path, lib="", low="", low__floor=code, high="pub mod lid;", high__lid="")
    found = violations(src, {"low": set(), "high": {"low"}})
    assert "low/floor uses high/lid" in found or "low/floor uses high" in found
    assert not violations(src, {"low": {"high"}, "high": set()})


def test_what_is_said_in_comments_and_of_other_crates_is_no_use(tmp_path: Path) -> None:
    code = "// crate::high::lid\n/// See crate::high.\nuse std::high::lid;\nuse super::wall;"
    src = crate(tmp_path, lib="", low="", low__floor=code, low__wall="", high="", high__lid="")
    assert not violations(src, {"low": set(), "high": set()})


def test_rings_are_seen_whichever_way_they_are_written(tmp_path: Path) -> None:
    beside = {"room__one": "use super::two::b;", "room__two": "use crate::room::one::a;"}
    assert cycle(crate(tmp_path / "beside", lib="", room="", **beside))
    above = {"room": "mod one;\nfn f() {\n    one::g();\n}", "room__one": "use super::f;"}
    assert cycle(crate(tmp_path / "above", lib="", **above))
    once = {
        "room": "mod one;\nuse one::g;",
        "room__one": "mod tests {\n    use super::super::f;\n}",
    }
    assert not cycle(crate(tmp_path / "once", lib="", **once))


def test_a_crate_of_pythons_is_seen(tmp_path: Path) -> None:
    files = {
        "border": "use pyo3::prelude::*;",
        "low": "// No pyo3.",
        "high": "fn f(a: pyo3::Py) {}",
    }
    assert knowing_python(crate(tmp_path, **files)) == {"border", "high"}
