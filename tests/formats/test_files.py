import gzip
import hashlib
import io
import os
import struct
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from webecho.errors import InputError
from webecho.formats import files


def unpacked(packed: bytes) -> bytes:
    return b"".join(files.blocks(io.BytesIO(packed)))


@pytest.mark.parametrize(
    ("name", "remote"),
    [
        ("s3://bucket/a.parquet", True),
        ("memory://a", True),
        ("simplecache::s3://bucket/a", True),
        ("crawl.warc.gz", False),
        ("/a/b:c//d", False),
        ("file:///a/b", False),
    ],
)
def test_addresses_are_told_from_paths(name: str, remote: bool) -> None:
    assert files.is_remote(name) is remote


def test_open_file_is_seekable_here_and_far_away(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"0123456789")
    with fsspec.open("memory://files/a", "wb") as far:
        far.write(b"0123456789")
    for name in (str(tmp_path / "a"), f"file://{tmp_path / 'a'}", "memory://files/a"):
        with files.open_file(name) as file:
            file.seek(4)
            assert file.read(3) == b"456"


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("nowhere/a.warc", "check the spelling"),
        ("memory://nowhere/a.warc", "check the spelling"),
        ("nosuch://bucket/a", "Protocol not known"),
        ("a\0b", "not a name of a file"),
    ],
)
def test_what_cannot_be_opened_names_itself_and_the_fix(name: str, fix: str) -> None:
    with pytest.raises(InputError) as caught:
        files.open_file(name)
    assert str(caught.value).startswith(name)
    assert fix in str(caught.value)


def test_a_missing_package_is_named() -> None:
    script = """if True:
        import sys
        sys.modules["s3fs"] = None  # as if it were not installed
        from webecho.formats.files import open_file
        try:
            open_file("s3://bucket/a")
        except Exception as error:
            print(type(error).__name__, error)
    """
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("InputError s3://bucket/a: ")
    assert "pip install 'webecho[s3]'" in done.stdout


def test_a_small_file_is_digested_whole(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"pages")
    expected = hashlib.blake2b((5).to_bytes(8, "little") + b"pages", digest_size=16).hexdigest()
    assert files.stamp(str(file)) == {"size": 5, "digest": expected}


def test_a_large_file_is_digested_by_its_ends_and_62_blocks_between(tmp_path: Path) -> None:
    size, block = 20_000_001, 256 << 10
    content = bytearray(os.urandom(size))
    starts = [step * (size - block) // 63 for step in range(64)]
    assert starts[0] == 0
    assert starts[-1] + block == size
    parts = b"".join(content[start : start + block] for start in starts)
    expected = hashlib.blake2b(size.to_bytes(8, "little") + parts, digest_size=16).hexdigest()
    file = tmp_path / "a"
    file.write_bytes(content)
    with fsspec.open("memory://files/large", "wb") as far:
        far.write(bytes(content))
    assert files.stamp(str(file)) == {"size": size, "digest": expected}
    assert files.stamp("memory://files/large") == {"size": size, "digest": expected}
    content[-1] ^= 1
    file.write_bytes(content)
    assert files.stamp(str(file))["digest"] != expected


def test_kinds(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    os.mkfifo(tmp_path / "pipe")
    kinds = [files.kind(str(tmp_path / name)) for name in ("a", "", "pipe", "b", "a/b")]
    assert kinds == ["file", "folder", "stream", None, None]
    assert files.kind("-") == "stream"


def test_folders_are_listed_by_the_bytes_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.html", "a/z.html", "a.html", "B.html", "é.html", "a-b.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / os.fsdecode(b"\xff.html")).touch()
    found = [os.fsencode(file.relative) for file in files.files_under(str(tmp_path))]
    expected = [b"B.html", b"a-b.html", b"a.html", b"a/z.html", b"b.html"]
    assert found == [*expected, "é.html".encode(), b"\xff.html"]


def test_hidden_files_and_workspaces_are_left_out(tmp_path: Path) -> None:
    for name in (
        ".git/config.html",
        "old.echo/report.html",
        ".hidden.html",
        "a/.b/c.html",
        "d.html",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [file.relative for file in files.files_under(str(tmp_path))] == ["d.html"]


def test_a_link_that_leads_back_ends(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/page.html").touch()
    (tmp_path / "a/up").symlink_to(tmp_path)
    (tmp_path / "same").symlink_to(tmp_path / "a")
    found = [file.relative for file in files.files_under(str(tmp_path))]
    assert found == ["a/page.html", "same/page.html"]


def test_a_remote_folder_is_listed_like_a_local_one() -> None:
    for name in ("b.html", "a/z.html", "a.html", ".x/y.html", "w.echo/r.html"):
        with fsspec.open(f"memory://listed/{name}", "wb") as far:
            far.write(name.encode())
    found = files.files_under("memory://listed")
    assert [file.relative for file in found] == ["a.html", "a/z.html", "b.html"]
    with files.open_file(found[1].name) as file:
        assert file.read() == b"a/z.html"


def test_globs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.warc", "a.warc", "c.txt"):
        (tmp_path / name).touch()
    assert files.matching("*.warc") == ["a.warc", "b.warc"]
    assert files.has_glob("*.warc")
    assert not files.has_glob("a.warc")


def test_members_and_frames_follow_each_other() -> None:
    start, end = b"first " * 1000, os.urandom(3_000_000)
    skipped = struct.pack("<II", 0x184D2A53, 5) + b"aside"
    gzipped = gzip.compress(start) + gzip.compress(b"") + gzip.compress(end)
    zstd = zstandard.compress(start) + skipped + zstandard.compress(b"") + zstandard.compress(end)
    assert unpacked(gzipped) == start + end
    assert unpacked(gzipped + b"\0" * 512) == start + end
    assert unpacked(zstd) == start + end
    assert unpacked(skipped + zstd) == start + end
    assert unpacked(start + end) == start + end


def test_memory_stays_bounded_when_bytes_expand() -> None:
    zeros = bytes(200 << 20)
    for packed in (gzip.compress(zeros, 1), zstandard.compress(zeros)):
        sizes = [len(block) for block in files.blocks(io.BytesIO(packed))]
        assert sum(sizes) == len(zeros)
        assert max(sizes) <= 65 << 20


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_damage_is_told_after_what_is_whole(pack: object) -> None:
    good, bad = pack(b"good" * 50_000), pack(os.urandom(5000))  # type: ignore[operator]
    for broken in (good + bad[:-1], good + bad[:2000], good + b"junk" * 10):
        parts: list[bytes] = []
        with pytest.raises(files.DamagedError):
            parts.extend(files.blocks(io.BytesIO(broken)))
        given_before = b"".join(parts)
        assert given_before.startswith(b"good" * 50_000)


@given(st.binary(max_size=300))
def test_any_bytes_are_given_as_they_are_or_damaged(content: bytes) -> None:
    for magic in (b"", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd"):
        packed = magic + content
        try:
            plain = unpacked(packed)
        except files.DamagedError:
            assert files.packing(packed)
        else:
            assert files.packing(packed) or plain == packed
