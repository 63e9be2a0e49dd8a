"""Exact copies become revisit records that others read, and can be had back byte for byte."""

import base64
import gzip
import hashlib
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from hypothesis import given
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

import webecho
from tests.command import done
from tests.command import webecho as run
from tests.read.archives import gzipped, http, record, saved
from tests.write.keeping import opened, places_of, unpacked, verdicts
from tests.write.test_warc import dictionary, zstd
from webecho.formats.frames import pieces
from webecho.write.kept import write_kept
from webecho.write.verdicts import Original, Written

BODY = "<p>".join(hashlib.sha256(b"%d" % n).hexdigest() for n in range(40)).encode()
CHUNKED = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)


def page(number: int, block: bytes, **more: str) -> bytes:
    more = {"record_id": f"<urn:uuid:{number:08}>", "ip_address": f"10.0.0.{number}"} | more
    return record("response", block, target_uri=f"http://a/{number}", **more)


def odd(number: int, block: bytes) -> bytes:
    """A record whose header is spaced and ordered in its own way."""
    lines = [
        b"WARC/1.1",
        b"content-length:%d  " % len(block),
        b"WARC-Record-ID:<urn:uuid:%08d>" % number,
        b"X-Odd :\tyes: and no ",
        b"WARC-TYPE:   Response",
        b"WARC-Target-URI: <http://a/%d>" % number,
        b"warc-block-digest: md5:0123",
        b"WARC-Date: 2020-01-31T23:59:58.123456Z",
        b"WARC-Payload-Digest: sha1:ABC",
        b"Content-Type: application/http; msgtype=response",
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + block + b"\r\n\r\n"


def replaced(
    folder: Path, files: dict[str, list[bytes]], pack: Callable[..., bytes] = gzipped
) -> dict[str, Written]:
    """Writes the files with all pages but the very first as copies of that."""
    for name, records in files.items():
        saved(folder, name, pack(*records))
    sources = {name: opened(folder / name) for name in files}
    found = [(source, place) for source in sources.values() for place in places_of(source)[0]]
    original = Original(found[0][0].name, found[0][1])
    out: dict[str, Written] = {}
    for name, source in sources.items():
        gone = [place for each, place in found[1:] if each is source]
        listed = verdicts(places_of(source)[1], gone)
        target = folder / "kept" / name
        out[name] = write_kept(source, listed, target, originals=lambda _: original)
        assert out[name].left_out == len(gone)
    return out


FILES = {
    "a.warc.gz": [
        record("warcinfo", b"software: none\r\n"),
        page(1, http(BODY)),
        page(2, http(BODY, server="another")),
        record("request", b"GET / HTTP/1.0\r\n\r\n", target_uri="http://a/3"),
        page(3, http(BODY)),
    ],
    "b.warc.gz": [odd(4, http(BODY)), page(5, http(BODY), block_digest="sha1:XYZ")],
}


def test_a_zstd_file_with_a_dictionary(tmp_path: Path) -> None:
    pack = partial(zstd, dictionary=dictionary())
    files = {"a.warc.zst": FILES["a.warc.gz"]}
    assert replaced(tmp_path, files, pack)["a.warc.zst"].revisits == 2
    assert webecho.restore(tmp_path / "kept", tmp_path / "back").restored == 2
    with (tmp_path / "back" / "a.warc.zst").open("rb") as file:
        back = [piece.data for piece in pieces(file, 0, "zstd") if piece.data]
    assert back == files["a.warc.zst"]


@pytest.mark.parametrize("form", ["warc.gz", "warc"])
def test_restored_records_are_the_bytes_they_were(tmp_path: Path, form: str) -> None:
    pack = gzipped if form == "warc.gz" else lambda *all: b"".join(all)
    files = {name.replace("warc.gz", form): records for name, records in FILES.items()}
    written = replaced(tmp_path, files, pack)
    assert [one.revisits for one in written.values()] == [2, 2]
    assert all(one.bytes < (tmp_path / name).stat().st_size for name, one in written.items())
    told = webecho.restore(tmp_path / "kept", tmp_path / "back")
    assert (told.files, told.records, told.restored, dict(told.failed)) == (2, 7, 4, {})
    for name, records in files.items():
        back = (tmp_path / "back" / name).read_bytes()
        assert (
            back == (tmp_path / name).read_bytes() if form == "warc" else records == unpacked(back)
        )


def test_what_a_revisit_says(tmp_path: Path) -> None:
    written = replaced(tmp_path, FILES)["b.warc.gz"]
    first, second = unpacked(written.file.read_bytes())
    head = http(BODY)[: -len(BODY)]
    sha1 = base64.b32encode(hashlib.sha1(head).digest())
    assert first == (
        b"WARC/1.1\r\n"
        b"Content-Length: %d\r\n"
        b"WARC-Record-ID:<urn:uuid:00000004>\r\n"
        b"X-Odd :\tyes: and no \r\n"
        b"WARC-Type: revisit\r\n"
        b"WARC-Target-URI: <http://a/4>\r\n"
        b"WARC-Block-Digest: sha1:%b\r\n"
        b"WARC-Date: 2020-01-31T23:59:58.123456Z\r\n"
        b"WARC-Payload-Digest: sha1:ABC\r\n"
        b"Content-Type: application/http; msgtype=response\r\n"
        b"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
        b"WARC-Refers-To: <urn:uuid:00000001>\r\n"
        b"WARC-Refers-To-Target-URI: http://a/1\r\n"
        b"WARC-Refers-To-Date: 2020-01-31T23:59:58Z\r\n"
        b"Webecho-Was: content-length:%d  \r\n"
        b"Webecho-Was: WARC-TYPE:   Response\r\n"
        b"Webecho-Was: warc-block-digest: md5:0123\r\n"
        b"Webecho-Body: sha256:%b"
        b"\r\n\r\n%b\r\n\r\n"
    ) % (len(head), sha1, len(http(BODY)), hashlib.sha256(BODY).hexdigest().encode(), head)
    assert b"warc/1.0/revisit/identical-payload-digest\r\n" in second
    assert second.count(b"WARC-Payload-Digest: sha1:") == 1


def test_others_read_them(tmp_path: Path) -> None:
    written = replaced(tmp_path, FILES)["a.warc.gz"]
    with written.file.open("rb") as file:
        kinds = []
        for one in ArchiveIterator(file, check_digests="raise"):
            kinds.append(one.rec_type)
            if one.rec_type == "revisit":
                assert one.rec_headers["WARC-Refers-To"] == "<urn:uuid:00000001>"
                assert one.http_headers.get_statuscode() == "200"
                assert one.content_stream().read() == b""
    assert kinds == ["warcinfo", "response", "revisit", "request", "revisit"]
    with written.file.open("rb") as file:
        found = [one.record_type for one in FastIterator(file)]
    assert found.count(WarcRecordType.revisit) == 2
    table = webecho.sketch([written.file])
    assert table["revisit_of"].to_pylist() == [None, 0, 0]
    assert len(set(table["digest"].to_pylist())) == 1


@pytest.mark.parametrize(
    "block",
    [
        http(CHUNKED, transfer_encoding="chunked"),
        http(gzip.compress(BODY), content_encoding="gzip"),
        http(b""),
        http(BODY + b"\r\n\r\nHTTP/1.0 200 OK\r\n\r\n"),
    ],
)
def test_bodies_are_compared_and_brought_back_as_they_are_stored(
    tmp_path: Path, block: bytes
) -> None:
    files = {"a.warc.gz": [page(1, block), page(2, block)]}
    assert replaced(tmp_path, files)["a.warc.gz"].revisits == 1
    webecho.restore(tmp_path / "kept" / "a.warc.gz", tmp_path / "back")
    assert unpacked((tmp_path / "back" / "a.warc.gz").read_bytes()) == files["a.warc.gz"]


@pytest.mark.parametrize(
    "copy",
    [
        page(2, http(BODY + b" ")),
        page(2, http(gzip.compress(BODY), content_encoding="gzip")),
        page(2, http(BODY), eol="\n"),
        page(2, http(BODY)) + b"\r\n",
        page(2, http(BODY)).replace(b"\r\nWARC-Ip", b"\r\n folded\r\nWARC-Ip"),
        page(2, http(BODY), profile="own"),
        page(2, http(BODY), segment_number="1"),
        page(1, http(BODY)),
        page(2, http(BODY).replace(b"\r\n\r\n", b"\n\n", 1)),
    ],
)
def test_a_copy_that_cannot_be_brought_back_is_left_out(tmp_path: Path, copy: bytes) -> None:
    files = {"a.warc.gz": [page(1, http(BODY)), copy, page(3, http(BODY))]}
    written = replaced(tmp_path, files)["a.warc.gz"]
    assert written.revisits == 1
    left = unpacked(written.file.read_bytes())
    assert [left[0], b"revisit" in left[1]] == [files["a.warc.gz"][0], True]
    assert len(left) == 2


def test_an_original_without_an_id_cannot_be_referred_to(tmp_path: Path) -> None:
    first = page(1, http(BODY)).replace(b"WARC-Record-Id", b"X-Record-Id")
    written = replaced(tmp_path, {"a.warc.gz": [first, page(2, http(BODY))]})["a.warc.gz"]
    assert unpacked(written.file.read_bytes()) == [first]
    assert written.revisits == 0


def test_a_copy_that_is_a_revisit_already_stays(tmp_path: Path) -> None:
    written = replaced(tmp_path, FILES)
    files = {"c.warc.gz": unpacked(written["a.warc.gz"].file.read_bytes())}
    again = replaced(tmp_path, files)["c.warc.gz"]
    assert again.revisits == 2
    assert again.file.read_bytes() == (tmp_path / "c.warc.gz").read_bytes()


def test_a_way_over_several_revisits(tmp_path: Path) -> None:
    """What was an original in one run can be a copy in the next."""
    block = http(BODY)
    replaced(tmp_path, {"b.warc.gz": [page(2, block), page(3, block)]})
    later = tmp_path / "later"
    later.mkdir()
    second = unpacked((tmp_path / "kept" / "b.warc.gz").read_bytes())
    written = replaced(later, {"a.warc.gz": [page(1, block)], "b.warc.gz": second})
    assert written["b.warc.gz"].revisits == 2
    told = webecho.restore(later / "kept", tmp_path / "back")
    assert told.restored == 2
    back = unpacked((tmp_path / "back" / "b.warc.gz").read_bytes())
    assert back == [page(2, block), page(3, block)]


def test_no_original_no_record(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    alone = tmp_path / "kept" / "b.warc.gz"
    result = run("restore", alone, "-o", tmp_path / "back", "--strict")
    assert result.exit_code == 3
    assert "not restored: its original is not in the inputs" in result.stdout
    assert (tmp_path / "back" / "b.warc.gz").read_bytes() == alone.read_bytes()


def test_an_original_that_has_changed_is_not_taken(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    file = tmp_path / "kept" / "a.warc.gz"
    records = unpacked(file.read_bytes())
    records[1] = page(1, http(BODY.upper()))
    file.write_bytes(gzipped(*records))
    told = webecho.restore(tmp_path / "kept", tmp_path / "back")
    assert (told.restored, sum(told.failed.values())) == (0, 4)
    # One of the same name that is right will do.
    file.write_bytes(gzipped(*records, page(1, http(BODY))))
    assert webecho.restore(tmp_path / "kept", tmp_path / "back", force=True).restored == 4


def test_the_command(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    (tmp_path / "kept" / "notes.txt").write_text("other")
    result = done("restore", tmp_path / "kept", "-o", tmp_path / "back", "--format", "json")
    assert '"restored": 4' in result.stdout
    assert '"other files, not copied": 1' in result.stdout
    again = run("restore", tmp_path / "kept", "-o", tmp_path / "back")
    assert again.exit_code == 1
    assert f"{tmp_path}/back/a.warc.gz: is there already" in again.stderr
    done("restore", tmp_path / "kept", "-o", tmp_path / "back", "--force")
    over = run("restore", tmp_path / "kept", "-o", tmp_path / "kept", "--force")
    assert over.exit_code == 1
    assert "is an input itself" in over.stderr
    assert sorted(file.name for file in (tmp_path / "back").iterdir()) == ["a.warc.gz", "b.warc.gz"]


def test_a_glob_and_two_files_of_one_name(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    told = webecho.restore(f"{tmp_path}/kept/*.warc.gz", tmp_path / "back")
    assert told.restored == 4
    both = [str(tmp_path / "kept" / "a.warc.gz"), str(tmp_path / "a.warc.gz")]
    with pytest.raises(webecho.InputError, match="would be written to"):
        webecho.restore(both, tmp_path / "two")


def test_a_damaged_file_is_copied_as_it_is_but_for_the_revisits(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    file = tmp_path / "kept" / "a.warc.gz"
    whole = unpacked(file.read_bytes())
    damage = b"\x1f\x8b\x08 not gzip at all" * 5
    file.write_bytes(gzipped(*whole[:3]) + damage + gzipped(*whole[3:]) + damage)
    told = webecho.restore(tmp_path / "kept", tmp_path / "back")
    assert told.restored == 4
    back = (tmp_path / "back" / "a.warc.gz").read_bytes()
    first, rest = back.split(damage, 1)
    assert unpacked(first) == FILES["a.warc.gz"][:3]
    assert unpacked(rest.removesuffix(damage)) == FILES["a.warc.gz"][3:]


records_made = st.lists(
    st.tuples(st.sampled_from(["same", "same", "other", "image", "odd"]), st.booleans()),
    max_size=12,
)


@given(records_made, records_made, st.sampled_from(["warc.gz", "warc"]))
def test_any_copies_come_back(
    first: list[tuple[str, bool]], second: list[tuple[str, bool]], form: str
) -> None:
    """Whatever was a copy in either file; what had to be left out is all that is missing."""
    pack = gzipped if form == "warc.gz" else lambda *all: b"".join(all)
    files = {f"a.{form}": [page(0, http(BODY))], f"b.{form}": []}
    for name, some in zip(files, (first, second), strict=True):
        for number, (kind, crlf) in enumerate(some, 100 * (1 + (some is second))):
            files[name].append(_made(kind, number, crlf))
    files = {name: records for name, records in files.items() if records}
    with tempfile.TemporaryDirectory() as folder:
        replaced(Path(folder), files, pack)
        webecho.restore(Path(folder) / "kept", Path(folder) / "back")
        for name, records in files.items():
            back = (Path(folder) / "back" / name).read_bytes()
            left = [one for one in records if b"other" not in one and b"broken" not in one]
            assert b"".join(left) == (gzip.decompress(back) if form == "warc.gz" else back)


def _made(kind: str, number: int, crlf: bool) -> bytes:
    match kind:
        case "same":
            return page(number, http(BODY), eol="\r\n" if crlf else "\n", note="broken"[6 * crlf :])
        case "other":
            return page(number, http(BODY + b"other"))
        case "odd":
            return odd(number, http(BODY, server="x" * number))
    return page(number, http(BODY, kind="image/png"))
