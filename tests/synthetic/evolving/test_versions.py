"""Pages at one time: what a URL shows follows from its life."""

from dataclasses import replace

import pytest

from webecho.synthetic.content import content
from webecho.synthetic.evolving.addresses import addresses, plan_addresses
from webecho.synthetic.evolving.lives import MIRRORED, PACES, Address, shown
from webecho.synthetic.evolving.versions import is_own, original_of, session_of, url_of, version
from webecho.synthetic.pages import make
from webecho.synthetic.plan import KIND, plan, planned
from webecho.synthetic.web import KINDS, Web

WEB = Web(pages=1500, seed=4, words=60, snapshots=4)
ALL = list(addresses(plan_addresses(WEB)[0]))
PAGE = Address(2000, 2000, 0, 0, 0, 300, 5, 300, 5, pace=PACES.index(MIRRORED))


def test_the_first_version_says_what_the_page_of_one_crawl_says() -> None:
    once = replace(WEB, snapshots=1)
    rows = list(planned(plan(once), 0))
    kinds = set()
    for row, address in zip(rows, ALL, strict=True):
        now = version(WEB, address, 1)
        said = content(once, row)
        assert now.said.title == said.title
        if KINDS[row.family_kind] != "own address":
            assert now.said == said
        if (row.host, row.place) == (address.host, address.place):
            made = make(once, row)
            assert url_of(WEB, address) == made.truth["url"]
            assert now.html == made.html
        kinds.add(KINDS[row.kind])
    assert kinds >= {"near-copy", "parked", "shop", "mirror", "session id", "time stamp"}


def test_a_mirror_has_the_bytes_of_its_original_as_it_was() -> None:
    differ = 0
    for number in range(40):
        page = PAGE._replace(number=2000 + number, family=2000 + number)
        mirror = page._replace(number=3000 + number, member=1, kind=KIND["mirror"], host=301)
        behind = mirror._replace(lag=1)
        for snapshot in range(1, 5):
            assert version(WEB, mirror, snapshot).html == version(WEB, page, snapshot).html
            before = version(WEB, page, max(1, snapshot - 1)).html
            assert version(WEB, behind, snapshot).html == before
            differ += before != version(WEB, page, snapshot).html
    assert differ > 20


def test_what_differs_on_every_visit() -> None:
    for kind in ("time stamp", "execution time", "visitor count"):
        page = next(each for each in ALL if KINDS[each.family_kind] == kind)
        now, then = (version(WEB, page._replace(pace=4, own=0), number) for number in (1, 2))
        column = kind.replace(" ", "_")
        assert now.said.planted[column] != then.said.planted[column]
        assert now.said.paragraphs == then.said.paragraphs
        if kind == "time stamp":
            assert [each.said.planted[column][:10] for each in (now, then)] == [
                *("2004-01-01", "2004-01-08")
            ]


def test_a_session_is_the_same_in_all_snapshots() -> None:
    sessions = [each for each in ALL if KINDS[each.family_kind] == "session id"]
    assert len({url_of(WEB, each) for each in sessions}) == len(sessions) > 10
    for each in sessions:
        session = session_of(WEB, each)
        assert session is not None
        for snapshot in (1, 4):
            assert f"?sid={session}" in version(WEB, each, snapshot).html
    assert session_of(WEB, PAGE) is None


def test_the_original_of_what_is_shown() -> None:
    copy = next(each for each in ALL if KINDS[each.kind] == "exact copy" and not each.joins)
    assert original_of(copy, shown(WEB, copy, 1)).number == copy.family
    joining = next(each for each in ALL if each.joins and each.member == 0)
    assert is_own(joining, shown(WEB, joining, 1))
    state = shown(WEB, joining, joining.joins)
    assert not is_own(joining, state)
    original = original_of(joining, state)
    assert (original.number, original.home) == (joining.joined, joining.joined_home)
    assert version(WEB, original, 4).said == version(WEB, joining, 4).said


@pytest.mark.parametrize("rate", [0, 1000])
def test_a_follower_that_is_away_has_a_text_of_its_own(rate: int) -> None:
    follower = PAGE._replace(number=7000, member=1, host=400, rate=rate)
    now = version(WEB, follower, 2)
    assert is_own(follower, now.state) == (rate == 1000)
    same = now.said == version(WEB, PAGE, 2).said
    assert same == (rate == 0)
