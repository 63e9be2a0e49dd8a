"""Mutated files through the command line, each in a process forked for it.

Whoever forks must not have worked with Arrow or the kernels: their threads would not be there.
"""

import ctypes
import os
import re
import sys
from pathlib import Path

from tests.any_bytes.attacks import Trial, own_copy
from tests.any_bytes.seeds import beside, collections
from webecho.__main__ import run

NAME = "command line"
# All was well, something could not be read, the command was wrong, something was left out.
CODES = (0, 1, 2, 3)
# What a program says that did not expect this, and what libraries say instead of us.
STRANGE = re.compile(
    r"Traceback|Exception ignored|panicked|\w+Warning: |terminate called|core dumped|Sanitizer"
    r"|^(?!webecho: ).*\b(arrow::|duckdb::|pyarrow\.lib|DuckDB Error)",
    re.MULTILINE,
)
PAGES = (
    *("sketch {file} -o w.echo", "dedup {file} -o out", "dedup {file} --dry-run"),
    *(
        "sketch {file} -o w.echo --quiet --links",
        "dedup {file} -o out --rule exact --log log.jsonl",
    ),
    *("diff {file} {ready}/one.html", "dedup {ready}/pages.jsonl {file} -o out --removed gone"),
)
OWN = (
    *("clusters {file}", "pairs {file} --rule b", "verify {file}", "savings {file}"),
    *(
        "why {file} http://h0.example.org/0 http://h0.example.org/2",
        "pairs {file} --rule b --report",
    ),
    *("dedup {ready}/pages.jsonl -o out --against {file}", "study clusters {file} --repetitions 0"),
    *("evaluate {file}", "label {file} --rule similar --guess", "overlap {file} --chunk lines:2"),
)
WRITTEN = ("restore {file}/data -o back", "verify {file}", "dedup {file}/data -o again")
USES = {
    "query": (
        "study querylog --pair {ready}/w.echo {ready}/w.echo --queries log={file} --drop 0"
        " --permutations 0 --cases 0 -o told",
    ),
    "edges": ("study graph {ready}/w.echo --edges {file} --repetitions 0",),
    "labels": (
        "label {ready}/w.echo --import {file} --labels all.jsonl",
        "evaluate {ready}/w.echo --labels {file}",
    ),
}


def command_line(trial: Trial) -> None:
    arguments = chosen(trial)
    code, said = ended(trial.folder, arguments)
    shown = f"webecho {' '.join(arguments)}: {code}\n{said}"
    assert code in CODES, shown
    assert not STRANGE.search(said), shown
    if code in (1, 2):
        assert "webecho: " in said, shown


def chosen(trial: Trial) -> list[str]:
    """A command, the file it is about being there."""
    by, ready = trial.by, trial.ready
    kind = by.random()
    if kind < 0.7:
        seeds = {**collections(), **beside()}
        name = by.choice(list(seeds))
        file = trial.folder / seeds[name].file
        file.write_bytes(seeds[name].mutated(by))
        known = next((uses for start, uses in USES.items() if name.startswith(start)), PAGES)
    elif kind < 0.9:
        file, known = own_copy(ready.workspace, trial), OWN
    else:
        file, known = own_copy(ready.output, trial), WRITTEN
    text = by.choice(known)
    return [each.format(file=file, ready=ready.folder) for each in text.split()]


def ended(folder: Path, arguments: list[str]) -> tuple[int, str]:
    """The exit code of a command, and what it said to standard error."""
    said = folder / "stderr"
    if (pid := os.fork()) == 0:
        alone(folder, arguments, said)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return code, said.read_text(errors="replace")


def alone(folder: Path, arguments: list[str], said: Path) -> None:
    """Runs the command in this process, which ends with it."""
    os.chdir(folder)
    for number, file in ((0, os.devnull), (1, os.devnull), (2, said)):
        os.dup2(os.open(file, os.O_CREAT | os.O_RDWR), number)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    sys.argv = ["webecho", *arguments]
    code = 70
    try:
        code = run() or 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.pythonapi.Py_Exit(code)
