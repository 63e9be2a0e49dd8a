"""An environment for every library that is measured, with pinned versions, made once and kept.

They lie in `bench/cache/environments`; the pins in `bench/peers/requirements/<library>.txt`.
webecho has one too, so that nothing else that happens to be installed counts for or against it:
there its own needs are pinned, and itself it is what is built here.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CACHE = HERE / "cache"
ENVIRONMENTS = CACHE / "environments"
REQUIREMENTS = HERE / "peers" / "requirements"
OURS = "webecho"


@dataclass(frozen=True)
class Environment:
    """The interpreter of a library, or why there is none."""

    library: str
    python: str
    version: str
    failure: str = ""


def environment(library: str) -> Environment:
    """The library's environment, made if it is not there or its pins have changed."""
    pins = REQUIREMENTS / f"{library}.txt"
    version = built() if library == OURS else pinned(pins, library)
    folder = ENVIRONMENTS / library
    python = folder / "bin" / "python"
    mark = folder / "installed"
    digest = hashlib.sha256(pins.read_bytes()).hexdigest()
    if mark.is_file() and mark.read_text() == digest:
        compiled(library, python)
        return Environment(library, str(python), version)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"making the environment of {library} …", flush=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in (
        [sys.executable, "-m", "venv", str(folder)],
        [*install, "-r", str(pins)],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            return Environment(library, "", version, f"not installed: {last_line(done.stderr)}")
    if library == OURS:
        (packages,) = folder.glob("lib/python*/site-packages")
        (packages / "webecho.pth").write_text(f"{HERE.parent / 'python'}\n")
    mark.write_text(digest)
    compiled(library, python)
    return Environment(library, str(python), version)


def compiled(library: str, python: Path) -> None:
    """Compiles our modules, as pip does with those it installs: else Python may do so each time."""
    if library == OURS:
        ours = HERE.parent / "python" / "webecho"
        subprocess.run([str(python), "-m", "compileall", "-q", str(ours)], check=True)


def built() -> str:
    """The version of webecho that is built here."""
    import webecho._core

    return webecho._core.__version__


def pinned(pins: Path, library: str) -> str:
    """The version of the library itself among its pins."""
    found = re.search(rf"^{re.escape(library)}==(\S+)", pins.read_text(), re.M | re.I)
    return found[1] if found else ""


def last_line(text: str) -> str:
    """What an error ends with: where pip and Python name the reason."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip()[:300] if lines else "no message"
