"""*Planted URL rule*: a host on which addresses that differ in one way have the same content; or
seem to, and have not.

Rules are planted in turn: one of each kind that holds, then one of each that is *contradicted* by
every pair of addresses, then one of each that is *mixed*: contradicted by some.

| kind | rule | addresses that differ in it |
| --- | --- | --- |
| `parameter` | its name | with other values of it, or without it |
| `prefix` | a folder, `into` another | the same path in one and in the other |
| `www` | `www.` | the host with it and without |
| `scheme` | `https` | with it, and with `http` |
"""

from collections.abc import Iterator

import pyarrow as pa

from webecho.synthetic.chance import numbers, share
from webecho.synthetic.ground import Ground, Planted
from webecho.synthetic.hosts import SECTIONS, alias_name, host_name

URL_RULES = pa.schema(
    [
        ("host", pa.string()),
        ("kind", pa.string()),
        ("rule", pa.string()),
        ("into", pa.string()),
        ("nature", pa.string()),
        ("pairs", pa.int64()),
        ("contradictions", pa.int64()),
    ]
)
URL_RULE_KINDS = ("parameter", "prefix", "www", "scheme")
NATURES = ("holds", "contradicted", "mixed")
# Of the pairs of a mixed rule this share holds.
HOLDS = 0.7
# Pages of such a host, before they are there a second time.
PLACES = 40
PARAMETERS = ("sid", "ref", "view", "from")
# Folders of which the first doubles the second; a folder in front of all, and one beside another.
PREFIXES = (("/mirror/", "/"), ("/en-us/", "/en/"))


def plant_url_rules(ground: Ground) -> Iterator[Planted]:
    """The pages of each host, and then its rule."""
    for number in range(ground.web.url_rules):
        kind = URL_RULE_KINDS[number % len(URL_RULE_KINDS)]
        round_, nature = divmod(number // len(URL_RULE_KINDS), len(NATURES))
        yield from plant_url_rule(ground, number, kind, NATURES[nature], round_ + nature)


def plant_url_rule(
    ground: Ground, number: int, kind: str, nature: str, turn: int
) -> Iterator[Planted]:
    """The pages of one host; each place is there once, and once more or twice in another way."""
    seed, home = ground.web.seed, ground.host()
    name = host_name(seed, home)
    rule, into = {
        "parameter": (PARAMETERS[turn % len(PARAMETERS)], None),
        "prefix": PREFIXES[turn % len(PREFIXES)],
        "www": ("www.", None),
        "scheme": ("https", None),
    }[kind]
    counted = {"pairs": 0, "contradictions": 0}
    for place in range(PLACES):
        key = (seed, "url rule", number, place)
        said = ground.said(home, "url rule", number, place)
        path = f"{SECTIONS[place % len(SECTIONS)]}/{place}.html"
        query = f"item={place}" if place % 2 else ""
        address = f"http://{name}{into or '/'}{path}"
        others = {
            "parameter": [
                f"{address}?{with_value(query, rule, value)}"
                for value in numbers(1 + place % 3, *key)
            ],
            "prefix": [f"http://{name}{rule}{path}" + (query and f"?{query}")],
            "www": [f"http://{alias_name(seed, home, 1)}/{path}" + (query and f"?{query}")],
            "scheme": [f"https://{name}/{path}" + (query and f"?{query}")],
        }[kind]
        first: int | None = None
        # Not every page has an address without the parameter.
        if kind != "parameter" or place % 5 or len(others) == 1:
            page = ground.page("url rule", address + (query and f"?{query}"), home, said)
            first = page.truth["page"]
            yield Planted(page)
        for at, url in enumerate(dict.fromkeys(others)):
            holds = nature == "holds" or (nature == "mixed" and share(*key, "holds") < HOLDS)
            if first is None:
                page = ground.page("url rule", url, home, said)
                first = page.truth["page"]
                yield Planted(page)
                continue
            counted["pairs" if holds else "contradictions"] += 1
            own = said if holds else ground.said(home, "url rule", number, place, "own", at)
            yield Planted(ground.page("url rule", url, home, own, first if holds else None))
    row = {"host": name, "kind": kind, "rule": rule, "into": into, "nature": nature}
    yield Planted(None, row | counted)


def with_value(query: str, name: str, value: int) -> str:
    """A query with one more parameter, before the others or after them."""
    mine = f"{name}={value:04x}"
    if not query:
        return mine
    return f"{query}&{mine}" if value % 2 else f"{mine}&{query}"
