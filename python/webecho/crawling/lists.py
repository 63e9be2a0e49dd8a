"""The lists of patterns as files, for the crawlers that take them.

| file | for |
| --- | --- |
| `scrapy-deny.txt` | Scrapy: a regular expression a line, for `LinkExtractor(deny=…)` |
| `scrapy-canonical.txt` | Scrapy: a regular expression, a tab, and the replacement of `re.sub` |
| `heritrix-reject.txt` | Heritrix: a regular expression a line, of whole addresses |
| `heritrix-beans.cxml` | Heritrix 3: beans for the same, and for its canonicalization policy |

In the lists of lines, those that begin with # say which rule the next ones are of.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from webecho.crawling.patterns import canonical, deny, surt
from webecho.crawling.safety import Safe
from webecho.crawling.url_rules import UrlRule

# What Heritrix does by itself, unless it is told another policy: its own default.
USUAL = (
    *("LowercaseRule", "StripUserinfoRule", "StripWWWNRule"),
    *("StripSessionIDs", "StripSessionCFIDs", "FixupQueryString"),
)
_CANONICALIZE = "org.archive.modules.canonicalize"
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!-- URL rules that webecho learned. Import this file into crawler-beans.cxml, and name
     webechoReject among the rules of the scope. -->
<beans xmlns="http://www.springframework.org/schema/beans"
       xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
       xsi:schemaLocation="http://www.springframework.org/schema/beans
       http://www.springframework.org/schema/beans/spring-beans-3.0.xsd">
"""


def lists(safe: Safe) -> dict[str, str]:
    """The content of each file by its name."""
    whole = [(rule, [f"^{deny(rule)}$"]) for rule in safe.denying]
    canonicals = [
        (rule, [f"^{each.pattern}$\t{each.in_python}" for each in canonical(rule)])
        for rule in safe.holding
    ]
    return {
        "scrapy-deny.txt": lines(whole, said),
        "scrapy-canonical.txt": lines(canonicals, said),
        "heritrix-reject.txt": lines(
            [(rule, [deny(rule)]) for rule in safe.denying],
            lambda rule: f"{said(rule)}; SURT prefix {surt(rule)}",
        ),
        "heritrix-beans.cxml": beans(safe),
    }


def lines(found: Iterable[tuple[UrlRule, Sequence[str]]], comment: Callable[[UrlRule], str]) -> str:
    """The patterns of each rule after a line that says which one it is."""
    return "".join(
        "".join(f"{line}\n" for line in (f"# {comment(rule)}", *patterns))
        for rule, patterns in found
    )


def said(rule: UrlRule) -> str:
    """What a rule says, and how sure that is."""
    what = {
        "parameter": f"the parameter {rule.rule} changes nothing",
        "prefix": f"{rule.rule} doubles {rule.into}",
        "www": f"{rule.rule} is {rule.into}",
        "scheme": f"{rule.rule} is {rule.into}",
        "mirror": f"{rule.rule} mirrors {rule.into}",
    }[rule.way]
    pairs = f"{rule.pairs} pair{'s' if rule.pairs > 1 else ''}"
    return f"{rule.host}: {what} ({pairs}, 95 % interval {rule.low:.3f} to {rule.high:.3f})"


def beans(safe: Safe) -> str:
    """The patterns as Heritrix's configuration has them. Ours are applied before its usual ones,
    which would have changed the addresses."""
    rejected = [
        f"    <!-- {comment(rule)} -->\n    <value>{escape(deny(rule))}</value>"
        for rule in safe.denying
    ]
    rules = [
        f"    <!-- {comment(rule)} -->\n"
        + "\n".join(
            f'    <bean class="{_CANONICALIZE}.RegexRule">\n'
            f'     <property name="regex" value={quoteattr(each.pattern)}/>\n'
            f'     <property name="format" value={quoteattr(each.in_java)}/>\n'
            "    </bean>"
            for each in canonical(rule)
        )
        for rule in safe.holding
    ]
    usual = [f'    <bean class="{_CANONICALIZE}.{name}"/>' for name in USUAL]
    return "\n".join(
        [
            _HEAD,
            ' <bean id="webechoReject"',
            '  class="org.archive.modules.deciderules.MatchesListRegexDecideRule">',
            '  <property name="decision" value="REJECT"/>',
            '  <property name="regexList">',
            *("   <list>", *rejected, "   </list>"),
            *("  </property>", " </bean>", ""),
            ' <bean id="canonicalizationPolicy"',
            f'  class="{_CANONICALIZE}.RulesCanonicalizationPolicy">',
            '  <property name="rules">',
            *("   <list>", *rules, *usual, "   </list>"),
            *("  </property>", " </bean>", "</beans>", ""),
        ]
    )


def comment(rule: UrlRule) -> str:
    """What a rule says, where two hyphens would end it."""
    return re.sub("-(?=-)", "- ", escape(said(rule)))
