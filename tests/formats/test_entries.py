import errno
import os
import socket
import subprocess
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir

import pytest

from webecho.errors import DeviceError
from webecho.formats.entries import Listed, Trouble, entry_at, walked

NOBODY = 65534


def listed(root: Path) -> dict[str, str | None]:
    """What is found in a folder, with its trouble."""
    return {file.relative: file.trouble and file.trouble.reason for file in walked(str(root))}


def test_each_entry_is_a_file_or_has_its_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").touch()
    (tmp_path / "link.html").symlink_to("page.html")
    (tmp_path / "gone.html").symlink_to("nowhere/page.html")
    (tmp_path / "below.html").symlink_to("page.html/below")
    (tmp_path / "round.html").symlink_to("round.html")
    (tmp_path / "tick").symlink_to("tock")
    (tmp_path / "tock").symlink_to("tick")
    (tmp_path / "device").symlink_to("/dev/null")
    os.mkfifo(tmp_path / "pipe.html")
    with socket.socket(socket.AF_UNIX) as here:
        # Its path may have only so many characters.
        here.bind("socket")
        found = listed(tmp_path)
    assert found == {
        "page.html": None,
        "link.html": None,
        "gone.html": "dangling link",
        "below.html": "dangling link",
        "round.html": "link loop",
        "tick": "link loop",
        "tock": "link loop",
        "device": "device",
        "pipe.html": "pipe",
        "socket": "socket",
    }


def test_a_folder_is_gone_through_once(tmp_path: Path) -> None:
    for name in ("in/z/page.html", "out/far/page.html", "in/z/w.echo/page.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    links = {
        "a": "in/z",
        "z/up": "in",
        "z/above": ".",
        "far": "out/far",
        "further": "out",
        "c": "out",
    }
    for name, target in links.items():
        (tmp_path / "in" / name).symlink_to(tmp_path / target)
    read = "folder read already"
    assert listed(tmp_path / "in") == {
        # Where a folder lies comes before links to it, and of links the first.
        "z/page.html": None,
        "a": read,
        "z/up": read,
        "z/above": read,
        "c/far/page.html": None,
        "far": read,
        "further": read,
    }


def test_many_ways_take_no_time(tmp_path: Path) -> None:
    names = [f"{number:02}" for number in range(20)]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.html").touch()
        for other in names:
            (tmp_path / name / f"to-{other}").symlink_to(tmp_path / other)
    found = listed(tmp_path)
    read = sorted(name for name, trouble in found.items() if trouble is None)
    assert read == [f"{name}/page.html" for name in names]
    assert len(found) == 20 + 20 * 20


def test_a_deep_folder_is_no_recursion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    depth = 1500
    for _ in range(depth):
        Path("d").mkdir()
        os.chdir("d")
    Path("page.html").touch()
    os.chdir(tmp_path)
    found = listed(Path())
    # Python's own way to remove it is a recursion.
    subprocess.run(["rm", "-rf", "d"], check=True)
    assert found == {"d/" * depth + "page.html": None}


def as_nobody(work: Callable[[], object]) -> str:
    """What a process says that has no more rights than anybody: root may read everything."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        # Whatever happens it must not go on with the tests that are left.
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setegid(NOBODY)
                os.seteuid(NOBODY)
            os.write(into, repr(work()).encode())
        finally:
            os._exit(0)
    os.close(into)
    os.waitpid(child, 0)
    with os.fdopen(out) as said:
        return said.read()


def test_what_we_may_not_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("in/file.html", "in/folder/page.html", "in/page.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "in/file.html").chmod(0)
    (tmp_path / "in/folder").chmod(0o600)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder.is_relative_to(gettempdir()):
            folder.chmod(folder.stat().st_mode | 0o055)
    found = as_nobody(lambda: listed(Path("in")))
    (tmp_path / "in/folder").chmod(0o700)
    assert literal_eval(found) == {
        "file.html": "not allowed",
        "folder": "not allowed",
        "page.html": None,
    }


def test_what_is_meant_to_be_read_and_cannot_has_failed(tmp_path: Path) -> None:
    (tmp_path / "gone").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    assert entry_at(str(tmp_path / "gone")) == Trouble(
        "dangling link", "leads to what is not there"
    )
    assert entry_at(str(tmp_path / "pipe")) == Trouble("pipe", "no file", failed=False)
    assert entry_at(str(tmp_path / "folder")) == "folder"
    assert Listed("a", "a").trouble is None


def test_what_a_failing_disk_has_is_not_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "stat", fails)
    with pytest.raises(DeviceError, match=r"page.html: cannot be read: .*; check the disk"):
        entry_at(str(tmp_path / "page.html"))
