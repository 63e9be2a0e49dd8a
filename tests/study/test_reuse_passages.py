"""What the pages of a case share, marked."""

from pathlib import Path

from tests.study.reuse_made import NEW, OLD, collection, page, sentences
from webecho.api.runs import as_run
from webecho.study.querylog_settings import CollectionPair
from webecho.study.reuse_cases import Case
from webecho.study.reuse_passages import MarkedPage, marked_case
from webecho.workspace.workspace import Workspace

A, B, OWN = sentences("river", 1, 9), sentences("hill", 1, 9), sentences("own", 1, 4)


def texts(marked: MarkedPage) -> list[tuple[str, tuple[int, ...]]]:
    return [(passage.text, passage.sources) for passage in marked.passages]


def test_sentences_of_shared_paragraphs_are_marked(tmp_path: Path) -> None:
    old = {"http://a.example/": page(A, B[:3]), "http://b.example/": page(B)}
    # Two sentences of a page are no paragraph of it.
    new = {"http://n.example/": page(OWN, A[2:6], B[:5], OWN[:1], A[:2])}
    pair = CollectionPair(
        "old–new",
        Workspace.open(collection(tmp_path, "old", old, OLD)),
        Workspace.open(collection(tmp_path, "new", new, NEW)),
    )
    case = Case("log", "query", 0, (0, 1), (1, 2), (5, 3))
    found = marked_case(pair, case, as_run())
    assert found.case is case and found.pair == "old–new"
    assert found.new.url == "http://n.example/"
    assert texts(found.new) == [
        (" ".join(OWN), ()),
        (" ".join(A[2:6]), (1,)),
        (" ".join(B[:3]), (1, 2)),
        (" ".join(B[3:5]), (2,)),
        (" ".join([*OWN[:1], *A[:2]]), ()),
    ]
    one, other = found.old
    assert texts(one) == [
        (" ".join(A[:2]), ()),
        (" ".join(A[2:6]), (1,)),
        (" ".join(A[6:]), ()),
        (" ".join(B[:3]), (1,)),
    ]
    assert texts(other) == [(" ".join(B[:5]), (1,)), (" ".join(B[5:]), ())]
