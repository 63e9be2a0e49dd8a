"""Makes a small web up, removes its duplicates, and holds the result against the truth.

    make demo

It shows the commands as one would type them, and what they print.
"""

import shlex
import subprocess
import sys
from pathlib import Path

import duckdb

# An exact copy must share the fate of its text; a page made from another, and still similar to it,
# is found if one of the two went, or both went with a third.
FOUND = """
SELECT
    truth.kind,
    count(*) AS planted,
    count(*) FILTER (truth.resemblance >= 0.8) AS "similar to its original",
    count(*) FILTER (truth.resemblance >= 0.8
        AND (NOT own.stays OR NOT made_from.stays)) AS "of those found",
    count(*) FILTER (truth.resemblance < 0.8 AND own.cluster = made_from.cluster
        AND truth.page <> own.cluster) AS "less similar, but in its cluster"
FROM '{web}/truth.parquet' AS truth
JOIN '{clean}/clusters.parquet' AS own ON own.page = truth.page
JOIN '{clean}/clusters.parquet' AS made_from ON made_from.page = truth.original
GROUP BY truth.kind ORDER BY planted DESC, truth.kind
"""


def main() -> None:
    folder = Path(sys.argv[1])
    web, clean = folder / "web", folder / "clean"
    folder.mkdir(exist_ok=True)
    webecho("synth", web, "--pages", 5000, "--force", "--quiet")
    webecho("dedup", web / "pages", "-o", clean, "--force", "--quiet")
    print("\nHow much of what was planted was found:\n")
    print(duckdb.sql(FOUND.format(web=web, clean=clean)))
    print(f"What stays is in {clean}/data, what was removed and why in {clean}/duplicates.parquet:")
    print(f"\n$ webecho why {clean}.echo URL1 URL2 explains any two pages.")


def webecho(*arguments: object) -> None:
    words = [str(each) for each in arguments]
    print(f"\n$ webecho {shlex.join(words)}", flush=True)
    subprocess.run([sys.executable, "-m", "webecho", *words], check=True)


if __name__ == "__main__":
    main()
