"""Pages that are kept apart: a page is compared only with pages of its own group.

Groups are hosts, sites, or what a column of the user's says. Pages of which it is not known are a
group as well.
"""

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.user_columns import user_values
from webecho.workspace.union import Pages

# No page is on the same site as one of which it is not known.
NO_SITE = 2**32 - 1


def group_numbers(
    workspace: Pages, within: Sequence[str] = (), by: Sequence[str] = ()
) -> pa.Array | None:
    """The number of each page's group, the same for all pages of a group; None if all are one.

    Pages are of one group that agree in all: on the same host or site, and with the same values in
    the columns `by`.
    """
    # Of the pieces themselves, for what was removed from an earlier one has a number too.
    pieces = [piece for piece, _ in workspace.pieces]

    def own(name: str) -> Iterator[pa.Array]:
        return (batch[name] for piece in pieces for batch in piece.batches([name]))

    def of_user(name: str) -> Iterator[pa.Array]:
        return (values for piece in pieces for values in user_values(piece, "by", name))

    numbers = None
    for values in (*map(own, (x for x in within if x != "collection")), *map(of_user, by)):
        found = numbered(values)
        if numbers is not None:
            both = pc.add(pc.multiply(numbers.cast(pa.int64()), 1 << 32), found.cast(pa.int64()))
            found = numbered([both])
        numbers = found
    return numbers


def site_numbers(workspace: Pages) -> pa.Array:
    """The number of each page's site, `NO_SITE` where that is not known."""
    pieces = (piece for piece, _ in workspace.pieces)
    sites = (batch["site"] for piece in pieces for batch in piece.batches(["site"]))
    return numbered(sites, {None: NO_SITE})


def numbered(columns: Iterable[pa.Array], known: dict[object, int] | None = None) -> pa.Array:
    """The values as numbers, equal ones alike, in the order in which they first come."""
    known = {} if known is None else known
    found = [pa.array([], pa.uint32())]
    for column in columns:
        encoded = column.dictionary_encode("encode")
        here = [known.setdefault(value, len(known)) for value in encoded.dictionary.to_pylist()]
        found.append(pa.array(here, pa.uint32()).take(encoded.indices))
    return pa.concat_arrays(found)
