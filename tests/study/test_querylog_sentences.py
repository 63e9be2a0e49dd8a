"""The hypothesis as sentences."""

from pathlib import Path

from tests.study.reuse_made import page, sentences, studied
from webecho.study.permutation import PermutationTest
from webecho.study.querylog_sentences import documents, verdict

A = sentences("river", 1, 20)


def test_without_a_real_log_nothing_is_said_of_people(tmp_path: Path) -> None:
    pages = {"http://a.example/": page("geography", A)}
    found = studied(tmp_path, pages, pages, ["geography"], real=())
    assert found.sentences[-1] == (
        "old–new: no log is of the time between the two crawls, so that nothing can be said of "
        "whether people used what a search engine gave."
    )
    assert "none is the real one; name it with real= if there is one" in found.notes[0]


def test_verdicts() -> None:
    said = [
        verdict(PermutationTest(*each)) for each in ((9, 1, 99, 2), (9, 1, 99, 9), (1, 9, 99, 90))
    ]
    assert said == [
        "speaks for people having used a search engine to make new pages from old",
        "may be chance, and does not show that people used a search engine",
        "does not speak for people having used a search engine",
    ]
    assert [documents(count) for count in (1, 1200)] == ["1 new document", "1,200 new documents"]
