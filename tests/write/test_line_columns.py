"""More keys and fields, and all else as it was."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from tests.command import done, webecho

TEXT = "one two three four five six"
ADDED = ("cluster", "size", "kept", "kept_id", "resemblance")


def annotated(folder: Path, name: str, data: bytes, *more: str) -> bytes:
    (folder / name).write_bytes(data)
    done("dedup", folder / name, "-o", folder / "out", "--annotate", *more)
    return (folder / "out" / "data" / name).read_bytes()


def test_lines_keep_their_bytes_and_get_keys(tmp_path: Path) -> None:
    lines = [
        b'{"id": 7, "text": "%b", "big": 12345678901234567890123, "f": 1.50}' % TEXT.encode(),
        b'  {"text":"%b","id":8 }  \r' % TEXT.encode(),
        b"{broken",
        b"",
        b'{"text": ["no text"]}',
        b'{"id": "x\\u00e9", "text": "others are these words"}',
    ]
    found = annotated(tmp_path, "a.jsonl", b"\n".join(lines)).split(b"\n")
    assert len(found) == len(lines)
    # What is no page stays as it is.
    assert found[2:5] == lines[2:5]
    assert found[0].startswith(lines[0][:-1] + b", ")
    rows = [json.loads(found[line]) for line in (0, 1, 5)]
    assert found[1].endswith(b"}\r") and rows[1]["id"] == 8
    told = [{name: row[f"webecho_{name}"] for name in ADDED} for row in rows]
    # Ids are numbers where they were.
    assert [each["kept_id"] for each in told] == [7, 7, "xé"]
    assert [each["kept"] for each in told] == [True, False, True]
    assert [each["resemblance"] for each in told] == [None, 1.0, None]
    assert [each["size"] for each in told] == [2, 2, 1]
    assert told[0]["cluster"] == told[1]["cluster"] != told[2]["cluster"]


def test_an_object_without_keys_and_a_byte_order_mark(tmp_path: Path) -> None:
    data = b'\xef\xbb\xbf{"text": "%b"}\n{}\n' % TEXT.encode()
    first, second = annotated(tmp_path, "a.jsonl", data).splitlines()
    assert first.startswith(b'\xef\xbb\xbf{"text"')
    assert json.loads(second)["webecho_size"] == 1


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_rows_get_fields_and_a_longer_header(tmp_path: Path, sign: str) -> None:
    rows = [["id", "text"], ["a", TEXT], ["b", f'say "{TEXT}",\nand more' if sign != "\t" else "x"]]
    with (tmp_path / "made.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=sign).writerows([*rows, ["c", TEXT], ["d", "too", "many"]])
    data = (tmp_path / "made.csv").read_bytes()
    name = "a.tsv" if sign == "\t" else "a.csv"
    found = annotated(tmp_path, name, data).decode()
    header, *others = csv.reader(found.splitlines(keepends=True), delimiter=sign)
    assert header == ["id", "text", *(f"webecho_{name}" for name in ADDED)]
    assert [row[:2] for row in others[:3]] == [*rows[1:], ["c", TEXT]]
    assert [row[2:] for row in others[:3]] == [
        ["0", "2", "true", "a", ""],
        ["1", "1", "true", "b", ""],
        ["0", "2", "false", "a", "1.0"],
    ]
    # A row of too many fields is no page, and stays.
    assert others[3] == ["d", "too", "many"]


def test_what_is_dropped_goes_and_the_rest_is_told(tmp_path: Path) -> None:
    data = b'{"text": "%b"}\n{"text": "x"}\n{"text": "%b"}\n' % ((TEXT.encode(),) * 2)
    found = annotated(tmp_path, "a.jsonl", data, "--min-words", "2", "--prefix", "dup_")
    rows = [json.loads(line) for line in found.splitlines()]
    assert [row["dup_kept"] for row in rows] == [True, False]


def test_compressed_lines(tmp_path: Path) -> None:
    data = gzip.compress(b'{"text": "%b"}\n' % TEXT.encode() * 2, mtime=0)
    found = gzip.decompress(annotated(tmp_path, "a.jsonl.gz", data))
    assert [json.loads(line)["webecho_kept"] for line in found.splitlines()] == [True, False]


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_nothing_that_was_there_is_replaced(tmp_path: Path, name: str) -> None:
    """The output of an annotation, annotated again."""
    data = b"text\n" + TEXT.encode() if name == "a.csv" else b'{"text": "%b"}' % TEXT.encode()
    annotated(tmp_path, name, data + b"\n")
    again = tmp_path / "out" / "data" / name
    refused = webecho("dedup", again, "-o", tmp_path / "again", "--annotate")
    assert refused.exit_code != 0
    assert "has a column webecho_cluster already; name the new ones otherwise with --prefix" in (
        refused.stderr
    )
    assert not (tmp_path / "again").exists()
    done("dedup", again, "-o", tmp_path / "again", "--annotate", "--prefix", "second_")
