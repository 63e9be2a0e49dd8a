import io
from itertools import chain

import zstandard
from hypothesis import given
from hypothesis import strategies as st

from webecho.formats.lines import split
from webecho.formats.packing import unpacked


@given(st.lists(st.binary(max_size=8) | st.just(b"\n"), max_size=12), st.integers(0, 10))
def test_lines_are_split_as_if_in_one_piece(some: list[bytes], limit: int) -> None:
    whole = b"".join(some).removeprefix(b"\xef\xbb\xbf")
    expected = whole.split(b"\n")
    if not expected[-1]:
        del expected[-1]
    found = list(chain.from_iterable(split(iter(filter(None, some)), limit)))
    if not b"".join(some).startswith(b"\xef") or some[0].startswith(b"\xef\xbb\xbf"):
        assert found == [line if len(line) <= limit else None for line in expected]


def test_a_long_line_is_not_held() -> None:
    # 600 MB that come from 20 KB, and must not be gathered: 1 MB at a time is what is there.
    packed = zstandard.compress(b"x" * (300 << 20) + b"\n{}\n" + b"y" * (300 << 20))
    read = 0

    def counted() -> object:
        nonlocal read
        for block in unpacked(io.BytesIO(packed)):
            read += len(block)
            yield block

    found = list(chain.from_iterable(split(counted(), 1 << 20)))  # type: ignore[arg-type]
    assert found == [None, b"{}", None]
    assert read == (600 << 20) + 4
