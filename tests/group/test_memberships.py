"""Clusters of two pages, and the chain of pairs that holds them together."""

from pathlib import Path

import pytest

import webecho
from tests.collections_made import as_parquet, edited, markup, page, prose
from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.errors import WorkspaceError
from webecho.group.memberships import Membership, memberships
from webecho.workspace.layout import Layout
from webecho.workspace.workspace import Workspace


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Pages 0, 2, 3, 4 and 6 differ by a word more each; 1 and 5 are another text."""
    text = prose(1, 204)
    changed = [edited(text, *(40 * place + 20 for place in range(edits))) for edits in range(5)]
    other = prose(2, 204)
    bodies = [changed[0], other, changed[1], changed[2], changed[3], other, changed[4]]
    pages = [page(number, markup(body)) for number, body in enumerate(bodies)]
    source = as_parquet(tmp_path / "pages.parquet", pages)
    done("sketch", source, "-o", tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def test_without_clusters_there_are_none(crawl: Path) -> None:
    assert memberships(Workspace.open(crawl), 0, 1, local_run()) == ()


def test_the_shortest_chain_of_pairs(crawl: Path) -> None:
    # One change is 195 / 205 = 0.951, two are 190 / 210 = 0.905.
    done("clusters", crawl, "--resemblance", 0.9)
    workspace = Workspace.open(crawl)
    alone = Membership("similar-0.9", 0, 0, 5, 5)
    assert memberships(workspace, 0, 6, local_run()) == (alone,)
    done("pairs", crawl, "--resemblance", 0.9)
    chains = {
        (left, right): memberships(workspace, left, right, local_run())[0].chain
        for left, right in [(0, 6), (6, 0), (0, 3), (0, 4), (1, 5)]
    }
    assert chains == {
        (0, 6): (0, 3, 6),
        (6, 0): (6, 3, 0),
        (0, 3): (0, 3),
        (0, 4): (0, 2, 4),
        (1, 5): (1, 5),
    }


def test_pages_of_two_clusters(crawl: Path) -> None:
    done("clusters", crawl, "--rule", "text")
    done("clusters", crawl, "--resemblance", 0.9)
    found = webecho.why(crawl, 0, "#5").clusters
    assert found == (Membership("similar-0.9", 0, 1, 5, 2), Membership("text", 0, 1, 1, 2))
    assert not any(each.together for each in found)


def test_a_damaged_table_is_named(crawl: Path) -> None:
    done("clusters", crawl, "--rule", "text")
    Layout(crawl).clusters("text").write_bytes(b"PAR1")
    with pytest.raises(WorkspaceError, match=r"text\.parquet cannot be read .*; find the clusters"):
        webecho.why(crawl, 0, 1)


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1 but no table PAR1"])
def test_damaged_pairs_are_named(crawl: Path, content: bytes) -> None:
    done("clusters", crawl, "--rule", "text")
    file = Layout(crawl).pairs("text")
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(
        WorkspaceError, match=r"pairs/text\.parquet cannot be read .*; find the pairs again"
    ):
        webecho.why(crawl, 1, 5)
    # Of pages of two clusters no pair is looked for.
    webecho.why(crawl, 0, 1)
