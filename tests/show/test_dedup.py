"""What is printed of a dedup."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from webecho.api.dedup import DedupFolder
from webecho.show.dedup import in_short, show_dedup

# Sixteen pages of 4,000 characters in 9,000 bytes, of which ten pages of 3,000 stay in 7,500.
COUNTS = {
    "read": 16,
    "kept": 10,
    "removed": 6,
    "removed, same payload": 2,
    "removed, same text": 1,
    "removed, same tokens": 1,
    "removed, near": 2,
    "kept, not compared": 0,
    "nearly empty, compared by bytes": 0,
    "records removed with their pages": 0,
    "revisits": 0,
    "failed": 0,
    "skipped": 1,
    "bytes of inputs": 9_000,
    "bytes written": 7_500,
    "characters read": 4_000,
    "characters removed": 1_000,
}


def written(counts: dict[str, int] | None = None, **more: Any) -> DedupFolder:
    usual: dict[str, Any] = {"lost": [], "warnings": [], "estimated": None}
    usual |= {"settings": {"annotate": False}}
    usual |= {"removed by resemblance": {"1": 4, "0.9 to 0.95": 2}}
    summary = usual | {"counts": COUNTS | (counts or {})} | more
    return DedupFolder(Path("out"), Path("out.echo"), summary)


def test_the_summary_in_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert not show_dedup(written(), 1.234, 5_000_000, "table")
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "read                              16",
        "kept                              10",
        "removed                           6",
        "removed, same payload             2",
        "removed, same text                1",
        "removed, same tokens              1",
        "removed, near                     2",
        "removed, resemblance 1            4",
        "removed, resemblance 0.9 to 0.95  2",
        "skipped                           1",
        "text removed                      25.0%",
        "bytes saved                       1.5 KB",
        "seconds                           1.2",
        "bytes of memory at most           5.0 MB",
        "written to                        out",
    ]
    assert shown.err == ""


def test_what_grew_is_told_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    show_dedup(written({"bytes written": 9_400}), 1.234, 5_000_000, "table")
    shown = capsys.readouterr()
    assert "bytes added                       400 bytes" in shown.out.splitlines()
    assert "saved" not in shown.out
    assert shown.err == (
        "webecho: what was written takes 400 bytes more than what was read: what stays compresses "
        "less well without its copies, or is short beside the records that stand for them\n"
    )
    show_dedup(written({"bytes written": 9_400}), 1.234, 5_000_000, "json")
    shown = capsys.readouterr()
    assert (json.loads(shown.out)["bytes saved"], shown.err) == (-400, "")


def test_what_could_not_be_passed_on_is_no_saving(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_dedup(written(lost=["a.parquet: rows 1 to 2"]), 1.234, 5_000_000, "table")
    shown = capsys.readouterr()
    assert "bytes fewer, losses included      1.5 KB" in shown.out.splitlines()
    assert "saved" not in shown.out
    assert shown.err == "webecho: could not be passed on: a.parquet: rows 1 to 2\n"


def test_programs_get_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    show_dedup(written(), 1.234, 5_000_000, "json")
    assert json.loads(capsys.readouterr().out) == in_short(
        COUNTS, 1.234, 5_000_000, Path("out"), {"1": 4, "0.9 to 0.95": 2}
    ) | {"text removed": 0.25, "bytes saved": 1_500, "seconds": 1.23}


def test_what_is_seldom_is_told_where_it_is() -> None:
    shown = in_short(COUNTS | {"revisits": 3, "failed": 2}, 0, 0, Path("out"))
    assert (shown["revisits"], shown["failed"]) == (3, 2)
    assert "kept, not compared" not in shown


def test_of_nothing_nothing_was_removed() -> None:
    nothing = dict.fromkeys(COUNTS, 0)
    assert in_short(nothing, 0, 0, Path("out"))["text removed"] == 0


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (written({"failed": 1}), ""),
        (
            written(lost=["a.warc: revisit\x1b"]),
            "webecho: could not be passed on: a.warc: revisit�\n",
        ),
        (
            written(estimated="a.jsonl is gone"),
            "webecho: some resemblances are estimated from features: a.jsonl is gone\n",
        ),
    ],
)
def test_what_is_not_as_it_should_be_is_told_even_if_quiet(
    capsys: pytest.CaptureFixture[str], found: DedupFolder, said: str
) -> None:
    assert show_dedup(found, 0, 0, "table")
    assert capsys.readouterr().err == said


def test_a_warning_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert not show_dedup(written(warnings=["score decides nothing"]), 0, 0, "table")
    assert capsys.readouterr().err == "webecho: score decides nothing\n"


def test_what_is_dropped_and_what_words_are_lost_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    more = {"dropped": 3, "dropped, empty": 2, "dropped, under 5 words": 1, "words lost": 7}
    shown = in_short(COUNTS | more, 0, 0, Path("out"))
    assert {name: shown[name] for name in more} == more
    # Without near copies there is nothing to tell of resemblances.
    for near, told in ((2, True), (0, False)):
        show_dedup(written({"removed, near": near}), 0, 0, "json")
        assert ("removed, resemblance 0.9 to 0.95" in capsys.readouterr().out) is told


def test_of_what_was_annotated_nothing_was_removed(capsys: pytest.CaptureFixture[str]) -> None:
    show_dedup(written(settings={"annotate": True}), 1.0, 5_000_000, "json")
    shown = capsys.readouterr()
    facts = json.loads(shown.out)
    assert (facts["read"], facts["would be kept"], facts["would be removed"]) == (16, 10, 6)
    assert facts["text that would be removed"] == 0.25
    assert not [name for name in facts if name.startswith(("kept", "removed", "bytes saved"))]
    assert "nothing was removed" in shown.err


def test_where_annotations_of_archives_stand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = written(settings={"annotate": True})
    show_dedup(found, 1, 1, "table")
    said = "nothing was removed: columns of the rows tell what would be\n"
    assert capsys.readouterr().err == said
    beside = tmp_path / "annotations.parquet"
    beside.touch()
    show_dedup(replace(found, out=tmp_path), 1, 1, "table")
    said = f"nothing was removed: columns of the rows, or rows of {beside}, tell what would be\n"
    assert capsys.readouterr().err == said
