"""Sort keys of addresses, as pywb's canonicaliser has them."""

import pytest

from webecho.formats.surt import surt


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://example.com", "com,example)/"),
        ("https://www2.Example.COM:443/", "com,example)/"),
        ("http://example.com:8080/x/", "com,example:8080)/x"),
        ("http://user:pw@a.co.uk/X%20y?q=%41%2542", "uk,co,a)/x%20y?q=ab"),
        ("http://ex.com/A/b/../c//d/./?b=2&a=1&A=3#x", "com,ex)/a/c/d?a=1&a=3&b=2"),
        ("http://ex.com/?", "com,ex)/"),
        ("http://ex.com/?a=&b", "com,ex)/?a=&b"),
        ("http://münchen.de/straße", "de,xn--mnchen-3ya)/stra%c3%9fe"),
        ("http://ex.com/p?phpsessid=0123456789abcdef0123456789abcdef&x=1", "com,ex)/p?x=1"),
        ("http://ex.com/(s(4hqa0555fwsecu455xqckv45))/a.aspx", "com,ex)/a.aspx"),
        ("http://1.2.3.4/x", "4,3,2,1)/x"),
        ("http://[::1]:80/x", "::1)/x"),
        ("http://ex.com/a b", "com,ex)/a%20b"),
        ("dns:example.com", "dns:example.com"),
    ],
)
def test_keys(url: str, key: str) -> None:
    assert surt(url) == key


def test_any_text_has_a_key_without_blanks() -> None:
    for text in ("", "no address", "http://", "http://\udcff/\x00", "://", "http://a/\n b"):
        assert " " not in surt(text)
        assert "\n" not in surt(text)
