"""Folders of pages: files go, the others stay where they are, pages or not."""

import gzip
from pathlib import Path

import fsspec

from tests.write.keeping import keep, opened, places_of, selections
from webecho.write.kept import write_kept

FILES = {
    "a.html": b"<p>one",
    "b/c.htm": b"<p>one",
    "b/picture.png": b"\x89PNG",
    "d.txt.gz": gzip.compress(b"text"),
    "empty.html": b"",
    "style.css": b"p {}",
}


def made(folder: Path) -> Path:
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def found(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_a_removed_page_is_not_there_and_all_else_is(tmp_path: Path) -> None:
    source = opened(made(tmp_path / "in"))
    written = keep(source, tmp_path / "out", lambda page: page == 1)
    assert found(tmp_path / "out") == {name: FILES[name] for name in FILES if name != "b/c.htm"}
    assert written.bytes == sum(map(len, FILES.values())) - len(FILES["b/c.htm"])


def test_none_and_all_removed(tmp_path: Path) -> None:
    source = opened(made(tmp_path / "in"))
    keep(source, tmp_path / "same")
    assert found(tmp_path / "same") == FILES
    keep(source, tmp_path / "bare", lambda _: True)
    assert set(found(tmp_path / "bare")) == {"b/picture.png", "style.css"}


def test_a_file_that_was_given_by_itself(tmp_path: Path) -> None:
    source = opened(made(tmp_path / "in") / "b" / "c.htm")
    keep(source, tmp_path / "out")
    assert found(tmp_path / "out") == {"c.htm": b"<p>one"}


def test_a_glob_and_a_remote_folder(tmp_path: Path) -> None:
    made(tmp_path / "in")
    source = opened(f"{tmp_path}/in/*/*.htm")
    keep(source, tmp_path / "out")
    assert found(tmp_path / "out") == {"b/c.htm": b"<p>one"}
    for name, data in FILES.items():
        with fsspec.open(f"memory://folder-kept/{name}", "wb") as file:
            file.write(data)
    source = opened("memory://folder-kept")
    written = write_kept(source, selections(places_of(source)[1], [0]), tmp_path / "far")
    assert found(tmp_path / "far") == {name: FILES[name] for name in FILES if name != "a.html"}
    assert written.left_out == 1
