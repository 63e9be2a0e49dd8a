"""A page's ancestors and descendants on the terminal."""

import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence

from webecho.api.genealogy import Genealogy
from webecho.group.family import Branch, Family, Member, Tree
from webecho.group.kin_passages import KinPassage
from webecho.safe_text import plain
from webecho.show.layout import broken
from webecho.show.terminal import Format, many, print_csv, print_json, print_lines

# So much of a passage is printed.
CHARACTERS = 300
# What stands before the text of a line, and what before those that go on with it.
MARGIN = re.compile(r"[│├└─ ]*(\| )?")
GOES_ON = str.maketrans("├└─", "│  ")


def show_genealogy(found: Genealogy, output: Format) -> None:
    """Prints the trees, for programs a row for each child and parent."""
    if output == "json":
        passages = {
            f"{child} {page} {parent} {source}": [each.text for each in shared]
            for (child, page, parent, source), shared in found.passages.items()
        }
        print_json(
            {
                "url": found.family.url,
                "snapshots": [found.family.snapshots[each] for each in found.family.versions],
                "rows": found.table.to_pylist(),
            }
            | ({"passages": passages} if passages else {})
        )
        return
    if output != "table":
        rows = found.table
        print_csv(rows.column_names, (row.values() for row in rows.to_pylist()), output)
        return
    print_tree(lines(found))


def print_tree(lines: Iterable[str]) -> None:
    """Lines of a tree, broken between words where a screen ends, with its branches beside them."""
    if not sys.stdout.isatty():
        print_lines(map(plain, lines))
        return
    screen = shutil.get_terminal_size().columns
    for line in map(plain, lines):
        first = MARGIN.match(line)
        margin = first[0] if first else ""
        beside = margin.translate(GOES_ON)
        text = broken(line.removeprefix(margin), screen - len(margin))
        print("\n".join([f"{margin}{text[0]}", *(f"{beside}{each}" for each in text[1:])]))


def lines(found: Genealogy) -> Iterator[str]:
    """The trees, a line for each page."""
    family = found.family
    here = ", ".join(family.snapshots[each] for each in family.versions)
    yield f"{family.url}  ({here})"
    for title, tree in (("ancestors", family.ancestors), ("descendants", family.descendants)):
        yield ""
        if not tree.branches:
            yield f"{title}: none"
            continue
        yield f"{title} of {name_of(tree.root, family)}"
        yield from under(tree, "", family, found)


def under(node: Tree | Branch, margin: str, family: Family, found: Genealogy) -> Iterator[str]:
    # What stands elsewhere would hide the rest.
    again = sum(branch.again for branch in node.branches)
    listed = [branch for branch in node.branches if not branch.again]
    for number, branch in enumerate(listed, 1):
        ends = number == len(listed) and not node.more and not again
        yield f"{margin}{'└─' if ends else '├─'} {branch_line(branch, family)}"
        inner = margin + ("   " if ends else "│  ")
        for passage in passages_of(branch, found):
            text = passage.text
            cut = text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]}…"
            count = passage.last_sentence - passage.first_sentence + 1
            yield f"{inner}   | {many(count, 'sentence')}: {cut}"
        yield from under(branch, inner, family, found)
    if again:
        stand = "stands" if again == 1 else "stand"
        yield f"{margin}{'├─' if node.more else '└─'} {again:,} that {stand} elsewhere in the tree"
    if node.more:
        yield f"{margin}└─ {node.more:,} more"


def passages_of(branch: Branch, found: Genealogy) -> Sequence[KinPassage]:
    child, parent = branch.tie.child, branch.tie.parent
    key = (child.snapshot, child.page, parent.snapshot, parent.page)
    return found.passages.get(key, [])


def branch_line(branch: Branch, family: Family) -> str:
    tie = branch.tie
    said = [f"{tie.share:.0%} of the child's text", f"{tie.shared:,} paragraphs"]
    if tie.same_site:
        said.append("same site")
    if not tie.new_address:
        said.append(f"both there in {family.snapshots[tie.parent.snapshot]}")
    return f"{name_of(branch.member, family)}  {', '.join(said)}"


def name_of(member: Member, family: Family) -> str:
    url = member.url or f"#{member.page}"
    return f"{url} ({family.snapshots[member.snapshot]})"
