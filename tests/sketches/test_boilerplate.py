"""Boilerplate: what stands on many pages of a site makes no tokens, if the recipe says so."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import Page, as_jsonl, page, prose
from tests.command import contents, done
from tests.command import webecho as run
from webecho.settings import recipe
from webecho.workspace.workspace import Workspace

MENU, FOOTER = prose(1, 600), prose(2, 600)
RECIPE = "henzinger2006+boilerplate=10"


def shop() -> list[Page]:
    """Twelve items under one template, three copies of one of them, and another site with three
    pages under the same template."""

    def html(item: int) -> str:
        words = " ".join(prose(100 + item, 20))
        return (
            f"<div>{' '.join(MENU)}</div><p>{words} <img src=item{item}.gif></p>"
            f"<div>{' '.join(FOOTER)} <img src=foot.gif></div>"
        )

    items = [*range(12), 3, 3, 3]
    pages = [page(number, html(item), "www.shop.com") for number, item in enumerate(items)]
    return pages + [page(20 + item, html(50 + item), "www.other.com") for item in range(3)]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return as_jsonl(tmp_path / "pages.jsonl", shop())


def tokens(crawl: Path) -> list[int]:
    return [row["tokens"] for row in Workspace.open(crawl).table().to_pylist()]


def test_blocks_on_many_pages_of_a_site_are_left_out(source: Path, tmp_path: Path) -> None:
    done("sketch", source, "-o", tmp_path / "all.echo", "--recipe", "henzinger2006")
    # 1,220 words and two image terms; of the menu and the footer the image stays.
    assert tokens(tmp_path / "all.echo") == [1222] * 18
    done("sketch", source, "-o", tmp_path / "w.echo", "--recipe", RECIPE)
    assert tokens(tmp_path / "w.echo") == [22] * 15 + [1222] * 3
    assert pq.read_metadata(tmp_path / "w.echo" / "boilerplate.parquet").num_rows == 2
    pairs = webecho.pairs(str(tmp_path / "all.echo"), "b")
    assert pairs.num_rows > 20
    left = webecho.pairs(str(tmp_path / "w.echo"), "b").to_pylist()
    assert all(row["left_url"].startswith("http://www.other.com") for row in left)


def test_copies_of_a_page_are_no_boilerplate(source: Path, tmp_path: Path) -> None:
    """Item 3 stands on four pages of the site, but they are one."""
    recipe = "henzinger2006+boilerplate=3"
    done("sketch", source, "-o", tmp_path / "w.echo", "--recipe", recipe)
    found = tokens(tmp_path / "w.echo")
    assert found == [22] * 18
    sets = webecho.clusters(str(tmp_path / "w.echo"), "exact")["size"].to_pylist()
    assert sorted(sets) == [1] * 14 + [4] * 4


def test_it_is_left_out_wherever_the_page_is_read_again(source: Path, tmp_path: Path) -> None:
    crawl = tmp_path / "w.echo"
    done("sketch", source, "-o", crawl, "--recipe", RECIPE)
    found = webecho.why(str(crawl), "#0", "#1")
    assert (found.left.tokens, found.b_similarity) == (22, 0)
    words = [word for stretch in found.difference or () for word in stretch.words]
    assert not set(MENU) & set(words)
    kept = tmp_path / "kept.echo"
    done("sketch", source, "-o", kept, "--recipe", RECIPE, "--keep-shingles")
    rows = [
        webecho.pairs(str(each), "b", measure=["resemblance", "difference"]).to_pylist()
        for each in (crawl, kept)
    ]
    assert rows[0] == rows[1]
    # Of the other site 1,200 words and an image are the same.
    assert {row["term_difference"] for row in rows[0]} == {42}
    assert webecho.pairs(str(crawl), "similar", 0.5).equals(
        webecho.pairs(str(kept), "similar", 0.5)
    )


def test_threads_and_repetition_change_no_byte(source: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        done(
            "sketch",
            source,
            "-o",
            tmp_path / f"{threads}.echo",
            "--recipe",
            RECIPE,
            "--threads",
            threads,
        )
    assert contents(tmp_path / "1.echo") == contents(tmp_path / "3.echo")
    before = contents(tmp_path / "1.echo")
    done("sketch", source, "-o", tmp_path / "1.echo", "--recipe", RECIPE)
    assert contents(tmp_path / "1.echo") == before


def test_what_cannot_be_is_refused(source: Path, tmp_path: Path) -> None:
    crawl = tmp_path / "w.echo"
    done("sketch", source, "-o", crawl, "--recipe", RECIPE)
    more = as_jsonl(tmp_path / "more.jsonl", [page(99, "one more")])
    result = run("sketch", more, "-o", crawl, "--recipe", RECIPE, "--append")
    assert result.exit_code == 1
    assert "sketch all inputs together into another workspace" in result.stderr
    result = run(
        "sketch", "-", "-o", tmp_path / "s.echo", "--recipe", RECIPE, stdin=source.read_bytes()
    )
    assert result.exit_code == 1
    assert "cannot be read twice, which finding boilerplate takes" in result.stderr
    (crawl / "boilerplate.parquet").unlink()
    result = run("why", crawl, "#0", "#1")
    assert result.exit_code == 1
    assert "boilerplate.parquet cannot be read" in result.stderr
    with pytest.raises(webecho.SettingsError, match="give 2 pages or more, or 0 for none"):
        recipe("webecho", boilerplate=1)


def test_pages_without_address_have_no_boilerplate(tmp_path: Path) -> None:
    texts = [f"the same line\nitem {number}" for number in range(5)]
    source = tmp_path / "pages.jsonl"
    source.write_text("".join(f'{{"text": {text!r}}}\n'.replace("'", '"') for text in texts))
    done("sketch", source, "-o", tmp_path / "w.echo", "--recipe", "webecho+boilerplate=2")
    assert tokens(tmp_path / "w.echo") == [5] * 5


def test_text_that_is_decoded_already_is_not_decoded_by_what_it_says_of_itself(
    tmp_path: Path,
) -> None:
    """The column is text; the pages in it were once in Latin-1, and say so."""
    head = '<meta charset="iso-8859-1"><div>Über unsere schönen Bücher</div>'
    rows = [
        {"url": f"http://www.shop.de/{number}", "html": f"{head}<p>{' '.join(prose(number, 20))}"}
        for number in range(12)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "pages.parquet")
    done("sketch", tmp_path / "pages.parquet", "-o", tmp_path / "w.echo", "--recipe", RECIPE)
    assert tokens(tmp_path / "w.echo") == [20] * 12
