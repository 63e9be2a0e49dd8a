"""WACZ files: records go, and the index, the pages and the digests tell what is there."""

import gzip
import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tests.read.archives import gzipped, http, record, response, saved
from tests.write.keeping import keep, members, opened, places_of, selections, unpacked
from tests.write.revisited import page
from webecho.write.kept import write_kept
from webecho.write.selection import Original

HEADERS = b'{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}\n'


ONE = [
    record("warcinfo", b"software: none\r\n"),
    *(response(f"http://a/{n}", b"<p>%d" % n * n) for n in range(1, 6)),
]
TWO = [*(response(f"http://b/{n}", b"<p>%d" % n * n) for n in range(1, 4))]


def index_of(archives: dict[str, bytes]) -> list[bytes]:
    """The CDXJ lines, in the two ways in which offsets are written."""
    lines = []
    for name, data in archives.items():
        at = 0
        for member in members(data):
            found = gzip.decompress(member)
            if b"WARC-Target-Uri: " in found:
                url = found.partition(b"WARC-Target-Uri: ")[2].partition(b"\r\n")[0].decode()
                fields: dict[str, Any] = {"url": url, "mime": "text/html", "filename": name}
                fields |= {"offset": at, "length": len(member), "note": '"offset": 7'}
                if name.startswith("b"):
                    fields |= {"offset": str(at), "length": str(len(member))}
                key = url.replace("http://", "").replace("/", ")/")
                lines.append(f"{key} 20200131235958 {json.dumps(fields)}\n".encode())
            at += len(member)
    return sorted(lines)


def package(members: dict[str, bytes], **more: str) -> bytes:
    resources = [
        {
            "name": path.rpartition("/")[2],
            "path": path,
            "hash": "sha256:" + hashlib.sha256(data).hexdigest(),
            "bytes": len(data),
        }
        for path, data in members.items()
    ]
    return json.dumps(
        {"profile": "data-package", "title": "Tätel", "resources": resources} | more
    ).encode()


def wacz(packed_index: bool = True, method: int = zipfile.ZIP_STORED, **more: str) -> bytes:
    archives = {"a.warc.gz": gzipped(*ONE), "b.warc.gz": gzipped(*TWO)}
    lines = index_of(archives)
    pages = [f'{{"url": "http://a/{n}", "ts": "2020-01-31T23:59:58.1Z"}}\n' for n in range(1, 6)]
    pages += ['{"url": "http://b/1", "ts": "2019-12-31T00:00:00Z", "text": "other time"}\n']
    content = {f"archive/{name}": data for name, data in archives.items()}
    if packed_index:
        content["indexes/index.cdx.gz"] = gzip.compress(b"".join(lines))
        content["indexes/index.idx"] = (
            b'!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\n'
            b'a)/1 20200131235958 {"offset": 0, "length": 1, "filename": "index.cdx.gz"}\n'
        )
    else:
        content["indexes/index.cdx"] = b"".join(lines)
    content["pages/pages.jsonl"] = HEADERS + "".join(pages).encode()
    content["logs/crawl.log"] = b"it went well\n"
    content["datapackage.json"] = package(content, **more)
    digest = hashlib.sha256(content["datapackage.json"]).hexdigest()
    content["datapackage-digest.json"] = json.dumps(
        {"path": "datapackage.json", "hash": f"sha256:{digest}", "signedData": {"by": "me"}}
    ).encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as packed:
        for name, data in content.items():
            packed.writestr(zipfile.ZipInfo(name, (2020, 2, 3, 4, 5, 6)), data, method)
    return file.getvalue()


