"""*Manual*: popular documents that many servers have (Shivakumar 1998, section 3).

Each server has it in a folder of its own, and a front page that nobody else has. The first server
of every other manual has another name, under which it has all of this as well: one server, not two.
Of every third manual two servers are on one machine, and are not the same for all that.
"""

from collections.abc import Iterator

import pyarrow as pa

from webecho.synthetic.chance import numbers
from webecho.synthetic.ground import Ground, Planted
from webecho.synthetic.hosts import alias_name, host_name

POPULAR = pa.schema(
    [
        ("manual", pa.int32()),
        ("document", pa.int32()),
        ("page", pa.int64()),
        ("url", pa.string()),
        ("host", pa.string()),
        ("server", pa.string()),
        ("ip", pa.string()),
    ]
)
# Documents of a manual, and servers that have it: at the least, and up to so many more.
DOCUMENTS, MORE_DOCUMENTS = 10, 11
SERVERS, MORE_SERVERS = 4, 7
FOLDERS = ("manuals", "pub/doc", "~library", "mirror/html")


def plant_popular(ground: Ground) -> Iterator[Planted]:
    """The pages of each manual on each of its servers, and the front pages of these."""
    web = ground.web
    for manual in range(web.popular):
        documents, servers = numbers(2, web.seed, "popular", manual)
        home = ground.host()
        said = [
            ground.said(home, "popular", manual, document)
            for document in range(DOCUMENTS + documents % MORE_DOCUMENTS)
        ]
        originals: list[int] = []
        machine = home
        for server in range(SERVERS + servers % MORE_SERVERS):
            host = home if server == 0 else ground.host()
            # Two servers on one machine.
            machine = machine if server == 2 and manual % 3 == 0 else host
            folder = f"{FOLDERS[(manual + server) % len(FOLDERS)]}/manual-{manual}"
            name = host_name(web.seed, host)
            names = [name]
            if server == 0 and manual % 2 == 0:
                names.append(alias_name(web.seed, host, 1))
            front = ground.said(host, "front", manual, server)
            first: int | None = None
            for called in names:
                page = ground.page("popular", f"http://{called}/", host, front, first)
                page.truth["ip"] = ground.ip(machine)
                yield Planted(page)
                first = page.truth["page"]
                for document, each in enumerate(said):
                    url = f"http://{called}/{folder}/{document}.html"
                    original = originals[document] if document < len(originals) else None
                    # The template is the manual's, on whatever server.
                    page = ground.page("popular", url, home, each, original)
                    page.truth["ip"] = ground.ip(machine)
                    if original is None:
                        originals.append(page.truth["page"])
                    row = {
                        "manual": manual,
                        "document": document,
                        "server": name,
                        **{key: page.truth[key] for key in ("page", "url", "host", "ip")},
                    }
                    yield Planted(page, row)
