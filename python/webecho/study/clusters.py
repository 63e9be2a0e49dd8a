"""How large clusters are and what is in the largest: Fetterly 2004, section 3, by any rules.

| here | in the paper |
| --- | --- |
| `clusters` | what the text says of pages in clusters, clusters and near-duplicates |
| `cluster_sizes` | Figures 1 and 3: how many clusters have how many pages |
| `power_laws` | the exponents of Figures 1 and 3 |
| `outlying_sizes` | sizes far above the trend, and whether they are mirrors of one collection |
| `largest` | Tables 1 and 2: the largest clusters, described, and whether their pages differ |
| `beside_paper` | shares of these collections beside the paper's |

How many clusters there are, cluster_summary.py counts; which sizes lie above the fit, see
outlying_sizes.py, and what is in the largest clusters, largest_clusters.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from webecho.errors import SettingsError, setting
from webecho.group.clusters import Clusters
from webecho.group.rules.registry import rules_named
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.study.cluster_sizes import Sizes
from webecho.study.cluster_summary import (
    add_clusters,
    cluster_counts,
    clusters_by_size,
    largest_clusters,
)
from webecho.study.cluster_tables import (
    CAPTIONS,
    TITLES,
    StudiedClusters,
    figures,
    sentences,
    shown,
    tables,
)
from webecho.study.fits import Fits, fitted
from webecho.study.largest_clusters import Sampling, described
from webecho.study.outlying_sizes import outlying_sizes, trend
from webecho.study.power_law import FitSettings
from webecho.study.result import Study, names
from webecho.workspace.workspace import Workspace

# Those of the paper, as Figure 3 has them.
CLUSTER_RULES = ("very-similar", "virtually-identical")


@dataclass(frozen=True)
class ClusterSettings:
    """How many `rows` of the largest clusters are told, from how many `times` the fitted clusters
    on a size is outlying, by how much the hosts of two clusters `agree` that lie on one set, which
    pages are read to describe clusters, and how power laws are fitted."""

    rows: int = 20
    times: float = 5.0
    agree: float = 0.8
    sampling: Sampling = field(default_factory=Sampling)
    fits: FitSettings = field(default_factory=FitSettings)

    def __post_init__(self) -> None:
        if self.rows < 1:
            raise SettingsError(setting("rows").to(self.rows), ": give 1 or more")
        if not self.times > 1:
            raise SettingsError(setting("times").to(self.times), " is not above 1; try 5")
        if not 0 < self.agree <= 1:
            raise SettingsError(setting("agree").to(self.agree), " is not above 0 and at most 1")


def study_clusters(
    workspaces: Sequence[Workspace], rules: Sequence[str], settings: ClusterSettings, run: Run
) -> Study:
    """The study of these workspaces by these rules, whose page tables they must have."""
    found: list[StudiedClusters] = []
    notes: list[str] = []
    for workspace, name in zip(workspaces, names(workspaces), strict=True):
        found += studied(
            workspace, name, rules_named(rules, workspace.recipe), settings, run, notes
        )
    return Study(
        "clusters",
        tables(found),
        TITLES,
        sentences=tuple(text for text in sentences(found)),
        notes=tuple(dict.fromkeys(notes)),
        main="largest",
        settings=asdict(settings)
        | {"rules": [*rules], "workspaces": [each.name for each in workspaces]},
        figures=dict(figures(found)),
        short=shown(found),
        captions=CAPTIONS,
        collections=tuple(dict.fromkeys(each.collection for each in found)),
    )


@dataclass(frozen=True)
class ByRule:
    """What is counted of the clusters of a rule, before any page is read again."""

    clusters: Clusters
    counts: dict[str, Any]
    sizes: Sizes
    fits: Fits
    outlying: list[dict[str, Any]]
    largest: list[dict[str, Any]]


def studied(
    workspace: Workspace,
    name: str,
    rules: Sequence[Rule],
    settings: ClusterSettings,
    run: Run,
    notes: list[str],
) -> list[StudiedClusters]:
    """What there is to say of a collection by each rule; what could not be counted or read goes to
    the notes."""
    counted: dict[str, ByRule] = {}
    for rule in rules:
        run.begin(f"comparing, {rule.label}")
        clusters = run.engine.clusters(workspace, rule, run)
        counted[rule.label] = count(workspace, clusters, settings, run)
        if clusters.estimated is not None:
            notes.append(
                f"{name}, {rule.label}: resemblances are estimated from features, not counted: "
                f"{clusters.estimated}"
            )
    run.begin("reading the largest clusters")
    problems: list[str] = []
    largest: Mapping[str, Any] = {
        label: (each.clusters, each.largest) for label, each in counted.items()
    }
    words = described(workspace, largest, settings.sampling, run, problems)
    notes += [f"{name}: some clusters are not described, for {each}" for each in problems]
    return [
        StudiedClusters(
            *(name, label, each.counts, each.sizes, each.fits),
            *(settings.times, each.outlying, words[label]),
        )
        for label, each in counted.items()
    ]


def count(workspace: Workspace, clusters: Clusters, settings: ClusterSettings, run: Run) -> ByRule:
    with run.database() as database:
        add_clusters(database, workspace, clusters)
        sizes = clusters_by_size(database)
        fits = fitted(sizes.counts, settings.fits)
        return ByRule(
            clusters,
            cluster_counts(database),
            sizes,
            fits,
            outlying_sizes(database, sizes, trend(sizes, fits), settings.times, settings.agree),
            largest_clusters(database, settings.rows).to_pylist(),
        )
