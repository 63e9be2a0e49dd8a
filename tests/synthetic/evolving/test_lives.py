"""What becomes of URLs follows from the seed alone, at the rates that were planted."""

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from webecho.synthetic.evolving.lives import (
    FAMILY,
    FOLLOWED,
    OWN,
    PACES,
    STILL,
    Address,
    absence,
    another_home,
    family_shows,
    follows,
    happening,
    is_there,
    lives,
    moment,
    shown,
)
from webecho.synthetic.hosts import template_of
from webecho.synthetic.web import Web

WEB = Web(snapshots=5, seed=2)
STEADY = Address(100, 100, 0, 0, 0, 70, 1, 70, 1, pace=PACES.index(STILL))


def test_a_page_lives_from_birth_to_death_and_its_copy_as_much_later_as_it_lags() -> None:
    page = STEADY._replace(born=2, dies=4)
    assert [lives(page, snapshot) for snapshot in range(1, 6)] == [
        *(False, True, True, False, False)
    ]
    behind = page._replace(lag=1)
    assert [lives(behind, snapshot) for snapshot in range(1, 6)] == [
        *(False, False, True, True, False)
    ]
    assert [moment(behind, snapshot) for snapshot in range(1, 6)] == [1, 1, 2, 3, 4]


def test_hosts_vanish_for_one_snapshot_but_the_first_and_the_last() -> None:
    found = Counter(
        (snapshot, absence(WEB, STEADY._replace(host=host), snapshot))
        for host in range(3000)
        for snapshot in range(1, 6)
    )
    assert found[1, "vanished"] == found[5, "vanished"] == 0
    for snapshot in (2, 3, 4):
        assert found[snapshot, "vanished"] == pytest.approx(90, abs=30)
        # One at the least.
        assert absence(WEB, STEADY._replace(host=snapshot), snapshot) == "vanished"
        assert not is_there(WEB, STEADY._replace(host=snapshot), snapshot)
    steady = STEADY._replace(pace=PACES.index(FOLLOWED), host=3)
    assert absence(WEB, steady, 3) is None


def test_a_share_of_the_hosts_is_lost() -> None:
    web = replace(WEB, lost=((3, 0.25), (5, 0.5)))
    for snapshot, share in ((1, 0.0), (3, 0.25), (5, 0.5)):
        lost = sum(
            absence(web, STEADY._replace(host=host), snapshot) == "lost" for host in range(2000)
        )
        assert lost / 2000 == pytest.approx(share, abs=0.04)


def test_followers_go_away_at_their_rate_and_come_back() -> None:
    there = {rate: [0, 0] for rate in (50, 500, 950)}
    back = [0, 0]
    for number in range(3000):
        rate = (50, 500, 950)[number % 3]
        follower = STEADY._replace(number=number, rate=rate)
        away = [follows(WEB, follower, snapshot) for snapshot in range(1, 6)]
        assert away[0] == 0
        for before, after in itertools.pairwise(away):
            if before:
                back[0] += 1
                back[1] += not after
                # It keeps its text while it is away.
                assert after in (0, before)
            else:
                there[rate][0] += 1
                there[rate][1] += bool(after)
    for rate, (times, gone) in there.items():
        assert gone / times == pytest.approx(rate / 1000, abs=0.04)
    assert back[1] / back[0] == pytest.approx(0.8, abs=0.03)


def test_texts_of_followers() -> None:
    follower = STEADY._replace(number=7, family=3, member=1, home=60, rate=1000)
    states = [shown(WEB, follower, snapshot) for snapshot in range(1, 6)]
    assert states[0].family == states[0].text == 3
    assert states[0].home == 60
    away = (2 << 32) + 7
    assert states[1] == (away, away, 70, (), 0)


def test_what_happens_is_as_frequent_as_its_share() -> None:
    found = Counter(happening(WEB, FAMILY, "family", number, 2) for number in range(8000))
    for how, share in FAMILY:
        assert found[how] / 8000 == pytest.approx(share, abs=0.012)
    assert found[None] / 8000 == pytest.approx(0.8, abs=0.02)
    assert happening(WEB, STILL, "family", 1, 2) is None
    own = Counter(happening(WEB, OWN, "own", number, 2) for number in range(8000))
    assert own["leave"] / 8000 == pytest.approx(0.04, abs=0.01)


def test_a_text_is_changed_step_by_step() -> None:
    seen = Counter[str]()
    for number in range(400):
        states = [family_shows(WEB, number, 5, PACES.index(FAMILY), now) for now in range(1, 6)]
        assert states[0] == (number, number, 5, (), 0)
        for snapshot, (before, after) in enumerate(itertools.pairwise(states), 2):
            how = happening(WEB, FAMILY, "family", number, snapshot)
            assert after.family == number
            if how == "all":
                assert after.text == (snapshot << 44) + number
                assert after.edits == ()
            elif how is None:
                assert after == before
            else:
                assert after.edits == (*before.edits, (how, snapshot, number))
            seen[how or "none"] += 1
    assert set(seen) == {"none", "few", "some", "many", "all"}


def test_a_page_that_joins_shows_the_other_family_from_then_on() -> None:
    page = STEADY._replace(joins=3, joined=900, joined_home=8)
    families = [shown(WEB, page, snapshot).family for snapshot in range(1, 6)]
    assert families == [100, 100, 900, 900, 900]
    assert shown(WEB, page, 3) == family_shows(WEB, 900, 8, 0, 3)


def test_a_member_that_leaves_has_a_text_of_its_own() -> None:
    left = 0
    for number in range(300):
        member = STEADY._replace(number=number, family=9, member=1, own=1)
        states = [shown(WEB, member, snapshot) for snapshot in range(1, 6)]
        hows = [happening(WEB, OWN, "own", number, snapshot) for snapshot in range(2, 6)]
        if "leave" in hows:
            last = len(hows) - 1 - hows[::-1].index("leave") + 2
            assert states[-1].family == (last << 32) + number
            left += 1
        else:
            assert states[-1].family == 9
            assert len(states[-1].edits) == hows.count("few")
            assert states[-1].layout == hows.count("markup")
    assert left == pytest.approx(300 * (1 - 0.96**4), abs=20)


def test_another_home_has_another_template() -> None:
    web = Web(pages=60, snapshots=2)
    for home in range(20):
        other = another_home(web, home, home, 2)
        assert template_of(web, other).number != template_of(web, home).number
