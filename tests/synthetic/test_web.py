"""What can be asked of a made-up web, and what is refused with what to give instead."""

from dataclasses import replace
from typing import Any

import pytest

from webecho.errors import SettingsError
from webecho.synthetic.web import (
    COMPONENT,
    COMPONENTS,
    FAMILIES,
    FAMILY_KINDS,
    KINDS,
    Web,
    one_of,
)

LINKED = Web(pages=900, graph=True)


def test_shares_are_of_a_whole() -> None:
    assert sum(share for _, share in FAMILIES) == pytest.approx(1)
    assert sum(share for _, share in COMPONENTS) == pytest.approx(1)


def test_whole_hosts_and_originals_are_no_families() -> None:
    assert set(KINDS) - set(FAMILY_KINDS) == {"original", "mirror", "alias"}
    assert {name for name, _ in FAMILIES} < set(FAMILY_KINDS)


def test_what_is_just_allowed() -> None:
    assert Web(pages=1, words=30, duplicates=0.7, file_pages=1).pages == 1
    Web(power=1.01, duplicates=0, families=tuple((kind, 1.0) for kind in FAMILY_KINDS))
    replace(LINKED, pages=50, components=(("core", 3.0),))
    replace(LINKED, components=(("tubes", 1.0), ("out", 1.0), ("in", 1.0), ("core", 1.0)))
    Web(pages=300, reuse=True, snapshots=50, duplicates=0.0, copies=0.9, through_queries=1.0)
    Web(pages=300, reuse=True, snapshots=2, copies=0.0, through_queries=0.0)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"pages": 0}, "0 pages make no web; give 1 or more"),
        ({"words": 3}, "3 words a page are too few to plant anything in; give 30 or more"),
        ({"power": 1}, "sizes cannot follow a power law of 1; give above 1"),
        ({"duplicates": 0.9}, "a share of 0.9 duplicates cannot be made; give 0 to 0.7"),
        (
            {"families": (("spam", 1.0),)},
            "no family is made of 'spam'; there are exact copy, near-copy, session id, "
            "time stamp, execution time, visitor count, parked, shop, database, directory, "
            "form, own address",
        ),
        ({"families": (("shop", 0.0),)}, "--family shop=0.0: give a share above 0"),
        ({"families": ()}, "no families are asked for; give --duplicates 0 for none"),
        ({"form": "zip"}, "'zip' is no form of a crawl; there are warc and parquet"),
    ],
)
def test_what_cannot_be_made_is_refused(asked: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Web(**asked)  # type: ignore[arg-type]
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"pages": 49}, "49 pages are too few to be linked as a bow tie; give 50 or more"),
        (
            {"families": (("shop", 1.0),)},
            "--family is not for --graph, which has families of its own; give one of them",
        ),
        (
            {"components": (("core", 1.0), ("middle", 1.0))},
            "--component middle: give each once, of core, in, out, tendrils, tubes, disconnected",
        ),
        ({"components": (("core", 0.0),)}, "--component core=0.0: give a share above 0"),
        ({"components": (("in", 1.0),)}, "a bow tie has a core; give --component core=SHARE too"),
        (
            {"components": (("core", 1.0), ("tubes", 1.0), ("in", 1.0))},
            "tubes lie between in and out; give --component in=SHARE and out=SHARE too",
        ),
        (
            {"graph": False, "components": (("core", 1.0),)},
            "--component is for a web with --graph; give both or none",
        ),
    ],
)
def test_what_cannot_be_linked_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        replace(LINKED, **asked)
    assert str(caught.value) == message


REUSED = Web(pages=400, reuse=True, snapshots=3)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"snapshots": 1},
            "--reuse needs an old snapshot and a new one: give --snapshots 2 to 50",
        ),
        ({"pages": 299}, "299 pages are too few to be copied in all ways; give 300 or more"),
        ({"copies": 1.1}, "--copies 1.1: give a share from 0 to 1"),
        ({"through_queries": -0.1}, "--through-queries -0.1: give a share from 0 to 1"),
        (
            {"copies": 0.7},
            "--copies 0.7 and --duplicates 0.3 leave too few pages with a text of their own; "
            "give 0.9 together at the most",
        ),
        ({"graph": True}, "--graph is not for --reuse; give one of them"),
        ({"families": (("shop", 1.0),)}, "--family is not for --reuse; give one of them"),
        ({"power": 3.0}, "--power is not for --reuse; give one of them"),
        ({"passages": 3}, "--passages is not for --reuse; give one of them"),
        ({"followers": 3}, "--followers is not for --reuse; give one of them"),
        ({"days": 30}, "--days is not for --reuse, whose crawls are a year apart"),
        (
            {"reuse": False, "copies": 0.5},
            "--copies is for a web with --reuse; give both or none",
        ),
    ],
)
def test_what_cannot_be_copied_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        replace(REUSED, **asked)
    assert str(caught.value) == message


def test_each_face_has_its_own_way_to_ask_for_one() -> None:
    asked = one_of(COMPONENT, "core", 0.5)
    assert (asked.on_command_line, asked.in_python) == (
        "--component core=0.5",
        "components={'core': 0.5}",
    )
    asked = one_of(COMPONENT, "core")
    assert (asked.on_command_line, asked.in_python) == (
        "--component core",
        "components={'core': SHARE}",
    )
