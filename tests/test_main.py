"""The program as it is started."""

import subprocess
import sys
from pathlib import Path

TOLD = """
import sys
import pyarrow
from webecho.__main__ import run
try:
    run()
finally:
    print("pandas" in sys.modules, file=sys.stderr)
"""


def test_the_command_line_does_not_load_pandas(tmp_path: Path) -> None:
    """Which is installed here, and which Arrow loads for any list that becomes an array."""
    (tmp_path / "page.html").write_text("<p>some words that are here")
    command = [sys.executable, "-c", TOLD, "sketch", "page.html", "-o", "w.echo", "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.split()[-1] == "False"
    loads = [sys.executable, "-c", "import pyarrow, sys; pyarrow.array([1]); print(*sys.modules)"]
    assert "pandas" in subprocess.run(loads, capture_output=True, text=True, check=True).stdout
