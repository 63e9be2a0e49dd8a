"""Records that revisits stand for are made again byte for byte."""

import gzip
import tempfile
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webecho
from tests.command import webecho as run
from tests.read.archives import gzipped, http
from tests.write.keeping import unpacked
from tests.write.revisited import BODY, CHUNKED, FILES, odd, page, replaced
from tests.write.test_warc import dictionary, zstd
from webecho.formats.frames import pieces


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
    result = webecho.restore(tmp_path / "kept", tmp_path / "back")
    assert (result.files, result.records, result.restored, dict(result.failed)) == (2, 7, 4, {})
    for name, records in files.items():
        back = (tmp_path / "back" / name).read_bytes()
        assert (
            back == (tmp_path / name).read_bytes() if form == "warc" else records == unpacked(back)
        )


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


def test_a_way_over_several_revisits(tmp_path: Path) -> None:
    """What was an original in one run can be a copy in the next."""
    block = http(BODY)
    replaced(tmp_path, {"b.warc.gz": [page(2, block), page(3, block)]})
    later = tmp_path / "later"
    later.mkdir()
    second = unpacked((tmp_path / "kept" / "b.warc.gz").read_bytes())
    written = replaced(later, {"a.warc.gz": [page(1, block)], "b.warc.gz": second})
    assert written["b.warc.gz"].revisits == 2
    result = webecho.restore(later / "kept", tmp_path / "back")
    assert result.restored == 2
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
    result = webecho.restore(tmp_path / "kept", tmp_path / "back")
    assert (result.restored, sum(result.failed.values())) == (0, 4)
    # One of the same name that is right will do.
    file.write_bytes(gzipped(*records, page(1, http(BODY))))
    assert webecho.restore(tmp_path / "kept", tmp_path / "back", force=True).restored == 4


def test_a_glob_and_two_files_of_one_name(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    result = webecho.restore(f"{tmp_path}/kept/*.warc.gz", tmp_path / "back")
    assert result.restored == 4
    both = [str(tmp_path / "kept" / "a.warc.gz"), str(tmp_path / "a.warc.gz")]
    webecho.restore(both, tmp_path / "two")
    written = sorted(file for file in (tmp_path / "two").rglob("*") if file.is_file())
    assert written == [tmp_path / "two" / number / "a.warc.gz" for number in ("1", "2")]
    with pytest.raises(webecho.InputError, match="was given already"):
        webecho.restore([*both, both[0]], tmp_path / "three")


def test_crawls_whose_files_have_the_same_names(tmp_path: Path) -> None:
    """The original of each is in a file of the same name of the crawl before."""
    for crawl in ("1", "2"):
        (tmp_path / crawl).mkdir()
        (tmp_path / crawl / "a.warc.gz").write_bytes(gzipped(page(int(crawl), http(BODY))))
    options = {"rule": "payload", "revisit": True}
    webecho.dedup(tmp_path / "1", tmp_path / "o1", **options)
    webecho.dedup(tmp_path / "2", tmp_path / "o2", against=tmp_path / "o1.echo", **options)
    given = [tmp_path / "o2" / "data", tmp_path / "o1" / "data"]
    assert webecho.restore(given, tmp_path / "all").restored == 1
    assert unpacked((tmp_path / "all" / "1" / "a.warc.gz").read_bytes()) == [page(2, http(BODY))]


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.cdxj").write_text('com,example)/ 2004 {"url": "http://example.com/"}\n')
    with pytest.raises(webecho.InputError, match=r"index\.cdxj: is no archive"):
        webecho.restore(tmp_path / "index.cdxj", tmp_path / "back")
    assert not (tmp_path / "back").exists()
    # An archive is one whatever its name.
    (tmp_path / "archive").write_bytes(gzipped(page(1, http(BODY))))
    assert webecho.restore(tmp_path / "archive", tmp_path / "back").records == 1


@pytest.mark.parametrize(
    ("more", "ends", "reason", "named"),
    [
        ("", "\r\n", "its original is not in the inputs, or not what it was", "http://a.org/ of "),
        ("", "", "its original is not in the inputs, or not what it was", "http://a.org/ of "),
        (" goes on\r\n", "\r\n\r\n", "the revisit is not in good order", "at 0"),
    ],
)
def test_a_revisit_without_a_block_is_named(
    tmp_path: Path, more: str, ends: str, reason: str, named: str
) -> None:
    """Heritrix wrote such with one line end, for what the server said not to have changed."""
    fields = (
        "WARC-Type: revisit\r\nWARC-Target-URI: http://a.org/\r\nWARC-Date: 2014-11-24T08:13:54Z"
    )
    record = f"WARC/1.0\r\n{fields}\r\n{more}Content-Length: 0\r\n\r\n{ends}"
    (tmp_path / "a.warc.gz").write_bytes(gzip.compress(record.encode()))
    found = webecho.restore(tmp_path / "a.warc.gz", tmp_path / "back")
    assert dict(found.failed) == {reason: 1}
    (said,) = (*found.not_found, *found.odd)
    assert f"a.warc.gz: {named}" in said


def test_a_damaged_file_is_copied_as_it_is_but_for_the_revisits(tmp_path: Path) -> None:
    replaced(tmp_path, FILES)
    file = tmp_path / "kept" / "a.warc.gz"
    whole = unpacked(file.read_bytes())
    damage = b"\x1f\x8b\x08 not gzip at all" * 5
    file.write_bytes(gzipped(*whole[:3]) + damage + gzipped(*whole[3:]) + damage)
    result = webecho.restore(tmp_path / "kept", tmp_path / "back")
    assert result.restored == 4
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
    """Whatever was a copy in either file."""
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
            assert b"".join(records) == (gzip.decompress(back) if form == "warc.gz" else back)


def _made(kind: str, number: int, crlf: bool) -> bytes:
    match kind:
        case "same":
            return page(number, http(BODY), eol="\r\n" if crlf else "\n", note="broken"[6 * crlf :])
        case "other":
            return page(number, http(BODY + b"other"))
        case "odd":
            return odd(number, http(BODY, server="x" * number))
    return page(number, http(BODY, kind="image/png"))
