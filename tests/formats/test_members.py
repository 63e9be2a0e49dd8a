import gzip
import io

import pytest
import zstandard
from fastwarc.stream_io import Lz4Reader

from webecho.formats.frames import Codec
from webecho.formats.members import packed, packer

RECORD = b"WARC/1.0\r\n" * 1000


def unpacked(codec: Codec, data: bytes) -> bytes:
    match codec:
        case "gzip":
            return gzip.decompress(data)
        case "zstd":
            return zstandard.ZstdDecompressor().decompressobj().decompress(data)
        case "lz4":
            return bytes(Lz4Reader(io.BytesIO(data)).read(1 << 20))
        case "plain":
            return data


@pytest.mark.parametrize("codec", ["gzip", "zstd", "lz4", "plain"])
def test_a_record_comes_back_and_is_packed_the_same_each_time(codec: Codec) -> None:
    made = packed(RECORD, packer(codec, io.BytesIO()))
    assert unpacked(codec, made) == RECORD
    assert packed(RECORD, packer(codec, io.BytesIO())) == made
    assert codec == "plain" or len(made) < len(RECORD)


def test_a_gzip_header_has_no_time() -> None:
    assert packed(RECORD, packer("gzip", io.BytesIO()))[4:8] == b"\0\0\0\0"


def test_a_record_may_come_in_blocks() -> None:
    one = packer("gzip", io.BytesIO())()
    made = one.compress(RECORD[:7]) + one.compress(RECORD[7:]) + one.flush()
    assert gzip.decompress(made) == RECORD


def test_the_dictionary_of_the_file_is_used() -> None:
    words = bytes(range(256)) * 8
    like = io.BytesIO(b"\x5d\x2a\x4d\x18" + len(words).to_bytes(4, "little") + words)
    made = packed(words, packer("zstd", like))
    known = zstandard.ZstdCompressionDict(words)
    back = zstandard.ZstdDecompressor(dict_data=known).decompressobj().decompress(made)
    assert back == words
    assert len(made) < len(packed(words, packer("zstd", io.BytesIO())))
