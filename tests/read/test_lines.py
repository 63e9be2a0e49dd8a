import gzip
import hashlib
import io
import os
import threading
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard

from tests.read.reading import everything
from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.files import open_file
from webecho.read.columns import ColumnNames
from webecho.read.jsonl import JsonLines
from webecho.read.lines import LinesSource

LINES = b'{"text": "a", "id": 1}\n{"text": "b", "id": 2}\n'


def jsonl(name: str | Path, given: ColumnNames | None = None) -> LinesSource:
    return LinesSource(str(name), given or ColumnNames(), JsonLines())


def bodies(source: LinesSource) -> list[bytes]:
    return [row["body"] for row in everything(source)[0]]


def test_reading_goes_on_from_where_it_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [b'{"text": "%d", "more": "%b"}\n' % (number, b"x" * 99) for number in range(50_000)]
    (tmp_path / "a").write_bytes(b"".join(lines))
    source = jsonl(tmp_path / "a")
    assert source.chosen is not None
    opened = []
    monkeypatch.setattr(files, "open_file", lambda name: opened.append(name) or open_file(name))

    def read(places: list[int]) -> list[str]:
        return source.read(places).column("body").to_pylist()

    assert read([3, 4]) == ["3", "4"]
    assert read([]) == []
    assert read([4, 5, 40_000]) == ["4", "5", "40000"]
    assert read([49_999]) == ["49999"]
    assert len(opened) == 1
    assert read([7]) == ["7"]
    assert len(opened) == 2


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress])
def test_compression_is_known_by_its_bytes(tmp_path: Path, pack: object) -> None:
    (tmp_path / "a").write_bytes(pack(LINES))  # type: ignore[operator]
    source = jsonl(tmp_path / "a")
    assert bodies(source) == [b"a", b"b"]
    assert source.rereadable


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_what_is_cut_off_is_counted_as_failed(tmp_path: Path, pack: object) -> None:
    random = os.urandom(2000).hex()
    lines = "".join(f'{{"text": "{number} {random}"}}\n' for number in range(2000)).encode()
    packed = pack(lines)  # type: ignore[operator]
    (tmp_path / "a").write_bytes(pack(LINES) + packed[: len(packed) // 2])  # type: ignore[operator]
    found, skipped = everything(jsonl(tmp_path / "a"))
    assert [row["body"] for row in found[:2]] == [b"a", b"b"]
    (skip,) = skipped
    assert (skip.place, skip.reason, skip.failed) == (len(found), "broken compression", True)
    assert "end early" in str(skip.detail)


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(LINES,))
    writer.start()
    source = jsonl(pipe)
    assert not source.rereadable
    assert source.chosen is not None
    assert source.chosen.line() == "text = text, id = id"
    stamp = source.stamp()
    assert stamp == {"size": 0, "digest": hashlib.blake2b(LINES, digest_size=16).hexdigest()}
    assert bodies(source) == [b"a", b"b"]
    writer.join()
    assert source.stamp() == stamp
    with pytest.raises(InputError, match="cannot be read again"):
        bodies(source)
    with pytest.raises(InputError, match="cannot be read again"):
        source.read([0])


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(LINES))))
    source = jsonl("-")
    assert (source.name, source.rereadable) == ("-", False)
    assert bodies(source) == [b"a", b"b"]


def test_ids_come_as_text(tmp_path: Path) -> None:
    """Lines declare no types, and a later id may be of another."""
    (tmp_path / "a").write_bytes(LINES + b'{"text": "c", "id": "007"}\n')
    source = jsonl(tmp_path / "a")
    assert [row["id"] for row in everything(source)[0]] == ["1", "2", "007"]
    assert source.id_type == pa.string()
    (tmp_path / "c").write_bytes(b'{"text": "c"}\n')
    assert jsonl(tmp_path / "c").id_type is None
