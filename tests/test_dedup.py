"""`webecho dedup` from end to end, in every format: what stays is what it was, byte for byte."""

import gzip
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import (
    EXACT,
    NEAR,
    Page,
    WarcFile,
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_table,
    as_warc,
    edited,
    many_pages,
    markup,
    prose,
    small_web,
)
from tests.command import contents, done, started
from tests.command import webecho as run
from tests.sketches.test_resume import killed_at_rename
from webecho.group.rules.registry import RULES

GONE = sorted(page for group in NEAR for page in sorted(group)[1:])
STAY = [page for page in range(16) if page not in GONE]


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return rows


def summary(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "summary.json").read_text())
    return found


def check_tables(out: Path, *, pages: int = 16) -> None:
    """What every dedup of the small web must have decided."""
    duplicates = table(out, "duplicates")
    assert [row["page"] for row in duplicates] == GONE
    lowest = {page: min(group) for group in NEAR for page in group}
    same = {page: min(group) for group in EXACT for page in group}
    for row in duplicates:
        assert row["kept_page"] == lowest[row["page"]]
        exact = same.get(row["page"]) == row["kept_page"]
        assert (row["rule"], row["resemblance"] == 1.0) == (
            ("exact", True) if exact else ("similar", False)
        )
        assert row["resemblance"] >= 0.8
    clusters = table(out, "clusters")
    assert [row["page"] for row in clusters] == list(range(pages))
    assert [row["page"] for row in clusters if row["stays"]] == STAY
    counts = summary(out)["counts"]
    assert counts["kept"] + counts["removed"] == counts["read"] == pages
    assert counts["removed, exact"] + counts["removed, near"] == counts["removed"] == len(GONE)
    assert counts["kept, not compared"] == 2


def members(file: Path) -> list[bytes]:
    """The gzip members of a file, as they are stored."""
    data = file.read_bytes()
    starts = [place for place in range(len(data)) if data[place : place + 3] == b"\x1f\x8b\x08"]
    found = [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    return [member for member in found if gzip.decompress(member)]


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


def test_odd_collections(tmp_path: Path) -> None:
    """Only copies, one page, null bodies, repeated ids, no value to keep by."""
    text = " ".join(prose(1, 30))
    rows = [
        {"id": "same", "text": text, "score": None},
        {"id": "same", "text": text, "score": None},
        {"id": "same", "text": text, "score": 7},
    ]
    for count, kept in ((3, [2]), (1, [0])):
        file = tmp_path / f"{count}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows[:count]))
        out = tmp_path / f"out-{count}"
        done("dedup", file, "--keep", "max:score", "-o", out)
        lines = file.read_bytes().splitlines(keepends=True)
        assert (out / "data" / file.name).read_bytes() == b"".join(lines[row] for row in kept)
    nulls = pa.table({"text": pa.array([None, "", None], pa.string())})
    result = webecho.dedup(nulls)
    assert result.kept == nulls
    assert result.summary["counts"]["kept, not compared"] == 3
    empty = nulls.slice(0, 0)
    assert webecho.dedup(empty).kept == empty


def test_an_empty_input_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    result = run("dedup", tmp_path / "empty.jsonl", "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "empty.jsonl: is empty" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.jsonl"]


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    out = tmp_path / "out"
    done("dedup", file, "-o", out)
    result = run("dedup", file, "--rule", "exact", "-o", out)
    assert (result.exit_code, "--force" in result.stderr) == (2, True)
    check_tables(out)
    done("dedup", file, "--rule", "exact", "-o", out, "--force")
    assert summary(out)["counts"]["removed, near"] == 0
    other = tmp_path / "mine"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    result = run("dedup", file, "-o", other, "--force")
    assert (result.exit_code, "no dedup wrote it" in result.stderr) == (2, True)
    assert (other / "letter.txt").read_text() == "dear"


def test_a_bad_column_is_named_before_anything_is_written(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "web.jsonl", small_web())
    for option in (("--by", "language"), ("--keep", "max:language")):
        result = run("dedup", file, *option, "-o", tmp_path / "out")
        assert result.exit_code == 1
        assert "there is no column 'language'" in result.stderr
    assert run("dedup", file, "--keep", "best", "-o", tmp_path / "out").exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["web.jsonl"]


def test_the_same_bytes_with_one_and_two_threads(tmp_path: Path) -> None:
    for name, write in (("a.warc.gz", as_warc), ("b.parquet", as_parquet), ("c.jsonl", as_jsonl)):
        file = write(tmp_path / name, many_pages(120))
        for threads in (1, 2):
            done("dedup", file, "-o", tmp_path / f"{name}-{threads}", "--threads", threads)
        assert contents(tmp_path / f"{name}-1") == contents(tmp_path / f"{name}-2")


def test_killed_at_some_renames_and_run_again(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "web.warc.gz", many_pages(40))
    done("dedup", file, "-o", tmp_path / "whole")
    expected = contents(tmp_path / "whole")
    for number in (0, 4, 9):
        out = tmp_path / f"killed-{number}"
        assert killed_at_rename(number, "dedup", file, "-o", out, "--quiet")
        assert not out.exists()
        done("dedup", file, "-o", out)
        assert contents(out) == expected
        assert contents(out.with_name(f"{out.name}.echo")) == contents(tmp_path / "whole.echo")


@pytest.mark.soak
def test_killed_at_twenty_random_points(tmp_path: Path) -> None:
    import random
    import time

    file = as_warc(tmp_path / "web.warc.gz", many_pages(4_000))
    begun = time.monotonic()
    done("dedup", file, "-o", tmp_path / "whole")
    took = time.monotonic() - begun
    chance = random.Random(1)
    out = tmp_path / "out"
    for _ in range(20):
        for path in (out, tmp_path / "out.echo"):
            shutil.rmtree(path, ignore_errors=True)
        child = started("dedup", file, "-o", out)
        time.sleep(chance.uniform(0, took + 1.5))
        child.kill()
        child.wait()
        if not out.exists():
            done("dedup", file, "-o", out)
        assert contents(out) == contents(tmp_path / "whole")


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
    assert (counts["removed, exact"], counts["revisits"]) == (1, 0)


def test_dry_run_says_what_to_expect_and_writes_nothing(tmp_path: Path) -> None:
    file = as_parquet(tmp_path / "web.parquet", many_pages(200))
    out = tmp_path / "out"
    shown = json.loads(done("dedup", file, "-o", out, "--dry-run", "--format", "json").stdout)
    assert (shown["pages in the sample"], shown["share of the inputs"]) == (200, 1.0)
    few = json.loads(
        done("dedup", file, "-o", out, "--dry-run", "--limit", 50, "--format", "json").stdout
    )
    assert (few["pages in the sample"], few["pages, about"]) == (50, 200)
    done("dedup", file, "-o", out)
    found = summary(out)["counts"]
    assert shown["removed, at least about"] == pytest.approx(found["removed"] / 200)
    assert run("dedup", file, "-o", tmp_path / "x", "--limit", 5).exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "out.echo", "web.parquet"]


