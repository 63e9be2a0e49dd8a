"""The names by which collections are told apart."""

from pathlib import Path

from webecho.study.result import names
from webecho.workspace.manifest import Manifest
from webecho.workspace.schemas import NO_IDS
from webecho.workspace.workspace import Workspace


def test_collections_are_told_apart(tmp_path: Path) -> None:
    manifest = Manifest({}, [], False, 1, NO_IDS)

    def named(*paths: str) -> list[str]:
        return names([Workspace(tmp_path / path, manifest) for path in paths])

    assert named("a/x.echo", "b/y.echo") == ["x", "y"]
    assert named("a/x.echo", "b/x.echo", "c/x-1.echo") == ["x-2", "x-3", "x-1"]
