"""Figures 3 to 5 as values; what they have is tested with the study."""

from webecho.study.query_logs import QueryLog
from webecho.study.querylog_figures import file_name, shown_names


def test_curves_have_their_colours_in_one_order() -> None:
    periods = tuple(QueryLog(f"log {number}", "f", ("a",), 1) for number in (1, 2))
    logs = [QueryLog("log", "f", ("a",), 1, periods=periods), QueryLog("other", "f", ("a",), 1)]
    assert shown_names(logs) == ["log", "log 1", "log 2", "other"]


def test_names_of_files() -> None:
    assert file_name("all 2002-08–2003/07") == "all_2002-08_2003_07"
