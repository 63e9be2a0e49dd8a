"""A workspace in a store is the same files, and what holds of one on this machine holds of it."""

import gc
import hashlib
import json
import multiprocessing
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho as package
from tests.collections_made import WarcFile, as_jsonl, many_pages, small_web
from tests.command import contents, done, webecho
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.engine.local.engine import local_run
from webecho.errors import BusyError, WorkspaceError
from webecho.evaluation.label.labels import Label, append, now
from webecho.workspace.locks import reading
from webecho.workspace.manifest import Part
from webecho.workspace.mirror import (
    MirrorPath,
    address,
    beside,
    fetch,
    mirrored,
    push,
    refresh,
    workspace_path,
)
from webecho.workspace.objects import Store
from webecho.workspace.parts import OpenPart
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    import s3fs

MEMORY = fsspec.filesystem("memory")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return as_jsonl(tmp_path / "pages.jsonl", small_web())


@pytest.fixture
def far(tmp_path: Path) -> Iterator[str]:
    """An address in memory that other tests do not use."""
    yield f"memory://{tmp_path.name}/crawl.echo"
    if MEMORY.exists(f"/{tmp_path.name}"):
        MEMORY.rm(f"/{tmp_path.name}", recursive=True)


def objects(address: str) -> dict[str, str]:
    """The digest of every object below the address, as `contents` has them of files."""
    filesystem, root = fsspec.core.url_to_fs(address)
    filesystem.invalidate_cache()
    found = {place.removeprefix(f"{root}/"): place for place in filesystem.find(root)}
    return {
        name: hashlib.sha256(filesystem.cat_file(place)).hexdigest()
        for name, place in sorted(found.items())
        if name != "run.json"
    }


def without_names(digests: dict[str, str]) -> dict[str, str]:
    """Those of files that do not say what the workspaces are called which were studied."""
    saying = ("study.json", "checksums.json")
    return {name: each for name, each in digests.items() if not name.endswith(saying)}


def labels_in(address: str) -> int:
    filesystem, root = fsspec.core.url_to_fs(address)
    return len(filesystem.cat_file(f"{root}/labels/labels.jsonl").splitlines())


