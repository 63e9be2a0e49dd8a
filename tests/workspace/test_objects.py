import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import fsspec
import pytest

from webecho.errors import InputError, WorkspaceError
from webecho.workspace import objects
from webecho.workspace.objects import open_store

if TYPE_CHECKING:
    import s3fs


@pytest.fixture(params=["memory://objects", "s3://crawls", "s3a://crawls"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder in a store that other tests do not use."""
    if not request.param.startswith("memory"):
        request.getfixturevalue("bucket")
    return f"{request.param}/{tmp_path.name}"


def test_objects_are_put_got_listed_and_removed(address: str, tmp_path: Path) -> None:
    store = open_store(f"{address}/")
    assert (store.marks(), store.mark("a")) == ({}, None)
    file = tmp_path / "file"
    for name in ("manifest.json", "sketches/part-00000.parquet"):
        file.write_bytes(name.encode())
        store.put(file, name)
    assert {name: mark.size for name, mark in store.marks().items()} == {
        "manifest.json": 13,
        "sketches/part-00000.parquet": 27,
    }
    store.get("sketches/part-00000.parquet", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"sketches/part-00000.parquet"
    before = store.mark("manifest.json")
    assert before == store.mark("manifest.json") is not None
    # Other bytes of the same number have another mark.
    file.write_bytes(b"manifest.JSON")
    store.put(file, "manifest.json")
    assert store.mark("manifest.json") != before
    for _ in range(2):
        store.remove("manifest.json")
    assert store.mark("manifest.json") is None


def test_what_is_no_workspace_is_listed_at_its_top_alone(address: str, tmp_path: Path) -> None:
    store = open_store(address)
    (tmp_path / "file").write_bytes(b"a")
    for name in ("a.html", "b/c.html", "b/d.html"):
        store.put(tmp_path / "file", name)
    assert set(store.marks()) == {"a.html", "b"}
    with pytest.raises(WorkspaceError, match=r"a\.html is a file, and no workspace"):
        open_store(f"{address}/a.html").marks()


def test_an_upload_of_many_blocks_that_is_stopped_leaves_no_object(
    bucket: "s3fs.S3FileSystem", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, store = tmp_path / "file", open_store("s3://crawls/w.echo")
    monkeypatch.setattr(objects, "BLOCK", 5 << 20)
    file.write_bytes(bytes(11 << 20))
    store.put(file, "whole")
    assert bucket.info("crawls/w.echo/whole")["size"] == 11 << 20

    def stopped(_: object, out: "s3fs.core.S3File", __: int) -> None:
        out.write(bytes(6 << 20))
        raise KeyboardInterrupt

    monkeypatch.setattr(objects, "copyfileobj", stopped)
    with pytest.raises(KeyboardInterrupt):
        store.put(file, "half")
    assert bucket.find("crawls") == ["crawls/w.echo/whole"]


def test_a_file_that_would_grow_is_renamed_when_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filesystem = fsspec.filesystem("memory")
    store = open_store(f"memory://objects/{tmp_path.name}")
    (tmp_path / "file").write_bytes(b"first")
    store.put(tmp_path / "file", "manifest.json")

    def stopped(_: object, out: fsspec.spec.AbstractBufferedFile, __: int) -> None:
        out.write(b"sec")
        raise KeyboardInterrupt

    monkeypatch.setattr(objects, "copyfileobj", stopped)
    with pytest.raises(KeyboardInterrupt):
        store.put(tmp_path / "file", "manifest.json")
    assert filesystem.cat_file(f"/objects/{tmp_path.name}/manifest.json") == b"first"


@pytest.mark.usefixtures("bucket")
def test_errors_of_stores_are_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a")
    with pytest.raises(WorkspaceError, match=r"s3://none/w cannot be written: there is no such"):
        open_store("s3://none/w").put(tmp_path / "file", "a")
    with pytest.raises(WorkspaceError, match=r"s3://crawls/w/a: no such file"):
        open_store("s3://crawls/w").get("a", tmp_path / "a")
    with pytest.raises(InputError, match=r"s3://key:\*\*\*@crawls/w: .* must hold no secrets"):
        open_store("s3://key:word@crawls/w")


def test_missing_credentials_are_an_error_of_ours() -> None:
    script = """if True:
        from webecho.errors import WorkspaceError
        from webecho.workspace.objects import open_store
        try:
            open_store("s3://crawls/w.echo").marks()
        except WorkspaceError as error:
            print(error)
    """
    none = {
        "PATH": "/usr/bin:/bin",
        "HOME": "/nonexistent",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
        "PYTHONPATH": ":".join(sys.path),
    }
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=none
    )
    assert done.stdout.startswith("s3://crawls/w.echo")
    assert "check the address and your credentials" in done.stdout


def test_keys_that_lead_out_of_the_workspace_are_refused(bucket: "s3fs.S3FileSystem") -> None:
    bucket.call_s3("put_object", Bucket="crawls", Key="w.echo/manifest.json", Body=b"{}")
    bucket.call_s3("put_object", Bucket="crawls", Key="w.echo/../../stolen", Body=b"{}")
    with pytest.raises(WorkspaceError, match=r"'\.\./\.\./stolen' is no name in a workspace"):
        open_store("s3://crawls/w.echo").marks()


def test_a_missing_package_is_named() -> None:
    with pytest.raises(InputError, match=r"gs://b/w\.echo: gs:// needs a package; .*gcsfs"):
        open_store("gs://b/w.echo")
