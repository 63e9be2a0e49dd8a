import gzip
import os
import pickle
from pathlib import Path

import pytest

from tests.read.reading import check_again, everything
from webecho.errors import ChangedError
from webecho.formats.entries import Listed
from webecho.formats.listing import files_under
from webecho.formats.skipped import Skipped
from webecho.read.folders import FolderSource, converter, is_page
from webecho.read.limits import Limits
from webecho.read.pages import MAX_PAGE_BYTES, Choice


def folder(
    path: Path, contents: dict[str, bytes], longest: int = MAX_PAGE_BYTES, **converters: str
) -> FolderSource:
    for name, content in contents.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    given = {f".{ending}": command for ending, command in converters.items()}
    return FolderSource(str(path), files_under(str(path)), given, limits=Limits(page=longest))


def test_files_are_pages_in_the_order_of_their_paths(tmp_path: Path) -> None:
    source = folder(
        tmp_path,
        {
            "b.HTM": b"<p>b",
            "a/index.html": b"<p>\xe9",
            "notes.txt": b"plain",
            "empty.html": b"",
            "picture.png": b"\x89PNG",
            "Makefile": b"all:",
            "packed.html.gz": gzip.compress(b"<p>packed"),
        },
    )
    found, skipped = everything(source)
    assert [(r["place"], r["id"], r["url"], r["markup"], r["body"]) for r in found] == [
        (1, "a/index.html", "a/index.html", True, b"<p>\xe9"),
        (2, "b.HTM", "b.HTM", True, b"<p>b"),
        (3, "empty.html", "empty.html", True, b""),
        (4, "notes.txt", "notes.txt", False, b"plain"),
        (5, "packed.html.gz", "packed.html.gz", True, b"<p>packed"),
    ]
    assert {(r["charset"], r["fetched"], r["ip"]) for r in found} == {(None, None, None)}
    assert skipped == [
        Skipped(0, "type", "no ending", "Makefile"),
        Skipped(6, "type", ".png", "picture.png"),
    ]
    assert (source.format, source.rereadable) == ("html", True)
    assert source.choice() == Choice("HTML and text files", 5)
    check_again(source)


def test_the_same_files_give_the_same_whenever_they_were_written(tmp_path: Path) -> None:
    contents = {"a.html": b"<p>a", "b.html": b"<p>b"}
    first, second = folder(tmp_path / "1", contents), folder(tmp_path / "2", contents)
    os.utime(tmp_path / "2/a.html", (0, 0))
    assert everything(first) == everything(second)
    assert first.stamp() == second.stamp()


def test_stamps_tell_what_changed(tmp_path: Path) -> None:
    contents = {f"{number}.html": b"<p>%d" % number for number in range(10, 99)}
    stamps = [folder(tmp_path, contents).stamp()]
    assert stamps[0]["size"] == 89 * 5
    for name, content in (("10.html", b"<p>no"), ("98.html", b"<p>no"), ("99.html", b"")):
        stamps.append(folder(tmp_path, {name: content}).stamp())
    (tmp_path / "99.html").rename(tmp_path / "x.html")
    stamps.append(folder(tmp_path, {}).stamp())
    assert len({str(stamp) for stamp in stamps}) == 5


def test_other_types_are_converted(tmp_path: Path) -> None:
    source = folder(
        tmp_path,
        {"a.pdf": b"abc", "b.ps": b"<b>x</b>", "c.pdf": b"", "d.doc": b"?"},
        pdf="tr a-z A-Z",
        ps="cat",
        doc="false",
    )
    found, (skip,) = everything(source)
    assert [(r["body"], r["markup"]) for r in found] == [
        (b"ABC", False),
        (b"<b>x</b>", True),
        (b"", False),
    ]
    assert (skip.place, skip.reason, skip.url, skip.failed) == (3, "convert", "d.doc", True)
    check_again(source)


def test_converters_are_given_by_type_or_ending() -> None:
    assert converter("a/b.PDF", {"application/pdf": "x"}) == "x"
    assert converter("a/b.pdf.gz", {".pdf": "x"}) == "x"
    assert converter("a/b.pdf", {"pdf": "x"}) == "x"
    assert converter("a/b", {"": "x"}) is None
    assert converter("a/b.pdf", {"text/plain": "x"}) is None


