"""The *bow tie* of a made-up web (Broder 2000, which Pereira 2006 takes up): its components, and
links that make them so.

The *core* is the largest strongly connected component: a ring, with links across. From *in* the
core is reached, from the core *out*. *Tubes* go from in to out past the core; *tendrils* are
reached from in and lead no further, or lead to out and are reached from nowhere. *Disconnected*
pages form small islands. Outside the core no links lead around in a circle, so no other component
that is strongly connected has more than one page.
"""

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

import pyarrow as pa
import pyarrow.compute as pc

from webecho.synthetic.web import COMPONENT_NAMES

# Links that a page has in the mean beside those that its component takes.
LINKS = 5
# Of the pages of in and out this share is linked with the core, the others with each other.
NEAR_CORE = 0.6
ISLAND = 6

Link = tuple[int, int]


def links(components: Sequence[int], chance: Random) -> pa.ListArray:
    """For every page, given the number of its component, the pages that it links to, each once."""
    # One number a link, which sorts by its source and then by its target.
    every = drawn_links(components, chance)
    drawn = array("q", (source << 32 | target for source, target in every))
    numbers = pa.Array.from_buffers(pa.int64(), len(drawn), [None, pa.py_buffer(drawn)])
    found = pc.unique(numbers).sort()
    ends = array("i", bytes(4 * (len(components) + 1)))
    for row in pc.value_counts(pc.shift_right(found, 32)).to_pylist():
        ends[row["values"] + 1] = row["counts"]
    targets = pc.bit_wise_and(found, (1 << 32) - 1)
    return pa.ListArray.from_arrays(pa.array(accumulate(ends), pa.int32()), targets)


def drawn_links(components: Sequence[int], chance: Random) -> Iterator[Link]:
    """All links, some of them more than once."""
    members = [array("i") for _ in COMPONENT_NAMES]
    for page, component in enumerate(components):
        members[component].append(page)
    core, inward, out, tendrils, tubes, disconnected = members

    def one(of: Sequence[int]) -> int:
        return of[int(chance.random() * len(of))]

    def more() -> range:
        """As many times as a page has links beside those that it must have."""
        return range(int(chance.random() * (2 * LINKS + 1)))

    for number, page in enumerate(core):
        if len(core) > 1:
            yield page, core[(number + 1) % len(core)]
        yield from ((page, one(core)) for _ in more())
        if out:
            yield from ((page, one(out)) for _ in more())
    for number, page in enumerate(inward):
        near = number == 0 or chance.random() < NEAR_CORE
        yield page, one(core) if near else inward[int(chance.random() * number)]
        if out:
            yield from ((page, one(out)) for _ in more())
    for number, page in enumerate(out):
        near = number == 0 or chance.random() < NEAR_CORE
        yield one(core) if near else out[int(chance.random() * number)], page
        later = len(out) - number - 1
        if later:
            yield from ((page, out[-1 - int(chance.random() * later)]) for _ in more())
    for number, page in enumerate(tendrils):
        if number % 2:
            yield from ((page, one(out)) for _ in range(1 + len(more())))
        else:
            yield one(inward), page
    for page in tubes:
        yield one(inward), page
        yield from ((page, one(out)) for _ in range(1 + len(more())))
    for number, page in enumerate(disconnected[:-1]):
        if number % ISLAND < ISLAND - 1:
            yield page, disconnected[number + 1]
