"""Mirrors that a study told, as URL rules: read, checked, and held against the pages."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import webecho
from webecho.crawling.mirrors import COLUMNS, Mirror, by_folder, mirror_forms, read_mirrors
from webecho.crawling.url_forms import Form, address
from webecho.errors import InputError, WorkspaceError

M = Mirror("m.a", "/pub/h/", "h.a", "/")


def table(*rows: Mirror) -> pa.Table:
    columns = {name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)}
    return pa.table({name: pa.array(each, pa.string()) for name, each in columns.items()})


def test_a_table_is_read_from_each_place(tmp_path: Path) -> None:
    folder = tmp_path / "study"
    folder.mkdir()
    pq.write_table(table(M, M), folder / "crawler.parquet")
    pyarrow.csv.write_csv(table(M), folder / "crawler.csv")
    for given in (folder, folder / "crawler.parquet", folder / "crawler.csv"):
        assert read_mirrors(given) == (M,)


@pytest.mark.parametrize(
    "bad",
    [
        M._replace(host="m.a/x"),
        M._replace(host="M.A"),
        M._replace(path="/pub"),
        M._replace(path="pub/"),
        M._replace(path="/a?b/"),
        M._replace(path="/a\n/"),
        M._replace(into_host="user@h.a"),
        M._replace(into_host=""),
        Mirror("h.a", "/", "h.a", "/"),
    ],
)
def test_what_is_no_folder_of_a_host_is_refused(tmp_path: Path, bad: Mirror) -> None:
    pq.write_table(table(bad), tmp_path / "crawler.parquet")
    with pytest.raises(InputError, match="give the folder that `webecho study mirrors` wrote"):
        read_mirrors(tmp_path)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"crawler\.parquet is not there"):
        read_mirrors(tmp_path)
    (tmp_path / "crawler.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"crawler\.csv cannot be read"):
        read_mirrors(tmp_path / "crawler.csv")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "crawler.parquet")
    with pytest.raises(InputError, match="it has no column mirror host"):
        read_mirrors(tmp_path)


def test_what_the_study_wrote_is_checked(tmp_path: Path) -> None:
    pages = {
        "url": [f"http://{host}.a/{n}.html" for host in "hm" for n in range(12)],
        "text": [f"this is page {n}" for _ in "hm" for n in range(12)],
    }
    pq.write_table(pa.table(pages), tmp_path / "pages.parquet")
    webecho.sketch(tmp_path / "pages.parquet", tmp_path / "pages.echo")
    study = webecho.study_mirrors(tmp_path / "pages.echo", "text")
    study.write(tmp_path / "study")
    assert read_mirrors(tmp_path / "study") == (Mirror("m.a", "/", "h.a", "/"),)
    pq.write_table(table(M), tmp_path / "study" / "crawler.parquet")
    with pytest.raises(WorkspaceError, match="study the mirrors again"):
        read_mirrors(tmp_path / "study")


def test_an_address_leads_to_what_stands_for_it() -> None:
    known = by_folder([M, Mirror("h.a", "/v1/", "h.a", "/v2/")])
    assert known == {"m.a": {"/pub/h/": [("h.a", "/")]}}
    [here, deeper] = mirror_forms(address("http://m.a/pub/h/x/y.html?z"), known)  # type: ignore[arg-type]
    assert here == Form("mirror", "m.a", "m.a/pub/h/", "h.a/", "http://h.a/x/y.html?z")
    assert deeper == Form("mirror", "m.a", "m.a/pub/h/x/", "h.a/x/", "http://h.a/x/y.html?z")
    for other in ("http://m.a/pub/x", "http://h.a/pub/h/x"):
        assert [*mirror_forms(address(other), known)] == []  # type: ignore[arg-type]


def saved(tmp_path: Path, texts: dict[str, str]) -> list[dict[str, Any]]:
    """The rules of mirrors of these pages: m.a/pub/h/ is to be h.a/."""
    pq.write_table(table(M), tmp_path / "crawler.parquet")
    pages = pa.table({"url": [*texts], "text": [*texts.values()]})
    rows: list[dict[str, Any]] = webecho.savings(pages, mirrors=tmp_path).rules.to_pylist()
    return [row for row in rows if row["way"] == "mirror"]


def web(differing: str | None = None) -> dict[str, str]:
    """Two folders of nine pages, on both hosts."""
    places = [f"{folder}/{n}.html" for folder in ("x", "y") for n in range(9)]
    found = {f"http://h.a/{place}": f"this is {place}" for place in places}
    found |= {f"http://m.a/pub/h/{place}": f"this is {place}" for place in places}
    if differing:
        found[f"http://m.a/pub/h/{differing}"] = "something else"
    return found


def test_a_mirror_that_holds_goes_into_the_lists(tmp_path: Path) -> None:
    [row] = saved(tmp_path, web())
    assert (row["host"], row["rule"], row["into"]) == ("m.a", "m.a/pub/h/", "h.a/")
    assert (row["pairs"], row["contradictions"], row["places"]) == (18, 0, 18)
    assert row["canonical"] and row["deny"]


def test_of_a_mirror_that_does_not_hold_the_folder_that_does(tmp_path: Path) -> None:
    rows = {row["rule"]: row for row in saved(tmp_path, web("y/3.html"))}
    assert rows["m.a/pub/h/"]["status"] == "contradicted"
    assert not rows["m.a/pub/h/"]["canonical"] and not rows["m.a/pub/h/"]["deny"]
    assert rows["m.a/pub/h/x/"]["status"] == "holds"
    assert rows["m.a/pub/h/x/"]["deny"]
    assert rows.keys() == {"m.a/pub/h/", "m.a/pub/h/x/"}


def test_what_only_the_mirror_has_is_not_denied(tmp_path: Path) -> None:
    texts = web() | {"http://m.a/pub/h/only.html": "only here"}
    [row, *_] = saved(tmp_path, texts)
    assert row["canonical"] and not row["deny"]


def test_folders_of_one_host_are_prefixes(tmp_path: Path) -> None:
    pq.write_table(table(Mirror("h.a", "/v1/", "h.a", "/v2/")), tmp_path / "crawler.parquet")
    texts = {f"http://h.a/{v}/{n}.html": f"page {n}" for v in ("v1", "v2") for n in range(9)}
    pages = pa.table({"url": [*texts], "text": [*texts.values()]})
    found = webecho.savings(pages, mirrors=tmp_path)
    rows = [row for row in found.rules.to_pylist() if row["rule"] == "/v1/"]
    assert [(row["way"], row["into"], row["status"]) for row in rows] == [
        ("prefix", "/v2/", "holds")
    ]
    assert found.facts["mirrors told"] == 1
