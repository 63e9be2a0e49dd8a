"""What is born in a snapshot."""

from collections import Counter
from random import Random

from webecho.synthetic.reuse.births import (
    SIZES,
    SOURCES,
    copied,
    duplicates,
    old_pages,
    own_texts,
    part,
    room,
    through_query,
)
from webecho.synthetic.reuse.lives import Page, World
from webecho.synthetic.reuse.texts import NAMING, length, licence, sentence_numbers, windows
from webecho.synthetic.web import Web


def world(count: int = 400) -> World:
    made = World(Web(pages=400, seed=3, reuse=True, snapshots=3), Random(5))
    own_texts(made, count)
    return made


def test_so_many_texts_of_their_own() -> None:
    made = world()
    kinds = Counter(page.kind for page in made.pages.values())
    assert kinds == {"original": 370, "few sentences": 16, "few paragraphs": 8, "licence": 6}
    about = Counter(page.topic for page in made.pages.values() if page.topic is not None)
    assert 110 < sum(about.values()) <= 120 and set(about.values()) <= {2, 3, 4}
    with_licence = [page for page in made.pages.values() if licence() in page.runs]
    assert {page.kind for page in with_licence} == {"licence"}


def test_duplicates_say_what_another_page_says() -> None:
    made = world()
    before = dict(made.pages)
    duplicates(made, 90)
    new = [page for number, page in made.pages.items() if number not in before]
    assert Counter(page.kind for page in new) == {"same paragraphs": 60, "other order": 30}
    originals = Counter(page.sources[0].document for page in new)
    # One has more than all others.
    assert originals.most_common(1)[0][1] >= 18
    for page in new:
        original = before[page.sources[0].document]
        assert Counter(sentence_numbers(page.said)) == Counter(sentence_numbers(original.said))
        assert (page.said == original.said) == (page.kind == "same paragraphs")


def test_reserved_documents_are_nobodys_source() -> None:
    made = world(40)
    made.reserved = set(made.pages)
    duplicates(made, 30)
    assert len(made.pages) == 40
    made.grow_older()
    assert old_pages(made).every == []


def test_a_part_has_the_paragraphs_that_are_wanted_and_not_the_first_sentences() -> None:
    made = world()
    for page in old_pages_of(made):
        for size in SIZES:
            found = part(made, page, size)
            assert len(list(windows(list(sentence_numbers(found))))) == min(size, room(page))
            first = list(sentence_numbers(page.runs))[:NAMING]
            assert not set(first) & set(sentence_numbers(found))
        beginning = list(sentence_numbers(part(made, page, 5, from_first=True)))
        assert beginning == list(sentence_numbers(page.runs))[NAMING : NAMING + 7]


def old_pages_of(made: World) -> list[Page]:
    made.grow_older()
    return list(old_pages(made).every)[:40]


def test_two_answers_to_a_query_make_a_page() -> None:
    made = world()
    made.grow_older()
    old = old_pages(made)
    topic = min(old.about)
    for number, size in enumerate(SIZES):
        page = through_query(made, old, topic, number)
        assert page is not None
        assert {source.topic for source in page.sources} == {topic}
        assert len({source.document for source in page.sources}) == 2
        for source in page.sources:
            theirs = set(windows(list(sentence_numbers(made.before[source.document].said))))
            assert len(theirs.intersection(windows(list(sentence_numbers(page.said))))) == size
    assert through_query(made, old, -1, 0) is None


def test_other_copies_come_from_one_to_three_pages_by_turns() -> None:
    made = world()
    made.grow_older()
    old = old_pages(made)
    topics = sorted(old.about)
    pages = [copied(made, old, number, topics) for number in range(30)]
    assert [len(page.sources) for page in pages[:6]] == list(SOURCES)
    for number, page in enumerate(pages):
        assert all(source.topic is None for source in page.sources)
        if number % 6 == 2:
            assert len({made.before[source.document].topic for source in page.sources}) == 1
    about = [page.topic for page in pages if page.topic is not None]
    assert len(about) == 6 and len(set(about)) == 3
    made.grow_older()
    older = old_pages(made)
    line = copied(made, older, 3, topics)
    assert made.before[line.sources[0].document].line == 1
    assert made.before[copied(made, older, 5, topics).sources[0].document].kind == "composed"
    assert all(length(page.runs) >= 14 for page in pages)
