"""Which parts lack a page table, and which tables are not what was written."""

from pathlib import Path

import pytest

from tests.command import done
from webecho.workspace.page_tables import forget_damaged_tables, lacking
from webecho.workspace.workspace import Workspace


@pytest.fixture
def linked(crawl: Path) -> Workspace:
    """A workspace of four parts that have links and no paragraphs."""
    pages = crawl.parent / "pages.jsonl"
    done("sketch", pages, "-o", crawl, "--part-pages", 5, "--links")
    return Workspace.open(crawl)


def test_parts_lack_what_they_do_not_name_or_have(linked: Workspace) -> None:
    assert lacking(linked, ["links"]) == {}
    every = {number: ["paragraphs"] for number in range(4)}
    assert lacking(linked, ["links", "paragraphs"]) == every
    linked.part_file("links", 2).unlink()
    assert lacking(linked, ["links"]) == {2: ["links"]}


def test_damaged_tables_are_forgotten_and_nothing_else(linked: Workspace) -> None:
    linked.part_file("links", 0).write_bytes(b"dirt")
    linked.part_file("links", 3).unlink()
    linked.part_file("sketches", 1).write_bytes(b"dirt")
    forget_damaged_tables(linked)
    assert [sorted(part.files) for part in linked.manifest.parts] == [
        ["sketches"],
        ["links", "sketches"],
        ["links", "sketches"],
        ["sketches"],
    ]
    assert lacking(linked, ["links"]) == {0: ["links"], 3: ["links"]}
