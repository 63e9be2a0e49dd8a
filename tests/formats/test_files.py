import hashlib
import os
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest

from webecho.errors import DeviceError, InputError
from webecho.formats import files
from webecho.safe_text import plain


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
    assert str(caught.value).startswith(plain(name))
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


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("https://h.org/a.warc.gz?X-Amz-Signature=b#c", "https://h.org/a.warc.gz"),
        ("simplecache::https://h.org/a.parquet?v=1", "simplecache::https://h.org/a.parquet"),
        ("memory://a.jsonl?sig=b", "memory://a.jsonl"),
        ("s3://bucket/what?.jsonl", "s3://bucket/what?.jsonl"),
        ("/a/what?.jsonl", "/a/what?.jsonl"),
    ],
)
def test_the_path_in_an_address(name: str, path: str) -> None:
    assert files.path_of(name) == path


@pytest.mark.skipif(sys.platform != "linux", reason="the file is one of Linux")
def test_a_disk_that_fails_is_an_error_and_no_damage() -> None:
    """Of damage, which Arrow tells by an OSError, readers count what it costs and go on. Nothing is
    mapped at the beginning of a process's memory, and to read there fails as a disk does."""
    with (
        files.open_file("/proc/self/mem") as opened,
        pytest.raises(
            DeviceError, match=r"/proc/self/mem: cannot be read: Input/output error; check the disk"
        ),
    ):
        opened.read(1)
