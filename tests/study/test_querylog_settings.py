"""Settings are checked, and the real log is known by its time or its name."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.study.reuse_made import NEW, OLD, collection
from webecho.errors import SettingsError
from webecho.study.query_logs import QueryLog
from webecho.study.querylog_settings import CollectionPair, QuerylogSettings, real_log
from webecho.workspace.workspace import Workspace


def log(name: str, first: str | None = None, last: str | None = None) -> QueryLog:
    ends = [
        None if each is None else datetime.fromisoformat(each).replace(tzinfo=UTC)
        for each in (first, last)
    ]
    return QueryLog(name, f"{name}.tsv", ("a",), 1, first=ends[0], last=ends[1])


@pytest.fixture
def workspaces(tmp_path: Path) -> tuple[Workspace, Workspace]:
    pages = {"http://a.example/": "text"}
    return (
        Workspace.open(collection(tmp_path, "old", pages, OLD)),
        Workspace.open(collection(tmp_path, "new", pages, NEW)),
    )


def test_the_real_log_lies_between_the_crawls(workspaces: tuple[Workspace, Workspace]) -> None:
    pair = CollectionPair("old–new", *workspaces)
    before = log("before", "2003-06-01", "2003-08-14")
    during = log("during", "2003-09-01", "2003-12-31")
    across = log("across", "2003-09-01", "2004-01-20")
    assert real_log(pair, [before, log("topics"), during, across]) is during
    assert real_log(pair, [before, across]) is None
    other = log("other", "2003-10-01", "2003-10-02")
    with pytest.raises(SettingsError, match=r"several logs lie between the crawls .* --real"):
        real_log(pair, [during, other])


def test_or_is_named(workspaces: tuple[Workspace, Workspace]) -> None:
    pair = CollectionPair("old–new", *workspaces, real="all")
    parts = [
        log("all 2003-01", "2003-01-01", "2003-01-02"),
        log("all 2003-10", "2003-10-01", "2003-10-02"),
    ]
    assert real_log(pair, parts) is parts[1]
    assert real_log(pair, [log("all")]) == log("all")
    with pytest.raises(SettingsError, match="--real all is none of the logs: other"):
        real_log(pair, [log("other")])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"answers": 0}, "--answers 0: give 1 or more"),
        ({"tested": 0}, "--tested 0: give 1 or more"),
        ({"permutations": -1}, "--permutations -1: give 0 or more"),
        ({"cases": -1}, "--cases -1: give 0 or more"),
        ({"most": 0}, "--most 0: give 1 or more"),
        ({"minimal": ()}, "--minimal : give numbers from 1 on"),
        ({"minimal": (5, 0)}, "--minimal 5,0: give numbers from 1 on"),
    ],
)
def test_settings_are_checked(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        QuerylogSettings(**settings)
