"""What is in the largest clusters (Fetterly 2004, Tables 1 and 2): each described by the words that
set it apart, and whether its pages differ in a meaningful way.

For that some pages are read again: of a cluster the page that stands for it and others drawn from
it, and pages drawn from all that are not in it. Who is drawn, the seed and the clusters tell alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from webecho.errors import SettingsError, setting
from webecho.group.clusters import Clusters
from webecho.run import Run
from webecho.study.cluster_descriptions import description, frequencies
from webecho.study.member_differences import Member, differences
from webecho.study.page_terms import Numbers, Terms, page_terms
from webecho.workspace.workspace import Workspace

# Of the pages that are drawn from a collection, so that enough are not in a cluster that is most of
# it: this many times as many as are wanted.
SPARE = 20
HOSTS = """
SELECT sketches.page, host FROM sketches JOIN wanted ON wanted.page = sketches.page
"""

Row = dict[str, Any]


@dataclass(frozen=True)
class Sampling:
    """How many pages of a cluster are held against the one that stands for it, how many others it
    is told apart from, and the seed by which both are drawn."""

    members: int = 50
    sample: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("members", "sample"):
            if getattr(self, name) < 1:
                raise SettingsError(setting(name).to(getattr(self, name)), ": give 1 or more")


@dataclass(frozen=True)
class Drawn:
    """The pages that are read for a cluster: the one that stands for it first, and others."""

    members: Numbers
    rest: Numbers


def described(
    workspace: Workspace,
    largest: Mapping[str, tuple[Clusters, Sequence[Row]]],
    sampling: Sampling,
    run: Run,
    problems: list[str],
) -> dict[str, list[Row]]:
    """The rows of the largest clusters by each rule, with what their words tell. All pages are read
    at once; why some cannot be goes to `problems`."""
    drawn = {
        label: [draw(clusters.names, row["cluster"], sampling) for row in rows]
        for label, (clusters, rows) in largest.items()
    }
    every = [np.array([], np.int64)]
    every += [pages for each in drawn.values() for one in each for pages in (one.members, one.rest)]
    wanted = pa.array(np.unique(np.concatenate(every)))
    terms = page_terms(workspace, wanted, run, problems)
    hosts = hosts_of(workspace, wanted, run)
    return {
        label: [
            {"rank": rank} | row | words_of(each, terms, hosts)
            for rank, (row, each) in enumerate(zip(rows, drawn[label], strict=True), 1)
        ]
        for label, (_, rows) in largest.items()
    }


def draw(names: pa.Array, cluster: int, sampling: Sampling) -> Drawn:
    """The pages that are read for a cluster, given the cluster of each page."""
    every = names.to_numpy()
    chance = np.random.default_rng([sampling.seed, cluster])
    others = np.flatnonzero(every == cluster)
    others = others[others != cluster]
    if len(others) > sampling.members:
        others = np.sort(chance.choice(others, sampling.members, replace=False))
    # The same for all clusters, as far as these allow, so that few pages are read.
    chance = np.random.default_rng(sampling.seed)
    most = min(len(every), SPARE * sampling.sample)
    sample = chance.choice(len(every), most, replace=False)
    rest = np.sort(sample[every[sample] != cluster][: sampling.sample])
    return Drawn(np.concatenate([[cluster], others]).astype(np.int64), rest)


def hosts_of(workspace: Workspace, pages: pa.Array, run: Run) -> dict[int, str | None]:
    with run.database() as database:
        database.add("sketches", workspace.stored("sketches"))
        database.add("wanted", pa.table({"page": pages}))
        return {row["page"]: row["host"] for row in database.table(HOSTS).to_pylist()}


def words_of(drawn: Drawn, terms: Mapping[int, Terms], hosts: Mapping[int, str | None]) -> Row:
    """What the words of a cluster tell; nothing where the page that stands for it is gone."""
    first, *others = drawn.members.tolist()
    if first not in terms:
        return dict.fromkeys(
            ("description", "differ in", "compared", "differ in words", "its words", "other words")
        )
    rest = frequencies([terms[page] for page in drawn.rest.tolist() if page in terms])
    there = [page for page in others if page in terms]
    found = differences(
        Member(terms[first], hosts[first]),
        [Member(terms[page], hosts[page]) for page in there],
        rest,
    )
    return {
        "description": description([terms[page] for page in (first, *there)], rest),
        "differ in": found.kind,
        "compared": found.compared,
        "differ in words": found.other_words,
        "its words": ", ".join(found.own),
        "other words": ", ".join(found.others),
    }
