"""What the manifest says of sources, and where they lie."""

import shutil
import traceback
from pathlib import Path

import fsspec
import pytest
from click.testing import Result

import webecho as webecho_api
from tests.collections_made import as_folder, as_jsonl, small_web
from tests.command import done, manifest, webecho, write_manifest
from webecho.errors import InputError, SettingsError, WorkspaceError
from webecho.formats.files import reaching
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.columns import ColumnNames
from webecho.workspace.run_file import read_run
from webecho.workspace.sources import (
    check_new,
    check_unchanged,
    describe,
    known_locations,
    options_as_dict,
    options_from_dict,
)
from webecho.workspace.workspace import Workspace


def test_inputs_name_the_range_of_their_sources(crawl: Path) -> None:
    options = ReadOptions()
    pages = str(crawl.parent / "pages.jsonl")
    inputs, sources = describe(open_collection([pages], options), options)
    assert inputs == manifest(crawl)["inputs"]
    assert sources == manifest(crawl)["sources"]
    assert [each["sources"] for each in inputs] == [[0, 1]]


def test_options_come_back_as_they_were() -> None:
    given = ReadOptions(columns=ColumnNames(text="body"), statuses=(200, 404), convert={"a/b": "c"})
    values = options_as_dict(given)
    # Only what was said.
    assert values["columns"] == {"text": "body"}
    assert options_from_dict(values) == given


def test_a_source_that_changed_is_refused() -> None:
    before = [{"name": "a", "format": "jsonl", "stamp": {"size": 1}}]
    check_unchanged(before, [before[0] | {"name": "elsewhere/a"}])
    with pytest.raises(WorkspaceError, match="a has changed since it was sketched"):
        check_unchanged(before, [before[0] | {"stamp": {"size": 2}}])
    with pytest.raises(WorkspaceError, match="the inputs hold 2 files, 1 when they were sketched"):
        check_unchanged(before, before * 2)


