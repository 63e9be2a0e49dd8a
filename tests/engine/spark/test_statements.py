"""Every statement of the package gives the same rows in DuckDB and in Spark."""

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.engine.spark.call_sites import CallSite, all_call_sites
from tests.engine.spark.statement_cases import CASES, OF_NOTHING, Webs, empty_webs, webs
from webecho.run import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
# Where each case that ran in this process sent statements from.
SENT: dict[str, set[CallSite]] = {}
# How often each statement was sent, with pages and without.
WITH_PAGES: Counter[str] = Counter()
WITHOUT: Counter[str] = Counter()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Webs:
    return webs(tmp_path_factory.mktemp("statements"))


@pytest.fixture(scope="module")
def none(tmp_path_factory: pytest.TempPathFactory, made: Webs) -> Webs:
    return empty_webs(tmp_path_factory.mktemp("nothing"), made)


@pytest.mark.parametrize("case", CASES)
def test_statements_give_the_same_rows(case: str, made: Webs, quick: "SparkSession") -> None:
    from tests.engine.spark.both import BothEngine

    engine = BothEngine(quick, WITH_PAGES)
    SENT[case] = engine.sites
    # The engine compares what both databases give.
    CASES[case](made, Run(engine))


@pytest.mark.parametrize("case", OF_NOTHING)
def test_tables_without_rows_give_the_same(case: str, none: Webs, quick: "SparkSession") -> None:
    from tests.engine.spark.both import BothEngine

    CASES[case](none, Run(BothEngine(quick, WITHOUT)))


def test_every_statement_of_the_package_is_sent(made: Webs) -> None:
    """Cases that ran elsewhere, or not at all, are run in DuckDB alone."""
    from tests.engine.spark.both import BothEngine

    for case in CASES.keys() - SENT.keys():
        engine = BothEngine(None)
        CASES[case](made, Run(engine))
        SENT[case] = engine.sites
    assert sorted(all_call_sites() - set().union(*SENT.values())) == []
