"""`python -m tests.golden record` and `python -m tests.golden compare OLD NEW [--data FOLDER]`."""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.golden.cases import CASES
from tests.golden.comparing import compare, trees
from tests.golden.expected import rewrite
from tests.golden.inputs import make_inputs
from tests.golden.real import real_cases


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("record", help="rewrite what the pinned cases are expected to do")
    verb.add_argument("--only", default="", help="cases whose names hold this")
    verb = verbs.add_parser("compare", help="run every case with two trees and tell differences")
    verb.add_argument("old", type=Path, help="what PYTHONPATH is for the one, such as python")
    verb.add_argument("new", type=Path, help="and for the other")
    verb.add_argument("--data", type=Path, help="the folder of real pages, for further cases")
    verb.add_argument("--only", default="", help="cases whose names hold this")
    verb.add_argument("--jobs", type=int, default=1, help="cases that are run at a time")
    verb.add_argument("--work", type=Path, help="the folder to work in, else a temporary one")
    given = parser.parse_args()
    if given.verb == "record":
        rewrite(given.only)
        return 0
    work = given.work or Path(tempfile.mkdtemp(prefix="golden-"))
    return compare_trees(given, work.absolute())


def compare_trees(given: argparse.Namespace, work: Path) -> int:
    """Prints a line a case, and its differences; says whether there were any."""
    old, new = trees(given.old, given.new, work)
    inputs = make_inputs(old)
    cases = [*CASES, *(real_cases(given.data) if given.data else ())]
    chosen = [case for case in cases if given.only in case.name]
    start = time.monotonic()
    differing = []
    for case, lines in compare(chosen, old, new, inputs, given.jobs):
        print(
            f"{'differs' if lines else 'same   '}  {case.name} ({len(case.commands)})", flush=True
        )
        for line in lines:
            print(f"    {line}", flush=True)
        if lines:
            differing.append(case.name)
    commands = sum(len(case.commands) for case in chosen)
    took = time.monotonic() - start
    print(f"{len(chosen)} cases, {commands} commands, {len(differing)} cases differ, {took:.0f} s")
    if differing:
        print(f"kept: {work}/old/ and {work}/new/, with {', '.join(differing)}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
