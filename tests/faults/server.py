"""A process that has loaded webecho below the shim, and forks a child for each command.

    LD_PRELOAD=shim.so python -m tests.faults.server

A line of JSON on standard input asks, one on standard output answers (`faults.py` has both ends).
"""

import contextlib
import ctypes
import json
import os
import pkgutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from webecho.__main__ import run

# What a child would load each time.
LOADED = ("duckdb", "pyarrow.parquet", "pyarrow.compute", "matplotlib.figure")
ROOMS = ("api", "deduplication", "engine.local", "group", "show", "sketches", "study", "write")
TRACEBACK = 70


def main() -> None:
    # Standard output is for answers; what libraries print goes elsewhere.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    load()
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            answer_alone(asked)
        _, status = os.waitpid(child, 0)
        print(json.dumps({"code": os.waitstatus_to_exitcode(status)}), file=answers, flush=True)


def load() -> None:
    for name in LOADED:
        import_module(name)
    for room in ROOMS:
        found = import_module(f"webecho.{room}")
        for module in pkgutil.walk_packages(found.__path__, f"{found.__name__}."):
            import_module(module.name)


def answer_alone(asked: dict[str, Any]) -> None:
    """Runs the command in this process, which ends with it."""
    shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
    shim.faults_count.restype = ctypes.c_long
    code = TRACEBACK
    with contextlib.suppress(BaseException):
        redirect(asked)
        sys.argv = ["webecho", *asked["arguments"]]
        shim.faults_arm(
            asked["below"].encode(),
            ctypes.c_long(asked["call"]),
            asked["action"],
            asked["log"].encode(),
        )
        code = ended()
        counted = shim.faults_count()
        Path(asked["said"], "calls").write_text(str(counted))
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def redirect(asked: dict[str, Any]) -> None:
    os.chdir(asked["folder"])
    os.environ["TMPDIR"] = asked["temporary"]
    for number, name in ((1, "stdout"), (2, "stderr")):
        opened = os.open(Path(asked["said"], name), os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(opened, number)
    sys.stdout = os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w")


def ended() -> int:
    """The exit code; a traceback is printed as the interpreter would."""
    try:
        run()
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return TRACEBACK
    return 0


if __name__ == "__main__":
    main()
