"""Objects as files, and names of any bytes: in them, in folders that are read, and where results
are to go."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.command import done, webecho
from tests.read.archives import ONE, THREE, gzipped, http, record
from webecho.workspace.json_files import json_bytes
from webecho.workspace.workspace import Workspace

LATIN = "caf\udce9"


def test_text_stands_as_it_is_but_halves_of_characters_are_spelt_out() -> None:
    assert json_bytes({"a": "é"}) == '{\n "a": "é"\n}\n'.encode()
    assert json_bytes({"é": LATIN}) == b'{\n "\\u00e9": "caf\\udce9"\n}\n'
    assert json.loads(json_bytes({"é": LATIN})) == {"é": LATIN}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def one_of(ending: str, folder: Path) -> str:
    """A file of this ending, whose name is not UTF-8, with two equal pages and another."""
    texts = ["the same words", "the same words", "others"]
    name = f"{LATIN}.{ending}"
    table = pa.table({"text": texts})
    with (folder / name).open("wb") as file:
        match ending:
            case "parquet":
                pq.write_table(table, file)
            case "arrow":
                with pa.ipc.new_file(file, table.schema) as writer:
                    writer.write_table(table)
            case "jsonl":
                file.writelines(json.dumps({"text": text}).encode() + b"\n" for text in texts)
            case "csv":
                file.write("\n".join(["text", *texts, ""]).encode())
            case _:
                file.write(gzipped(ONE, ONE, THREE))
    return name


@pytest.mark.parametrize("ending", ["parquet", "arrow", "jsonl", "csv", "warc.gz"])
def test_a_name_that_is_not_utf8_is_read_written_and_shown(here: Path, ending: str) -> None:
    name = one_of(ending, here)
    done("sketch", name, "-o", "w.echo")
    workspace = Workspace.open("w.echo")
    assert [source["name"] for source in workspace.manifest.sources] == [name]
    assert workspace.source_names == [f"caf\\xe9.{ending}"]
    done("dedup", name, "-o", "out")
    assert [each.name for each in Path("out/data").iterdir()] == [name]
    gone = pq.read_table("out/duplicates.parquet").to_pylist()
    assert [row["source"] for row in gone] == [f"caf\\xe9.{ending}"]
    done("verify", "out")
    # What was sketched is known again.
    assert "is in w.echo already" in webecho("sketch", name, "-o", "w.echo", "--append").stderr


@pytest.mark.parametrize(("ending", "pages"), [("jpg", 2), ("warc.gz", 2), ("html", 3)])
def test_a_stray_name_stops_no_folder(here: Path, ending: str, pages: int) -> None:
    (here / "crawl").mkdir()
    (here / "crawl" / "a.warc.gz").write_bytes(gzipped(ONE, THREE))
    (here / "crawl" / f"{LATIN}.{ending}").touch()
    for command in (("sketch", "crawl", "-o", "w.echo"), ("dedup", "crawl", "-o", "out")):
        shown = done(*command)
        assert "Traceback" not in shown.stderr
    assert Workspace.open("w.echo").pages == pages


def test_revisits_of_what_stands_in_such_a_file_are_restored(here: Path) -> None:
    name = f"{LATIN}.warc.gz"
    for number, file in enumerate((name, "later.warc.gz")):
        fields = {"record_id": f"<urn:uuid:{number}>", "date": f"2004-01-3{number}T12:00:00Z"}
        page = record("response", http(b"<p>body"), target_uri=f"http://{number}.org/", **fields)
        (here / file).write_bytes(gzipped(page))
    options = ("--rule", "payload", "--revisit")
    done("dedup", name, "-o", "first", *options)
    done("dedup", "later.warc.gz", "-o", "second", *options, "--against", "first.echo")
    restored = done("restore", "second/data", name, "-o", "whole").stdout
    assert ["restored", "1"] in [line.split() for line in restored.splitlines()]


def test_results_do_not_go_where_tables_cannot_lie(here: Path) -> None:
    name = one_of("jsonl", here)
    for command in (("sketch", name, "-o", f"{LATIN}.echo"), ("dedup", name, "-o", LATIN)):
        refused = webecho(*command)
        assert refused.exit_code == 1
        assert "caf\\xe9" in refused.stderr
        assert "tables can lie only where the path is UTF-8" in refused.stderr
    assert [each.name for each in here.iterdir()] == [name]


def test_nor_below_a_folder_of_such_a_name(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / LATIN).mkdir()
    name = one_of("jsonl", here / LATIN)
    monkeypatch.chdir(here / LATIN)
    assert "tables can lie only where" in webecho("dedup", name, "-o", "out").stderr
    # Where nobody else has to find it, that does not matter.
    done("sketch", name, "-o", "w.echo")
