"""*Savings*: what a crawler need not fetch again, by the clusters of a rule."""

from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from webecho.crawling.lists import lists
from webecho.crawling.mirrors import Mirror
from webecho.crawling.safety import safe
from webecho.crawling.url_rules import UrlRule, as_table, learn
from webecho.crawling.visits import FACTS, PAIRS, URLS, add_addresses, add_visits
from webecho.errors import SettingsError, setting
from webecho.group.keeping import Keep, ranks
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.shown import Outline, Shown
from webecho.study.replication_reasons import (
    POPULAR,
    SERVER_ALIAS,
    URL_ALIAS,
    add_servers,
    pair_reasons,
)
from webecho.study.shares import ratio
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace

# With nothing against it, nine pairs at nine places say a rule as surely as that.
LEAST = 0.7


@dataclass(frozen=True)
class SavingsSettings:
    """By which rule contents are the same, which address of a cluster is visited, where the
    interval of a URL rule must begin at the least for it to go into lists, and the mirrors that a
    study told of."""

    rule: Rule
    keep: Keep = field(default_factory=lambda: Keep("first"))
    least: float = LEAST
    mirrors: tuple[Mirror, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.least < 1:
            raise SettingsError(setting("least").to(self.least), ": give 0 to below 1")
        if self.keep.column is not None:
            raise SettingsError(
                setting("keep").to(self.keep.label),
                ": addresses have no column of yours; give first, longest, shortest-url, earliest "
                "or latest",
            )

    def as_dict(self) -> dict[str, Any]:
        plain = {"rule": self.rule.label, "keep": self.keep.label, "least": self.least}
        told = [[one.host + one.path, one.into_host + one.into_path] for one in self.mirrors]
        return plain | ({"mirrors": told} if told else {})


@dataclass(frozen=True, repr=False)
class Savings(Shown):
    """The addresses of clusters, the URL rules, the lists for crawlers by the names of their files,
    and what there is in all."""

    urls: pa.Table
    rules: pa.Table
    lists: dict[str, str]
    facts: dict[str, Any]
    # Why resemblances had to be estimated, if they had to.
    estimated: str | None = None

    def outline(self) -> Outline:
        return Outline("Savings", self.facts, {"urls": self.urls, "rules": self.rules})


def find_savings(
    workspace: Workspace, settings: SavingsSettings, run: Run, reread: Reread | None = None
) -> Savings:
    """What need not be fetched, if contents are the same as the rule says."""
    run.begin("comparing")
    order = ranks(workspace, (settings.keep,))
    stars = run.engine.stars(workspace, settings.rule, "kept", order, run, reread=reread)
    run.begin("learning URL rules")
    with run.database() as database:
        add_addresses(database, workspace, stars, order)
        rules = learn(database, workspace, settings.least, settings.mirrors)
        sure = safe(database, rules)
        run.begin("choosing addresses")
        add_visits(database, sure.denied)
        add_servers(database, workspace)
        reasons = pair_reasons(database, database.table(PAIRS))
        database.add("reasons", reasons)
        urls = database.table(URLS)
        counted = database.row(FACTS)
    why = reasons["reason"].to_pylist()
    facts = {
        "pages": workspace.pages,
        "addresses": counted["addresses"],
        "to visit": counted["addresses"] - counted["left_out"],
        "to leave out": counted["left_out"],
        "share to leave out": ratio(counted["left_out"], counted["addresses"]),
        **{
            f"of these, {reason}": why.count(reason)
            for reason in (URL_ALIAS, SERVER_ALIAS, POPULAR)
        },
        "bytes": counted["bytes"],
        "bytes saved": counted["bytes_left_out"],
        "share of bytes saved": ratio(counted["bytes_left_out"], counted["bytes"]),
        "clusters": counted["clusters"],
        "addresses whose content changes": counted["changing"],
        "URL rules": len(sure.rules),
        "URL rules in lists": len(sure.holding),
        "URL rules that deny": len(sure.denying),
        "left out by canonical patterns": sure.addresses - sure.canonical,
        "left out by deny patterns": counted["by_pattern"],
    }
    if settings.mirrors:
        between = [rule for rule in sure.holding if rule.way == "mirror"]
        facts["mirrors told"] = len(settings.mirrors)
        facts["mirrors of other hosts in lists"] = len(between)
    told = with_lists(sure.rules, sure.denying)
    return Savings(urls, told, lists(sure), facts, stars.estimated)


def with_lists(rules: list[UrlRule], denying: list[UrlRule]) -> pa.Table:
    """The rules as a table, with whether each is in the lists of patterns."""
    table = as_table(rules)
    names = {(rule.host, rule.way, rule.rule, rule.into) for rule in denying}
    rows = zip(*(table[name].to_pylist() for name in ("host", "way", "rule", "into")), strict=True)
    denies = pa.array([row in names for row in rows], pa.bool_())
    listed = pa.array([status == "holds" for status in table["status"].to_pylist()], pa.bool_())
    return table.append_column("canonical", listed).append_column("deny", denies)
