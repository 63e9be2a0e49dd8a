"""One made-up web with URL rules, aliases and popular documents, sketched once."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import done
from webecho.api.runs import as_run
from webecho.crawling.savings import Savings, SavingsSettings, find_savings
from webecho.group.rules.registry import rule
from webecho.synthetic.making import write_web
from webecho.synthetic.web import Web
from webecho.workspace.workspace import Workspace

WEB = Web(pages=400, seed=5, words=60, popular=4, aliases=10, url_rules=24)


@dataclass(frozen=True)
class Crawled:
    """The web in a folder, its truth, its workspace, and what can be saved of it."""

    folder: Path
    truth: pa.Table
    workspace: Workspace
    savings: Savings

    def table(self, name: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = pq.read_table(self.folder / f"{name}.parquet").to_pylist()
        return rows

    @property
    def identity(self) -> dict[str, int]:
        """The content of each address."""
        columns = (self.truth[name].to_pylist() for name in ("url", "identity"))
        return dict(zip(*columns, strict=True))


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    folder = tmp_path_factory.mktemp("crawled")
    truth = write_web(WEB, folder / "web")
    done("sketch", "-q", folder / "web" / "pages", "-o", folder / "web.echo")
    workspace = Workspace.open(folder / "web.echo")
    found = find_savings(workspace, SavingsSettings(rule("text")), as_run())
    return Crawled(folder / "web", truth, workspace, found)


def patterns(text: str) -> list[str]:
    """The lines of a list that are patterns."""
    return [line for line in text.splitlines() if not line.startswith("#")]


def canonical(text: str, url: str) -> str:
    """What a user makes of an address with a list of canonical patterns."""
    for line in patterns(text):
        pattern, _, replacement = line.partition("\t")
        url = re.sub(pattern, replacement, url)
    return url


def assert_nothing_is_lost(content: Mapping[str, object], found: Savings) -> int:
    """Every address that patterns leave out has its content at one that is visited; gives how many
    addresses deny patterns leave out."""
    scrapy = [re.compile(each) for each in patterns(found.lists["scrapy-deny.txt"])]
    heritrix = [re.compile(each) for each in patterns(found.lists["heritrix-reject.txt"])]
    denied = {url for url in content if any(each.search(url) for each in scrapy)}
    assert denied == {url for url in content if any(each.fullmatch(url) for each in heritrix)}
    rows = found.urls.to_pylist()
    left_out = {row["url"]: row["visit_url"] for row in rows if not row["visit"]}
    kept = set(content) - set(left_out)
    # Of what is left out, and of what patterns leave out, the content is visited.
    assert denied <= set(left_out)
    assert all(content[url] == content[left_out[url]] for url in left_out)
    assert set(left_out.values()) <= kept - denied
    forms = defaultdict(set)
    for url in content:
        forms[canonical(found.lists["scrapy-canonical.txt"], url)].add(content[url])
    assert all(len(contents) == 1 for contents in forms.values())
    return len(denied)
