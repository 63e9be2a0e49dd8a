"""Checksums that files carry in themselves."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webecho.errors import WorkspaceError
from webecho.workspace.checksums import (
    Checksum,
    check_table,
    is_sealed_json,
    is_sealed_table,
    read_sealed_json,
    sealed_json,
)
from webecho.workspace.table_files import write_table


def test_a_checksum_is_what_other_tools_tell(tmp_path: Path) -> None:
    file = tmp_path / "abc"
    file.write_bytes(b"abc")
    found = Checksum.of(file)
    # printf abc | sha256sum, and | xxhsum -H128
    assert found.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert found.xxh3 == "06b05ab6733a618578af5f94892f3950"
    assert found.fits(file)
    file.write_bytes(b"abd")
    assert not found.fits(file)
    assert not found.fits(tmp_path / "gone")


def test_json_carries_its_seal(tmp_path: Path) -> None:
    content = sealed_json({"a": 1, "text": '"checksum": "é'}, "a.json")
    assert json.loads(content)["a"] == 1
    assert is_sealed_json(content, "a.json")
    assert not is_sealed_json(content, "b.json")
    for place in range(len(content)):
        for bit in range(8):
            turned = bytearray(content)
            turned[place] ^= 1 << bit
            assert not is_sealed_json(bytes(turned), "a.json")
    (tmp_path / "a.json").write_bytes(content.replace(b" 1,", b" 2,"))
    with pytest.raises(WorkspaceError, match=r"a\.json cannot be read \(it is not what.*; mend it"):
        read_sealed_json(tmp_path / "a.json", "a.json", "mend it")


def test_a_table_carries_its_seal_and_is_a_table_as_before(tmp_path: Path) -> None:
    rows = pa.table({"page": list(range(100)), "text": ["some words"] * 100})
    file = tmp_path / "rows.parquet"
    write_table(file, [rows], name="pairs/rows.parquet")
    assert pq.read_table(file).equals(rows)
    assert is_sealed_table(file, "pairs/rows.parquet")
    with pytest.raises(WorkspaceError, match=r"rows\.parquet cannot be read .*; find it again$"):
        check_table(file, "clusters/rows.parquet", "find it again")
    content = file.read_bytes()
    for place in range(len(content)):
        turned = bytearray(content)
        turned[place] ^= 1 << place % 8
        file.write_bytes(turned)
        assert not is_sealed_table(file, "pairs/rows.parquet"), place
    for end in (0, 3, 8, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:end])
        assert not is_sealed_table(file, "pairs/rows.parquet"), end


def test_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    rows = pa.table({"page": [1, 2]})
    for name in ("a", "b"):
        write_table(tmp_path / name, [rows], name="same")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
