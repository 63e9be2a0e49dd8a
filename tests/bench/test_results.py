from bench.contest import Entry, Peer
from bench.process import Run
from bench.results import as_row, ours_among, print_entries

OURS = Peer("webecho_similar", "webecho", "how", "words")
SLOW = Peer("slow_minhash", "slow", "how", "words")
EXACT = Peer("quick_exact", "quick", "how", "")
BROKEN = Peer("broken_minhash", "broken", "how", "words")


def entry(peer, seconds, duplicates=3, failure=""):
    ran = Run(seconds, 2 * seconds, 500_000_000, 400_000_000, 0.5, failure)
    return Entry(peer, "1.2", "documents", 1000, 20_000_000, ran, duplicates, 1)


def test_speeds_are_held_against_ours():
    entries = [entry(OURS, 2.0), entry(SLOW, 8.0)]
    row = as_row(entries[1], ours_among(entries))
    assert row["mb_per_second"] == 2.5
    assert row["documents_per_second"] == 125
    assert row["webecho_is_faster_by"] == 4


def test_what_failed_keeps_its_row_and_its_reason(capsys):
    broken = entry(BROKEN, 0.0, None, "not installed: no such version")
    print_entries([entry(OURS, 2.0), broken, entry(EXACT, 1.0)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == [
        "webecho_similar",
        "broken_minhash",
        "quick_exact",
    ]
    assert lines[2].endswith("not installed: no such version")
    assert lines[3].startswith("quick_exact *")
    row = as_row(broken, None)
    assert row["failure"] == "not installed: no such version"
    assert "mb_per_second" not in row
