import gzip
import hashlib
import json

from webecho.formats.cdxj import Moved, Moves, block_line, blocks, is_gone, note_kept, renewed


def line(url: str, offset: int, time: str = "20200131235958", file: str = "a.warc.gz") -> bytes:
    fields = {"url": url, "filename": file, "offset": str(offset), "length": "10"}
    return f"org,a)/ {time} {json.dumps(fields)}\n".encode()


def moves() -> Moves:
    """Of three records of 100 bytes the middle one is gone."""
    return Moves(files={"a.warc.gz": [Moved(0, 0, 100), Moved(200, 100, 100)]})


def test_what_stood_somewhere_stands_elsewhere_or_nowhere() -> None:
    known = moves()
    found = [known.moved("a.warc.gz", offset) for offset in (0, 99, 100, 199, 200, 299, 300)]
    new = [None if each is None else each.new for each in found]
    assert new == [0, 99, None, None, 100, 199, None]


def test_a_record_that_was_replaced_has_another_length_and_type() -> None:
    known = Moves(files={"a.warc.gz": [Moved(0, 0, 100), Moved(100, 100, 7, replaced=True)]})
    (made,) = renewed([line("http://a.org/2", 100)], known)
    assert json.loads(made.split(b" ", 2)[2]) == {
        "url": "http://a.org/2",
        "filename": "a.warc.gz",
        "offset": "100",
        "length": "7",
        "mime": "warc/revisit",
    }
    assert known.moved("a.warc.gz", 103) is None


def test_in_the_lines_of_records_that_stay_only_the_offset_changes() -> None:
    lines = [line("http://a.org/1", 0), line("http://a.org/2", 100), line("http://a.org/3", 200)]
    assert list(renewed(lines, moves())) == [lines[0], lines[2].replace(b'"200"', b'"100"')]


def test_lines_of_other_files_and_heads_stay() -> None:
    lines = [b"!meta 0 {}\n", line("http://b.org/", 100, file="b.warc.gz"), b"\n"]
    assert list(renewed(lines, moves())) == lines


def test_lines_that_tell_no_place_are_counted() -> None:
    known = moves()
    known.rewritten["a.warc.gz"] = [range(200, 300)]
    lines = [b"no line of an index\n", b"org,a)/ 2020 {broken}\n", line("http://a.org/3", 200)]
    assert list(renewed(lines, known)) == []
    assert known.dropped == 3


def test_a_capture_is_gone_with_the_last_of_its_time() -> None:
    known = moves()
    gone, other = line("http://a.org/", 100), line("http://a.org/", 0, "20210131235958")
    note_kept(renewed([gone, other], known), known)
    assert is_gone("http://a.org/", "2020-01-31T23:59:58Z", known)
    assert not is_gone("http://a.org/", "2021-01-31T23:59:58Z", known)
    # When a page began to load is often not when its record was made: then any capture may be it.
    assert not is_gone("http://a.org/", "2020-01-31T23:59:57Z", known)
    assert not is_gone("http://b.org/", "2020-01-31T23:59:58Z", known)


def test_blocks_of_three_thousand_lines() -> None:
    lines = [b"key%d 2020 {}\n" % number for number in range(3001)]
    (first, block), (second, rest) = blocks(lines)
    assert (first, gzip.decompress(block)) == (b"key0 2020", b"".join(lines[:3000]))
    assert (second, gzip.decompress(rest)) == (b"key3000 2020", lines[3000])


def test_the_line_of_a_block() -> None:
    found = block_line(b"key 2020", b"block", 17, "index.cdx.gz")
    digest = hashlib.sha256(b"block").hexdigest()
    assert found.startswith(b"key 2020 {")
    assert json.loads(found.removeprefix(b"key 2020 ")) == {
        "offset": 17,
        "length": 5,
        "digest": f"sha256:{digest}",
        "filename": "index.cdx.gz",
    }


def test_the_digest_of_a_record_that_was_replaced_goes() -> None:
    known = Moves(files={"a.warc.gz": [Moved(0, 0, 100), Moved(100, 100, 7, replaced=True)]})
    more = b'"recordDigest": "sha256:00", "digest": "sha1:A", "url"'
    lines = [line(f"http://a.org/{at}", at).replace(b'"url"', more) for at in (0, 100)]
    stays, made = (json.loads(each.split(b" ", 2)[2]) for each in renewed(lines, known))
    assert (stays["recordDigest"], stays["digest"]) == ("sha256:00", "sha1:A")
    assert ("recordDigest" in made, made["digest"]) == (False, "sha1:A")
