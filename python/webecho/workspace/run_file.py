"""`run.json`: what may differ from run to run, and nothing else does."""

import contextlib
import json
from pathlib import Path
from typing import Any

from webecho.workspace.json_files import json_bytes
from webecho.workspace.layout import Layout
from webecho.workspace.mirror import push
from webecho.workspace.table_files import write_aside


def read_run(path: Path) -> dict[str, Any]:
    """`run.json`: what may differ from run to run; nothing if there is none, or it is damaged."""
    try:
        found = json.loads(Layout(path).run.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def write_run(path: Path, news: dict[str, Any]) -> None:
    """Adds to `run.json`."""
    # Of two verbs that end at the same moment one may take the file from the other's hand.
    with contextlib.suppress(FileNotFoundError):
        write_aside(Layout(path).run, json_bytes(read_run(path) | news))
        push(path)
