"""Groups of hosts, and what a crawler is told."""

import pyarrow as pa
import pytest

from webecho.study.mirror_groups import (
    crawler_table,
    folders_of,
    group_rows,
    groups,
    standing,
    turned,
)
from webecho.study.shares import wilson
from webecho.study.subtrees import Mapped, Subtree

HOSTS = pa.table({"host": list("abcdefg"), "pages": [90, 80, 70, 60, 50, 40, 30]})


def pairs(*names: str) -> pa.Table:
    return pa.table(
        {
            "left_name": [name[0] for name in names],
            "right_name": [name[1] for name in names],
            "status": ["remaining"] * len(names),
            "shared_ip": [0] * len(names),
            "www": [0] * len(names),
        }
    )


def test_groups_of_more_than_two() -> None:
    found = groups(pairs("ab", "bc", "de", "fg", "gd"), HOSTS)
    assert [(group.hosts, group.mirrors) for group in found] == [
        ([("d", 60, 2), ("e", 50, 1), ("f", 40, 1), ("g", 30, 2)], 3),
        ([("a", 90, 1), ("b", 80, 2), ("c", 70, 1)], 2),
    ]
    rows, hosts = group_rows("crawl", found)
    assert rows[1] == {
        "collection": "crawl",
        "group": 2,
        "hosts": 3,
        "mirrors": 2,
        "share of all pairs": 2 / 3,
        "canonical host": "a",
        "names": "a, b, c",
    }
    assert [(row["group"], row["host"]) for row in hosts] == [
        *((1, host) for host in "defg"),
        *((2, host) for host in "abc"),
    ]


def test_two_are_no_group() -> None:
    assert groups(pairs("ab", "cd"), HOSTS) == []


def subtree(one: str, other: str, matched: int, of: int = 20, more: int = 0) -> Subtree:
    left, right = ((host, path) for host, _, path in (one.partition("/"), other.partition("/")))
    mapped = Mapped(ord(left[0]), f"/{left[1]}", ord(right[0]), f"/{right[1]}")
    return Subtree(mapped, left[0], right[0], of + more, of, of, matched)


def test_the_larger_host_stands_for_the_other() -> None:
    [found] = standing(pairs("ab"), [subtree("a/x/", "b/y/", 18, 20, 5)])
    assert found.row == {
        "mirror host": "b",
        "mirror path": "/y/",
        "canonical host": "a",
        "canonical path": "/x/",
        "kind": "subtree",
        "pages": 20,
        "matched": 18,
        "share covered": 0.9,
        "differing": 2,
        "only on the mirror": 0,
        "only on the canonical host": 5,
        "confidence": wilson(0.9, 20)[0],
    }


def test_of_several_that_has_most_of_its_pages() -> None:
    found = standing(
        pairs("ab", "ac", "bc"),
        [subtree("a/", "b/", 15), subtree("a/", "c/", 15), subtree("b/", "c/", 18)],
    )
    told = [(one.row["mirror host"], one.row["canonical host"], one.row["kind"]) for one in found]
    assert told == [("c", "b", "mirror"), ("b", "a", "mirror")]


def test_within_a_host_the_larger_folder_stands() -> None:
    [found] = standing(pairs(), [subtree("a/v1/", "a/v2/", 15, 20, -4)])
    assert (found.row["mirror path"], found.row["canonical path"]) == ("/v1/", "/v2/")
    assert found.row["kind"] == "folders"
    assert (found.row["pages"], found.row["only on the canonical host"]) == (16, 0)


@pytest.mark.parametrize(
    ("status", "shared_ip", "www", "kind"),
    [
        ("alias", 1, 0, "alias"),
        ("alias", 0, 0, "mirror"),
        ("remaining", 0, 1, "www"),
        ("alias", 1, 1, "alias"),
    ],
)
def test_aliases_are_called_so(status: str, shared_ip: int, www: int, kind: str) -> None:
    known = pa.table(
        {
            "left_name": ["a"],
            "right_name": ["b"],
            "status": [status],
            "shared_ip": [shared_ip],
            "www": [www],
        }
    )
    [found] = standing(known, [subtree("a/", "b/", 20)])
    assert found.row["kind"] == kind


def test_what_is_behind_does_not_stand_for_others() -> None:
    """a has five pages more than b, but is behind it; c goes with a as before."""
    found = standing(
        pairs("ab", "ac"), [subtree("a/x/", "b/y/", 18, 20, 5), subtree("a/", "c/", 20)]
    )
    names = ["mirror host", "mirror path", "canonical host", "canonical path"]
    stale = ("b", "/y/", "a", "/x/")
    assert stale in [folders_of(each.row) for each in found]
    rows = crawler_table(found, {stale}).to_pylist()
    assert [[row[name] for name in names] for row in rows] == [
        ["c", "/", "a", "/"],
        ["a", "/x/", "b", "/y/"],
    ]
    told = rows[1]
    assert (told["pages"], told["matched"], told["share covered"]) == (25, 18, 18 / 25)
    assert (told["only on the mirror"], told["only on the canonical host"]) == (5, 0)
    for each in found:
        assert turned(turned(each.row)) == each.row


def test_only_what_is_sure_enough_is_for_a_crawler() -> None:
    found = standing(pairs("ab", "ac"), [subtree("a/", "b/", 20), subtree("a/", "c/", 12)])
    assert len(found) == 2
    assert crawler_table(found)["mirror host"].to_pylist() == ["b"]
    assert crawler_table([]).num_rows == 0
