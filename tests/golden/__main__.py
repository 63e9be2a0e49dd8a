"""`python -m tests.golden record` and `python -m tests.golden compare OLD NEW [--data FOLDER]`."""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.golden.cases import CASES
from tests.golden.comparing import compare, make_ready
from tests.golden.expected import rewrite
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
    verb.add_argument("--only", nargs="+", help="cases whose names hold one of these")
    verb.add_argument("--jobs", type=int, default=1, help="cases that are run at a time")
    verb.add_argument("--work", type=Path, help="a folder that remembers what the old tree did")
    given = parser.parse_args()
    if given.verb == "record":
        rewrite(given.only)
        return 0
    if given.work:
        return compare_trees(given, given.work)
    work = Path(tempfile.mkdtemp(prefix="golden-"))
    differ = compare_trees(given, work)
    if not differ:
        shutil.rmtree(work)
    return differ


def compare_trees(given: argparse.Namespace, work: Path) -> int:
    """Prints a line a case, and its differences; says whether there were any."""
    start = time.monotonic()
    trees = make_ready(given.old, given.new, work)
    cases = [*CASES, *(real_cases(given.data) if given.data else ())]
    chosen = [case for case in cases if any(part in case.name for part in given.only or [""])]
    differing = []
    for case, lines in compare(chosen, trees, given.jobs):
        print("differs" if lines else "same   ", f"{case.name} ({len(case.commands)})", flush=True)
        for line in lines:
            print(f"    {line}", flush=True)
        differing += [case.name] if lines else []
    commands = sum(len(case.commands) for case in chosen)
    took = time.monotonic() - start
    print(f"{len(chosen)} cases, {commands} commands, {len(differing)} cases differ, {took:.0f} s")
    if differing:
        print(f"see {trees.old.work}/old and /new for {', '.join(differing)}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
