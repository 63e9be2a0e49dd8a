"""A family as GraphML, read by networkx."""

from pathlib import Path

import networkx

from webecho.group.family import Branch, Family, Member, Tie, Tree
from webecho.show.files.graphml import write_graphml

ROOT = Member(1, 5, "http://a/?x=<&>", "a")


def test_networkx_reads_what_was_written(tmp_path: Path) -> None:
    parent, child = Member(0, 1, "http://b/\x01", "b"), Member(2, 2, None, None)
    up = Branch(parent, Tie(ROOT, parent, 12, 0.25, True))
    down = Branch(child, Tie(child, ROOT, 20, 1.0, False))
    ancestors, descendants = Tree(ROOT, [up]), Tree(ROOT, [down])
    names = ("2013", "2014", "2015")
    found = Family("http://a/?x=<&>", names, (1,), ancestors, descendants)
    graph = networkx.read_graphml(write_graphml(found, tmp_path / "family.graphml"))
    assert graph.is_directed()
    assert dict(graph.nodes(data=True)) == {
        "n1-5": {
            "url": "http://a/?x=<&>",
            "snapshot": "2014",
            "page": 5,
            "site": "a",
            "root": True,
        },
        "n0-1": {
            "url": "http://b/\N{REPLACEMENT CHARACTER}",
            "snapshot": "2013",
            "page": 1,
            "site": "b",
            "root": False,
        },
        "n2-2": {"snapshot": "2015", "page": 2, "root": False},
    }
    edges = {(one, other): values for one, other, values in graph.edges(data=True)}
    assert (
        edges["n0-1", "n1-5"].items()
        >= {
            "shared_paragraphs": 12,
            "share": 0.25,
            "same_site": False,
            "new_address": True,
        }.items()
    )
    assert edges["n1-5", "n2-2"]["share"] == 1.0
    assert len(edges) == 2
