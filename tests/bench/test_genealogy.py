"""What the bench of genealogies plants is what its texts have."""

from collections import defaultdict

from bench.genealogy import COPIED, TEMPLATE, Truth, Writer, new, old, planted

DOCUMENTS = 400


def test_the_truth_is_that_of_the_texts() -> None:
    writer = Writer()
    template = {*windows(writer.template)}
    before = [{*windows(writer.old(old(each)))} for each in range(DOCUMENTS)]
    having = defaultdict(set)
    for document, paragraphs in enumerate(before):
        for paragraph in paragraphs - template:
            having[paragraph].add(document)
    parents, children, equivalents = set(), set(), 0
    for document in range(DOCUMENTS):
        kind, source = new(document, DOCUMENTS)
        counts: dict[int, int] = defaultdict(int)
        for paragraph in {*windows(writer.new(document, kind, source))}:
            for each in having[paragraph]:
                counts[each] += 1
        stays = kind in ("kept", "edited")
        equivalents += stays
        found = {each for each, count in counts.items() if count >= 10}
        found -= {document} if stays else set()
        parents |= found
        children |= {document} if found else set()
    truth = planted(DOCUMENTS)
    assert truth == Truth(len(parents), len(children), equivalents)
    assert min(truth.parents, truth.children) > 20


def test_the_template_alone_would_make_kin() -> None:
    assert TEMPLATE - 2 >= 10 and COPIED - 2 >= 10
    assert any(old(each).template for each in range(DOCUMENTS))


def windows(sentences: list[str]) -> list[tuple[str, ...]]:
    return [tuple(sentences[at : at + 3]) for at in range(len(sentences) - 2)]
