"""How far Spark's stages have come, as the share that is done of the phase that a run is in.

Jobs of a phase have its name in Spark's own pages. Of a phase that reports shares of its own no
other is told.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

from webecho.run import Progress, Report, Run

if TYPE_CHECKING:
    from pyspark import SparkContext

EVERY = 0.5  # seconds
GROUP, DESCRIPTION = "spark.jobGroup.id", "spark.job.description"
NUMBERS = count(1)


class StageReport:
    """A report to which shares of Spark's tasks are added while it is watched."""

    def __init__(self, context: "SparkContext", report: Report) -> None:
        self._context = context
        self._report = report
        self._lock = threading.RLock()
        self._watchers = 0
        self._last: Progress | None = None
        self._group = ""

    def __call__(self, now: Progress) -> None:
        with self._lock:
            begins = self._last is None or self._last.phase != now.phase
            self._last = now
            if begins and self._watchers:
                self._name_jobs()
            self._report(now)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Tells shares of tasks as long as the block runs; a block may stand in another."""
        if self._watchers:
            yield
            return
        context = self._context
        before = [context.getLocalProperty(name) for name in (GROUP, DESCRIPTION)]
        stop = threading.Event()
        thread = threading.Thread(target=self._watch, args=(stop,), name="webecho-stages")
        thread.daemon = True
        self._watchers += 1
        self._name_jobs()
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            self._watchers -= 1
            for name, value in zip((GROUP, DESCRIPTION), before, strict=True):
                # Without a value it is as if it had never been set.
                context.setLocalProperty(name, value)  # type: ignore[arg-type]

    def _name_jobs(self) -> None:
        """Jobs that this thread starts from now on are of the phase."""
        phase = self._last.phase if self._last else "working"
        self._group = f"webecho-{next(NUMBERS)}"
        self._context.setJobGroup(self._group, f"webecho: {phase}", interruptOnCancel=True)

    def _watch(self, stop: threading.Event) -> None:
        while not stop.wait(EVERY):
            self.tell()

    def tell(self) -> None:
        """Reports the share of the tasks of this phase's jobs that is done."""
        share = self.share()
        with self._lock:
            last = self._last
            if share is not None and last is not None and last.share is None:
                self._report(Progress(last.phase, share, last.pages, last.bytes, last.start))

    def share(self) -> float | None:
        """The share, of all tasks that Spark was given for this phase, that is done."""
        tracker = self._context.statusTracker()
        done = whole = 0
        for job in tracker.getJobIdsForGroup(self._group):
            info = tracker.getJobInfo(job)
            if info is None:
                continue
            for stage in info.stageIds:
                tasks = tracker.getStageInfo(stage)
                if tasks is not None:
                    whole += tasks.numTasks
                    # Of a job that is done, stages that were left out are done too.
                    done += (
                        tasks.numTasks if info.status == "SUCCEEDED" else tasks.numCompletedTasks
                    )
        return done / whole if whole else None


@contextmanager
def watched(run: Run) -> Iterator[None]:
    """Tells the run how far Spark has come as long as the block runs, if anybody is told."""
    if isinstance(run.report, StageReport):
        with run.report.watching():
            yield
    else:
        yield
