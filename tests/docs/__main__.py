"""`python -m tests.docs record [PAGE…] [--data FOLDER]`: pages show what their commands print."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tests.docs.block import PAGES, ROOT
from tests.docs.record import rewrite
from tests.docs.run import make_webs
from tests.golden.expected import own_tree


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.docs", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("record", help="rewrite what pages show of what commands print")
    verb.add_argument("pages", nargs="*", help="pages by name, such as dedup; all by default")
    data = os.environ.get("WEBECHO_DATA")
    verb.add_argument("--data", type=Path, default=data, help="the real pages, for what needs them")
    verb.add_argument("--soak", action="store_true", help="also what takes long")
    given = parser.parse_args()
    chosen = [page for page in PAGES if not given.pages or page.stem in given.pages]
    with tempfile.TemporaryDirectory(prefix="docs-") as folder:
        tree = own_tree(Path(folder))
        webs = make_webs(tree)
        for page in chosen:
            said = rewrite(page, tree, webs, given.data, given.soak)
            print("changed" if said else "same   ", page.relative_to(ROOT), flush=True)
            print(*said, sep="\n\n", end="\n" if said else "", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
