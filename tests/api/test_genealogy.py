"""`webecho.genealogy`."""

from pathlib import Path

import pytest

import webecho
from tests.api.refusals import on_command_line
from tests.study.kin_reference import written
from webecho.api.genealogy import TIES, GenealogyRequest
from webecho.errors import SettingsError

A, B = "abcdefghijklmnop", "qrstuvwxyzABCDEF"
URL = "http://{}.example/1".format
TWO = (Path("old.echo"), Path("new.echo"))


def test_a_row_for_each_child_and_parent(tmp_path: Path) -> None:
    paths = written(tmp_path, [[(URL("a"), A)], [(URL("b"), A + B)]])
    found = webecho.genealogy(paths, URL("a"))
    assert found.table.schema.equals(TIES)
    assert found.table.to_pylist() == [
        {
            "child": URL("b"),
            "child_snapshot": "shot1",
            "child_page": 0,
            "parent": URL("a"),
            "parent_snapshot": "shot0",
            "parent_page": 0,
            "shared_paragraphs": 14,
            "share": 0.5,
            "same_site": False,
            "new_address": True,
        }
    ]
    assert found.passages == {}
    assert found.draw(tmp_path / "tree.svg").read_bytes().startswith(b"<?xml")
    assert b"graphml" in found.graphml(tmp_path / "tree.graphml").read_bytes()


def test_settings_are_checked_when_they_are_made() -> None:
    assert on_command_line(lambda: GenealogyRequest(TWO, "u", most=0)) == (
        "--most 0: give 1 or more"
    )
    with pytest.raises(SettingsError, match="two snapshots or more"):
        GenealogyRequest(TWO[:1], "u")
