"""Query logs: who is asked for, how often and when."""

from collections import Counter
from datetime import UTC, datetime

import pytest

from tests.synthetic.reuse.conftest import WEB, Reused
from webecho.synthetic.reuse.logs import (
    Asked,
    Log,
    Query,
    counted,
    logs,
    period,
    query,
    requests,
    times,
    words_for,
)
from webecho.synthetic.reuse.texts import names

ASKED = Asked(
    topics=tuple(range(100)),
    in_both=(200, 201),
    others=tuple(range(100, 200)),
    every=tuple(range(202)),
    cases=((300, "frequent"), (301, "top"), (302, "rare")),
)


@pytest.fixture(scope="module")
def found() -> dict[str, Log]:
    later = ASKED._replace(cases=())
    return {log.name: log for log in logs(3, [ASKED, later], [set(range(50)), set()])}


def test_a_log_for_each_two_snapshots_and_a_wrong_one(found: dict[str, Log]) -> None:
    assert {name: log.after for name, log in found.items()} == {"real": 1, "real-2": 2, "wrong": 0}
    roles = {name: Counter(one.role for one in log.queries) for name, log in found.items()}
    # Where the real log asks for topics of cases, the wrong one asks for what stands nowhere.
    assert roles["real"] == roles["wrong"] == {"top": 11, "frequent": 103, "rare": 21}
    assert roles["real-2"] == {"top": 10, "frequent": 102, "rare": 20}
    for log in found.values():
        texts = [one.text for one in log.queries]
        assert len(texts) == len(set(texts))


def test_topics_are_asked_for_by_their_names(found: dict[str, Log]) -> None:
    sizes = set()
    for one in found["real"].queries:
        if one.topic is not None:
            words = one.text.split()
            assert words == list(names(3, one.topic))[: len(words)]
            sizes.add(len(words))
    assert sizes == {1, 2, 3}
    asked = {name: {one.topic for one in log.queries} for name, log in found.items()}
    assert asked["real"] - {None} == {*range(100), 200, 201, 300, 301, 302}
    assert asked["wrong"] - {None} == {*range(100, 200), 200, 201}


def test_top_queries_are_the_same_in_all_logs(found: dict[str, Log]) -> None:
    top = [
        {one.text for one in log.queries if one.role == "top" and one.topic is None}
        for log in found.values()
    ]
    assert top[0] == top[1] and len(top[0] & top[2]) == 10


def test_a_role_tells_how_often(found: dict[str, Log]) -> None:
    for log in found.values():
        often: dict[str, list[int]] = {}
        for one in log.queries:
            often.setdefault(one.role, []).append(len(one.times))
        assert min(often["top"]) >= 300 and max(often["top"]) < 900
        assert min(often["frequent"]) >= 20 and max(often["frequent"]) < 60
        assert min(often["rare"]) >= 1 and max(often["rare"]) < 4


def test_a_log_lies_strictly_between_the_months_of_two_crawls(found: dict[str, Log]) -> None:
    assert period(1) == (datetime(2004, 2, 1, tzinfo=UTC), datetime(2005, 1, 1, tzinfo=UTC))
    for log in found.values():
        begin, end = period(log.after)
        assert all(begin <= when < end for one in log.queries for when in one.times)


def test_frequent_queries_are_asked_for_within_forty_days(found: dict[str, Log]) -> None:
    for one in found["real"].queries:
        if one.role == "frequent":
            assert (one.times[-1] - one.times[0]).days <= 40


def test_queries_through_which_pages_were_copied_are_late() -> None:
    middle = datetime(2004, 7, 15, tzinfo=UTC)
    late = [
        sum(
            query(3, "real", 1, topic, "frequent", copied).times[0] > middle for topic in range(300)
        )
        for copied in (set[int](), set(range(300)))
    ]
    # 45 and 70 % are expected: the places in the period are uniform, and its square roots.
    assert late[0] == pytest.approx(135, abs=25) and late[1] == pytest.approx(210, abs=25)


def test_the_files_of_a_log() -> None:
    log = Log(
        "real",
        1,
        (
            Query("b a", "rare", None, (datetime(2004, 2, 3, 4, 5, 6, tzinfo=UTC),)),
            Query("a", "rare", None, (datetime(2004, 2, 2, tzinfo=UTC),)),
            Query("c", "rare", None, tuple(datetime(2004, 3, n, tzinfo=UTC) for n in (1, 2))),
        ),
    )
    assert requests(log) == (
        "time\tquery\n2004-02-02T00:00:00\ta\n2004-02-03T04:05:06\tb a\n"
        "2004-03-01T00:00:00\tc\n2004-03-02T00:00:00\tc\n"
    )
    assert counted(log) == "query\tcount\nc\t2\na\t1\nb a\t1\n"


def test_the_same_key_the_same_times() -> None:
    assert times(3, "real", 1, 5, "frequent", 0.5) == times(3, "real", 1, 5, "frequent", 0.5)
    assert times(3, "real", 1, 5, "frequent", 0.5) != times(4, "real", 1, 5, "frequent", 0.5)


def test_written_logs_have_the_queries_of_the_truth(reused: Reused) -> None:
    rows = reused.table("queries")
    names = {row["log"] for row in rows}
    assert names == {"real", "real-2", "real-3", "wrong"}
    for name in names:
        folder = reused.folder / "queries"
        head, *lines = (folder / f"{name}.tsv").read_text().splitlines()
        assert head == "time\tquery"
        asked = Counter(line.split("\t")[1] for line in lines)
        mine = {row["query"]: row["requests"] for row in rows if row["log"] == name}
        assert asked == mine
        counts = (folder / f"{name}.counts.tsv").read_text().splitlines()[1:]
        assert {text: int(count) for text, count in (line.split("\t") for line in counts)} == mine
        assert lines == sorted(lines)


def test_query_words_stand_in_their_answers_and_nowhere_else(reused: Reused) -> None:
    """So that BM25, or any other ranking by words, finds these alone."""
    having: dict[tuple[int, str], set[str]] = {}
    for snapshot, texts in enumerate(reused.texts, 1):
        for url, text in texts.items():
            for word in set(text.lower().replace(",", " ").replace(".", " ").split()):
                having.setdefault((snapshot, word), set()).add(url)
    led_to: dict[tuple[int, str], set[str]] = {}
    for row in reused.table("answers"):
        led_to.setdefault((row["snapshot"], row["query"]), set()).add(row["url"])
    asked = [row for row in reused.table("queries") if row["topic"] is not None]
    for row in asked:
        for snapshot in range(1, WEB.snapshots + 1):
            answers = led_to.get((snapshot, row["query"]), set())
            for word in row["query"].split():
                assert having.get((snapshot, word), set()) == answers
        after = {"wrong": 1, "real": 1, "real-2": 2, "real-3": 3}[row["log"]]
        assert len(led_to.get((after, row["query"]), ())) == row["answers"]
    through = [row for row in reused.table("copies") if row["via"] is not None]
    for row in through:
        assert row["parent_url"] in led_to[row["parent_snapshot"], row["via"]]
    assert words_for(WEB.seed, asked[0]["topic"]) == asked[0]["query"]