def test_what_is_a_page() -> None:
    assert all(map(is_page, ("a.html", "A.HTM", "a.xhtml", "a.txt", "a.md", "a.html.zst")))
    assert not any(map(is_page, ("a", "a.gz", "a.pdf", ".html", "html")))


def test_a_file_that_cannot_be_read_does_not_stop_the_run(tmp_path: Path) -> None:
    source = folder(tmp_path, {"a.html": b"a", "b.html.gz": gzip.compress(b"b" * 99)[:20]})
    source = folder(tmp_path, {"c.html": b"c", "d.html": b"d"})
    (tmp_path / "c.html").unlink()
    found, skipped = everything(source)
    assert [row["url"] for row in found] == ["a.html", "d.html"]
    assert [(s.place, s.reason, s.url, s.failed) for s in skipped] == [
        (1, "unreadable", "b.html.gz", True),
        (2, "unreadable", "c.html", True),
    ]


def test_pages_that_are_too_long_are_skipped(tmp_path: Path) -> None:
    contents = {"a.html": b"a" * 101, "b.html.gz": gzip.compress(b"b" * 10**7), "c.html": b"c"}
    found, skipped = everything(folder(tmp_path, contents, longest=100))
    assert [row["url"] for row in found] == ["c.html"]
    assert [(s.place, s.reason, s.failed) for s in skipped] == [
        (0, "too long", True),
        (1, "too long", True),
    ]


def test_names_that_are_no_text_become_text(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.html")).write_bytes(b"a")
    (page,), _ = everything(folder(tmp_path, {}))
    assert (page["url"], page["body"]) == ("\\xff.html", b"a")


def test_as_html_reads_every_file_as_html(tmp_path: Path) -> None:
    folder(tmp_path, {"a.php": b"<p>a", "b": b"<p>b"})
    source = FolderSource(str(tmp_path), files_under(str(tmp_path)), {}, as_html=True)
    assert [(row["url"], row["markup"]) for row in everything(source)[0]] == [
        ("a.php", True),
        ("b", True),
    ]


def test_a_file_given_by_itself_is_the_same_from_wherever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.html").write_bytes(b"<p>a")
    names = ("a.html", str(tmp_path / "a.html"))
    near, far = (FolderSource(name, [Listed(name, name)], {}) for name in names)
    assert near.stamp() == far.stamp()


def test_what_nobody_can_read_has_a_place_and_a_reason(tmp_path: Path) -> None:
    (tmp_path / "gone.html").symlink_to("nowhere")
    (tmp_path / "loop.html").symlink_to("loop.html")
    os.mkfifo(tmp_path / "pipe.html")
    source = folder(tmp_path, {"a.html": b"<p>a", "z.html": b"<p>z"})
    found, skipped = everything(source)
    assert [(row["place"], row["id"]) for row in found] == [(0, "a.html"), (4, "z.html")]
    assert [(each.place, each.reason, each.url, each.failed) for each in skipped] == [
        (1, "dangling link", "gone.html", True),
        (2, "link loop", "loop.html", True),
        (3, "pipe", "pipe.html", False),
    ]
    assert source.choice() == Choice("HTML and text files", 2)
    check_again(source)
    # As executors of Spark read it: by splits, which they are sent.
    assert source.breaks(1)
    narrow = pickle.loads(pickle.dumps(source.narrowed(0, 3)))
    assert [each.reason for each in everything(narrow, after=0)[1]] == [
        *("dangling link", "link loop", "pipe")
    ]
    source.look.check()
    before = source.stamp()
    (tmp_path / "gone.html").unlink()
    (tmp_path / "gone.html").write_bytes(b"")
    assert folder(tmp_path, {}).stamp() != before


def test_what_is_not_read_may_change(tmp_path: Path) -> None:
    """A link to the folder above leads to where the run itself may write."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "up").symlink_to("..")
    source = folder(tmp_path / "in", {"a.html": b"<p>a", "z.html": b"<p>z"})
    assert [each.reason for each in everything(source)[1]] == ["folder read already"]
    (tmp_path / "out.echo").mkdir()
    source.look.check()
    source.narrowed(0, 2).look.check()
    (tmp_path / "in" / "z.html").write_bytes(b"<p>another")
    for look in (source.look, source.narrowed(0, 2).look):
        with pytest.raises(ChangedError, match=r"z\.html has changed"):
            look.check()
    source.narrowed(-1, 1).look.check()
