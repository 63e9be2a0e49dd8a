import os
import threading
from pathlib import Path

import pytest

from webecho.errors import InputError
from webecho.formats.files import open_file
from webecho.read.streams import copy_stream, is_stream, readable_twice


def fifo(file: Path, content: bytes) -> str:
    """A FIFO that somebody writes this to."""
    os.mkfifo(file)
    threading.Thread(target=file.write_bytes, args=(content,), daemon=True).start()
    return str(file)


def test_what_comes_only_once(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x")
    os.mkfifo(tmp_path / "pipe")
    reading, writing = os.pipe()
    try:
        for name in ("-", "/dev/null", str(tmp_path / "pipe"), f"/proc/self/fd/{reading}"):
            assert is_stream(name), name
        for name in (str(file), str(tmp_path), str(tmp_path / "none"), "memory://a"):
            assert not is_stream(name), name
    finally:
        os.close(reading)
        os.close(writing)


def test_a_copy_can_be_read_twice(tmp_path: Path) -> None:
    content = os.urandom(3_000_000)
    with readable_twice(fifo(tmp_path / "pipe", content)) as name:
        assert [Path(name).read_bytes() for _ in range(2)] == [content, content]
    assert not Path(name).exists()
    file = tmp_path / "a"
    file.write_bytes(b"x")
    with readable_twice(str(file)) as name:
        assert name == str(file)


def test_nothing_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pipe: nothing came from it"):
        copy_stream(fifo(tmp_path / "pipe", b""), tmp_path / "copy")


def test_nobody_waits_for_a_pipe_that_has_to_be_read_twice(tmp_path: Path) -> None:
    """Nobody writes to it: to open it would take for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="can be read only once; save it to a file first"):
        open_file(str(tmp_path / "pipe"))
