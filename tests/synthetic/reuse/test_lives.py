"""Documents are born, stay, change and die."""

from random import Random

from webecho.synthetic.reuse.lives import LEAST, LEAST_ABOUT, Page, Source, World
from webecho.synthetic.reuse.texts import NAMING, cut, length, popular, run, sentence_numbers
from webecho.synthetic.web import Web

WEB = Web(pages=400, seed=3, reuse=True, snapshots=3)


def world() -> World:
    return World(WEB, Random(5))


def test_documents_about_a_topic_are_long_enough_to_be_copied() -> None:
    made = world()
    pages = [made.original(topic) for topic in (None, 7) for _ in range(200)]
    assert [page.document for page in pages] == list(range(400))
    assert min(length(page.runs) for page in pages[:200]) == LEAST
    assert min(length(page.runs) for page in pages[200:]) >= LEAST_ABOUT
    assert set(made.topics.values()) == {7} and len(made.topics) == 200
    below = {page.block for page in pages}
    assert below == {None, 0, 1}


def test_what_is_said_ends_with_the_popular_text() -> None:
    page = Page(4, 0, "original", 1, (run(4, 0, 14),), block=1)
    assert page.said == (run(4, 0, 14), *popular(1))


def test_a_composed_page_has_its_parts_between_sentences_of_its_own() -> None:
    made = world()
    old = [made.original(), made.original()]
    made.grow_older(safe=[0, 1])
    parts = [cut(page.runs, 3, 4) for page in old]
    page = made.composed([Source(0), Source(1, 9)], parts)
    numbers = list(sentence_numbers(page.runs))
    assert numbers[:NAMING] == list(sentence_numbers([run(2, 0, NAMING)]))
    for part in parts:
        first, *_ = sentence_numbers(part)
        at = numbers.index(first)
        assert numbers[at : at + 4] == list(sentence_numbers(part))
        own = {numbers[at - 1], numbers[at + 4]}
        assert own <= set(sentence_numbers([run(2, 0, 100)]))
    assert len(numbers) == len(set(numbers)) >= LEAST
    assert page.sources == (Source(0), Source(1, 9))


def test_most_stay_some_change_some_die() -> None:
    made = world()
    for _ in range(1000):
        made.original()
    made.grow_older(safe=range(10))
    assert made.snapshot == 2
    assert 750 < len(made.pages) < 850
    assert set(range(10)) <= set(made.pages)
    changed = [page for page in made.pages.values() if page.change == "changed"]
    assert 180 < len(changed) < 300
    assert all(page.change == "same" for page in made.pages.values() if page not in changed)
    for page in changed:
        now = set(sentence_numbers(page.runs))
        before = list(sentence_numbers(made.before[page.document].runs))
        assert 1 <= len(set(before) - now) <= 4 and 1 <= len(now - set(before)) <= 4
        assert set(before[:NAMING]) <= now


def test_a_line_of_copies_goes_on_only_from_new_pages() -> None:
    made = world()
    first = made.original()
    made.grow_older(safe=[0])
    child = made.composed([Source(0)], [cut(first.runs, 3, 5)])
    made.grow_older(safe=[0, child.document])
    grandchild = made.composed([Source(child.document)], [cut(child.runs, 3, 5)])
    later = made.composed([Source(0)], [cut(first.runs, 3, 5)])
    assert (first.line, child.line, grandchild.line, later.line) == (0, 1, 2, 1)
    assert made.pages[child.document].line == 0
