import hashlib
from contextlib import closing
from pathlib import Path

from tests.read.archives import DATE, gzipped, http, record, saved
from webecho.write.originals import RecordReader
from webecho.write.revisits import Standing

FIRST = record("warcinfo", b"")
PAGE = record(
    "response", http(b"<p>page"), record_id="<urn:uuid:1>", target_uri="http://a.example/"
)


def test_a_record_is_read_with_its_two_line_ends(tmp_path: Path) -> None:
    name = saved(tmp_path, "a.warc.gz", gzipped(FIRST, PAGE))
    with closing(RecordReader()) as records:
        assert records.read(name, len(gzipped(FIRST))) == PAGE
        assert records.read(name, 0) == FIRST
        assert records.read(name, 5) is None


def test_what_a_revisit_says_of_it(tmp_path: Path) -> None:
    name = saved(tmp_path, "a.warc", FIRST + PAGE)
    head, body = (hashlib.sha256(each).hexdigest() for each in (http(b""), b"<p>page"))
    with closing(RecordReader()) as records:
        for _ in range(2):
            assert records.standing(name, len(FIRST)) == Standing(
                b"<urn:uuid:1>", b"http://a.example/", DATE.encode(), body, head
            )
        # A record of another kind is none to refer to.
        assert records.standing(name, 0) is None


def test_more_files_than_are_held_open(tmp_path: Path) -> None:
    names = [saved(tmp_path, f"{number}.warc", PAGE) for number in range(40)]
    with closing(RecordReader()) as records:
        for name in (*names, *names):
            assert records.read(name, 0) == PAGE
