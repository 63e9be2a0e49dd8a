"""The index of several files is sorted by its bytes."""

import gzip
from pathlib import Path

from tests.read.archives import gzipped, response, saved
from webecho.engine.local.engine import local_run
from webecho.write.cdx import write_index


def test_lines_of_all_archives_are_in_order(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "sub").mkdir(parents=True)
    pages = [response(f"http://{host}/", b"x") for host in ("c.org", "B.org", "ab.org", "a.org")]
    files = [
        saved(data, "one.warc.gz", gzipped(*pages[:2])),
        saved(data, "sub/two.warc", b"".join(pages[2:])),
        saved(data, "lines.jsonl", b"{}"),
    ]
    out = tmp_path / "index.cdxj"
    found = write_index([Path(file) for file in files], data, out, local_run())
    assert found == (4, [])
    lines = out.read_bytes().splitlines()
    assert lines == sorted(lines)
    assert [line.split()[0] for line in lines] == [b"org,a)/", b"org,ab)/", b"org,b)/", b"org,c)/"]
    assert b'"filename": "sub/two.warc"' in lines[0]


def test_what_has_no_places_to_go_to_is_named(tmp_path: Path) -> None:
    whole = gzip.compress(response("http://a/", b"x") * 2)
    file = Path(saved(tmp_path, "a.warc.gz", whole))
    count, lost = write_index([file], tmp_path, tmp_path / "index.cdxj", local_run())
    assert (count, (tmp_path / "index.cdxj").read_bytes()) == (0, b"")
    assert lost == [
        "a.warc.gz: not in the index, for it is compressed as a whole; try: warcio recompress"
    ]
