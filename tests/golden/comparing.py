"""Two trees of code held against each other: every case with both, every difference told.

Both run a case in the same folder, one after the other, so that also what names it is the same. The
folders of cases that differ are kept: `work/old/<case>` and `work/new/<case>`.
"""

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path

import pyarrow.parquet as pq

from tests.golden.case import Case
from tests.golden.files import raw
from tests.golden.recording import Ran, Tree, record, told

TEXTS = (".json", ".jsonl", ".csv", ".txt", ".html", ".svg", ".cdxj")


def compare(
    cases: Sequence[Case], old: Tree, new: Tree, inputs: Path, jobs: int = 1
) -> Iterator[tuple[Case, list[str]]]:
    """Each case, with the lines that tell how the trees differ in it; none if they do not."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from zip(
            cases, pool.map(lambda case: compared(case, old, new, inputs), cases), strict=True
        )


def compared(case: Case, old: Tree, new: Tree, inputs: Path) -> list[str]:
    before = kept(case, old, "old", inputs)
    after = kept(case, new, "new", inputs)
    lines = differences(before, after, old.work / "old" / case.name, new.work / "new" / case.name)
    if not lines:
        for name in ("old", "new"):
            shutil.rmtree(old.work / name / case.name)
    return lines


def kept(case: Case, tree: Tree, name: str, inputs: Path) -> tuple[Ran, ...]:
    """A recording, and its folder moved aside."""
    done = record(case, tree, inputs, raw)
    aside = tree.work / name / case.name
    shutil.rmtree(aside, ignore_errors=True)
    aside.parent.mkdir(exist_ok=True)
    shutil.move(tree.work / "cases" / case.name, aside)
    return done


def differences(before: tuple[Ran, ...], after: tuple[Ran, ...], old: Path, new: Path) -> list[str]:
    """Command by command, then what differs in the files that they left."""
    lines = []
    files: set[str] = set()
    for one, other in zip(before, after, strict=True):
        left, right = (told((each,)) for each in (one, other))
        if left == right:
            continue
        lines.append(f"$ {one.command}")
        found = unified_diff(left.splitlines(), right.splitlines(), "old", "new", n=1, lineterm="")
        lines += [f"  {line}" for line in found]
        files |= {
            name
            for name, each in one.files.items()
            if name in other.files and other.files[name] != each
        }
    for name in sorted(files):
        lines += inside(name, old / name, new / name)
    return lines


def inside(name: str, old: Path, new: Path, most: int = 30) -> list[str]:
    """Where two files differ, as they are at the end of their cases."""
    if not (old.is_file() and new.is_file()):
        return []
    if old.suffix == ".parquet":
        left, right = (parquet_lines(each) for each in (old, new))
    elif old.suffix in TEXTS:
        left, right = (each.read_text("utf-8", "replace").splitlines() for each in (old, new))
    else:
        return []
    found = [
        f"  {line[:400]}" for line in unified_diff(left, right, "old", "new", n=0, lineterm="")
    ]
    more = [f"  … {len(found) - most} lines more"] if len(found) > most else []
    return [f"{name}:", *(found[:most] or ["  the rows are the same, the bytes are not"]), *more]


def parquet_lines(file: Path) -> list[str]:
    table = pq.read_table(file)
    return [*table.schema.to_string().splitlines(), *map(repr, table.to_pylist())]


def trees(old: Path, new: Path, work: Path) -> tuple[Tree, Tree]:
    """Both trees, made ready to work in one folder."""
    first = Tree(old.resolve(), work)
    first.prepare()
    return first, replace(first, code=new.resolve())
