"""The tables of a pair of snapshots."""

from pathlib import Path

from tests.study.kin_reference import written
from webecho.engine.local.engine import local_run
from webecho.group.kinship import old_texts
from webecho.group.snapshots import SampleSettings, snapshot
from webecho.study.relations import Pair, add_snapshot, relate
from webecho.workspace.workspace import Workspace

A, B = "abcdefghijklmnop", "qrstuvwxyzABCDEF"
URL = "http://{}.example/1".format
# Three old documents of one text; two of the new ones that have it are equivalent to old ones.
SHOTS = [
    [(URL(name), A) for name in "abc"],
    [(URL("a"), A), (URL("b"), A), (URL("d"), A), (URL("e"), A), (URL("f"), B)],
]


def test_units_have_one_row_for_many_documents(tmp_path: Path) -> None:
    run, pair = local_run(), Pair(0, 1, 10)
    paths = written(tmp_path, SHOTS)
    with run.database() as database:
        found = [snapshot(Workspace.open(path), path.stem, run) for path in paths]
        for number, each in enumerate(found):
            drawn = SampleSettings().places(len(each.pages))
            add_snapshot(database, number, each, drawn, run)
        drawn = SampleSettings().places(len(found[0].pages))
        relate(database, pair, old_texts(found[0], drawn, 1000, run), found[1], run)
        units = database.table("SELECT * FROM units_0_1 ORDER BY unit NULLS LAST").to_pylist()
        # Those that are new, those that were there, and the one with another text.
        assert [(row["text"], row["own_text"], row["fresh"], row["docs"]) for row in units] == [
            (0, None, 1, 2),
            (0, 0, 0, 2),
            (4, None, 1, 1),
        ]
        assert len(database.table("SELECT * FROM links_0_1")) == 2
        query = "SELECT parents FROM children_0_1 ORDER BY page NULLS LAST"
        # Of a and b one of the three is equivalent.
        assert database.table(query)["parents"].to_pylist() == [2, 2, 3, 3, 0]
        query = "SELECT children, fresh FROM parents_0_1 ORDER BY page NULLS LAST"
        rows = database.table(query)
        assert rows["children"].to_pylist() == [3, 3, 4]
        assert rows["fresh"].to_pylist() == [2, 2, 2]