def test_near_pages_of_other_urls_in_the_api(tmp_path: Path) -> None:
    text = prose(1, 204)
    pages = [
        Page("a", "http://a.example/long/path", markup(text)),
        Page("b", "http://b.example/", markup(edited(text, 100))),
    ]
    file = as_parquet(tmp_path / "two.parquet", pages)
    result = webecho.dedup(str(file), str(tmp_path / "out"), keep="shortest-url")
    assert result.kept["id"].to_pylist() == ["b"]
    assert pq.read_table(tmp_path / "out" / "data" / "two.parquet")["id"].to_pylist() == ["b"]
    (row,) = result.duplicates.to_pylist()
    assert (row["id"], row["kept_id"], row["kept_url"]) == ("a", "b", "http://b.example/")


def test_pages_whose_text_stands_in_scripts_are_compared_by_their_bytes(tmp_path: Path) -> None:
    def hollow(text: str) -> str:
        return f"<title>Guide</title><script>show({text * 100!r})</script>"

    pages = [
        Page(str(number), f"http://a.example/{number}", html)
        for number, html in enumerate([hollow("reset "), hollow("write "), hollow("reset ")])
    ]
    out = tmp_path / "out"
    done("dedup", as_jsonl(tmp_path / "web.jsonl", pages), "-o", out)
    assert [row["page"] for row in table(out, "duplicates")] == [2]
    assert summary(out)["counts"]["nearly empty, compared by bytes"] == 3


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


