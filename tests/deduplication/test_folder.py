"""`webecho dedup` in every format: what stays is what it was, byte for byte."""

import gzip
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import (
    WarcFile,
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_table,
    as_warc,
    many_pages,
    markup,
    prose,
    small_web,
)
from tests.command import done
from tests.command import webecho as run
from tests.deduplication.results import GONE, STAY, check_tables, members, summary, table


def test_parquet(tmp_path: Path) -> None:
    rows = as_table(small_web())
    rows = rows.append_column("tags", pa.array([[str(n)] * (n % 3) for n in range(16)]))
    rows = rows.replace_schema_metadata({"made": "by hand"})
    pq.write_table(rows, tmp_path / "web.parquet", row_group_size=5)
    rows = pq.read_table(tmp_path / "web.parquet")
    out = tmp_path / "out"
    shown = done("dedup", tmp_path / "web.parquet", "-o", out).stdout
    written = pq.read_table(out / "data" / "web.parquet")
    assert written == rows.take(STAY)
    assert written.schema.equals(rows.schema, check_metadata=True)
    check_tables(out)
    lines = dict(line.split(maxsplit=1) for line in shown.splitlines() if "," not in line[:14])
    assert (lines["read"], lines["kept"], lines["removed"]) == ("16", "10", "6")
    assert lines["written"].split() == ["to", str(out)]


def test_jsonl_lines_are_the_same_bytes(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web(), {3: "{broken", 9: "", 12: "[1, 2]"})
    done("dedup", file, "-o", tmp_path / "out")
    lines = file.read_bytes().splitlines(keepends=True)
    gone = {f"doc-{page}" for page in GONE}
    expected = [line for line in lines if not any(f'"{each}"'.encode() in line for each in gone)]
    assert (tmp_path / "out" / "data" / "web.jsonl").read_bytes() == b"".join(expected)
    check_tables(tmp_path / "out")
    reasons = [row["reason"] for row in table(tmp_path / "out", "skipped")]
    assert reasons == ["bad JSON", "blank", "bad JSON"]


def test_csv_and_standard_input(tmp_path: Path) -> None:
    file = as_csv(tmp_path / "web.csv", small_web())
    done("dedup", file, "-o", tmp_path / "out")
    head, *rows = file.read_bytes().splitlines(keepends=True)
    kept = (tmp_path / "out" / "data" / "web.csv").read_bytes()
    assert kept == head + b"".join(rows[page] for page in STAY)
    jsonl = as_jsonl(tmp_path / "web.jsonl", small_web()).read_bytes()
    done("dedup", "-", "-o", tmp_path / "piped", stdin=jsonl)
    lines = jsonl.splitlines(keepends=True)
    kept = (tmp_path / "piped" / "data" / "stdin.jsonl").read_bytes()
    assert kept == b"".join(lines[page] for page in STAY)


def test_folder(tmp_path: Path) -> None:
    folder = as_folder(tmp_path / "site", small_web())
    (folder / "style.css").write_text("a { }")
    done("dedup", folder, "-o", tmp_path / "out")
    kept = {file.name: file.read_bytes() for file in (tmp_path / "out" / "data").iterdir()}
    expected = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert kept == {name: data for name, data in expected.items() if name[:5] not in gone_names()}
    assert "style.css" in kept


def gone_names() -> set[str]:
    return {f"{page:05d}" for page in GONE}


def test_warc_members_are_copied_as_they_are(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "web.warc.gz", small_web())
    done("dedup", file, "-o", tmp_path / "out")
    before = members(file)
    assert members(tmp_path / "out" / "data" / "web.warc.gz") == [before[page] for page in STAY]
    check_tables(tmp_path / "out")


@pytest.mark.parametrize("way", ["request names response", "response names request"])
def test_requests_go_with_their_responses(tmp_path: Path, way: str) -> None:
    from tests.read.archives import gzipped, http, record

    page = markup(prose(1, 50)).encode()
    records = [record("warcinfo", b"x: y\r\n")]
    for number, body in enumerate([page, page, b"<p>else</p>"]):
        url, own, asked = f"http://a.example/{number}", f"<urn:r{number}>", f"<urn:q{number}>"
        names = way == "request names response"
        request = {"concurrent_to": own} if names else {}
        response = {} if names else {"concurrent_to": asked}
        records.append(
            record("request", b"GET / HTTP/1.1\r\n\r\n", record_id=asked, target_uri=url, **request)
        )
        records.append(record("response", http(body), record_id=own, target_uri=url, **response))
        records.append(
            record("metadata", b"a: b\r\n", record_id=f"<urn:m{number}>", concurrent_to=own)
        )
    file = tmp_path / "web.warc.gz"
    file.write_bytes(gzipped(*records))
    out = tmp_path / "out"
    done("dedup", file, "-o", out)
    before = members(file)
    assert members(out / "data" / "web.warc.gz") == before[:4] + before[7:]
    counts = summary(out)["counts"]
    assert (counts["removed"], counts["records removed with their pages"]) == (1, 2)


