"""A driver that joins a chain of pages by rounds of stars, on a cluster:

python -m tests.engine.spark.chained MASTER FOLDER PAGES
"""

import json
import sys
from pathlib import Path

import pyarrow as pa

from tests.engine.spark.cluster import SMALL
from webecho import _core
from webecho.engine.spark.components import unite_ties
from webecho.engine.spark.session import sibling, start_session


def main(master: str, folder: Path, pages: int) -> None:
    """Writes the clusters and the number of rounds into the folder."""
    session = start_session(master, SMALL)
    # Each page is tied to the next of an order in which numbers go up and down.
    order = [page * 7919 % pages for page in range(pages)]
    table = {"left": order[1:], "right": order[:-1], "pairs": [0] * (pages - 1)}
    ties = sibling(session).createDataFrame(pa.table(table))
    forest = _core.Forest(pages, 1)
    joined = unite_ties(forest, ties, pages, folder, few=1)
    found = {"clusters": forest.clusters()[0].to_pylist(), "rounds": joined.rounds}
    (folder / "found.json").write_text(json.dumps(found))
    session.stop()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
