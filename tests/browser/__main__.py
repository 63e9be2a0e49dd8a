"""`python -m tests.browser`: draws the picture of the labelling page in the documentation anew."""

import sys
import tempfile
from pathlib import Path

from tests.browser.conftest import Starter, browser_at, installed
from tests.browser.picture import record


def main() -> int:
    path = installed()
    if path is None:
        print("there is no chromium: apt-get install chromium", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, browser_at(path) as browser, Starter() as label:
        record(browser, Path(folder), label)
    return 0


if __name__ == "__main__":
    sys.exit(main())