def test_force_replaces_a_dedup_of_other_inputs_and_what_a_kill_left(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done("dedup", as_jsonl(tmp_path / "a.jsonl", small_web()), "-o", out)
    (tmp_path / ".out.old").mkdir()
    (tmp_path / ".out.old" / "left").touch()
    other = as_jsonl(tmp_path / "b.jsonl", many_pages(20))
    done("dedup", other, "-o", out, "--force")
    assert summary(out)["counts"]["read"] == 20
    done("dedup", "-", "-o", out, "--force", stdin=other.read_bytes())
    done(
        "dedup",
        "-",
        "-o",
        out,
        "--force",
        stdin=as_jsonl(tmp_path / "c.jsonl", many_pages(9)).read_bytes(),
    )
    assert summary(out)["counts"]["read"] == 9
    assert not (tmp_path / ".out.old").exists()


def test_columns_are_for_tables(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "a.warc.gz", small_web())
    for option in (("--by", "lang"), ("--keep", "max:score")):
        result = run("dedup", file, *option, "-o", tmp_path / "out")
        assert (result.exit_code, "has no columns" in result.stderr) == (2, True)


def test_a_revisit_that_is_there_already_stays(tmp_path: Path) -> None:
    with WarcFile(tmp_path / "a.warc.gz") as warc:
        first = warc.response("http://a.example/", markup(prose(1, 40)).encode())
        warc.revisit("http://a.example/", Refers_To=first)
    out = tmp_path / "out"
    done("dedup", tmp_path / "a.warc.gz", "--revisit", "-o", out)
    assert members(out / "data" / "a.warc.gz") == members(tmp_path / "a.warc.gz")
    done("dedup", tmp_path / "a.warc.gz", "-o", tmp_path / "without")
    assert len(members(tmp_path / "without" / "data" / "a.warc.gz")) == 1


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


def test_a_keep_column_that_decides_nothing_is_told(tmp_path: Path) -> None:
    rows = [{"text": " ".join(prose(1, 30)), "lang": "en"}] * 2
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for keep, word in (
        ("max:lang", "no page has a number or date in lang"),
        ("earliest", "a date"),
    ):
        result = run("dedup", file, "--keep", keep, "-o", tmp_path / keep.replace(":", "-"))
        assert (result.exit_code, word in result.stderr) == (0, True)


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


def test_two_dedups_do_not_write_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from webecho.deduplication import job

    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    out = tmp_path / "out"
    tried: list[int] = []
    write = job.write_out

    def meanwhile(*given: Any) -> dict[str, Any]:
        # A second run, while the first one writes.
        result = run("dedup", file, "-o", out, "--force")
        tried.append(result.exit_code)
        assert "another process is writing" in result.stderr
        return write(*given)

    monkeypatch.setattr(job, "write_out", meanwhile)
    done("dedup", file, "-o", out)
    monkeypatch.undo()
    assert tried == [1]
    check_tables(out)


def test_force_removes_no_workspace_that_is_not_a_dedups(tmp_path: Path) -> None:
    done("sketch", as_jsonl(tmp_path / "a.jsonl", small_web()), "-o", tmp_path / "out.echo")
    before = contents(tmp_path / "out.echo")
    other = as_jsonl(tmp_path / "b.jsonl", many_pages(5))
    assert run("dedup", other, "-o", tmp_path / "out", "--force").exit_code == 1
    assert contents(tmp_path / "out.echo") == before


@pytest.mark.parametrize("link", ["kept", "chain"])
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_removes(tmp_path: Path, rule: str, link: str) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    out = tmp_path / "out"
    done("dedup", file, "-o", out, "--rule", rule, "--link", link)
    assert len(table(out, "clusters")) == 16
    rows = table(out, "duplicates")
    assert {row["rule"] for row in rows} <= {"exact", rule}
    assert {row["page"] for row in rows} >= {2, 3}
    assert summary(out)["settings"]["rule"] == rule


def test_thresholds_are_given_and_remembered(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    out = tmp_path / "out"
    done("dedup", file, "-o", out, "--rule", "by-site", "--least-b", 1, "--least-c-across", 380)
    settings = summary(out)["settings"]
    assert settings["resemblance"] is None
    thresholds = {name: value for name, value in settings.items() if name.startswith("least")}
    assert thresholds == {"least_b": 1, "least_c": 355, "least_c_across": 380}
    failed = run("dedup", file, "-o", tmp_path / "other", "--least-b", 3)
    assert failed.exit_code == 2
    assert "the rule similar has no least-b; that is for b, combined, by-site" in failed.stderr


@pytest.mark.parametrize(("rule", "lacks"), [("c", "column projection"), ("paragraphs", None)])
def test_an_earlier_workspace_must_have_what_a_rule_needs(
    tmp_path: Path, rule: str, lacks: str | None
) -> None:
    old = as_jsonl(tmp_path / "a.jsonl", small_web())
    new = as_jsonl(tmp_path / "b.jsonl", many_pages(5))
    done("dedup", old, "-o", tmp_path / "old")
    command = ("dedup", new, "-o", tmp_path / "new", "--rule", rule, "--against")
    failed = run(*command, tmp_path / "old.echo")
    assert failed.exit_code == 1
    assert f"{tmp_path / 'old.echo'} has no {lacks or rule}; " in failed.stderr
    assert not (tmp_path / "new.echo").exists()
    if rule == "paragraphs":
        # What it advises helps.
        done("clusters", tmp_path / "old.echo", "--rule", rule)
        done(*command, tmp_path / "old.echo")
