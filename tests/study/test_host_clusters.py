"""In how many clusters hosts are, by hand."""

from tests.study.clusters_given import database_of
from webecho.engine.local.engine import local_run
from webecho.study.cluster_coefficients import Missing
from webecho.study.host_clusters import OF_ALL, OF_FIRST, host_changes, unchanged_hosts

# h: two clusters, then one, what could not be downloaded, and a new page; i: two pages of one
# cluster, which then part; j: the same; k: one of its two single pages is gone; l is gone.
ONE = {"h/1": 1, "h/2": 2, "i/1": 3, "i/2": 3, "j/1": 1, "k/1": 4, "k/2": 5, "l/1": 6}
TWO = {"h/1": 1, "h/3": 9, "i/1": 3, "i/2": 7, "j/1": 1, "k/1": 4}


def changes(missing: Missing) -> dict[str, dict[int, int]]:
    with local_run().database() as database:
        database_of(database, [ONE, TWO])
        rows = host_changes(database, 2, missing).to_pylist()
    return {
        of: {row["change"]: row["hosts"] for row in rows if row["of"] == of}
        for of in (OF_FIRST, OF_ALL)
    }


def test_what_could_not_be_downloaded_is_one_more_cluster() -> None:
    # h: 2 and 2; i: 1 and 2; j: 1 and 1; k: 2 and 2; l: 1 and 1. Of all: h 2 and 2, k 2 and 1.
    assert changes("cluster") == {OF_FIRST: {0: 4, 1: 1}, OF_ALL: {-1: 1, 0: 2, 1: 1}}


def test_what_could_not_be_downloaded_is_left_out() -> None:
    assert changes("drop")[OF_FIRST] == {0: 3, 1: 1}


def test_the_share_of_hosts_unchanged() -> None:
    with local_run().database() as database:
        database_of(database, [ONE, TWO])
        first, every = unchanged_hosts(host_changes(database, 2, "cluster")).to_pylist()
    assert [*first.values()] == [OF_FIRST, 5, 4, 0.8, 0, 1]
    assert [*every.values()] == [OF_ALL, 4, 2, 0.5, 1, 1]
