"""Planned pages are made, with what is true of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import pyarrow as pa

from webecho import _core
from webecho.settings import WEBECHO
from webecho.synthetic.content import content
from webecho.synthetic.hosts import alias_name, host_name, ip, path, template_of
from webecho.synthetic.markup import html, visible
from webecho.synthetic.plan import Planned, original_of
from webecho.synthetic.web import KINDS, Web

# What the truth begins with.
NAMED = [
    ("page", pa.int64()),
    ("url", pa.string()),
    ("host", pa.string()),
    ("ip", pa.string()),
    ("kind", pa.string()),
    ("original", pa.int64()),
]
# What is true of a page as far as it is known when it is made. `text` is the same for two pages if
# and only if they say the same.
MADE = pa.schema(
    [
        *NAMED,
        ("resemblance", pa.float64()),
        ("target", pa.float64()),
        ("session_id", pa.string()),
        ("time_stamp", pa.string()),
        ("execution_time", pa.float64()),
        ("visitor_count", pa.int64()),
        ("parked", pa.string()),
        ("item", pa.string()),
        ("mirror_of", pa.string()),
        ("alias_of", pa.string()),
        ("template", pa.int32()),
        ("language", pa.string()),
        ("script", pa.string()),
        ("text", pa.binary(16)),
    ]
)


@dataclass(frozen=True)
class MadePage:
    """A page, and its row of the truth."""

    html: str
    truth: dict[str, Any]


def make(web: Web, row: Planned) -> MadePage:
    """The page and what is true of it, but for the resemblance to its original."""
    template = template_of(web, row.home)
    said = content(web, row)
    kind = KINDS[row.kind]
    home = host_name(web.seed, row.home)
    host = (
        alias_name(web.seed, row.home, row.member)
        if kind == "alias"
        else host_name(web.seed, row.host)
    )
    # Parked domains are on one machine, as are the names of a host.
    machine = row.home if kind in ("alias", "parked") else row.host
    session = said.planted.get("session_id")
    # Mirrors are copied whole; of other exact copies every other one has markup of its own.
    layout = row.member % 2 if kind == "exact copy" else 0
    body = html(template, said, row.place, layout, web.seed, row.original)
    truth = {
        "page": row.page,
        "url": f"http://{host}{path(row.place)}" + (f"?sid={session}" if session else ""),
        "host": host,
        "ip": ip(web, machine),
        "kind": kind,
        "original": row.original if row.member else None,
        "mirror_of": home if kind == "mirror" else None,
        "alias_of": home if kind == "alias" else None,
        "template": template.number,
        "language": template.language.name,
        "script": template.language.script.name,
        "text": blake2b(visible(template, said).encode(), digest_size=16).digest(),
        **said.planted,
    }
    return MadePage(body, truth)


def make_all(web: Web, rows: Iterable[Planned]) -> list[MadePage]:
    """The pages of these rows and all that is true of them."""
    rows = list(rows)
    made = [make(web, row) for row in rows]
    here = {row.page: page.html for row, page in zip(rows, made, strict=True)}
    copies = [(row, page) for row, page in zip(rows, made, strict=True) if row.member]
    # Originals that other files have are made again.
    for row, _ in copies:
        if row.original not in here:
            here[row.original] = make(web, original_of(row)).html
    originals = dict.fromkeys(row.original for row, _ in copies)
    sets = shingle_sets([here[page] for page in originals] + [page.html for _, page in copies])
    of = dict(zip(originals, sets[: len(originals)], strict=True))
    for (row, page), own in zip(copies, sets[len(originals) :], strict=True):
        page.truth["resemblance"] = resemblance(of[row.original], own)
    return made


def resemblance(left: set[int], right: set[int]) -> float:
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared)


def shingle_sets(pages: list[str]) -> list[set[int]]:
    """The distinct shingles of each page, by the default recipe: whole sets, nothing sampled."""
    found = _core.Sketcher(WEBECHO.as_dict(), 1).sketch(as_batch(pages), ["shingles"])
    return list(map(set, as_lists(found["shingles"])))


def as_batch(pages: list[str]) -> pa.RecordBatch:
    """Pages as the sketcher takes them."""
    return pa.record_batch(
        {
            "body": pa.array(pages, pa.string()),
            "markup": pa.array([True] * len(pages), pa.bool_()),
            "charset": pa.nulls(len(pages), pa.string()),
            "url": pa.nulls(len(pages), pa.string()),
        }
    )


def as_lists(column: pa.ListArray) -> list[memoryview]:
    """The lists of numbers of a column."""
    ends = column.offsets.to_pylist()
    values = memoryview(column.values.buffers()[1]).cast("q")
    return [values[start:end] for start, end in pairwise(ends)]
