"""What pages say, kind by kind: what a family shares, and what each of its pages has of its own."""

from datetime import UTC, datetime, timedelta
from statistics import mean, median

import pytest

from webecho.synthetic.chance import TOP
from webecho.synthetic.content import Content, content, fetched, later, page_words, parked, text
from webecho.synthetic.hosts import domain, host_name, path
from webecho.synthetic.languages import LANGUAGES, vocabulary
from webecho.synthetic.plan import Planned
from webecho.synthetic.web import KINDS, Web

WEB = Web(pages=1000, seed=7, words=100)


def row(kind: str, member: int = 0, **more: int) -> Planned:
    """A page of a family of this kind, whose original is page 5 on host 2."""
    number = KINDS.index(kind)
    own = KINDS.index("original") if member == 0 else number
    planned = Planned(
        page=5 + member,
        original=5,
        family_kind=number,
        member=member,
        kind=own,
        host=2,
        place=member,
        home=2,
        home_place=0,
    )
    return planned._replace(**more)


def said(kind: str, member: int, **more: int) -> Content:
    return content(WEB, row(kind, member, **more))


def words(content: Content) -> list[str]:
    return " ".join(content.paragraphs).split()


def test_a_page_is_fetched_every_second() -> None:
    assert fetched(0) == datetime(2004, 1, 1, tzinfo=UTC)
    assert fetched(3661) == datetime(2004, 1, 1, 1, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_page_says_the_same(kind: str) -> None:
    assert said(kind, 1) == said(kind, 1)
    assert said(kind, 1) != content(Web(pages=1000, seed=8, words=100), row(kind, 1))


@pytest.mark.parametrize("kind", ["exact copy", "mirror", "alias"])
def test_copies_say_what_their_original_says(kind: str) -> None:
    assert said(kind, 3) == said(kind, 0) == said("original", 0)


def test_near_copies_differ_in_some_words() -> None:
    original, near = said("near-copy", 0), said("near-copy", 1)
    assert original.planted == {}
    assert 0.5 <= near.planted["target"] <= 0.99
    assert near.paragraphs != original.paragraphs
    assert near.related == original.related
    assert len(set(words(near)) & set(words(original))) > len(set(words(original))) / 2


@pytest.mark.parametrize(
    ("kind", "line", "planted"),
    [
        ("time stamp", "above", "time_stamp"),
        ("execution time", "below", "execution_time"),
        ("visitor count", "below", "visitor_count"),
        ("session id", "", "session_id"),
    ],
)
def test_what_is_planted_is_the_page_s_own_and_the_rest_the_family_s(
    kind: str, line: str, planted: str
) -> None:
    first, second = said(kind, 1), said(kind, 2)
    assert first.paragraphs == second.paragraphs == said("original", 0).paragraphs
    assert first.planted[planted] != second.planted[planted]
    shown = f"{first.planted[planted]:.3f}" if kind == "execution time" else first.planted[planted]
    # Nobody sees a session id: it is in addresses.
    assert (f" {shown} " in getattr(first, line)) if line else (first.above + first.below == "")


def test_time_and_visitors_go_on() -> None:
    assert said("time stamp", 1).above == "It is 2004-01-01 00:00:06 now."
    visitors = [said("visitor count", member).planted["visitor_count"] for member in range(4)]
    assert [count - visitors[0] for count in visitors] == [0, 3, 6, 9]


def test_an_own_address_is_that_of_the_page() -> None:
    found = said("own address", 1, host=9, place=4).below
    assert found == f"The address of this page is http://{host_name(7, 9)}{path(4)}"


def test_forms_are_filled_in_differently() -> None:
    first, second = said("form", 1), said("form", 2)
    assert (first.fields[0], second.fields[0]) == ("1001", "1002")
    assert len(first.fields) == len(second.fields) == 5
    assert first.paragraphs == second.paragraphs


def test_a_shop_says_most_on_every_page() -> None:
    first, second = said("shop", 1), said("shop", 2)
    assert first.title == first.planted["item"] != second.title
    assert first.above.startswith(f"{first.title}: ")
    # 85 of 100 words stand on every page, those of the item before them.
    shared = [*zip(reversed(first.paragraphs), reversed(second.paragraphs), strict=False)]
    same = [one for one, other in shared if one == other]
    assert sum(len(each.split()) for each in same) == 85
    assert first.paragraphs[0] != second.paragraphs[0]


def test_a_parked_domain_has_its_name_on_it_and_nothing_else_of_its_own() -> None:
    one, other = (parked(WEB, row("parked", member, host=member)) for member in (10, 11))
    names = domain(7, 10), domain(7, 11)
    assert (one.title, other.title) == names
    assert names[0] != names[1]
    assert [each.replace(names[0], names[1]) for each in one.paragraphs] == [*other.paragraphs]
    assert one.related == other.related


def test_records_of_a_database_differ_in_words_that_stand_together() -> None:
    first, second = words(said("database", 1)), words(said("database", 2))
    assert len(first) == len(second) >= 250
    places = [at for at, both in enumerate(zip(first, second, strict=True)) if both[0] != both[1]]
    # Five words, up to six times over.
    assert 0 < places[-1] - places[0] < 30


def test_a_directory_repeats_its_lines_eight_times() -> None:
    entry, *lines = said("directory", 1).paragraphs
    other, *others = said("directory", 2).paragraphs
    assert lines == others == [lines[0]] * 8
    assert entry != other
    own = [both for both in zip(entry.split(), other.split(), strict=True) if both[0] != both[1]]
    assert 1 <= len(own) <= 5


def test_paragraphs_are_of_four_sentences() -> None:
    english = vocabulary(7, LANGUAGES[0])
    drawn = english.words(200, "some", "words")
    found = text(drawn, english, "a", "key")
    stops = [paragraph.count(".") for paragraph in found]
    assert set(stops[:-1]) == {4}
    assert 1 <= stops[-1] <= 4
    assert len(" ".join(found).split()) == 200


def test_lengths_are_lognormal_with_the_mean_that_is_asked_for() -> None:
    lengths = page_words(250)
    assert len(lengths) == TOP
    assert mean(lengths) == pytest.approx(250, rel=0.01)
    # The median of a lognormal is its mean by e to the half of its variance: 250 / e^0.125.
    assert median(lengths) == pytest.approx(220.6, abs=1)
    assert min(lengths) >= 30
    assert [*lengths] == sorted(lengths)


def test_snapshots_lie_days_apart() -> None:
    assert [later(number, 7) for number in (0, 1, 2, 3)] == [
        *(timedelta(0), timedelta(0)),
        *(timedelta(7), timedelta(14)),
    ]
