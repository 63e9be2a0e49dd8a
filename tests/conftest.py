"""What all tests share: the real pages, hypothesis profiles, and the count of what was skipped."""

import csv
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

import pytest
from hypothesis import HealthCheck, settings

from tests import soak_table
from tests.soak_table import tally as tally

if TYPE_CHECKING:
    import s3fs

DATA = os.environ.get("WEBECHO_DATA")
COUNTED = ("data", "browser", "spark")

settings.register_profile("test", max_examples=60, deadline=None, derandomize=True)
settings.register_profile(
    "soak", max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real pages."""
    if not DATA:
        pytest.skip("WEBECHO_DATA does not say where the real pages are")
    path = Path(DATA)
    if not path.is_dir():
        pytest.fail(f"WEBECHO_DATA is {DATA}, and that is no folder")
    return path


@pytest.fixture(autouse=True)
def csv_limit() -> Iterator[None]:
    """The longest field that Python's csv reads is one number for the whole process."""
    usual = csv.field_size_limit()
    yield
    csv.field_size_limit(usual)


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator["s3fs.S3FileSystem"]:
    """A bucket behind a real server on this machine."""
    # Loading them takes longer than most tests.
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    urlopen(Request(f"{address}/moto-api/reset", method="POST")).close()
    monkeypatch.setenv("AWS_ENDPOINT_URL", address)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    s3fs.S3FileSystem.clear_instance_cache()
    filesystem = s3fs.S3FileSystem()
    filesystem.mkdir("crawls")
    yield filesystem
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


ATTACKS: list[soak_table.Row] = []
OUTCOMES: dict[str, Counter[str]] = {kind: Counter() for kind in COUNTED}
REASONS: dict[str, set[str]] = {kind: set() for kind in COUNTED}


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Compressed bytes hold the time, and tests must have the same names in all processes."""
    if isinstance(val, bytes) and val.startswith(b"\x1f\x8b"):
        return f"{argname}.gz"
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Iterator[None]:
    report = yield
    report.counted_as = [kind for kind in COUNTED if item.get_closest_marker(kind)]
    # With the real pages at hand a data test that does not run hides something.
    if report.skipped and "data" in report.counted_as and DATA:
        report.outcome = "failed"
        report.longrepr = f"skipped although WEBECHO_DATA is set: {report.longrepr}"
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Counted where all reports arrive: tests run in several processes."""
    ATTACKS.extend(soak_table.rows_of(report))
    ended = report.when == "call" or (report.when == "setup" and report.skipped)
    for kind in report.counted_as:
        if ended:
            OUTCOMES[kind]["skipped" if report.skipped else "ran"] += 1
            if report.skipped and isinstance(report.longrepr, tuple):
                REASONS[kind].add(str(report.longrepr[2]).removeprefix("Skipped: "))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for kind in COUNTED:
        count = OUTCOMES[kind]
        reason = f" ({'; '.join(sorted(REASONS[kind]))})" if REASONS[kind] else ""
        terminalreporter.write_line(
            f"{kind} tests: {count['ran']} ran, {count['skipped']} skipped{reason}"
        )
    if rows := soak_table.together(ATTACKS):
        terminalreporter.write_line("")
        terminalreporter.write_line(soak_table.as_markdown(rows))


def pytest_sessionfinish(session: pytest.Session) -> None:
    # Only where all reports arrive.
    if not hasattr(session.config, "workerinput"):
        soak_table.keep(soak_table.together(ATTACKS))
