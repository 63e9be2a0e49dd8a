"""`webecho restore`: archives with the records back that revisits stand for."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.values import Name, as_out, several
from webecho.errors import InputError
from webecho.read.streams import is_stream
from webecho.run import Report, Run
from webecho.write.restore import Restored, restore_archives


@dataclass(frozen=True)
class RestoreRequest:
    """Which archives, and the folder for what they become; `force` lets files be replaced."""

    inputs: tuple[str, ...]
    out: Path
    force: bool = False


def run_restore(request: RestoreRequest, run: Run) -> Restored:
    """Writes the archives anew."""
    for name in request.inputs:
        if is_stream(name):
            raise InputError(f"{name}: restoring reads it several times; save it to a file first")
    run.begin("restoring")
    done = restore_archives(request.inputs, request.out, force=request.force)
    lists = {name: [*getattr(done, name)] for name in ("not_found", "odd", "damaged", "unread")}
    run.log("counts", {**done.facts, **lists, "named": dict(done.named)})
    return done


@public
def restore(
    data: Name | Sequence[Name],
    out: Name,
    *,
    force: bool = False,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> Restored:
    """What was brought back: WARC files, written into the folder `out`, in which each revisit that
    `dedup` made is again the record it stands for.

    Arguments:
        data: archives, or folders of them.
        out: the folder for what they become.
        force: let files be replaced.

    Example:
        >>> _ = webecho.dedup("web/pages", "slim", revisit=True)
        >>> webecho.restore("slim/data", "back").restored > 0
        True
    """
    inputs = tuple(os.fspath(each) for each in several(data))
    with running_locally(None, None, report, progress, engine=engine) as run:
        return run_restore(RestoreRequest(inputs, as_out(out), force), run)
