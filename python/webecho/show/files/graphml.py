"""A family as GraphML: a node for each page, an edge from each parent to its child."""

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from webecho.safe_text import plain
from webecho.workspace.table_files import write_aside

if TYPE_CHECKING:
    from webecho.group.family import Family, Member

SPACE = "http://graphml.graphdrawing.org/xmlns"
# Of which each is what, and of which type.
KEYS = (
    ("url", "node", "string"),
    ("snapshot", "node", "string"),
    ("page", "node", "long"),
    ("site", "node", "string"),
    ("root", "node", "boolean"),
    ("shared_paragraphs", "edge", "long"),
    ("share", "edge", "double"),
    ("same_site", "edge", "boolean"),
    ("new_address", "edge", "boolean"),
)


def write_graphml(family: "Family", file: Path) -> Path:
    """Writes the family, and gives the file."""
    top = ElementTree.Element("graphml", {"xmlns": SPACE})
    for name, of, kind in KEYS:
        attributes = {"id": name, "for": of, "attr.name": name, "attr.type": kind}
        ElementTree.SubElement(top, "key", attributes)
    graph = ElementTree.SubElement(top, "graph", {"id": "family", "edgedefault": "directed"})
    ties = family.ties()
    roots = [family.ancestors.root, family.descendants.root]
    members = [*roots, *(member for tie in ties for member in (tie.parent, tie.child))]
    for member in dict.fromkeys(members):
        node = ElementTree.SubElement(graph, "node", {"id": node_id(member)})
        add(node, "url", member.url)
        add(node, "snapshot", family.snapshots[member.snapshot])
        add(node, "page", member.page)
        add(node, "site", member.site)
        add(node, "root", member.url == family.url)
    for number, tie in enumerate(ties):
        ends = {"source": node_id(tie.parent), "target": node_id(tie.child)}
        edge = ElementTree.SubElement(graph, "edge", {"id": f"e{number}", **ends})
        add(edge, "shared_paragraphs", tie.shared)
        add(edge, "share", tie.share)
        add(edge, "same_site", tie.same_site)
        add(edge, "new_address", tie.new_address)
    ElementTree.indent(top)
    text = ElementTree.tostring(top, encoding="utf-8", xml_declaration=True)
    write_aside(file, text)
    return file


def node_id(member: "Member") -> str:
    return f"n{member.snapshot}-{member.page}"


def add(parent: ElementTree.Element, name: str, value: object) -> None:
    """A value, as XML can have it; nothing where there is none."""
    if value is None:
        return
    text = str(value).lower() if isinstance(value, bool) else str(value)
    ElementTree.SubElement(parent, "data", {"key": name}).text = plain(text)