def content_of(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as packed:
        assert packed.testzip() is None
        return {name: packed.read(name) for name in packed.namelist()}


@pytest.mark.parametrize(("number", "stays"), [(1, True), (2, False)])
def test_a_main_page_that_was_removed_is_none(tmp_path: Path, number: int, stays: bool) -> None:
    main = {"mainPageUrl": f"http://a/{number}", "mainPageDate": "2020-01-31T23:59:59.123Z"}
    source = opened(saved(tmp_path, "a.wacz", wacz(**main)))
    written = keep(source, tmp_path / "out.wacz", lambda page: page in (1, 3, 5))
    found = json.loads(content_of(written.file)["datapackage.json"])
    assert {name: found[name] for name in main if name in found} == (main if stays else {})
    told = f"{source.name}: datapackage.json: the main page, for it was removed: http://a/2"
    assert (told in written.lost) == (not stays)


@pytest.mark.parametrize("packed_index", [True, False])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_what_stays_and_what_tells_of_it(tmp_path: Path, packed_index: bool, method: int) -> None:
    source = opened(saved(tmp_path, "a.wacz", wacz(packed_index, method)))
    # The second and fourth page of the first archive, and the first of the second.
    written = keep(source, tmp_path / "out.wacz", lambda page: page in (1, 3, 5))
    before, after = content_of(Path(source.name)), content_of(written.file)
    assert list(after) == list(before)
    assert after["archive/a.warc.gz"] == gzipped(*(ONE[n] for n in (0, 1, 3, 5)))
    assert after["archive/b.warc.gz"] == gzipped(*TWO[1:])
    assert after["logs/crawl.log"] == before["logs/crawl.log"]
    lines = before["pages/pages.jsonl"].splitlines(keepends=True)
    assert after["pages/pages.jsonl"] == b"".join(lines[n] for n in (0, 1, 3, 5))
    check_index(after, ["http://a/1", "http://a/3", "http://a/5", "http://b/2", "http://b/3"])
    check_package(after)
    assert json.loads(after["datapackage.json"])["title"] == "Tätel"
    assert written.lost == (
        f"{source.name}: datapackage-digest.json: the signature, which cannot hold for other bytes",
    )
    with zipfile.ZipFile(written.file) as packed:
        infos = packed.infolist()
    assert {info.date_time for info in infos} == {(2020, 2, 3, 4, 5, 6)}
    assert {one.compress_type for one in infos if one.filename.startswith("archive/")} == {0}
    again = keep(source, tmp_path / "again.wacz", lambda page: page in (1, 3, 5))
    assert again.file.read_bytes() == written.file.read_bytes()
    assert len(places_of(opened(written.file))[0]) == 5


def check_index(content: dict[str, bytes], urls: list[str]) -> None:
    """Each line leads to a record of that address, which is as long as it says."""
    index = content.get("indexes/index.cdx")
    if index is None:
        packed = content["indexes/index.cdx.gz"]
        index = gzip.decompress(packed)
        meta, *rest = content["indexes/index.idx"].splitlines()
        assert meta.startswith(b"!meta 0 ")
        for line in rest:
            fields = json.loads(line.split(b" ", 2)[2])
            block = packed[fields["offset"] : fields["offset"] + fields["length"]]
            assert gzip.decompress(block).startswith(b" ".join(line.split(b" ", 2)[:2]))
            assert fields["digest"] == "sha256:" + hashlib.sha256(block).hexdigest()
    found = []
    for line in index.splitlines():
        fields = json.loads(line.split(b" ", 2)[2])
        at = int(fields["offset"])
        assert isinstance(fields["offset"], str) == fields["filename"].startswith("b")
        assert fields["note"] == '"offset": 7'
        data = content[f"archive/{fields['filename']}"][at : at + int(fields["length"])]
        (one,) = unpacked(data)
        assert f"WARC-Target-Uri: {fields['url']}\r\n".encode() in one
        found.append(fields["url"])
    assert found == urls


def check_package(content: dict[str, bytes]) -> None:
    listed = json.loads(content["datapackage.json"])["resources"]
    assert {one["path"] for one in listed} == set(content) - {
        "datapackage.json",
        "datapackage-digest.json",
    }
    for one in listed:
        assert one["bytes"] == len(content[one["path"]])
        assert one["hash"] == "sha256:" + hashlib.sha256(content[one["path"]]).hexdigest()
    digest = json.loads(content["datapackage-digest.json"])
    assert digest == {
        "path": "datapackage.json",
        "hash": "sha256:" + hashlib.sha256(content["datapackage.json"]).hexdigest(),
    }


def test_none_and_all_removed(tmp_path: Path) -> None:
    source = opened(saved(tmp_path, "a.wacz", wacz()))
    written = keep(source, tmp_path / "same.wacz")
    assert written.file.read_bytes() == Path(source.name).read_bytes()
    written = keep(source, tmp_path / "bare.wacz", lambda _: True)
    bare = content_of(written.file)
    assert unpacked(bare["archive/a.warc.gz"]) == ONE[:1]
    assert bare["archive/b.warc.gz"] == b""
    assert bare["pages/pages.jsonl"] == HEADERS
    check_index(bare, [])
    check_package(bare)


def test_a_page_captured_twice_stays_while_one_capture_does(tmp_path: Path) -> None:
    twice = [response("http://a/1", b"<p>old"), response("http://a/1", b"<p>new")]
    data = gzipped(*twice)
    lines = index_of({"a.warc.gz": data})
    lines[1] = lines[1].replace(b" 20200131235958 ", b" 20210131235958 ")
    pages = [
        b'{"url": "http://a/1", "ts": "2020-01-31T23:59:58Z"}\n',
        b'{"url": "http://a/1", "ts": "2021-01-31T23:59:57Z"}\n',
    ]
    file = tmp_path / "a.wacz"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("archive/a.warc.gz", data)
        packed.writestr("indexes/index.cdxj", b"".join(lines))
        packed.writestr("pages/pages.jsonl", b"".join(pages))
    written = keep(opened(file), tmp_path / "out.wacz", lambda page: page == 0)
    assert content_of(written.file)["pages/pages.jsonl"] == pages[1]
    assert written.lost == ()


@pytest.mark.parametrize("name", ["index.cdx", "index.cdxj.gz"])
@pytest.mark.parametrize("index", ["ours", "classic"])
def test_an_index_that_cannot_be_renewed_is_made_anew(
    tmp_path: Path, name: str, index: str
) -> None:
    """Of an archive that was compressed as a whole, or one that is no CDXJ."""
    lines = index_of({"a.warc.gz": gzipped(*ONE)})
    whole = gzip.compress(b"".join(ONE))
    if index == "classic":
        lines = [
            b" CDX N b a m s k r M S V g\n",
            b"a)/1 2020 http://a/1 text/html 200 X - - 9 9 a\n",
        ]
        whole = gzipped(*ONE)
    file = tmp_path / "a.wacz"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("archive/a.warc.gz", whole)
        data = b"".join(lines)
        packed.writestr(f"indexes/{name}", gzip.compress(data) if name.endswith("gz") else data)
        packed.writestr("pages/pages.jsonl", b'{"url": "http://a/1"}\n{"url": "http://a/2"}\n')
    written = keep(opened(file), tmp_path / "out.wacz", lambda page: page == 1)
    after = content_of(written.file)
    assert unpacked(after["archive/a.warc.gz"]) == [*ONE[:2], *ONE[3:]]
    made = after[f"indexes/{name}"]
    made = gzip.decompress(made) if name.endswith("gz") else made
    found = [line.split(b" ", 2) for line in made.splitlines()]
    assert [(key, time) for key, time, _ in found] == [
        (b"a)/%d" % number, b"20200131235958") for number in (1, 3, 4, 5)
    ]
    for (_, _, fields), original in zip(found, [ONE[1], *ONE[3:]], strict=True):
        said = json.loads(fields)
        at, size = int(said["offset"]), int(said["length"])
        assert gzip.decompress(after["archive/a.warc.gz"][at : at + size]) == original
        assert (said["filename"], said["status"]) == ("a.warc.gz", "200")
    if index == "ours":
        # A classic index does not tell which pages went.
        assert after["pages/pages.jsonl"] == b'{"url": "http://a/1"}\n'
    assert written.lost == ()


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("size", [(1 << 20) + 1, 3 << 20])
def test_a_line_of_the_index_that_is_too_long_is_told_of(
    tmp_path: Path, end: bytes, size: int
) -> None:
    data = gzipped(*ONE)
    file = tmp_path / "a.wacz"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("archive/a.warc.gz", data)
        lines = b"".join(index_of({"a.warc.gz": data}))
        packed.writestr("indexes/index.cdxj", lines + b"x" * size + end)
    written = keep(opened(file), tmp_path / "out.wacz", lambda page: page == 0)
    [told] = written.lost
    assert told.endswith("indexes/index.cdxj: a line of over 1048576 bytes")
    assert len(content_of(written.file)["indexes/index.cdxj"].splitlines()) == 4


def test_copies_become_revisits_and_the_index_says_so(tmp_path: Path) -> None:
    body = b"<p>same" * 50
    same = [page(number, http(body)) for number in (1, 2, 3)]
    archives = {"a.warc.gz": gzipped(*same[:2]), "b.warc.gz": gzipped(same[2])}
    lines = index_of(archives)
    file = tmp_path / "a.wacz"
    with zipfile.ZipFile(file, "w") as packed:
        for name, data in archives.items():
            packed.writestr(f"archive/{name}", data)
        packed.writestr("indexes/index.cdx", b"".join(lines))
    source = opened(file)
    pages, places = places_of(source)
    original = Original(str(file), pages[0])
    listed = selections(places, pages[1:])
    written = write_kept(source, listed, tmp_path / "b.wacz", originals=lambda _: original)
    assert (written.revisits, written.in_full) == (2, ())
    after = content_of(written.file)
    for line in after["indexes/index.cdx"].splitlines():
        said = json.loads(line.split(b" ", 2)[2])
        at, size = int(said["offset"]), int(said["length"])
        data = gzip.decompress(after[f"archive/{said['filename']}"][at : at + size])
        revisit = said["url"] != "http://a/1"
        assert (b"WARC-Type: revisit" in data) == revisit == (said["mime"] == "warc/revisit")
        assert revisit == (b"WARC-Refers-To-Target-URI: http://a/1\r\n" in data)
    assert len(after["indexes/index.cdx"].splitlines()) == 3


def test_a_remote_file_and_a_broken_one(tmp_path: Path) -> None:
    with fsspec.open("memory://kept/a.wacz", "wb") as file:
        file.write(wacz())
    written = keep(opened("memory://kept/a.wacz"), tmp_path / "a.wacz", lambda page: page == 0)
    assert len(places_of(opened(written.file))[0]) == 7
    assert [file.name for file in tmp_path.iterdir()] == ["a.wacz"]
    broken = wacz()[:-50]
    written = keep(opened(saved(tmp_path, "b.wacz", broken)), tmp_path / "c.wacz")
    assert written.file.read_bytes() == broken
