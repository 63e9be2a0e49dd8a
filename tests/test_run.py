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
    with pytest.raises(MemoryBudgetError) as error:
        Run(LocalEngine(), memory=99_999_999).check_memory(100_000_001, "clustering a.echo")
    # The floor is rounded up, so that what is said suffices.
    assert str(error.value) == (
        "clustering a.echo needs at least 101MB of memory, and only 100MB is allowed; "
        "give --memory 101MB or more"
    )
    assert error.value.for_python().endswith("give memory=101MB or more")
