"""The passages that a child and a parent share: sentences in a row that stand in paragraphs of
both, as the child has them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from webecho.errors import InputError
from webecho.group.family import Member
from webecho.group.paragraphs import Documents
from webecho.group.reread_content import content_pages, contents_of
from webecho.group.snapshots import Snapshot
from webecho.run import Run

# Sentences of a paragraph.
SENTENCES = 3


@dataclass(frozen=True)
class KinPassage:
    """Sentences of the child in a row, the first counted from 1, and their text."""

    first_sentence: int
    last_sentence: int
    text: str


def kin_passages(
    snapshots: Sequence[Snapshot],
    child: Member,
    parent: Member,
    run: Run,
    known: dict[Member, list[str]],
) -> list[KinPassage]:
    """The passages, in the order of the child; of children that were read the sentences are
    known."""
    new, old = snapshots[child.snapshot], snapshots[parent.snapshot]
    theirs = {*paragraphs_of(old.paragraphs, parent.page)}
    shared = [value in theirs for value in paragraphs_of(new.paragraphs, child.page)]
    if child not in known:
        known[child] = sentences_of(new, child.page, run)
    sentences = known[child]
    return [
        KinPassage(first + 1, last, " ".join(sentences[first:last]))
        for first, last in runs(shared, len(sentences))
    ]


def paragraphs_of(documents: Documents, page: int) -> list[int]:
    place = documents.pages.index(pa.scalar(page, documents.pages.type)).as_py()
    start, end = documents.starts[place].as_py(), documents.ends[place].as_py()
    values: list[int] = documents.paragraphs.slice(start, end - start).to_pylist()
    return values


def runs(shared: Sequence[bool], sentences: int) -> list[tuple[int, int]]:
    """From which sentence to which those stand, in a row, that are in a shared paragraph."""
    found: list[tuple[int, int]] = []
    for place, is_shared in enumerate(shared):
        if not is_shared:
            continue
        end = min(place + SENTENCES, sentences)
        if found and place <= found[-1][1]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((place, end))
    return found


def sentences_of(snapshot: Snapshot, page: int, run: Run) -> list[str]:
    """The sentences of a page, which is read again."""
    workspace = snapshot.workspace
    wanted = content_pages(workspace, pa.array([page], pa.int64()))
    problems: list[str] = []
    for _, rows, sketcher in contents_of(workspace, wanted, {}, run, problems):
        if isinstance(rows, pa.RecordBatch):
            texts: list[str] = sketcher.sentences(rows)["sentences"][0].as_py()
            return texts
    raise InputError(
        *problems[:1] or [f"page {page} of {workspace.path} cannot be read again"],
        ", and so no passages shown",
    )
