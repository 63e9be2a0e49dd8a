"""A run: whom it tells, and what it refuses."""

import pytest

from webecho.engine.local.engine import LocalEngine
from webecho.errors import MemoryBudgetError
from webecho.run import Progress, Run


def test_by_itself_a_run_tells_nobody() -> None:
    run = Run(LocalEngine())
    assert (run.threads, run.memory) == (1, None)
    run.begin("reading")
    run.note("ten pages are large")
    run.warn("a page is damaged")


def test_a_phase_that_begins_is_reported() -> None:
    reported: list[Progress] = []
    run = Run(LocalEngine(), report=reported.append)
    run.begin("comparing")
    run.begin("writing")
    # How much of it is done is not known.
    assert reported == [Progress("comparing", None, 0, 0), Progress("writing", None, 0, 0)]


def test_its_sql_is_done_by_its_engine() -> None:
    with Run(LocalEngine()).database() as database:
        assert database.row("SELECT 6 * 7 AS answer") == {"answer": 42}


def test_a_budget_is_checked_where_there_is_one() -> None:
    Run(LocalEngine()).check_memory(10**12, "drawing the graph")
    Run(LocalEngine(), memory=10**8).check_memory(10**8, "drawing the graph")
    with pytest.raises(MemoryBudgetError, match=r"^drawing the graph needs at least 200MB of"):
        Run(LocalEngine(), memory=10**8).check_memory(2 * 10**8, "drawing the graph")
