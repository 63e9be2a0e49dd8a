"""Rules as regular expressions."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from webecho.crawling.patterns import Canonical, canonical, deny, hosts, surt
from webecho.crawling.url_rules import UrlRule


def made(way: str, rule: str, into: str = "", host: str = "h.a") -> UrlRule:
    return UrlRule(host, way, rule, into, 9, 0, 9, 0, 1.0, 0.7, 1.0, "holds")


SID = made("parameter", "sid")
PREFIX = made("prefix", "/en-us/", "/en/")
WWW = made("www", "www.h.a", "h.a", "www.h.a")
HTTPS = made("scheme", "https", "http")
MIRROR = made("mirror", "m.a/pub/h/", "h.a/x/", "m.a")


def rewritten(rule: UrlRule, url: str) -> str:
    for each in canonical(rule):
        url = re.sub(f"^{each.pattern}$", each.in_python, url)
    return url


# Of each rule, what becomes of addresses; None: nothing.
CASES = (
    (SID, "http://h.a/x?sid=1", "http://h.a/x"),
    (SID, "https://h.a/x?a=1&sid=1&b=2", "https://h.a/x?a=1&b=2"),
    (SID, "http://h.a/x?a=1&sid=1", "http://h.a/x?a=1"),
    (SID, "http://h.a/x?sid&a=1", "http://h.a/x?a=1"),
    (SID, "http://h.a?sid=", "http://h.a"),
    (SID, "http://h.a/x?sid=1#part", "http://h.a/x#part"),
    (SID, "http://h.a/x?osid=1&sida=2", None),
    (SID, "http://h.a/sid=1/x", None),
    (SID, "http://h.a/x#?sid=1", None),
    (SID, "http://b.h.a/x?sid=1", None),
    (SID, "http://h.a.b/x?sid=1", None),
    (PREFIX, "http://h.a/en-us/x?y", "http://h.a/en/x?y"),
    (PREFIX, "http://h.a/en-us", None),
    (PREFIX, "http://h.a/x/en-us/", None),
    (WWW, "https://www.h.a/x", "https://h.a/x"),
    (WWW, "http://www.h.a", "http://h.a"),
    (WWW, "http://www.h.ab/", None),
    (WWW, "http://www.h.a:81/", None),
    (HTTPS, "https://h.a/x?y#z", "http://h.a/x?y#z"),
    (HTTPS, "https://h.a.b/", None),
    (MIRROR, "https://m.a/pub/h/y?z#q", "https://h.a/x/y?z#q"),
    (MIRROR, "http://m.a/pub/h/", "http://h.a/x/"),
    (MIRROR, "http://m.a/pub/h", None),
    (MIRROR, "http://m.a:81/pub/h/y", None),
    (MIRROR, "http://other.m.a/pub/h/y", None),
)


@pytest.mark.parametrize(("rule", "url", "form"), CASES)
def test_what_becomes_of_addresses(rule: UrlRule, url: str, form: str | None) -> None:
    assert rewritten(rule, url) == (form or url)
    by_ours = url
    for each in canonical(rule):
        by_ours = each.of(by_ours)
    assert by_ours == (form or url)
    # What is denied is what is changed.
    assert bool(re.fullmatch(deny(rule), url)) == (form is not None)


# As Heritrix does it: see RegexRule and MatchesListRegexDecideRule.
JAVA = """
import java.io.*;
import java.util.regex.*;

class Try {
    public static void main(String[] given) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = lines.readLine()) != null; ) {
            String[] parts = line.split("\t", -1);
            Matcher found = Pattern.compile(parts[0]).matcher(parts[2]);
            if (!found.matches()) {
                System.out.println(parts[2]);
                continue;
            }
            StringBuffer made = new StringBuffer();
            found.appendReplacement(made, parts[1]);
            System.out.println(made);
        }
    }
}
"""


def test_java_understands_the_same(tmp_path: Path) -> None:
    java = shutil.which("java")
    if java is None:
        pytest.skip("there is no java here")
    file = tmp_path / "Try.java"
    file.write_text(JAVA)
    # Each pattern by itself, as they follow each other.
    asked = [(each, url) for rule, url, _ in (*CASES, *STRANGE) for each in canonical(rule)]
    lines = [f"{each.pattern}\t{each.in_java}\t{url}" for each, url in asked]
    lines += [f"{deny(rule)}\tdenied\t{url}" for rule, url, _ in CASES]
    expected = [each.of(url) for each, url in asked]
    expected += [url if form is None else "denied" for _, url, form in CASES]
    done = subprocess.run(
        [java, str(file)], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == expected


STRANGE = (
    (made("parameter", "a[].*+"), "http://h.a/x?a[].*+=1", "http://h.a/x"),
    (made("prefix", r"/$1\/", r"/$2\1/"), r"http://h.a/$1\/x", r"http://h.a/$2\1/x"),
)


@pytest.mark.parametrize(("rule", "url", "form"), STRANGE)
def test_names_are_no_patterns(rule: UrlRule, url: str, form: str) -> None:
    assert rewritten(rule, url) == form
    assert rewritten(rule, "http://h.a/x?a=1") == "http://h.a/x?a=1"


def test_replacements_for_both_languages() -> None:
    each = Canonical("(x)", (1, r"a\$b", 2))
    assert each.in_python == r"\g<1>a\\$b\g<2>"
    assert each.in_java == r"$1a\\\$b$2"


def test_hosts_and_surts() -> None:
    assert hosts(WWW) == {"www.h.a", "h.a"}
    assert hosts(SID) == {"h.a"}
    assert hosts(MIRROR) == {"m.a", "h.a"}
    assert surt(MIRROR) == "http://(a,m,)/pub/h/"
    assert surt(PREFIX) == "http://(a,h,)/en-us/"
    assert surt(WWW) == "http://(a,h,www,)/"
    assert surt(HTTPS) == "https://(a,h,)/"
    assert surt(made("parameter", "sid", host="h.a:81")) == "http://(a,h,:81)/"
