"""*Call site*: where in the package a statement is sent to a database, by file and lines."""

import ast
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import webecho

ROOT = Path(webecho.__file__).parent
SENDING = {"keep", "view", "table", "batches", "row"}
# What databases are called wherever statements are sent.
DATABASE = "database"
# The truth of a made-up web is made by the local engine alone.
ALWAYS_LOCAL = {"synthetic/truth"}


class CallSite(NamedTuple):
    """A module such as `study/captures`, and the lines of a call."""

    module: str
    first: int
    last: int


@cache
def call_sites(file: Path) -> tuple[CallSite, ...]:
    """Where a file sends statements."""
    module = file.relative_to(ROOT).with_suffix("").as_posix()
    return tuple(
        CallSite(module, node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in SENDING
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == DATABASE
    )


def all_call_sites() -> set[CallSite]:
    """Those of the package; engines send statements that are their own."""
    files = (file for file in ROOT.rglob("*.py") if not file.is_relative_to(ROOT / "engine"))
    return {site for file in files for site in call_sites(file) if site.module not in ALWAYS_LOCAL}


def calling() -> CallSite:
    """Where in the package the statement was sent that is run now."""
    frame = sys._getframe(1)
    while frame is not None:
        file = Path(frame.f_code.co_filename)
        if file.is_relative_to(ROOT) and not file.is_relative_to(ROOT / "engine"):
            found = [s for s in call_sites(file) if s.first <= frame.f_lineno <= s.last]
            # Of calls within a call the innermost.
            if found:
                return max(found, key=lambda site: (site.first, -site.last))
        frame = frame.f_back  # type: ignore[assignment]
    raise AssertionError("a statement was sent from nowhere in the package")
