"""Pages over time: markup, and what is true of each against its text."""

from tests.kernel.reference_paragraphs import overlapping, sentences
from tests.synthetic.reuse.conftest import Reused
from webecho.synthetic.reuse.lives import Page
from webecho.synthetic.reuse.pages import key, names_on, rows
from webecho.synthetic.reuse.texts import FIRST_TEXT, run


def test_sentences_are_the_planned_ones(reused: Reused) -> None:
    """A number stands for one sentence, wherever and whenever it stands."""
    known: dict[int, str] = {}
    for truth, texts in zip(reused.truths, reused.texts, strict=True):
        for row in truth:
            found = sentences(texts[row["url"]])
            assert len(found) == len(row["sentences"])
            for number, sentence in zip(row["sentences"], found, strict=True):
                assert known.setdefault(number, sentence) == sentence
    assert len(set(known.values())) == len(known)


def test_what_the_paper_considers(reused: Reused) -> None:
    kinds = set()
    for truth, texts in zip(reused.truths, reused.texts, strict=True):
        for row in truth:
            text = texts[row["url"]]
            assert row["characters"] == len(text)
            enough = len(text) > 450, len(overlapping(text)) >= 3
            assert row["considered"] == all(enough)
            kinds.add(enough)
    # Long enough with too few paragraphs, too short with enough, and neither.
    assert kinds >= {(True, True), (True, False), (False, False)}


def test_clusters_are_those_of_paragraphs_without_overlap(reused: Reused) -> None:
    for truth, texts, keys in zip(reused.truths, reused.texts, reused.keys, strict=True):
        first: dict[object, int] = {}
        same: dict[str, int] = {}
        for row in truth:
            if len(texts[row["url"]]) > 450:
                lowest = first.setdefault(keys[row["url"]], row["page"])
                assert row["paragraph_cluster"] == lowest
            else:
                assert row["paragraph_cluster"] is None
            assert row["identity"] == same.setdefault(texts[row["url"]], row["page"])
        other = [row for row in truth if row["identity"] != row["paragraph_cluster"]]
        assert any(row["kind"] == "other order" for row in other)


def test_changes_are_since_the_snapshot_before(reused: Reused) -> None:
    for before, texts in zip(reused.texts, reused.texts[1:], strict=False):
        truth = reused.truths[reused.texts.index(texts)]
        for row in truth:
            url = row["url"]
            change = "new" if url not in before else "same"
            if change == "same" and before[url] != texts[url]:
                change = "changed"
            assert row["change"] == change


def test_an_address_is_a_documents_for_ever(reused: Reused) -> None:
    known: dict[int, tuple[str, int]] = {}
    for snapshot, truth in enumerate(reused.truths, 1):
        for row in truth:
            one = (row["url"], row["born"])
            assert known.setdefault(row["document"], one) == one
            assert row["born"] <= snapshot
    assert len({url for url, _ in known.values()}) == len(known)


def test_a_row_has_the_topics_of_its_texts() -> None:
    page = Page(1, 0, "composed", 2, (run(1, 0, 3), run(0, 5, 4)), block=0)
    topics = {FIRST_TEXT: 7, FIRST_TEXT + 1: 8}
    [row] = rows([page], topics).to_pylist()
    assert (row["topics"], row["counts"], row["topic"]) == ([8, 7, None], [3, 4, 6], 8)
    # Only the first sentences of a text have names.
    assert names_on(page._replace(runs=(run(0, 5, 4),)), topics) is None


def test_the_order_of_paragraphs_does_not_matter() -> None:
    assert key([1, 2, 3, 4, 5, 6, 7]) == key([4, 5, 6, 1, 2, 3, 7])
    assert key([1, 2, 3, 4, 5, 6]) != key([1, 2, 4, 3, 5, 6])
