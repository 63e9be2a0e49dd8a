"""*Alias*: another name of a server, or another address of a page (Shivakumar 1998, section 3).

| how | planted | what it is |
| --- | --- | --- |
| `machine` | two names on one machine, the same pages under the same paths | server alias |
| `www` | a name and that without `www.`, on machines of their own, the same pages | server alias |
| `path` | pages of one server under two paths each that have nothing in common | url alias |
| `other www` | a name and that without `www.`: one page in common, and no other | popular |
| `other machine` | two names on one machine: one page in common, and no other | popular |
"""

from collections.abc import Iterator

import pyarrow as pa

from webecho.synthetic.content import Content
from webecho.synthetic.ground import Ground, Planted
from webecho.synthetic.hosts import alias_name, host_name

ALIASES = pa.schema(
    [
        ("group", pa.int32()),
        ("how", pa.string()),
        ("reason", pa.string()),
        ("page", pa.int64()),
        ("alias_of", pa.int64()),
        ("url", pa.string()),
        ("host", pa.string()),
        ("ip", pa.string()),
    ]
)
# How, and what that is.
HOWS = (
    ("machine", "server alias"),
    ("www", "server alias"),
    ("path", "url alias"),
    ("other www", "popular"),
    ("other machine", "popular"),
)
# Pages of a server.
PAGES = 12


def plant_aliases(ground: Ground) -> Iterator[Planted]:
    """The pages of each group, each with the page that it is an alias of."""
    for group in range(ground.web.aliases):
        yield from plant_group(ground, group, *HOWS[group % len(HOWS)])


def plant_group(ground: Ground, group: int, how: str, reason: str) -> Iterator[Planted]:
    """A server, and then its other name, or the other addresses of its pages."""
    seed, home, other = ground.web.seed, ground.host(), ground.host()
    name = host_name(seed, home)
    second = alias_name(seed, home, 1) if how.endswith("www") else host_name(seed, other)
    kind = "url alias" if how == "path" else "server alias"

    def made(url: str, said: Content, original: int | None, machine: int = home) -> Planted:
        page = ground.page(kind, url, home, said, original)
        page.truth["ip"] = ground.ip(machine)
        row = {"group": group, "how": how, "reason": reason, "alias_of": original}
        return Planted(page, row | {key: page.truth[key] for key in ("page", "url", "host", "ip")})

    firsts = range(ground.next_page, ground.next_page + PAGES)
    said = [ground.said(home, "alias", group, at) for at in range(PAGES)]
    paths = ["/", *(f"/about/{at}.html" for at in range(1, PAGES))]
    for each, path in zip(said, paths, strict=True):
        yield made(f"http://{name}{path}", each, None)
    for at, (each, path) in enumerate(zip(said, paths, strict=True)):
        if how == "path":
            yield made(f"http://{name}/~member{at}", each, firsts[at])
            continue
        # Under the same path, and something else, but for one page.
        strange = reason == "popular" and at != 1
        own = ground.said(other, "alias", group, "other", at) if strange else each
        machine = other if how.endswith("www") else home
        yield made(f"http://{second}{path}", own, None if strange else firsts[at], machine)
