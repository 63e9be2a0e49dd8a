"""The folder that holds everything: what is in it, and what is said when it is damaged."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import WarcFile, as_folder, as_jsonl, small_web
from tests.command import contents, done, webecho
from webecho import pairs
from webecho.workspace.workspace import Workspace

RULES = ("exact", "very-similar", "virtually-identical", "similar")


def test_the_files_are_those_of_the_design(crawl: Path) -> None:
    done("clusters", crawl, "--rule", "exact")
    done("pairs", crawl, "--resemblance", "0.9")
    assert sorted(contents(crawl)) == [
        "clusters/text.parquet",
        "manifest.json",
        "pairs/similar-0.9.parquet",
        *(f"sketches/part-0000{number}.parquet" for number in range(4)),
    ]
    assert list(json.loads((crawl / "run.json").read_bytes())) == [
        "locations",
        "folder",
        "sketch",
        "clusters text",
        "pairs similar-0.9",
    ]


def test_the_tables_have_the_types_that_spark_reads(crawl: Path) -> None:
    schema = pq.read_schema(crawl / "sketches" / "part-00000.parquet")
    lists = pa.list_(pa.field("element", pa.int64()))
    expected = {
        "page": pa.int64(),
        "id": pa.string(),
        "url": pa.string(),
        "host": pa.string(),
        "site": pa.string(),
        "ip": pa.string(),
        "fetched": pa.timestamp("us", "UTC"),
        "source": pa.int32(),
        "place": pa.int64(),
        "revisit_of": pa.int64(),
        "beside": pa.int64(),
        "by": pa.list_(pa.field("element", pa.string())),
        "values": pa.list_(pa.field("element", pa.binary())),
        "ranked": pa.list_(pa.field("element", pa.string())),
        "bytes": pa.int64(),
        "chars": pa.int64(),
        "tokens": pa.int64(),
        "title": pa.string(),
        "hollow": pa.bool_(),
        "markup_digest": pa.binary(),
        "payload_digest": pa.binary(),
        "text_digest": pa.binary(),
        "digest": pa.binary(),
        "features": lists,
        "supershingles": lists,
        "projection": lists,
    }
    assert dict(zip(schema.names, schema.types, strict=True)) == expected


@pytest.mark.parametrize("verb", ["clusters", "pairs"])
def test_what_is_no_workspace_is_told_how_to_become_one(tmp_path: Path, verb: str) -> None:
    for folder in (tmp_path, tmp_path / "missing.echo"):
        result = webecho(verb, folder)
        assert result.exit_code == 1
        assert result.stdout == ""
        given = f"'{folder}'" if folder.exists() else "INPUT…"
        assert result.stderr == (
            f"webecho: {folder} is no workspace (it has no manifest.json); "
            f"make one with: webecho sketch {given} -o NAME.echo\n"
        )


@pytest.mark.parametrize("verb", ["clusters", "pairs"])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("damage", ["missing", "truncated", "empty", "garbage"])
def test_a_damaged_part_is_an_error_that_names_it(
    crawl: Path, damage: str, rule: str, verb: str
) -> None:
    part = crawl / "sketches" / "part-00001.parquet"
    match damage:
        case "missing":
            part.unlink()
        case "truncated":
            part.write_bytes(part.read_bytes()[:-100])
        case "empty":
            part.write_bytes(b"")
        case "garbage":
            part.write_bytes(b"PAR1" + bytes(1000) + b"PAR1")
    result = webecho(verb, crawl, "--rule", rule)
    assert result.exit_code == 1
    assert str(part) in result.stderr
    assert "sketch" in result.stderr


def use(warc: Path, path: Path) -> list[str]:
    """Makes a workspace and groups its pages; gives what was printed."""
    done("sketch", warc, f"--out={path}", "--part-pages", 9)
    return [
        done(verb, "--rule", rule, "--format", "json", "--", path).stdout
        for verb, rule in (("clusters", "similar"), ("pairs", "exact"))
    ]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[str]]:
    """An archive with a revisit, its workspace, and what was printed of it."""
    folder = tmp_path_factory.mktemp("plain")
    with WarcFile(folder / "pages.warc.gz") as warc:
        ids = [warc.response(each.url, each.html.encode()) for each in small_web()]
        warc.revisit("http://a.example.org/1", Refers_To=ids[1])
    return warc.file, folder / "plain.echo", use(warc.file, folder / "plain.echo")


@pytest.mark.parametrize(
    "name",
    [
        "crawl[1].echo",
        "what?*.echo",
        'it\'s "quoted", is it.echo',
        "two words.echo",
        "year=2004/crawl.echo",
        "page=7/url=x.echo",
        "-o.echo",
        "страница.echo",
        "{a,b}.echo",
        "no-ending",
        ".hidden",
    ],
)
def test_a_workspace_may_have_any_name(
    tmp_path: Path, name: str, plain: tuple[Path, Path, list[str]]
) -> None:
    warc, usual, printed = plain
    assert use(warc, tmp_path / name) == printed
    assert contents(tmp_path / name) == contents(usual)
    assert Workspace.open(tmp_path / name).table().equals(Workspace.open(usual).table())


def test_a_rule_that_needs_a_column_names_the_command_that_adds_it(tmp_path: Path) -> None:
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    bare = tmp_path / "bare.echo"
    done("sketch", pages, "-o", bare, "--columns", "projection")
    for rule, missing in [("very-similar", "supershingles"), ("similar", "features")]:
        for verb in ("clusters", "pairs"):
            result = webecho(verb, bare, "--rule", rule)
            assert result.exit_code == 1
            assert f"{bare} has no column {missing}; sketch again with: " in result.stderr
            assert f"--columns projection,{missing}" in result.stderr
    assert "pages in clusters    7\n" in done("clusters", bare, "--rule", "tokens").stdout


def test_a_workspace_within_the_folder_that_is_read_is_no_part_of_it(tmp_path: Path) -> None:
    """Whatever it is called: else the second run would find more files than the first."""
    folder = as_folder(tmp_path / "pages", small_web())
    for name in ("crawl.echo", "out"):
        arguments = ("sketch", folder, "-o", folder / name)
        first = done(*arguments)
        assert "pages                 16\n" in first.stdout
        assert done(*arguments).stdout == first.stdout
        assert not any(pairs(folder / name)["estimated"].to_pylist())
