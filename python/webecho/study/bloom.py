"""*Bloom filter*: a set that may say of what it has not that it has it, and never the reverse
(Bloom 1970); so many bits for each thing, of which each sets some."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

# 32 bits for each thing, and 16 of them set: it errs in less than one of a million questions. One
# false match confirms a pair, and with the usual ten bits some pages of most pairs had one.
BITS, SET = 32, 16
PIECE = 1 << 20
# An odd number whose bits are as mixed as those of a fingerprint.
MIXER = np.uint64(0x9E3779B97F4A7C15)


class BloomFilter:
    """A filter with room for so many things, each a 64-bit fingerprint."""

    def __init__(self, room: int) -> None:
        self._size = max(64, room * BITS)
        self._bits = np.zeros(-(-self._size // 8), np.uint8)

    def add(self, keys: pa.Array) -> None:
        """Takes things in."""
        for place in self._places(keys):
            # Several may be in one byte, and each must be set.
            np.bitwise_or.at(self._bits, place >> 3, (1 << (place & 7)).astype(np.uint8))

    def has(self, keys: pa.Array) -> npt.NDArray[np.bool_]:
        """Whether each is one that was taken in, as far as the filter knows."""
        found = np.ones(len(keys), np.bool_)
        for place in self._places(keys):
            found &= (self._bits[place >> 3] >> (place & 7).astype(np.uint8)) & 1 == 1
        return found

    @property
    def error(self) -> float:
        """The share of things that it has not of which it says that it has them."""
        # Some at a time: one byte for each bit would be eight times the filter.
        pieces = range(0, len(self._bits), PIECE)
        filled = sum(int(np.unpackbits(self._bits[at : at + PIECE]).sum()) for at in pieces)
        return float((filled / self._size) ** SET)

    def _places(self, keys: pa.Array) -> list[npt.NDArray[np.int64]]:
        """The bits of each thing: two hashes make them all (Kirsch and Mitzenmacher 2006). Each has
        64 bits, as a filter may have more than 2³²."""
        values = keys.to_numpy(zero_copy_only=False).view(np.uint64)
        mixed = values * MIXER
        other = (mixed ^ (mixed >> np.uint64(32))) | np.uint64(1)
        return [
            ((values + np.uint64(each) * other) % np.uint64(self._size)).astype(np.int64)
            for each in range(SET)
        ]
