"""A real browser, Debian's chromium, and the labelling page in it."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.command import started

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def browser_at(path: str) -> Iterator[Any]:
    """The browser of this path, running."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: make installs it"
    )
    # As root chromium does not run in its sandbox.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


def installed() -> str | None:
    """The path of a browser, if there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """A browser that tests share; each has a context of its own in it."""
    path = installed()
    if path is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    with browser_at(path) as browser:
        yield browser


@dataclass
class Labelling:
    """A running `webecho label`, and the address of its page."""

    process: "subprocess.Popen[bytes]"
    address: str

    @property
    def port(self) -> int | None:
        return urlsplit(self.address).port

    def kill(self) -> None:
        """Ends it as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@dataclass
class Starter:
    """Starts labelling, and ends what it started."""

    running: list[Labelling] = field(default_factory=list)

    def __enter__(self) -> "Starter":
        return self

    def __exit__(self, *_: object) -> None:
        for each in self.running:
            each.kill()

    def __call__(self, workspace: Path, *options: object) -> Labelling:
        process = started("label", workspace, "--rule", "b", "--quiet", *options)
        assert process.stdout is not None and process.stderr is not None
        address = process.stdout.readline().decode().strip()
        assert address.startswith("http://127.0.0.1:"), process.stderr.read().decode()
        self.running.append(Labelling(process, address))
        return self.running[-1]


@pytest.fixture
def label() -> Iterator[Starter]:
    with Starter() as starter:
        yield starter
