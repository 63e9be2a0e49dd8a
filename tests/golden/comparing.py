"""Two trees of code held against each other: every case with both, every difference told.

Both run a case in the same folder, one after the other, so that also what names it is the same. The
work folder remembers what the old tree did, until that tree, the case or this harness changes.
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from difflib import unified_diff
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.golden.case import Case
from tests.golden.files import raw
from tests.golden.inputs import make_inputs
from tests.golden.recording import ROOT, Ran, Tree, record, run, told

TEXTS = (".json", ".jsonl", ".csv", ".txt", ".html", ".svg", ".cdxj")
LINES, LENGTH = 30, 400
# What recordings hang on beside the tree and the case.
HARNESS = (
    "tests/collections_made.py",
    "tests/read/archives.py",
    "tests/golden/recording.py",
    "tests/golden/volatile.py",
    "tests/golden/files.py",
    "tests/golden/inputs.py",
    "tests/golden/input_archives.py",
    "tests/golden/python_calls.py",
    "tests/golden/python_shown.py",
)


@dataclass(frozen=True)
class Trees:
    """Both trees, made ready to work in one folder, and the inputs of their cases."""

    old: Tree
    new: Tree
    inputs: Path


def make_ready(old: Path, new: Path, work: Path) -> Trees:
    """The trees in a folder below `work` that is theirs as long as the old one stays as it is."""
    code = [path for path in (old / "webecho").rglob("*") if path.suffix in (".py", ".so")]
    digest = hashlib.sha256()
    for path in (*sorted(code), *(ROOT / name for name in HARNESS)):
        digest.update(path.name.encode() + path.read_bytes())
    first = Tree(old.resolve(), work.absolute() / digest.hexdigest()[:12])
    first.prepare()
    second = Tree(new.resolve(), first.work)
    for tree in (first, second):
        check_code(tree)
    return Trees(first, second, make_inputs(first))


def check_code(tree: Tree) -> None:
    """Refuses a tree that lacks something, lest an installed webecho takes its place."""
    code = "import webecho, webecho._core as core; print(webecho.__file__); print(core.__file__)"
    found = run(f"python -c '{code}'", tree.work, tree, tree.work / "temporary")
    files = [Path(line) for line in found.stdout.decode().splitlines()]
    if len(files) != 2 or not all(file.is_relative_to(tree.code) for file in files):
        why = found.stderr.decode() or f"{', '.join(map(str, files))} would be imported"
        raise SystemExit(f"{tree.code} has no webecho with its compiled module: {why}")


def compare(cases: Sequence[Case], trees: Trees, jobs: int = 1) -> Iterator[tuple[Case, list[str]]]:
    """Each case, with the lines that tell how the trees differ in it; none if they do not."""
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda case: compared(case, trees), cases)
        yield from zip(cases, found, strict=True)


def compared(case: Case, trees: Trees) -> list[str]:
    old, new = (trees.old.work / name / case.name for name in ("old", "new"))
    before = remembered(case, trees.old, trees.inputs, old)
    after = kept(case, trees.new, trees.inputs, new)
    lines = differences(before, after, old, new)
    if not lines:
        shutil.rmtree(new)
    return lines


def kept(case: Case, tree: Tree, inputs: Path, aside: Path) -> tuple[Ran, ...]:
    """A recording, and its folder moved aside."""
    done = record(case, tree, inputs, raw)
    shutil.rmtree(aside, ignore_errors=True)
    aside.parent.mkdir(exist_ok=True)
    shutil.move(tree.work / "cases" / case.name, aside)
    return done


def remembered(case: Case, tree: Tree, inputs: Path, aside: Path) -> tuple[Ran, ...]:
    """The recording that is there of the same commands, or a new one."""
    file = aside.with_name(f"{case.name}.json")
    if file.is_file():
        done = tuple(Ran(**values) for values in json.loads(file.read_text()))
        if tuple(ran.command for ran in done) == case.commands:
            return done
    done = kept(case, tree, inputs, aside)
    file.write_text(json.dumps([asdict(ran) for ran in done]))
    return done


def differences(before: tuple[Ran, ...], after: tuple[Ran, ...], old: Path, new: Path) -> list[str]:
    """Command by command, then what differs in the files that they left."""
    lines = []
    files: set[str] = set()
    for one, other in zip(before, after, strict=True):
        left, right = (told((each,)).splitlines() for each in (one, other))
        if left == right:
            continue
        found = unified_diff(left, right, "old", "new", n=1, lineterm="")
        lines += [f"$ {one.command}", *(f"  {line}" for line in found)]
        both = one.files.keys() & other.files.keys()
        files |= {name for name in both if one.files[name] != other.files[name]}
    for name in sorted(files):
        lines += inside(name, old / name, new / name)
    return lines


def inside(name: str, old: Path, new: Path) -> list[str]:
    """Where two files differ, as they are at the end of their cases."""
    if not (old.is_file() and new.is_file()) or old.suffix not in (*TEXTS, ".parquet"):
        return []
    left, right = (lines_of(each) for each in (old, new))
    found = [f"  {line[:LENGTH]}" for line in unified_diff(left, right, n=0, lineterm="")][2:]
    more = [f"  … {len(found) - LINES} lines more"] if len(found) > LINES else []
    return [f"{name}:", *(found[:LINES] or ["  the same values in other bytes"]), *more]


def lines_of(file: Path) -> list[str]:
    """A file's lines, or a table's schema and rows."""
    if file.suffix == ".parquet":
        try:
            table = pq.read_table(file)
            return [*table.schema.to_string().splitlines(), *map(repr, table.to_pylist())]
        except pa.ArrowException as error:
            return [f"cannot be read: {error}"]
    return file.read_text("utf-8", "replace").splitlines()