def test_locations_are_seen_from_the_workspace(crawl: Path, tmp_path: Path) -> None:
    assert read_run(crawl)["locations"] == ["../pages.jsonl"]
    assert known_locations(Workspace.open(crawl)) == [str((tmp_path / "pages.jsonl").resolve())]
    # Both moved together, they are still found.
    (tmp_path / "moved").mkdir()
    for name in ("crawl.echo", "pages.jsonl"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    moved = Workspace.open(tmp_path / "moved" / "crawl.echo")
    assert known_locations(moved) == [str((tmp_path / "moved" / "pages.jsonl").resolve())]


def test_what_was_not_noted_is_not_known(crawl: Path) -> None:
    (crawl / "run.json").unlink()
    assert known_locations(Workspace.open(crawl)) == [None]
    done("clusters", crawl, "--rule", "exact")


@pytest.mark.parametrize("name", ["user:SECRET@host/a.jsonl", "host/a.jsonl?v=1&sig=SECRET"])
def test_secrets_in_addresses_are_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    content = as_jsonl(tmp_path / "a.jsonl", small_web()).read_bytes()
    fsspec.filesystem("memory").pipe_file(f"/{name}", content)
    said = [
        done("sketch", f"memory://{name}", "-o", "w.echo"),
        done("dedup", f"memory://{name}", "-o", "out"),
        # What is known by its address is known by what is stored of it.
        done("sketch", f"memory://{name}", "-o", "w.echo"),
        webecho("sketch", f"memory://{name}x", "-o", "none.echo"),
        webecho("sketch", f"memory://{name}", f"memory://{name}", "-o", "none.echo"),
        webecho("sketch", "a.jsonl", "-o", f"memory://{name}"),
    ]
    assert [each.exit_code for each in said] == [0, 0, 0, 1, 1, 1]
    for each in said:
        assert "SECRET" not in each.output
        assert "Traceback" not in each.output
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(files) > 10
    for file in files:
        assert "SECRET" not in str(file)
        assert b"SECRET" not in file.read_bytes(), file
    assert manifest(tmp_path / "w.echo")["inputs"][0]["name"] == (
        f"memory://{name.replace('SECRET', '***')}"
    )
    assert [file.name for file in (tmp_path / "out/data").iterdir()] == ["a.jsonl"]
    # Whoever wants to read it again is told.
    shown = done("why", "w.echo", "#0", "#1").stdout
    assert "what gave access to it is not stored" in shown


def test_errors_of_libraries_are_told_without_secrets() -> None:
    secret = "".join(["SEC", "RET"])
    with pytest.raises(InputError) as error, reaching(f"https://h.org/a?token={secret}"):
        raise RuntimeError(f"403, url='https://h.org/a?token={secret}'")
    assert secret not in "".join(traceback.format_exception(error.value))
    assert "403, url='https://h.org/a?token=***'" in str(error.value)


def handed_over(crawl: Path, folder: Path, **changes: object) -> Path:
    """The workspace as a stranger sends it: in another folder, its only input changed."""
    folder.mkdir()
    stranger = folder / "stranger.echo"
    shutil.copytree(crawl, stranger)
    values = manifest(stranger)
    values["inputs"][0] |= changes
    write_manifest(stranger, values)
    (stranger / "run.json").unlink()
    return stranger


# Every verb that reads pages again, for their shingles or words.
READING_AGAIN = {
    "why": ("why", "#0", "#1"),
    "clusters": ("clusters",),
    "pairs": ("pairs", "--rule", "c", "--least-c", "321", "--measure", "difference"),
    "study duplicates": ("study", "duplicates"),
    "study graph": ("study", "graph"),
    "study growth": ("study", "growth"),
    "label": ("label", "--rule", "exact", "--guess"),
}


def run_on(workspace: Path, arguments: tuple[str, ...], *more: object) -> Result:
    """Runs a verb, whose workspace comes before names of pages and options."""
    words = 2 if arguments[0] == "study" else 1
    return webecho(*arguments[:words], workspace, *arguments[words:], *more)


@pytest.mark.parametrize("arguments", READING_AGAIN.values(), ids=READING_AGAIN)
def test_commands_that_a_workspace_names_are_told_and_not_run(
    crawl: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done("pairs", crawl, "--rule", "exact")
    options = manifest(crawl)["inputs"][0]["options"]
    command = f"touch {tmp_path}/ran\x1b[31m"
    given = options | {"convert": {"application/pdf": command}}
    stranger = handed_over(crawl, tmp_path / "sent", options=given)
    result = run_on(stranger, arguments)
    if arguments[0] == "label":
        # Guesses are made of what can be read, and say so of the rest.
        assert result.exit_code == 0, result.stderr
    else:
        assert result.exit_code == 2, result.stderr
        assert f"was sketched with --convert application/pdf='touch {tmp_path}/ran" in result.stderr
        assert "\\x1b[31m" in result.stderr
        assert "give it again" in result.stderr
    assert "\x1b[31m" not in result.stderr + result.stdout
    assert not (tmp_path / "ran\x1b[31m").exists()


def test_a_command_that_is_given_again_is_run(tmp_path: Path) -> None:
    folder = as_folder(tmp_path / "pages", small_web()[:4])
    (folder / "one.rot").write_text("Uryyb jbeyq, guvf vf n qbphzrag")
    convert = ("--convert", "rot=tr a-zA-Z n-za-mN-ZA-M")
    done("sketch", folder, "-o", tmp_path / "w.echo", *convert)
    told = webecho("why", tmp_path / "w.echo", "#0", "#1")
    assert (told.exit_code, "--convert rot='tr a-zA-Z n-za-mN-ZA-M'" in told.stderr) == (2, True)
    other = webecho("why", tmp_path / "w.echo", "#0", "#1", "--convert", "rot=cat")
    assert (other.exit_code, "tr a-zA-Z" in other.stderr) == (2, True)
    done("why", tmp_path / "w.echo", "#0", "#1", *convert)
    with pytest.raises(SettingsError, match=r"convert=\{'rot': 'tr a-zA-Z n-za-mN-ZA-M'\}"):
        webecho_api.why(str(tmp_path / "w.echo"), "#0", "#1")
    both = webecho_api.why(
        str(tmp_path / "w.echo"), "#0", "#1", convert={"rot": "tr a-zA-Z n-za-mN-ZA-M"}
    )
    assert both.estimated is None


SECRETS = {
    "a table": ("secret.csv", "user,hunter2\nroot,swordfish\n"),
    "lines": ("secret.jsonl", '{"hunter2": "swordfish"}\n'),
    "a page": ("secret.html", "<p>hunter2 swordfish</p>"),
    "without an ending": ("secret", "hunter2 swordfish\n"),
}


@pytest.mark.parametrize(("name", "content"), SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize("arguments", READING_AGAIN.values(), ids=READING_AGAIN)
def test_a_manifest_that_points_at_a_secret_makes_no_verb_print_it(
    crawl: Path, tmp_path: Path, arguments: tuple[str, ...], name: str, content: str
) -> None:
    done("pairs", crawl, "--rule", "exact")
    (tmp_path / name).write_text(content)
    wanted = manifest(crawl)["inputs"][0]["options"] | {"columns": {"text": "no such column"}}
    for options in (wanted, wanted | {"format": "csv"}, wanted | {"format": "jsonl"}):
        sent = tmp_path / f"sent {options['format']}"
        stranger = handed_over(crawl, sent, name=str(tmp_path / name), options=options)
        result = run_on(stranger, arguments)
        shown = result.stdout + result.stderr
        made = [file.read_bytes() for file in stranger.rglob("*") if file.is_file()]
        for word in ("hunter2", "swordfish"):
            assert word not in shown
            assert not any(word.encode() in each for each in made)


def test_what_a_workspace_from_elsewhere_makes_one_read_is_said(
    crawl: Path, tmp_path: Path
) -> None:
    assert "elsewhere" not in done("why", crawl, "#0", "#1").stderr
    stranger = handed_over(crawl, tmp_path / "sent")
    result = done("why", stranger, "#0", "#1", "--quiet")
    pages = tmp_path / "pages.jsonl"
    said = (
        f"webecho: {stranger} was made elsewhere, or was moved; what it names is read again: "
        f"{pages}\n"
    )
    # Once, although two pages are read.
    assert result.stderr.count(said) == 1
    # One that was only given another name is still one's own.
    crawl.rename(tmp_path / "renamed.echo")
    assert "elsewhere" not in done("why", tmp_path / "renamed.echo", "#0", "#1").stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("removed", "../../secret.parquet"),
        ("id_type", "anything"),
        ("columns", ["features", "page FROM secret"]),
    ],
)
def test_a_manifest_names_nothing_outside(crawl: Path, name: str, value: object) -> None:
    write_manifest(crawl, manifest(crawl) | {name: value})
    result = webecho("clusters", crawl)
    assert result.exit_code == 1
    assert f"manifest.json is damaged (its {name} cannot be)" in result.stderr


def test_a_table_of_the_parts_is_one_of_ours(crawl: Path) -> None:
    values = manifest(crawl)
    values["parts"][0]["files"]["../elsewhere"] = values["parts"][0]["files"]["sketches"]
    write_manifest(crawl, values)
    with pytest.raises(WorkspaceError, match="its parts cannot be"):
        Workspace.open(crawl)


def test_an_input_is_known_by_where_it_lies(crawl: Path, tmp_path: Path) -> None:
    workspace = Workspace.open(crawl)
    here = str((tmp_path / "pages.jsonl").resolve())
    check_new(workspace, ["pages.jsonl", "-"], [f"{here}.gz", None])
    with pytest.raises(
        WorkspaceError,
        match=rf"^other is in {crawl} already; leave it out, or give it another name if",
    ):
        check_new(workspace, ["-", "other"], [None, here])
    with pytest.raises(WorkspaceError, match="already; nothing was appended"):
        check_new(workspace, ["other"], [here], "nothing was appended")
