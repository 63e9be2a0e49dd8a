"""How far a run has come, on standard error, for people who wait for it."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from webecho.run import Progress, Report, silent
from webecho.safe_text import plain
from webecho.sizes import size

# Seconds between two lines of progress where there is no terminal.
EVERY = 10.0
# Seconds after which a phase has a speed: before, what was read ahead makes it absurd.
SETTLED = 1.0
# A bar is counted in whole parts.
PARTS = 1000
# How wide a bar is, and beside it what is said of a phase.
BAR, LEAST_BAR, BESIDE_BAR = 40, 8, 70


@contextmanager
def progress(quiet: bool, every: float = EVERY) -> Iterator[Report]:
    """Shows how far the phases of a run have come: a bar on a terminal, a line each so many
    seconds elsewhere."""
    if quiet:
        yield silent
    elif sys.stderr.isatty():
        # Loading it takes as long as many a verb.
        from rich import progress as bars
        from rich.console import Console

        console = Console(stderr=True)
        columns = (
            bars.SpinnerColumn(),
            bars.BarColumn(bar_width=max(LEAST_BAR, min(BAR, console.width - BESIDE_BAR))),
            bars.TextColumn("{task.description}"),
            bars.TimeRemainingColumn(),
        )
        with bars.Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("", total=None)
            phase = Phase()

            def draw(now: Progress) -> None:
                if phase.begins(now):
                    # What an earlier run did must not count as this one's speed.
                    bar.reset(task, completed=round(now.start * PARTS))
                total = None if now.share is None else PARTS
                completed = (now.share or 0.0) * PARTS
                bar.update(task, description=phase.line(now), total=total, completed=completed)

            yield draw
    else:
        last, phase = time.monotonic(), Phase()

        def line(now: Progress) -> None:
            nonlocal last
            phase.begins(now)
            if time.monotonic() - last >= every:
                last = time.monotonic()
                print(plain(phase.line(now) + phase.left(now)), file=sys.stderr, flush=True)

        yield line


class Phase:
    """The phase that a run is in, and since when."""

    def __init__(self) -> None:
        self.name = ""
        self.start = time.monotonic()

    def begins(self, now: Progress) -> bool:
        """Whether this is the first that is heard of a phase."""
        if now.phase == self.name:
            return False
        if self.name:
            self.start = time.monotonic()
        self.name = now.phase
        return True

    def line(self, now: Progress) -> str:
        """What goes on, and how fast."""
        seconds = time.monotonic() - self.start
        counted = [f"{now.pages:,} pages"] if now.pages else []
        if now.bytes:
            counted.append(size(now.bytes))
        if now.bytes and seconds >= SETTLED:
            counted.append(f"{now.pages / seconds:,.0f} pages/s")
            counted.append(f"{now.bytes / seconds / 1e6:,.0f} MB/s")
        return f"{now.phase}: {', '.join(counted)}" if counted else now.phase

    def left(self, now: Progress) -> str:
        """What share of the phase is done, and how long the rest takes."""
        if not now.share:
            return ""
        text = f", {now.share:.0%} done"
        if now.share > now.start:
            passed = time.monotonic() - self.start
            text += f", about {passed * (1 - now.share) / (now.share - now.start):,.0f} s left"
        return text
