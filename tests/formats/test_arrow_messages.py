"""What the messages of Arrow files tell of batches before these are read."""

import io
import random
from collections.abc import Iterator

import pyarrow as pa
import pytest

from tests.formats.test_arrow_ipc import NEW, TABLE, written
from webecho.formats.arrow_ipc import BROKEN, open_arrow, record_batches
from webecho.formats.arrow_messages import LargeBatch, LargeError, Sizes

LONG = "x" * 100_000
ROWS = [["a", "b"], [LONG, "c", LONG], ["d"]]


def file_of(form: str, codec: str | None, groups: list[list[str]] = ROWS) -> io.BytesIO:
    """A record batch for each of the groups."""
    out = io.BytesIO()
    options = pa.ipc.IpcWriteOptions(compression=codec)
    with NEW[form](out, pa.schema([("text", pa.string())]), options=options) as writer:
        for texts in groups:
            writer.write_batch(pa.record_batch({"text": texts}))
    return io.BytesIO(out.getvalue())


def read(raw: io.BytesIO, most: int) -> Iterator[list[str] | LargeBatch]:
    for batch in record_batches(open_arrow(raw), Sizes(raw, most)):
        yield batch if isinstance(batch, LargeBatch) else batch["text"].to_pylist()


@pytest.mark.parametrize("form", NEW)
@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_a_batch_that_is_too_large_is_passed_over(form: str, codec: str | None) -> None:
    raw = file_of(form, codec)
    first, large, last = read(raw, 150_000)
    assert (first, last) == (ROWS[0], ROWS[2])
    assert isinstance(large, LargeBatch)
    assert len(large) == large.rows == 3
    # The texts and their offsets, and what they are packed into.
    assert 200_000 < large.bytes < 202_000
    assert [*read(file_of(form, codec), 210_000)] == ROWS


@pytest.mark.parametrize("form", NEW)
def test_a_dictionary_that_is_too_large_ends_the_file(form: str) -> None:
    table = pa.table({"text": pa.array([LONG, "b"]).dictionary_encode()})
    raw = io.BytesIO(written(form, "zstd", table))
    with pytest.raises(LargeError, match="a dictionary of 100"):
        [*record_batches(open_arrow(raw), Sizes(raw, 50_000))]
    raw.seek(0)
    found = [*record_batches(open_arrow(raw), Sizes(raw, 150_000))]
    assert pa.Table.from_batches(found) == table


@pytest.mark.parametrize("form", NEW)
def test_with_room_for_all_the_same_is_read(form: str) -> None:
    raw = io.BytesIO(written(form, "lz4"))
    found = [*record_batches(open_arrow(raw), Sizes(raw, 1 << 20))]
    assert pa.Table.from_batches(found) == TABLE


@pytest.mark.parametrize("form", NEW)
def test_whatever_is_changed_it_is_read_or_broken(form: str) -> None:
    whole, chance = file_of(form, "zstd").getvalue(), random.Random(7)
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 127, 128, 255))
        raw = io.BytesIO(bytes(data))
        try:
            assert all(each is not None for each in read(raw, 150_000))
        except (*BROKEN, KeyError):
            # A name may have changed.
            continue


def test_a_large_batch_behind_a_dictionary_ends_a_stream() -> None:
    """The reader would go on without that dictionary, and give values of the one before."""
    schema = pa.schema([("kind", pa.dictionary(pa.int32(), pa.string())), ("text", pa.string())])
    out = io.BytesIO()
    with pa.ipc.new_stream(out, schema) as writer:
        for kind, text in (("a", "x"), ("b", LONG), ("b", "y")):
            columns = [pa.array([kind]).dictionary_encode(), pa.array([text])]
            writer.write_batch(pa.record_batch(columns, schema=schema))
    raw = io.BytesIO(out.getvalue())
    batches = record_batches(open_arrow(raw), Sizes(raw, 50_000))
    assert next(batches)["kind"].to_pylist() == ["a"]
    with pytest.raises(LargeError, match=r"a record batch of 100.* bytes behind a dictionary"):
        next(batches)


@pytest.mark.parametrize("left", [1, 7, 12])
def test_a_stream_that_was_cut_is_broken(left: int) -> None:
    """Also where it was cut in what stands before a message."""
    whole = file_of("stream", None).getvalue()
    start = open_arrow(io.BytesIO(whole))
    assert start.schema.names == ["text"]
    at = whole.index(b"\xff\xff\xff\xff", 8)
    raw = io.BytesIO(whole[: at + left])
    with pytest.raises(BROKEN):
        [*record_batches(open_arrow(raw), Sizes(raw, 1 << 20))]
