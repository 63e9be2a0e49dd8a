import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webecho.read.urls import host_names, hosts, normal, path_addresses, sites


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://www.example.org/a", "www.example.org"),
        ("HTTP://WWW.Example.ORG:8080/", "www.example.org"),
        ("https://user:word@example.org./x@y", "example.org"),
        ("http://example.org?q=http://other.org/", "example.org"),
        ("http://exa%6Dple.org", "example.org"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("http://日本語.jp", "xn--wgv71a119e.jp"),
        ("http://192.168.0.1:80/", "192.168.0.1"),
        ("http://[2001:DB8::1]:80/", "[2001:db8::1]"),
        ("http://localhost", "localhost"),
        ("ftp://files.example.org/", "files.example.org"),
        ("file:///etc/passwd", None),
        ("mailto:a@example.org", None),
        ("http://", None),
        ("http://a b/", None),
        ("docs/page.html", None),
        ("", None),
        (None, None),
    ],
)
def test_hosts(url: str | None, host: str | None) -> None:
    assert hosts(pa.array([url], pa.string())).to_pylist() == [host]


@pytest.mark.parametrize(
    ("host", "registered", "henzinger"),
    [
        ("www.example.org", "example.org", "example.org"),
        ("example.org", "example.org", "example.org"),
        ("a.b.example.org", "example.org", "b.example.org"),
        ("news.bbc.co.uk", "bbc.co.uk", "bbc.co.uk"),
        ("bbc.co.uk", "bbc.co.uk", "co.uk"),
        ("co.uk", "co.uk", "co.uk"),
        ("localhost", "localhost", "localhost"),
        ("a.b.nosuchsuffix", "b.nosuchsuffix", "b.nosuchsuffix"),
        ("192.168.0.1", "192.168.0.1", "192.168.0.1"),
        ("[2001:db8::1]", "[2001:db8::1]", "[2001:db8::1]"),
        ("www.xn--bcher-kva.de", "xn--bcher-kva.de", "xn--bcher-kva.de"),
        (None, None, None),
    ],
)
def test_sites(host: str | None, registered: str | None, henzinger: str | None) -> None:
    column = pa.array([host], pa.string())
    assert sites(column, "registered").to_pylist() == [registered]
    assert sites(column, "henzinger2006").to_pylist() == [henzinger]


def test_columns_of_every_string_type() -> None:
    urls = pa.array(["http://a.org/1", "http://b.org/", None, "http://a.org/2"])
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        found = hosts(urls.cast(kind))
        assert found.type == pa.string()
        assert found.to_pylist() == ["a.org", "b.org", None, "a.org"]
    assert hosts(urls.slice(1, 2)).to_pylist() == ["b.org", None]


def test_hosts_alone_or_in_addresses() -> None:
    names = pa.array(["WWW.Example.org", "http://example.org:80/a", "bücher.example", "a b", None])
    expected = ["www.example.org", "example.org", "xn--bcher-kva.example", None, None]
    assert host_names(names).to_pylist() == expected


def test_no_sign_of_a_path_means_anything() -> None:
    paths = pa.array(
        ["docs/a.html", "a b?.html", "50%#1.html", "x:y.html", "/abs/a", "../up", None]
    )
    addresses = path_addresses(paths).to_pylist()
    assert addresses == [
        *("/docs/a.html", "/a b%3F.html", "/50%25%231.html", "/x:y.html", "/abs/a", "/../up"),
        None,
    ]
    base = "http://folder.invalid/"
    found = [normal(address, base) for address in addresses[:4]]
    assert found == [
        f"{base}{path}" for path in ("docs/a.html", "a%20b%3F.html", "50%25%231.html", "x:y.html")
    ]


BASE = "http://base.org/dir/page?q=1#top"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("http://example.org:80/", "http://example.org/"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:80/", "https://example.org:80/"),
        ("http://u:p@example.org/", "http://example.org/"),
        ("http://example.org/a/./b/../c/..", "http://example.org/a/"),
        ("http://example.org/../../a", "http://example.org/a"),
        ("http://example.org/a//b", "http://example.org/a//b"),
        ("http://example.org/%7euser/%c3%A9/%2F", "http://example.org/~user/%C3%A9/%2F"),
        ("http://example.org/é ü|100%", "http://example.org/%C3%A9%20%C3%BC|100%25"),
        ("http://example.org/?", "http://example.org/"),
        ("http://example.org/?a=é&b=%zz#x?y", "http://example.org/?a=%C3%A9&b=%25zz"),
        ("http://example.org/a;jsessionid=1?sid=2", "http://example.org/a;jsessionid=1?sid=2"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("//other.org/a", "http://other.org/a"),
        ("/a", "http://base.org/a"),
        ("a", "http://base.org/dir/a"),
        ("../a", "http://base.org/a"),
        ("?x", "http://base.org/dir/page?x"),
        ("#x", "http://base.org/dir/page?q=1"),
        ("", "http://base.org/dir/page?q=1"),
        ("http:a", "http://base.org/dir/a"),
        (" \n/a\tb ", "http://base.org/ab"),
        ("\\a\\b", "http://base.org/a/b"),
        ("mailto:a@b.org", None),
        ("javascript:void(0)", None),
        ("data:text/html,x", None),
        ("http://", None),
        ("https:a", "https://a/"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://example.org/a/", "http://example.org/a/"),
        ("http://example.org/a/index.html", "http://example.org/a/index.html"),
        ("http://example.org/?b=2&a=1", "http://example.org/?b=2&a=1"),
        ("http://example.org/%2e%2E/%41b%2fc", "http://example.org/Ab%2Fc"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[2001:DB8:0::1]:80/", "http://[2001:db8::1]/"),
        ("ftp://example.org:21/a", "ftp://example.org/a"),
        ("dns:example.org", None),
        ("http://example.org:99999/", None),
        ("http://exa mple.org/", None),
    ],
)
def test_normal_form(url: str, expected: str | None) -> None:
    assert normal(url, BASE) == expected


def test_without_a_base_only_absolute_addresses_have_one() -> None:
    assert normal("http://a.org/b/..") == "http://a.org/"
    assert normal("/a") is None
    assert normal("//a.org/") is None
    assert normal("/a", "no base") is None


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        # RFC 3986, sections 5.4.1 and 5.4.2, with their base http://a/b/c/d;p?q.
        *(("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/")),
        *(("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y")),
        *(("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), (";x", "http://a/b/c/;x")),
        *(("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/")),
        *(("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g")),
        *(("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g")),
        *(("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g.")),
        *((".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g")),
        *(("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h")),
        *(("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y")),
        *(("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g")),
    ],
)
def test_the_examples_of_the_standard(link: str, expected: str) -> None:
    assert normal(link, "http://a/b/c/d;p?q") == expected


@given(st.text(max_size=30) | st.text("ah:t/p.?#%2e@[]\\ ", max_size=30))
def test_the_normal_form_is_its_own(text: str) -> None:
    for url in (text, f"http://{text}", f"http://a.org/{text}"):
        found = normal(url, BASE)
        hosts(pa.array([url], pa.string()))
        if found is not None:
            assert found.isascii()
            assert normal(found) == found
