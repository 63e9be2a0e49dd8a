"""The wheel of what `make test` has built, and environments that it is installed in."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def ran(*arguments: object, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [*map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def built_wheel(folder: Path) -> Path:
    ran(
        *(sys.executable, "-m", "maturin", "build", "--profile", "quick", "--quiet"),
        *("--compatibility", "linux", "--out", folder),
    )
    [file] = folder.glob("*.whl")
    return file


def pip_of(environment: Path) -> tuple[object, ...]:
    """The command that installs into an environment, which it makes."""
    ran(sys.executable, "-m", "venv", "--without-pip", environment)
    return (
        *(sys.executable, "-m", "pip", "--python", environment / "bin" / "python", "install"),
        *("--disable-pip-version-check", "--no-compile"),
    )