@pytest.mark.usefixtures("bucket")
def test_every_verb_writes_to_a_bucket_what_it_writes_here(pages: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "crawl.echo", "s3://crawls/crawl.echo"
    verbs: list[tuple[Any, ...]] = [
        ("sketch", pages, "--part-pages", 5, "-o"),
        ("clusters",),
        ("pairs", "--rule", "b"),
        ("study", "duplicates"),
        ("verify",),
    ]
    for verb in verbs:
        said = []
        # Spark writes the same address in another way.
        far = there if verb[0] == "sketch" else there.replace("s3:", "s3a:")
        for place in (str(here), far):
            at = len(verb) if verb[-1] == "-o" else 2 if verb[0] == "study" else 1
            ended = done(*verb[:at], place, *verb[at:])
            said.append(ended.stdout.replace(place, "PLACE"))
        assert said[0].replace("crawl.echo", "") == said[1].replace("crawl.echo", ""), verb
    assert objects(there).keys() == contents(here).keys()
    assert without_names(objects(there)) == without_names(contents(here))
    run = json.loads(fsspec.open(f"{there}/run.json").open().read())
    assert run["locations"] == [str(pages)]


def test_python_takes_addresses(pages: Path, far: str, tmp_path: Path) -> None:
    rows = package.sketch(str(pages), out=far, part_pages=5)
    assert rows.equals(package.sketch(str(pages)))
    assert package.clusters(far).equals(package.clusters(str(pages)))
    assert package.verify(far)
    # The same files, copied here, are the same workspace.
    MEMORY.get(f"/{tmp_path.name}/crawl.echo", str(tmp_path / "copy.echo"), recursive=True)
    assert package.verify(tmp_path / "copy.echo")
    assert package.clusters(tmp_path / "copy.echo").equals(package.clusters(far))
    study = package.study_duplicates(far)
    assert study.settings["workspaces"] == [far]


def test_a_dedup_adds_to_an_earlier_workspace_far_away(
    pages: Path, far: str, tmp_path: Path
) -> None:
    more = as_jsonl(tmp_path / "more.jsonl", [*small_web()[:3], *many_pages(6)])
    here = tmp_path / "here.echo"
    removed = []
    for number, place in enumerate((here, far)):
        done("sketch", pages, "--columns", "features,supershingles", "-o", place)
        done("clusters", place)
        out = tmp_path / f"out-{number}"
        done("dedup", more, "--against", place, "--append-kept", "-o", out)
        table = pq.read_table(out / "duplicates.parquet")
        assert set(table["kept_in"].to_pylist()) == {str(place)}
        removed.append(table.drop_columns(["kept_in"]))
    assert removed[0].equals(removed[1])
    assert objects(far) == contents(here)
    assert not any(name.startswith("clusters") for name in objects(far))
    told = json.loads((tmp_path / "out-1" / "summary.json").read_bytes())
    assert told["against"]["workspace"] == far


def test_only_what_is_read_is_fetched(
    pages: Path, far: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("sketch", pages, "--part-pages", 5, "--paragraphs", "-o", far)
    done("clusters", far)
    got: list[str] = []
    get = Store.get

    def noted(self: Store, name: str, file: Path) -> None:
        got.append(name)
        get(self, name, file)

    monkeypatch.setattr(Store, "get", noted)
    workspace = Workspace.open(far)
    assert sorted(got) == ["manifest.json", "run.json"]
    workspace.row(7, ["url"])
    assert got[2:] == ["sketches/part-00001.parquet"]
    workspace.stored("clusters", "similar-0.8").read()
    assert got[3:] == ["clusters/similar-0.8.parquet"]
    # Each once.
    assert len(workspace.table()) == 16
    assert sorted(got[4:]) == [f"sketches/part-0000{number}.parquet" for number in (0, 2, 3)]


def test_paths_are_called_as_in_the_store(pages: Path, far: str, tmp_path: Path) -> None:
    done("sketch", pages, "-o", far)
    path = mirrored(far)
    part = next((path / "sketches").glob("*")).resolve()
    assert isinstance(part, MirrorPath)
    assert f"{part}" == f"{far}/sketches/part-00000.parquet" == address(part)
    assert f"{part.with_name('a')}, {part.parent}" == f"{far}/sketches/a, {far}/sketches"
    assert f"{path / '/etc'}" == "/etc"
    assert Path(str(part)).is_file()
    assert workspace_path(path) is path
    assert workspace_path("crawl.echo") == workspace_path("file://crawl.echo") == Path("crawl.echo")
    assert beside(path, "../pages.jsonl") == f"memory://{tmp_path.name}/pages.jsonl"
    assert beside(path, str(pages)) == str(pages)


def test_a_mirror_goes_away_with_its_paths(pages: Path, far: str) -> None:
    done("sketch", pages, "-o", far)
    path = mirrored(far)
    folder = Path(str(path)).parent
    assert folder.is_dir()
    del path
    gc.collect()
    assert not folder.exists()


def test_a_part_that_is_not_what_was_written_is_refused(pages: Path, far: str) -> None:
    done("sketch", pages, "--part-pages", 5, "-o", far)
    place = f"{far.removeprefix('memory:/')}/sketches/part-00002.parquet"
    content = bytearray(MEMORY.cat_file(place))
    content[100] ^= 1
    MEMORY.pipe_file(place, bytes(content))
    ended = webecho("clusters", far)
    assert ended.exit_code == 1
    assert (
        f"{far}/sketches/part-00002.parquet cannot be read (it is not what was written"
        in ended.output
    )
    assert "`webecho sketch` or `dedup` command again" in ended.output
    # Which mends it.
    done("sketch", pages, "--part-pages", 5, "-o", far)
    done("clusters", far)
    assert done("verify", far).exit_code == 0


class KilledError(BaseException):
    """What no code of ours catches."""


def kill_at(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """From the change of the store with this number on none is made."""
    left = [count]
    for name in ("put", "remove"):
        method = getattr(Store, name)

        def killed(*values: Any, method: Any = method) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise KilledError
            return method(*values)

        monkeypatch.setattr(Store, name, killed)


def test_killed_at_any_change_it_goes_on_to_the_same_bytes(
    far: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Revisits are known when all is read, and parts are then written anew.
    first = tmp_path / "a.warc.gz"
    with WarcFile(first) as warc:
        ids = [warc.response(each.url, each.html.encode()) for each in many_pages(9)]
        for number in (2, 7):
            warc.revisit(f"http://h.example.org/{number}", Refers_To=ids[number])
    second = as_jsonl(tmp_path / "b.jsonl", many_pages(7, seed=5))
    here = tmp_path / "here.echo"
    steps = (
        ("sketch", first, "--part-pages", 5, "-o"),
        ("clusters",),
        ("sketch", second, "--part-pages", 5, "--append", "-o"),
    )
    for step in steps:
        done(*step, here)
        kills = 0
        while True:
            with monkeypatch.context() as patch:
                kill_at(patch, kills)
                try:
                    done(*step, far)
                    break
                except KilledError:
                    kills += 1
                    before = objects(far)
            if step[0] == "clusters":
                # What was there opens as before.
                assert package.verify(far)
            elif "manifest.json" in before:
                Workspace.open(far, complete=False)
        assert kills > 1
        assert objects(far) == contents(here), step


def test_a_killed_process_goes_on_from_its_last_part(
    bucket: "s3fs.S3FileSystem", tmp_path: Path
) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", many_pages(40))
    script = f"""if True:
        import os, signal
        import webecho
        from webecho.workspace.objects import Store
        put = Store.put
        def killed(self, file, name):
            if name == "sketches/part-00002.parquet":
                os.kill(os.getpid(), signal.SIGKILL)
            return put(self, file, name)
        Store.put = killed
        webecho.sketch({str(pages)!r}, out="s3://crawls/w.echo", part_pages=5)
    """
    ended = subprocess.run([sys.executable, "-c", script], check=False)
    assert ended.returncode == -signal.SIGKILL
    parts = [each.rpartition("/")[2] for each in bucket.find("crawls/w.echo/sketches")]
    assert parts == ["part-00000.parquet", "part-00001.parquet"]
    with pytest.raises(WorkspaceError, match=r"s3://crawls/w\.echo is not finished"):
        package.clusters("s3://crawls/w.echo")
    said = done("sketch", pages, "--part-pages", 5, "-o", "s3://crawls/w.echo").output
    assert "going on after 10 pages" in said
    done("sketch", pages, "--part-pages", 5, "-o", tmp_path / "w.echo")
    assert objects("s3://crawls/w.echo") == contents(tmp_path / "w.echo")


def write_part(workspace: Workspace, source: Path, number: int) -> Part:
    """Makes a part of a workspace again of that of another, as a process does that helps."""
    part = Workspace.open(source).manifest.parts[number]
    with ThreadPoolExecutor(1) as writer:
        made = OpenPart(workspace, writer, number, part.first, part.input)
        for batch in Workspace.open(source).part_batches("sketches", number, None):
            made.add("sketches", pa.Table.from_batches([batch]))
        made.pages, made.source, made.place = part.pages, part.source, part.place
        made.counts.update(part.counts)
        return made.finish(part.ends_input).result()


def test_other_processes_write_parts_and_one_names_them(
    bucket: "s3fs.S3FileSystem", pages: Path, tmp_path: Path
) -> None:
    here = tmp_path / "w.echo"
    done("sketch", pages, "--part-pages", 5, "-o", here)
    path = mirrored("s3://crawls/w.echo")
    local = Workspace.open(here)
    unnamed = replace(local.manifest, parts=[], complete=False)
    workspace = Workspace(path, unnamed)
    workspace.save()
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as helpers:
        tasks = [helpers.submit(write_part, workspace, here, number) for number in (3, 1, 0, 2)]
        parts = sorted((task.result() for task in tasks), key=lambda part: part.first)
    # Each is there when it is complete, and nobody takes it for a part before it is named.
    assert len(bucket.find("crawls/w.echo/sketches")) == 4
    assert Workspace.open("s3://crawls/w.echo", complete=False).manifest.parts == []
    refresh(path)
    workspace.manifest.parts += parts
    workspace.manifest.complete = True
    workspace.save()
    assert objects("s3://crawls/w.echo") == contents(here)
    assert workspace.table().equals(local.table())


def test_a_path_that_goes_to_another_process_fetches_what_it_is_asked_for(
    pages: Path, far: str
) -> None:
    done("sketch", pages, "-o", far)
    path = pickle.loads(pickle.dumps(mirrored(far)))
    assert f"{path}" == far
    file = path / "sketches" / "part-00000.parquet"
    assert not file.exists()
    fetch(file, path / "none")
    assert pq.read_metadata(file).num_rows == 16
    assert not (path / "none").exists()
    assert pickle.loads(pickle.dumps(path / "/etc")) == Path("/etc")


def test_of_two_writers_the_later_one_gives_up(pages: Path, far: str, tmp_path: Path) -> None:
    done("sketch", pages, "-o", far)
    more = as_jsonl(tmp_path / "more.jsonl", many_pages(5))
    with (
        pytest.raises(BusyError, match=r"another process has written .*manifest\.json meanwhile"),
        reading(far) as workspace,
    ):
        workspace.write(workspace.files.clusters("mine"), [pa.table({"page": [0]})])
        done("sketch", more, "--append", "-o", far)
    assert "clusters/mine.parquet" not in objects(far)
    # Two that begin at the same time: whoever names its inputs first has it.
    new = f"{far}2"
    late = mirrored(new)
    done("sketch", pages, "-o", new)
    before = objects(new)
    (late / "sketches").mkdir(parents=True)
    (late / "manifest.json").write_bytes(b"{}")
    with pytest.raises(BusyError, match="give the command again when that has ended"):
        push(late)
    assert objects(new) == before


def test_labels_of_another_are_not_written_over(pages: Path, far: str) -> None:
    done("sketch", pages, "-o", far)
    one, other = Workspace.open(far), Workspace.open(far)
    label = Label(None, None, None, None, 0, 1, "correct", (), "", "a", now())
    append(one.files.labels, [label])
    assert labels_in(far) == 1
    with pytest.raises(BusyError, match=r"labels\.jsonl meanwhile"):
        append(other.files.labels, [label])
    append(one.files.labels, [label])
    assert labels_in(far) == 2


def test_parts_that_are_put_take_no_room_here(far: str, tmp_path: Path) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", many_pages(40))
    path = mirrored(far)
    done_in_python = SketchRequest((str(pages),), path, part_pages=10)
    workspace = run_sketch(done_in_python, local_run(1)).workspace
    files = workspace.part_files("sketches")
    assert [file.stat().st_blocks for file in files] == [0, 0, 0, 0]
    assert len(workspace.table()) == 40
    assert all(file.stat().st_blocks for file in files)


def test_an_object_that_was_replaced_meanwhile_is_refused(pages: Path, far: str) -> None:
    done("sketch", pages, "-o", far)
    workspace = Workspace.open(far)
    part = f"{far.removeprefix('memory:/')}/sketches/part-00000.parquet"
    MEMORY.pipe_file(part, b"another")
    with pytest.raises(WorkspaceError, match=r"part-00000\.parquet has changed since"):
        workspace.table()


def test_more_than_there_is_room_for_is_not_fetched(
    pages: Path, far: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done("sketch", pages, "-o", far)
    workspace = Workspace.open(far)

    class Usage:
        free = 10

    monkeypatch.setattr("webecho.workspace.mirror.shutil.disk_usage", lambda _: Usage)
    with pytest.raises(WorkspaceError, match="set TMPDIR to a folder that has more"):
        workspace.table()


def test_what_is_no_workspace_is_said_by_its_address(far: str, tmp_path: Path, pages: Path) -> None:
    assert f"{far} is no workspace" in webecho("clusters", far).output
    MEMORY.pipe_file(f"/{tmp_path.name}/crawl.echo/a.html", b"a")
    said = webecho("sketch", pages, "-o", far).output
    assert f"{far} exists and is no workspace; choose another name" in said
    assert "copy it there" in webecho("dedup", pages, "-o", far).output
    assert "copy here what else" in webecho("verify", far).output
