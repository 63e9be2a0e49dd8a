"""Addresses that are the same but for a way."""

import pytest

from webecho.crawling.url_forms import (
    Address,
    Form,
    address,
    doubled,
    forms,
    parent,
    prefix_forms,
    prefixes,
)


def parts(url: str) -> Address:
    found = address(url)
    assert found is not None
    assert found.text == url
    return found


@pytest.mark.parametrize(
    "url",
    [
        None,
        "",
        "ftp://a.example/x",
        "folder/page.html",
        "http://A.example/x",
        "http://user@a.example/",
        "http://a.example/a b",
        "http://a.example/a\nb",
        "http://a.example/x#part",
        "http://a.example/" + "x" * 2000,
    ],
)
def test_addresses_that_teach_nothing(url: str | None) -> None:
    assert address(url) is None


def test_each_parameter_leads_to_a_place() -> None:
    found = [*forms(parts("http://a.example/x?b=1&a=2&b=3&c"))]
    host = "a.example"
    assert found == [
        Form("parameter", host, "b", "", "http://a.example/x?a=2&c"),
        Form("parameter", host, "a", "", "http://a.example/x?b=1&b=3&c"),
        Form("parameter", host, "c", "", "http://a.example/x?b=1&a=2&b=3"),
    ]
    assert [form.place for form in forms(parts("http://a.example?a=1"))] == ["http://a.example"]
    many = "&".join(f"p{number}=1" for number in range(31))
    assert not [*forms(parts(f"http://a.example/?{many}"))]


def test_www_and_https_lead_to_a_place() -> None:
    assert [*forms(parts("https://www.a.example:81/x"))] == [
        Form(
            "www", "www.a.example:81", "www.a.example:81", "a.example:81", "https://a.example:81/x"
        ),
        Form("scheme", "www.a.example:81", "https", "http", "http://www.a.example:81/x"),
    ]
    assert not [*forms(parts("http://www.example/x"))]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("/a/x.html", "/b/x.html", [("/a/", "/b/")]),
        ("/a/c/x", "/b/c/x", [("/a/", "/b/"), ("/a/c/", "/b/c/")]),
        ("/mirror/c/x", "/c/x", [("/mirror/", "/"), ("/mirror/c/", "/c/")]),
        ("/a/x", "/a/y", []),
        ("/a/", "/b/", []),
        ("/a/x", "/a/x", []),
        ("/a/x?q=1", "/b/x", []),
    ],
)
def test_prefixes_in_which_alone_addresses_differ(
    one: str, other: str, found: list[tuple[str, str]]
) -> None:
    assert [*doubled(parts(f"http://h{one}"), parts(f"http://h{other}"))] == found


def test_other_hosts_double_nothing() -> None:
    assert not [*doubled(parts("http://a.b/x/y"), parts("http://c.b/z/y"))]
    assert not [*doubled(parts("http://a.b/x/y"), parts("https://a.b/z/y"))]


def test_prefixes_and_their_parents() -> None:
    assert [*prefixes("/a/b/x")] == ["/", "/a/", "/a/b/"]
    assert parent("/a/c/", "/b/c/") == ("/a/", "/b/")
    assert parent("/m/c/", "/c/") == ("/m/", "/")
    assert parent("/a/", "/b/") is None


def test_places_by_prefixes() -> None:
    known = {"/a/": ["/b/", "/"], "/c/": ["/d/"]}
    places = [form.place for form in prefix_forms(parts("http://h/a/c/x?q=1"), known)]
    assert places == ["http://h/b/c/x?q=1", "http://h/c/x?q=1"]
