"""`webecho why` as a user sees it: whole outputs, messages, exit codes."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import webecho
from tests.cli.two_pages import CAT, FOX
from tests.collections_made import (
    Page,
    WarcFile,
    as_folder,
    as_jsonl,
    as_parquet,
    as_table,
    as_warc,
    markup,
    page,
    prose,
    small_web,
)
from tests.command import contents, done
from tests.command import webecho as run


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two pages in it, where commands are given."""
    (tmp_path / "a.html").write_text(f"<title>A fox</title><p>{FOX}")
    (tmp_path / "b.txt").write_text(CAT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def crawl(here: Path) -> Path:
    as_jsonl(here / "pages.jsonl", small_web())
    done("sketch", "pages.jsonl", "-o", "crawl.echo")
    return here / "crawl.echo"


@pytest.mark.parametrize("recipe", ["fetterly2004", "henzinger2006"])
@pytest.mark.usefixtures("here")
def test_recipes_of_the_papers(recipe: str) -> None:
    Path("a.html").write_text("<p>The <img src=/x/logo.gif> Fox and a dog")
    Path("b.html").write_text("<p>the <img src=/y/logo.gif> fox and a dog")
    shown = done("diff", "a.html", "b.html", "--recipe", recipe).stdout.split("\n\n")[-1]
    expected = {
        "fetterly2004": "[-The Fox-] {+the fox+} and a dog\n",
        "henzinger2006": "[-The-] {+the+} logo.gif [-Fox-] {+fox+} and a dog\n",
    }
    assert shown == expected[recipe]
    Path("pages.jsonl").write_text(
        "".join(
            json.dumps({"url": f"http://{name}/", "html": Path(f"{name}.html").read_text()}) + "\n"
            for name in "ab"
        )
    )
    done("sketch", "pages.jsonl", "-o", "w.echo", "--recipe", recipe)
    assert done("why", "w.echo", "#0", "#1").stdout.endswith(shown)


def test_why_with_clusters_and_pairs(crawl: Path) -> None:
    for rule in ("tokens", "similar"):
        done("clusters", crawl, "--rule", rule)
    done("pairs", crawl, "--rule", "similar")
    before = contents(crawl)
    result = done("why", crawl.name, "doc-0", "http://b.example.org/4.html")
    assert result.stderr == ""
    assert result.stdout == (
        "left   http://a.example.org/0.html\n"
        "       page #0, id doc-0, “First”, 205 tokens\n"
        "right  http://b.example.org/4.html\n"
        "       page #4, id doc-4, “First”, 205 tokens\n"
        "\n"
        "resemblance   0.9515, 196 of 206 distinct shingles are shared\n"
        "containment   0.9751 of left in right, 0.9751 of right in left\n"
        "features      78 of 84 are equal\n"
        "B-similarity  2 of 6 supershingles agree: 5, 6\n"
        "C-similarity  368 of 384 bits agree\n"
        "equal words   0.9951 of the words of both, by a minimal diff\n"
        "same tokens   no\n"
        "same text     no\n"
        "same bytes    no\n"
        "same payload  no\n"
        "difference    1 word removed, 1 added, 204 equal\n"
        "left only     1 word: svaxqi\n"
        "right only    1 word: new100\n"
        "\n"
        "rule                 together\n"
        "payload              no        they do not have the same stored bytes\n"
        "text                 no        they do not have the same visible text\n"
        "tokens               no        they do not have the same tokens\n"
        "very-similar         yes       2 of 6 supershingles agree, 2 are asked for\n"
        "virtually-identical  no        2 of 6 supershingles agree, 6 are asked for\n"
        "similar-0.8          yes       the resemblance is 0.9515, 0.8 is asked for\n"
        "edited-0.9           yes       the share of equal words is 0.9951, 0.9 is asked for\n"
        "b-2                  yes       2 of 6 supershingles agree, 2 are asked for\n"
        "c-372                no        368 of 384 bits agree, 372 are asked for\n"
        "combined-2-355       yes       2 of 6 supershingles agree, 2 are asked for; "
        "368 of 384 bits agree, 355 are asked for\n"
        "by-site-2-355-372    yes       the site is the same; 2 of 6 supershingles agree, "
        "2 are asked for; 368 of 384 bits agree, 355 are asked for\n"
        "paragraphs           no        their paragraphs are not the same\n"
        "overlap-lines-4-15   no        0 chunks of lines:4 are on both, 15 are asked for\n"
        "\n"
        "clusters by\n"
        "similar-0.8  yes  in one cluster of 4 pages, as a pair\n"
        "tokens       no   in clusters of 3 pages and of 1 page\n"
        "\n"
        "… 93 equal words …\n"
        "vpjgsw odvmmb ntkjra nyrkrp ffxgbv njnteq svhpgo euwifz [-svaxqi-] {+new100+}\n"
        "ltueqe zlxspg nddsjt gsshck mcebpx fasvzp ivdsck mjegvm\n"
        "… 95 equal words …\n"
    )
    # Who only asks changes nothing.
    assert contents(crawl) == before


FORMATS: dict[str, Callable[[Path, Sequence[Page]], Path]] = {
    "pages.jsonl": as_jsonl,
    "pages.parquet": as_parquet,
    "pages.warc.gz": as_warc,
    "pages.warc": as_warc,
    "pages": as_folder,
}


@pytest.mark.parametrize("name", FORMATS)
def test_why_of_every_format(here: Path, name: str) -> None:
    source = FORMATS[name](here / name, small_web())
    done("sketch", source, "-o", "w.echo", "--part-pages", 3)
    found = json.loads(done("why", "w.echo", "#0", "#5", "--format", "json").stdout)
    usual = webecho.why(as_table(small_web()), 0, 5).difference
    assert usual is not None
    assert [(each["kind"], tuple(each["words"])) for each in found["difference"]] == [
        (each.kind, each.words) for each in usual
    ]
    assert (found["left"]["page"], found["right"]["page"]) == (0, 5)
    same = webecho.why("w.echo", "#0", "#3")
    assert same.same_tokens and not same.same_bytes
    assert webecho.why("w.echo", "#0", "#2").same_bytes


def test_without_the_source_stored_sketches_tell(crawl: Path, here: Path) -> None:
    (here / "pages.jsonl").unlink()
    result = done("why", crawl.name, "doc-0", "doc-4")
    gone = f"{here}/pages.jsonl: no such file or folder; check the spelling"
    shown = result.stdout
    # 78 of 84 features.
    assert "resemblance   0.9286, estimated from features\nfeatures      78 of 84" in shown
    assert "B-similarity  2 of 6 supershingles agree: 5, 6\n" in shown
    assert f"difference    not known: {gone}\n" in shown
    assert "the resemblance is estimated as 0.9286, 0.8 is asked for\n" in shown
    assert shown.endswith(
        "paragraphs           not known  the paragraphs are not known\n"
        "overlap-lines-4-15   not known  the chunks are not known\n"
    )
    assert run("why", crawl, "doc-0", "doc-4", "--strict").exit_code == 3
    found = webecho.why(crawl, "doc-0", "doc-4")
    assert (found.resemblance, found.estimated, found.gone) == (78 / 84, gone, gone)
    assert found.left_containment is None and found.difference is None
    assert (
        done("why", crawl, "0", "4", "--format", "csv").stdout
        == "kind,left,right,words,right_words\n"
    )


def test_kept_shingles_need_no_source(here: Path) -> None:
    pages = as_jsonl(here / "pages.jsonl", small_web()).read_bytes()
    done("sketch", "-", "-o", "stdin.echo", stdin=pages)
    found = webecho.why("stdin.echo", 0, 4)
    assert (found.resemblance, found.estimated) == (196 / 206, None)
    assert (found.difference, found.gone) == (None, "- cannot be read twice")
    assert run("why", "stdin.echo", "#0", "#4", "--strict").exit_code == 0


def test_columns_that_are_not_stored_are_not_known_without_the_source(here: Path) -> None:
    as_jsonl(here / "pages.jsonl", small_web())
    done("sketch", "pages.jsonl", "-o", "w.echo", "--columns", "none")
    assert webecho.why("w.echo", 0, 4).b_similarity == 2
    (here / "pages.jsonl").unlink()
    shown = done("why", "w.echo", "#0", "#4").stdout
    for measure in ("resemblance ", "features    ", "B-similarity", "C-similarity"):
        assert f"{measure}  not known\n" in shown
    assert "very-similar         not known  the supershingles are not known\n" in shown
    assert "tokens               no         they do not have the same tokens\n" in shown


def test_a_revisit_has_the_words_of_what_it_repeats(here: Path) -> None:
    with WarcFile(here / "a.warc.gz") as warc:
        known = warc.response("http://a.example/", b"<p>one two three")
        warc.response("http://b.example/", b"<p>one two four")
        warc.revisit("http://c.example/", Refers_To=known)
        warc.revisit("http://d.example/", Refers_To="<urn:uuid:unknown>")
    done("sketch", "a.warc.gz", "-o", "w.echo")
    shown = done("why", "w.echo", "http://c.example/", "http://b.example/").stdout
    assert shown.endswith("one two [-three-] {+four+}\n")
    shown = done("why", "w.echo", "http://a.example/", "http://d.example/").stdout
    assert "difference    not known: a page has no content\n" in shown
    assert "tokens               not known  nothing is known of a page's content\n" in shown


def test_pages_of_one_address(here: Path) -> None:
    pages = [page(number // 3, markup([f"w{number}", "x", "y"])) for number in range(6)]
    as_jsonl(here / "pages.jsonl", pages)
    done("sketch", "pages.jsonl", "-o", "w.echo")
    twice = done("why", "w.echo", "doc-1", "doc-1")
    assert twice.stderr == (
        "3 pages are called doc-1: #3, #4, #5; this is about #3, #4, give a number for another\n"
    )
    assert twice.stdout.endswith("[-w3-] {+w4+} x y\n")
    one = done("why", "w.echo", "doc-1", "#2")
    assert "this is about #3, give" in one.stderr
    assert one.stdout.endswith("[-w3-] {+w2+} x y\n")
    assert done("why", "w.echo", "doc-1", "#2", "--quiet").stderr == ""


UNKNOWN = {
    "part of a name": (
        "4.html",
        "crawl.echo: no page is called '4.html'; perhaps 'http://b.example.org/4.html' (#4), "
        "or 'http://www.example.net/14.html' (#14)",
    ),
    "no name": (
        "http://nowhere.example/",
        "no page is called 'http://nowhere.example/'; give a url or id as the input has it, or a "
        'number below #16. All of them: duckdb -c "SELECT page, url, id FROM '
        "'crawl.echo/sketches/*.parquet'\"",
    ),
    "no number": ("#16", "a number below #16"),
    "nothing": ("", "no page is called ''; give a url or id"),
}


@pytest.mark.parametrize(("name", "message"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_page_names_the_fix(crawl: Path, name: str, message: str) -> None:
    result = run("why", crawl.name, name, "#0")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("webecho: crawl.echo: no page is called ")
    assert message in result.stderr


def test_failures_name_the_fix(crawl: Path) -> None:
    for arguments, code, message in [
        (("diff", "a.html", "c.html"), 1, "c.html: no such file or folder"),
        (("diff", "a.html", "pages.jsonl"), 1, "webecho diff --in pages.jsonl URL URL"),
        (("diff", "--in", crawl.name, "#0", "#1"), 2, "ask: webecho why crawl.echo URL URL"),
        (("diff", "a.html"), 2, "Missing argument 'B'"),
        (("diff", "a.html", "b.txt", "--recipe", "mine"), 2, "no recipe is called 'mine'"),
        (("diff", "a.html", "b.txt", "--memory", "1MB"), 1, "of memory, and only 1MB is allowed"),
        (
            ("why", crawl.name, "#0", "#1", "--memory", "1MB"),
            1,
            "of memory, and only 1MB is allowed",
        ),
        (("why", "a.html", "#0", "#1"), 1, "a.html is no workspace"),
        (("why", crawl.name, "#0", "#1", "--resemblance", "2"), 2, "2.0 is not in the range"),
    ]:
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (code, "")
        assert message in result.stderr


def test_a_changed_source_is_an_error(crawl: Path, here: Path) -> None:
    as_jsonl(here / "pages.jsonl", small_web()[:-1])
    result = run("why", crawl, "#0", "#1")
    assert result.exit_code == 1
    assert "has changed since it was sketched" in result.stderr


def test_text_from_a_crawl_is_harmless(here: Path) -> None:
    bad = "\x1b[31m\x07"
    pages = [
        Page(f"a{bad}", f"http://a/{bad}", f"<title>{bad}x</title><p>one <img src='l{bad}.gif'>"),
        Page("b", "http://b/", "<p>two"),
    ]
    as_jsonl(here / "pages.jsonl", pages)
    done("sketch", "pages.jsonl", "-o", "w.echo", "--recipe", "henzinger2006")
    for arguments in [("#0", "#1"), ("#0", "#1", "--side-by-side"), ("http://a", "b")]:
        result = run("why", "w.echo", *arguments)
        assert "\x1b" not in result.output and "\x07" not in result.output


def test_stored_chunks_tell_without_the_source(here: Path) -> None:
    lines = [f"<p>{' '.join(prose(seed, 9))}</p>" for seed in range(80)]
    pages = ["".join(lines), "".join(lines[:63]) + "<p>another end</p>"]
    as_jsonl(here / "pages.jsonl", [page(number, html) for number, html in enumerate(pages)])
    done("sketch", "pages.jsonl", "-o", "w.echo", "--chunks", "lines:4")
    told = "overlap-lines-4-15   yes        15 chunks of lines:4 are on both, 15 are asked for\n"
    assert told.replace("yes  ", "yes ") in done("why", "w.echo", "#0", "#1").stdout
    (here / "pages.jsonl").unlink()
    assert told in done("why", "w.echo", "#0", "#1").stdout
