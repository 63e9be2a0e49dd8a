"""How far a run has come, as people see it."""

import io

import pytest

from webecho.run import Progress
from webecho.show.progress import progress


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(True) as report:
        report(Progress("reading", 0.5, 10, 1000))
    assert capsys.readouterr() == ("", "")


def test_lines_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("webecho.show.progress.time.monotonic", lambda: now)
    with progress(False, every=0.0) as report:
        report(Progress("reading", 0.25, 500, 1_000_000))
        now = 102.0
        report(Progress("reading", 0.25, 1_000, 2_000_000))
        report(Progress("reading", None, 2_000, 4_000_000))
    early, first, second = capsys.readouterr().err.splitlines()
    # Right at the beginning there is no speed.
    assert early == "reading: 500 pages, 1.0 MB, 25% done, about 0 s left"
    rate = "500 pages/s, 1 MB/s"
    assert first == f"reading: 1,000 pages, 2.0 MB, {rate}, 25% done, about 6 s left"
    assert second == "reading: 2,000 pages, 4.0 MB, 1,000 pages/s, 2 MB/s"


def test_lines_come_only_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(False) as report:
        for pages in range(100):
            report(Progress("reading", None, pages, pages))
    assert capsys.readouterr().err == ""


def test_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with progress(False) as report:
        report(Progress("reading", 0.25, 1_000, 2_000_000))
        report(Progress("reading", None, 2_000, 4_000_000))
    assert "2,000 pages, 4.0 MB" in screen.getvalue()


def test_a_phase_of_unknown_length_follows_one_that_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress(False, every=0.0) as report:
        report(Progress("reading", 1.0, 1_000, 2_000_000))
        report(Progress("comparing"))
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("reading: ") and ", 100% done" in first
    assert second == "comparing"


def test_what_an_earlier_run_did_does_not_count_for_the_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 0.0, *[10.0] * 3, *[20.0] * 4])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    with progress(False, every=0.0) as report:
        report(Progress("reading", 0.8, 100, 1_000, 0.8))
        report(Progress("reading", 0.85, 200, 2_000, 0.8))
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith(", 80% done")
    # A twentieth took 20 seconds: three more are left.
    assert second.endswith(", 85% done, about 60 s left")
