"""What the manifest says, and what is said of one that cannot be read."""

import json
from pathlib import Path

import pytest

from tests.command import manifest, webecho, write_manifest
from webecho.errors import WorkspaceError
from webecho.workspace.workspace import Workspace

DAMAGED = {
    "empty": b"",
    "half": b'{"recipe": {"na',
    "no object": b"[]",
    "null": b"null",
    "a number": b"7",
    "not text": b"\xff\xfe\x00",
    "other keys": b'{"format": 1, "parts": [], "what": 1}',
    "parts of another kind": b'{"format": 1, "parts": 7}',
    "parts of other parts": b'{"format": 1, "parts": [{"first": 0}]}',
}


def test_the_manifest_names_the_recipe_the_sources_and_the_parts(crawl: Path) -> None:
    found = manifest(crawl)
    assert found["complete"] is True
    assert (found["recipe"]["name"], found["recipe"]["version"]) == ("webecho", 2)
    assert [source["format"] for source in found["sources"]] == ["jsonl"]
    assert found["sources"][0]["stamp"]["size"] == (crawl.parent / "pages.jsonl").stat().st_size
    assert [(part["first"], part["pages"]) for part in found["parts"]] == [
        (0, 5),
        (5, 5),
        (10, 5),
        (15, 1),
    ]
    assert [part["ends_input"] for part in found["parts"]] == [False, False, False, True]


@pytest.mark.parametrize("verb", ["clusters", "pairs"])
def test_an_unfinished_workspace_is_not_used(crawl: Path, verb: str) -> None:
    write_manifest(crawl, manifest(crawl) | {"complete": False})
    result = webecho(verb, crawl)
    assert result.exit_code == 1
    assert result.stderr == (
        f"webecho: {crawl} is not finished; run the same `webecho sketch` command again to go on\n"
    )


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_manifest_is_an_error_that_names_it(crawl: Path, content: bytes) -> None:
    (crawl / "manifest.json").write_bytes(content)
    for verb in (("clusters", crawl), ("sketch", crawl.parent / "pages.jsonl", "-o", crawl)):
        result = webecho(*verb)
        assert result.exit_code == 1
        assert str(crawl / "manifest.json") in result.stderr
        assert "sketch" in result.stderr


def test_a_manifest_of_another_format_is_not_read(crawl: Path) -> None:
    (crawl / "manifest.json").write_text(json.dumps(manifest(crawl) | {"format": 99}))
    with pytest.raises(WorkspaceError, match="has format 99, this webecho reads 5; sketch"):
        Workspace.open(crawl)