def test_an_id_that_a_page_which_stays_has_too_takes_no_request_along(tmp_path: Path) -> None:
    from tests.read.archives import gzipped, http, record

    page = markup(prose(1, 50)).encode()
    same = {"record_id": "<urn:same>"}
    records = [
        record(
            "request", b"GET / HTTP/1.1\r\n\r\n", record_id="<urn:q>", concurrent_to="<urn:same>"
        ),
        record("response", http(page), target_uri="http://a.example/1", **same),
        record("response", http(page), target_uri="http://a.example/2", **same),
    ]
    file = tmp_path / "web.warc.gz"
    file.write_bytes(gzipped(*records))
    done("dedup", file, "-o", tmp_path / "out")
    assert members(tmp_path / "out" / "data" / "web.warc.gz") == members(file)[:2]


def test_copies_across_files_of_several_formats(tmp_path: Path) -> None:
    web = small_web()
    (tmp_path / "in").mkdir()
    as_warc(tmp_path / "in" / "a.warc.gz", web)
    as_parquet(tmp_path / "in" / "b.parquet", web)
    as_jsonl(tmp_path / "c.jsonl", web)
    out = tmp_path / "out"
    done("dedup", tmp_path / "in", tmp_path / "c.jsonl", "-o", out)
    assert sorted(
        path.relative_to(out / "data").as_posix() for path in (out / "data").rglob("*.*")
    ) == [
        "c.jsonl",
        "in/a.warc.gz",
        "in/b.parquet",
    ]
    assert len(members(out / "data" / "in" / "a.warc.gz")) == len(STAY)
    # Of the others only the empty pages, which are like nothing, stay.
    assert pq.read_table(out / "data" / "in" / "b.parquet")["id"].to_pylist() == ["doc-6", "doc-7"]
    assert len((out / "data" / "c.jsonl").read_bytes().splitlines()) == 2


