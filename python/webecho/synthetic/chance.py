"""Numbers by chance that are the same for the same key.

A page can be made without making those before it: what is drawn for it depends on the seed and on
the names and numbers of what is drawn, not on what was drawn earlier. So it is also the same in
every process. The stream comes from SHAKE-128 and not from `random`, whose methods other than
`random()` may give other values in another Python.
"""

import struct
from hashlib import shake_128

# Numbers are below this.
TOP = 1 << 16

Key = int | str


def numbers(count: int, *key: Key) -> tuple[int, ...]:
    """So many numbers from 0 to 65,535."""
    return struct.unpack(f"<{count}H", bits(2 * count, *key))


def share(*key: Key) -> float:
    """A number from 0 to below 1."""
    return int.from_bytes(bits(6, *key), "little") / (1 << 48)


def bits(size: int, *key: Key) -> bytes:
    """So many bytes."""
    return shake_128("/".join(map(str, key)).encode()).digest(size)
