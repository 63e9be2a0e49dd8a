"""Cases of the six conditions: what is sown and reaped, in numbers of shared paragraphs. That each
condition alone leaves its case out, see test_matches.py."""

from random import Random

import pytest

from webecho.synthetic.reuse.conditions import Case, sow
from webecho.synthetic.reuse.lives import Page, World
from webecho.synthetic.reuse.texts import sentence_numbers, windows
from webecho.synthetic.web import Web


@pytest.fixture(scope="module")
def reaped() -> list[tuple[Case, list[Page]]]:
    world = World(Web(pages=400, seed=3, reuse=True, snapshots=3), Random(5))
    cases = list(sow(world))
    world.grow_older(page.document for case in cases for page in case.old)
    return [(case, case.reap(world, case.old)) for case in cases]


def paragraphs(page: Page) -> set[tuple[int, ...]]:
    return set(windows(list(sentence_numbers(page.said))))


def shared(new: Page, old: Page) -> int:
    return len(paragraphs(new) & paragraphs(old))


def test_so_many_paragraphs_are_shared(reaped: list[tuple[Case, list[Page]]]) -> None:
    found = {
        (case.case, case.minimal): [[shared(page, old) for old in case.old] for page in new]
        for case, new in reaped
    }
    few = {("too few paragraphs", n): [[n - 1, n]] for n in (5, 10, 15, 20, 25, 30)}
    assert found == few | {
        ("two queries", 10): [[12, 12]],
        ("one page", 10): [[12, 0]],
        ("nothing distinct", 10): [[12, 12]],
        ("one distinct", 10): [[13, 13]],
        ("two distinct", 10): [[14, 14]],
        # Sentences that the page which is written anew keeps stand three in a row twice.
        ("old address", 10): [[12, 12, 2]],
        ("duplicate of a new page", 10): [[10, 10, 4], [4, 10, 10]],
        ("duplicate of an old page", 10): [[12, 12, 12], [12, 12, 12]],
        ("asked for too often", 10): [[12, 12]],
        ("asked for too seldom", 10): [[12, 12]],
    }


def test_topics_are_nobody_elses(reaped: list[tuple[Case, list[Page]]]) -> None:
    topics = [topic for case, _ in reaped for topic in case.topics]
    assert len(topics) == len(set(topics)) == len(reaped) + 1
    two = next(case for case, _ in reaped if case.case == "two queries")
    assert len(two.topics) == 2


def test_the_page_that_is_written_anew_was_there(reaped: list[tuple[Case, list[Page]]]) -> None:
    case, [page] = next(one for one in reaped if one[0].condition == 4)
    assert page.document == case.old[2].document
    others = [one for each, new in reaped if each is not case for one in new]
    assert all(one.born == 2 for one in others) and page.born == 1
