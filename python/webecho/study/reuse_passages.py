"""*Marked page*: the sentences of a page of a case, each with the pages of the case that have it in
a paragraph in common with this one. Pages are read again."""

from collections.abc import Sequence
from dataclasses import dataclass

from webecho.run import Run
from webecho.sketches.boilerplate import content, sketcher_of
from webecho.study.querylog_settings import CollectionPair
from webecho.study.reuse_cases import Case
from webecho.workspace.reread import read_page
from webecho.workspace.workspace import Workspace

# Sentences of a shingle paragraph.
SENTENCES = 3


@dataclass(frozen=True)
class Passage:
    """Sentences that follow each other, of which the same is to be said: which of the two old pages
    they are shared with (1, 2); of an old page, 1 if with the new one."""

    text: str
    sources: tuple[int, ...]


@dataclass(frozen=True)
class MarkedPage:
    """A page by its number and address, with all its text."""

    page: int
    url: str | None
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class MarkedCase:
    """A case as a person reads it."""

    pair: str
    case: Case
    new: MarkedPage
    old: tuple[MarkedPage, MarkedPage]


@dataclass(frozen=True)
class Sentences:
    """The sentences of a page, and its overlapping paragraphs: each is of the sentence with its
    number and the next two."""

    page: int
    url: str | None
    sentences: tuple[str, ...]
    paragraphs: tuple[int, ...]


def marked_case(pair: CollectionPair, case: Case, run: Run) -> MarkedCase:
    """The case with what its pages share marked."""
    new = sentences_of(pair.new, case.new, run)
    one, other = (sentences_of(pair.old, page, run) for page in case.old)
    return MarkedCase(
        pair.name,
        case,
        marked(new, (one, other)),
        (marked(one, (new,)), marked(other, (new,))),
    )


def sentences_of(workspace: Workspace, page: int, run: Run) -> Sentences:
    row = workspace.row(page, ["url", "revisit_of"])
    revisited = row["revisit_of"][0].as_py()
    body = read_page(workspace, page if revisited is None else revisited, run)
    pages = content(body, workspace.recipe)
    sketcher = sketcher_of(workspace, run)
    return Sentences(
        page,
        row["url"][0].as_py(),
        tuple(sketcher.sentences(pages)["sentences"][0].as_py() or ()),
        tuple(sketcher.paragraphs(pages)["overlapping_paragraphs"][0].as_py() or ()),
    )


def marked(own: Sentences, others: Sequence[Sentences]) -> MarkedPage:
    """A page with what it shares with each of the others, the first of which is 1."""
    sources: list[set[int]] = [set() for _ in own.sentences]
    for number, other in enumerate(others, 1):
        there = {*other.paragraphs}
        for at, paragraph in enumerate(own.paragraphs):
            if paragraph in there:
                for each in sources[at : at + SENTENCES]:
                    each.add(number)
    passages: list[tuple[list[str], tuple[int, ...]]] = []
    for text, found in zip(own.sentences, sources, strict=True):
        mark = tuple(sorted(found))
        if passages and passages[-1][1] == mark:
            passages[-1][0].append(text)
        else:
            passages.append(([text], mark))
    return MarkedPage(
        own.page, own.url, tuple(Passage(" ".join(texts), mark) for texts, mark in passages)
    )
