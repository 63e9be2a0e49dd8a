"""*Pattern*: a URL rule as crawlers take it, a regular expression over a whole address.

A *canonical* pattern rewrites an address, so that two that are the same but for the rule become the
same; a crawler that compares what it makes of addresses, and not these, fetches whichever comes
first and no other. Where it is not sure that the address it makes is there it loses nothing. A
*deny* pattern has an address left out for good.

What is written is what Python and Java both understand.
"""

import re
from dataclasses import dataclass

from webecho.crawling.url_rules import UrlRule

# The scheme of an address, what may follow a host, and the path among it.
SCHEME = r"https?://"
AFTER_HOST = r"(?:[/?#].*)?"
PATH = r"(?:/[^?#]*)?"


@dataclass(frozen=True)
class Canonical:
    """What an address that the pattern fits becomes: its groups with text between them."""

    pattern: str
    parts: tuple[str | int, ...]

    def of(self, url: str) -> str:
        """What becomes of an address, which may be itself."""
        found = re.fullmatch(self.pattern, url)
        if found is None:
            return url
        return "".join(part if isinstance(part, str) else found[part] or "" for part in self.parts)

    @property
    def in_python(self) -> str:
        """The replacement as `re.sub` takes it."""
        return "".join(
            part.replace("\\", "\\\\") if isinstance(part, str) else f"\\g<{part}>"
            for part in self.parts
        )

    @property
    def in_java(self) -> str:
        """The replacement as `Matcher.appendReplacement` takes it."""
        return "".join(
            re.sub(r"([\\$])", r"\\\1", part) if isinstance(part, str) else f"${part}"
            for part in self.parts
        )


def canonical(rule: UrlRule) -> tuple[Canonical, ...]:
    """The patterns of a rule, in the order in which they are applied."""
    host, name = re.escape(rule.host), re.escape(rule.rule)
    if rule.way == "parameter":
        value = rf"{name}(?:=[^&#]*)?"
        return (
            # Another one follows; or it is the last.
            Canonical(rf"({SCHEME}{host}{PATH}\?(?:[^#]*&)?){value}&(.*)", (1, 2)),
            Canonical(rf"({SCHEME}{host}{PATH}(?:\?[^#]*)?)[?&]{value}(#.*)?", (1, 2)),
        )
    if rule.way == "prefix":
        return (Canonical(rf"({SCHEME}{host}){name}(.*)", (1, rule.into, 2)),)
    if rule.way == "www":
        return (Canonical(rf"({SCHEME}){name}({AFTER_HOST})", (1, rule.into, 2)),)
    if rule.way == "mirror":
        return (Canonical(rf"({SCHEME}){name}(.*)", (1, rule.into, 2)),)
    return (Canonical(rf"{name}(://{host}{AFTER_HOST})", (rule.into, 1)),)


def deny(rule: UrlRule) -> str:
    """The pattern of all addresses that a rule leaves out."""
    host, name = re.escape(rule.host), re.escape(rule.rule)
    if rule.way == "parameter":
        return rf"{SCHEME}{host}{PATH}\?(?:[^#]*&)?{name}(?:[=&#].*)?"
    if rule.way == "prefix":
        return rf"{SCHEME}{host}{name}.*"
    if rule.way == "www":
        return rf"{SCHEME}{name}{AFTER_HOST}"
    if rule.way == "mirror":
        return rf"{SCHEME}{name}.*"
    return rf"{name}://{host}{AFTER_HOST}"


def hosts(rule: UrlRule) -> set[str]:
    """The hosts whose addresses a rule is about."""
    if rule.way == "mirror":
        return {rule.host, rule.into.partition("/")[0]}
    return {rule.rule, rule.into} if rule.way == "www" else {rule.host}


def surt(rule: UrlRule) -> str:
    """The beginning of the addresses that a rule is about, as Heritrix sorts them."""
    host = rule.rule if rule.way == "www" else rule.host
    name, colon, port = host.partition(":")
    path = rule.rule if rule.way == "prefix" else "/"
    if rule.way == "mirror":
        path = rule.rule.removeprefix(rule.host)
    scheme = rule.rule if rule.way == "scheme" else "http"
    return f"{scheme}://({','.join(reversed(name.split('.')))},{colon}{port}){path}"
