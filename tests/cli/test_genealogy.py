"""`webecho genealogy` as a user sees it."""

import json
from pathlib import Path

import pytest

from tests.command import done
from tests.command import webecho as run
from tests.study.kin_reference import written

A, B = "abcdefghijklmnop", "qrstuvwxyzABCDEF"
URL = "http://{}.example/1".format


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    shots = [[(URL("a"), A)], [(URL("b"), A + B)], [(URL("c"), B), (URL("a"), A)]]
    return written(tmp_path, shots)


def test_the_tree_and_its_files(three: list[Path], tmp_path: Path) -> None:
    svg, graph = tmp_path / "tree.svg", tmp_path / "tree.graphml"
    result = done("genealogy", *three, URL("b"), "--svg", svg, "--graphml", graph)
    assert result.stdout.splitlines() == [
        "http://b.example/1  (shot1)",
        "",
        "ancestors of http://b.example/1 (shot1)",
        "└─ http://a.example/1 (shot0)  50% of the child's text, 14 paragraphs",
        "",
        "descendants of http://b.example/1 (shot1)",
        "├─ http://c.example/1 (shot2)  100% of the child's text, 14 paragraphs",
        "└─ http://a.example/1 (shot2)  100% of the child's text, 14 paragraphs",
    ]
    assert svg.is_file() and graph.is_file()


def test_passages_are_printed_on_demand(three: list[Path]) -> None:
    result = done("genealogy", *three, URL("b"), "--passages", "-q")
    assert f"| 16 sentences: {'a' * 45}. {'b' * 45}." in result.stdout
    found = json.loads(done("genealogy", *three, URL("c"), "--passages", "--format", "json").stdout)
    assert [(row["child"], row["parent"]) for row in found["rows"]] == [
        (URL("c"), URL("b")),
        (URL("b"), URL("a")),
    ]
    [[first], [second]] = found["passages"].values()
    assert first.startswith("q" * 45) and second.startswith("a" * 45)


def test_wrong_use(three: list[Path], tmp_path: Path) -> None:
    result = run("genealogy", *three, "http://x/")
    assert result.exit_code == 1
    assert "http://x/ is in none of the snapshots" in result.stderr
    result = run("genealogy", *three, URL("b"), "--svg", tmp_path / "tree.gif")
    assert "a tree is drawn as pdf, svg, png" in result.stderr
    assert result.exit_code == 2
    assert run("genealogy", three[0], URL("b")).exit_code == 2
