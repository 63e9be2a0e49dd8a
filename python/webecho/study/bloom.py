"""*Bloom filter*: a set that may say of what it has not that it has it, and never the reverse
(Bloom 1970); so many bits for each thing, of which each sets some."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa

# 32 bits for each thing, and 16 of them set: it errs in less than one of a million questions. One
# false match confirms a pair, and with the usual ten bits some pages of most pairs had one.
BITS, SET = 32, 16


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
        filled = int(np.unpackbits(self._bits).sum()) / self._size
        return float(filled**SET)

    def _places(self, keys: pa.Array) -> list[npt.NDArray[np.int64]]:
        """The bits of each thing: two halves of its fingerprint make them all (Kirsch and
        Mitzenmacher 2006)."""
        values = keys.to_numpy(zero_copy_only=False).view(np.uint64)
        one, other = values >> np.uint64(32), (values & np.uint64(0xFFFFFFFF)) | np.uint64(1)
        return [
            ((one + np.uint64(each) * other) % np.uint64(self._size)).astype(np.int64)
            for each in range(SET)
        ]