def test_inputs_of_one_name_do_not_meet(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        as_jsonl(tmp_path / name / "web.jsonl", many_pages(5, seed=len(name) + ord(name[0])))
    out = tmp_path / "out"
    done("dedup", tmp_path / "one" / "web.jsonl", tmp_path / "two" / "web.jsonl", "-o", out)
    for number, name in enumerate(("one", "two"), 1):
        kept = out / "data" / str(number) / "web.jsonl"
        assert kept.read_bytes() == (tmp_path / name / "web.jsonl").read_bytes()


def test_an_arc_file_does_not_meet_a_warc_file_of_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    as_warc(folder / "x.warc.gz", many_pages(1, seed=1))
    body = http_page(markup(prose(5, 30)))
    line = b"http://arc.example/ 192.0.2.1 20040131120000 text/html %d\n" % len(body)
    head = b"filedesc://x.arc 0.0.0.0 20040131120000 text/plain 9\n1 0 test\n\n"
    (folder / "x.arc").write_bytes(head + line + body + b"\n")
    as_warc(folder / "x.warc", many_pages(1, seed=2))
    out = tmp_path / "out"
    done("dedup", folder, "-o", out)
    kept = webecho.sketch(str(out / "data"))["url"].to_pylist()
    assert sorted(kept) == [
        "http://arc.example/",
        "http://h0.example.org/0.html",
        "http://h0.example.org/0.html",
    ]


def http_page(html: str) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html.encode()


def test_inputs_without_any_page_stand_beside_others(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "none.warc.gz") as warc:
        warc.response("http://a.example/", b"gone", status="404 Not Found")
        warc.request("http://a.example/")
    some = as_warc(tmp_path / "some.warc.gz", small_web())
    for number, order in enumerate((("none", "some"), ("some", "none"), ("none",))):
        out = tmp_path / f"out-{number}"
        done("dedup", *(tmp_path / f"{name}.warc.gz" for name in order), "-o", out)
        nothing = (tmp_path / "none.warc.gz").read_bytes()
        assert (out / "data" / "none.warc.gz").read_bytes() == nothing
        if "some" in order:
            before = members(some)
            kept = members(out / "data" / "some.warc.gz")
            assert kept == [before[page] for page in STAY]


def test_archives_of_other_kinds(tmp_path: Path) -> None:
    """WACZ, WET and compressed lines, all of the same pages; ARC has a test of its own."""
    from tests.read.archives import gzipped, record

    web = small_web()
    warc = as_warc(tmp_path / "web.warc.gz", web)
    with zipfile.ZipFile(tmp_path / "web.wacz", "w") as packed:
        packed.write(warc, "archive/web.warc.gz")
        packed.writestr("datapackage.json", json.dumps({"profile": "data-package"}))
    done("dedup", tmp_path / "web.wacz", "-o", tmp_path / "wacz")
    with zipfile.ZipFile(tmp_path / "wacz" / "data" / "web.wacz") as packed:
        (tmp_path / "inside.warc.gz").write_bytes(packed.read("archive/web.warc.gz"))
    before = members(warc)
    assert members(tmp_path / "inside.warc.gz") == [before[page] for page in STAY]
    check_tables(tmp_path / "wacz")

    texts = [" ".join(prose(seed, 40)).encode() for seed in (1, 2, 1, 3, 2)]
    wet = [
        record(
            "conversion", text, target_uri=f"http://a.example/{number}", content_type="text/plain"
        )
        for number, text in enumerate(texts)
    ]
    (tmp_path / "web.warc.wet.gz").write_bytes(gzipped(*wet))
    done("dedup", tmp_path / "web.warc.wet.gz", "-o", tmp_path / "wet")
    assert members(tmp_path / "wet" / "data" / "web.warc.wet.gz") == [
        gzipped(wet[page]) for page in (0, 1, 3)
    ]

    lines = as_jsonl(tmp_path / "web.jsonl", web).read_bytes()
    (tmp_path / "web.jsonl.gz").write_bytes(gzip.compress(lines))
    done("dedup", tmp_path / "web.jsonl.gz", "-o", tmp_path / "lines")
    kept = gzip.decompress((tmp_path / "lines" / "data" / "web.jsonl.gz").read_bytes())
    assert kept == b"".join(lines.splitlines(keepends=True)[page] for page in STAY)


def test_revisit_and_restore_give_the_input_back(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    bodies = [markup(prose(seed, 40)).encode() for seed in range(3)]
    for name, order in (("a.warc.gz", [0, 1, 0]), ("b.warc.gz", [1, 2, 2])):
        with WarcFile(folder / name) as warc:
            for number, body in enumerate(order):
                url = f"http://{name}/{number}"
                id_ = warc.response(url, bodies[body])
                warc.request(url, Concurrent_To=id_)
    out = tmp_path / "out"
    done("dedup", folder, "--revisit", "--rule", "exact", "-o", out)
    counts = summary(out)["counts"]
    assert (counts["removed"], counts["revisits"]) == (3, 3)
    done("restore", out / "data", "-o", tmp_path / "back")
    for name in ("a.warc.gz", "b.warc.gz"):
        after = gzip.decompress((tmp_path / "back" / name).read_bytes())
        assert after == gzip.decompress((folder / name).read_bytes())
    # Read again, a revisit is an exact copy of what it stands for.
    again = webecho.clusters(str(out / "data"), "exact")
    assert sorted(again["size"].to_pylist()) == [2, 2, 2, 2, 2, 2]


def test_a_copy_in_other_markup_is_no_revisit(tmp_path: Path) -> None:
    words = prose(1, 40)
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        warc.response("http://a.example/1", markup(words).encode())
        warc.response("http://a.example/2", ("<b>" + " ".join(words) + "</b>").encode())
    done("dedup", tmp_path / "a.warc.gz", "--revisit", "-o", tmp_path / "out")
    counts = summary(tmp_path / "out")["counts"]
    assert (counts["removed, same text"], counts["revisits"]) == (1, 0)


def test_a_revisit_that_is_there_already_stays(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        first = warc.response("http://a.example/", markup(prose(1, 40)).encode())
        warc.revisit("http://a.example/", Refers_To=first)
    out = tmp_path / "out"
    done("dedup", tmp_path / "a.warc.gz", "--revisit", "-o", out)
    assert members(out / "data" / "a.warc.gz") == members(tmp_path / "a.warc.gz")
    done("dedup", tmp_path / "a.warc.gz", "-o", tmp_path / "without")
    assert len(members(tmp_path / "without" / "data" / "a.warc.gz")) == 1


def test_an_output_within_its_input_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    file = as_jsonl(tmp_path / "in" / "a.jsonl", small_web())
    refused = run("dedup", tmp_path / "in", "-o", tmp_path / "in" / "out")
    assert (refused.exit_code, "lies in the input" in refused.stderr) == (2, True)
    assert [*(tmp_path / "in").iterdir()] == [file]
    done("dedup", file, "-o", tmp_path / "in" / "out")
