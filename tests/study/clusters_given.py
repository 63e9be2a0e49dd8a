"""A database with captures whose clusters are given, without pages."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.captures import every
from webecho.study.clustered_captures import add_clusters


def database_of(
    database: Database,
    snapshots: Sequence[Mapping[str, int]],
    words: Sequence[Mapping[str, int]] | None = None,
) -> None:
    """Adds the captures of snapshots: for each address, such as `host/page`, its cluster, and the
    number that stands for its words, by default its cluster too."""
    clusters = []
    for number, snapshot in enumerate(snapshots, 1):
        said = snapshot if words is None else words[number - 1]
        columns = {
            "snapshot": pa.array([number] * len(snapshot), pa.int32()),
            "page": pa.array(range(len(snapshot)), pa.int64()),
            "address": pa.array([key(address) for address in snapshot], pa.int64()),
            "host": pa.array([host_key(address) for address in snapshot], pa.int64()),
            "markup": pa.array([said[address] for address in snapshot], pa.int64()),
            "words": pa.array([said[address] for address in snapshot], pa.int64()),
        }
        database.add("given", pa.table(columns))
        database.keep(f"captures_{number}", "SELECT * FROM given")
        first: dict[int, int] = {}
        names = [first.setdefault(each, page) for page, each in enumerate(snapshot.values())]
        clusters.append(pa.array(names, pa.uint32()))
    database.view("captures", every("captures", range(1, len(snapshots) + 1)))
    add_clusters(database, clusters)


def host_key(address: str) -> int | None:
    """The number of the host; an address such as `/page` has none."""
    host, _, _ = address.partition("/")
    return key(host) if host else None


def key(text: str) -> int:
    """A number for a text."""
    return int.from_bytes(text.encode().ljust(7, b"\0"), "big")
