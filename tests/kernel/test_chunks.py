"""The kernel's chunks are those of the definition: worked out by hand, and by a second, slow
implementation on random and on real pages."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.kernel import reference, reference_chunks
from tests.kernel.kernels import real_pages, sketcher, sketches, unsigned
from webecho import _core
from webecho.chunkings import Chunking
from webecho.settings import HENZINGER_2006, RECIPES, SHIVAKUMAR_1998, WEBECHO, Recipe, recipe

CHUNKINGS = [
    *("page", "lines:1", "lines:4", "lines:2:sliding", "lines:3:sliding", "sentence"),
    *("paragraph", "words:1", "words:3", "words:3:sliding", "words:8:sliding"),
]
ALL = [Chunking.parse(text) for text in CHUNKINGS]
SYMBOLS = recipe("webecho+symbols")


def pages(bodies: list[str | None], markup: bool = False, site: str = "") -> pa.RecordBatch:
    nothing = pa.nulls(len(bodies), pa.string())
    columns = {
        "body": pa.array(bodies, pa.string()),
        "markup": pa.array([markup] * len(bodies)),
        "charset": nothing,
        "url": nothing,
    }
    if site:
        columns["site"] = pa.array([site] * len(bodies))
    return pa.record_batch(columns)


def kernel(
    chunking: str, *bodies: str, recipe: Recipe = WEBECHO, markup: bool = False
) -> list[list[int]]:
    table = Chunking.parse(chunking).table
    found: list[list[int]] = (
        sketcher(recipe).chunks(pages([*bodies], markup), [table])[table].to_pylist()
    )
    return found


def sequence(*tokens: str, how: str = "fast") -> int:
    """The chunk of these tokens, as Arrow has it."""
    value = reference.sequence([reference.fingerprint(token, how) for token in tokens])
    return value - reference.WORD if value >= reference.WORD // 2 else value


def check(texts: list[str], used: Recipe, chunkings: list[Chunking] = ALL) -> None:
    """All chunkings at once: of tokens the chunks are these values, of characters they are equal
    exactly where their characters are."""
    made = sketcher(used).chunks(pages([*texts]), [each.table for each in chunkings])
    for chunking in chunkings:
        names: dict[reference_chunks.Chunk, int] = {}
        for text, found in zip(texts, made[chunking.table].to_pylist(), strict=True):
            expected = reference_chunks.chunks(text, chunking, used)
            assert len(found) == len(expected), (chunking, text, expected)
            for chunk, value in zip(expected, found, strict=True):
                if used.chunk_text == "tokens":
                    assert value == sequence(*chunk, how=used.fingerprint), (chunking, text, chunk)
                assert names.setdefault(chunk, value) == value
        assert len(set(names.values())) == len(names)


def test_four_lines_are_a_chunk_and_what_is_left_is_another() -> None:
    [found] = kernel("lines:4", "a b\nc\n\n--\nd\ne\nf g\n")
    assert found == [sequence("a", "b", "c", "d", "e"), sequence("f", "g")]
    assert kernel("lines:4", "a\nb\nc\nd") == [[sequence("a", "b", "c", "d")]]
    assert kernel("lines:4", "", " \n \n", "-- \n!") == [[], [], []]


def test_sliding_chunks_begin_at_every_line() -> None:
    [found] = kernel("lines:2:sliding", "a b\n\nc\nd\ne")
    assert found == [sequence("a", "b", "c"), sequence("c", "d"), sequence("d", "e")]
    assert kernel("lines:9:sliding", "a\nb") == [[sequence("a", "b")]]


def test_words_are_tokens() -> None:
    assert kernel("words:2", "One, two\nthree") == [[sequence("one", "two"), sequence("three")]]
    [found] = kernel("words:2:sliding", "One, two\nthree")
    assert found == [sequence("one", "two"), sequence("two", "three")]
    assert kernel("words:5:sliding", "One, two") == [[sequence("one", "two")]]
    assert kernel("words:1", "漢字 a") == [[sequence("漢"), sequence("字"), sequence("a")]]


def test_where_tokens_end_matters_and_where_lines_end_within_a_chunk_does_not() -> None:
    [one, other] = kernel("page", "ab c", "a bc")
    assert one != other
    [one, other] = kernel("lines:2", "One two\n three four", "one\nTWO,  three four")
    assert one == other


def test_a_page_is_one_chunk() -> None:
    assert kernel("page", "A b\n\nc.") == [[sequence("a", "b", "c")]]
    assert kernel("page", "", "...") == [[], []]


def test_sentences_are_those_of_shingle_paragraphs() -> None:
    [found] = kernel("sentence", "One two.\nThree\nfour... Five. — . " + "x" * 160)
    expected = [("one", "two"), ("three", "four"), ("five",), ("x" * 150,), ("x" * 10,)]
    assert found == [sequence(*tokens) for tokens in expected]


def test_every_kind_of_line_break_ends_a_line() -> None:
    assert kernel("lines:1", "a\r\nb\rc\nd") == [[sequence(token) for token in "abcd"]]
    [unix, windows] = kernel("paragraph", "a\nb\n\nc", "a\r\nb\r\n\r\nc")
    assert unix == windows == [sequence("a", "b"), sequence("c")]


def test_elements_that_part_lines_end_them() -> None:
    html = "<title>t</title><p>a <b>b</b><br>c<table><tr><td>d<td>e</table><pre>f\ng</pre><li>h"
    expected = [("t",), ("a", "b"), ("c",), ("d", "e"), ("f",), ("g",), ("h",)]
    assert kernel("lines:1", html, markup=True) == [[sequence(*tokens) for tokens in expected]]


@pytest.mark.parametrize(
    ("html", "paragraphs"),
    [
        ("<p>a<br>b<p>c", ["ab", "c"]),
        ("a<br><br>b<br> <br>c<br>d", ["a", "b", "cd"]),
        ("<pre>a\nb\n\nc</pre>d", ["ab", "c", "d"]),
        ("<div><div>a</div></div><ul><li>b<br>c<li>d</ul>", ["a", "bc", "d"]),
        ("a<hr>b<p>--<p>c", ["a", "b", "c"]),
        ("<p>a<script>x</script><br>b<style>y</style></p>", ["ab"]),
        ("<br><p><br></p>", []),
    ],
)
def test_paragraphs_end_at_elements_and_at_blank_lines(html: str, paragraphs: list[str]) -> None:
    assert kernel("paragraph", html, markup=True) == [[sequence(*each) for each in paragraphs]]


def test_the_papers_recipe_takes_the_characters() -> None:
    def found(chunking: str, *texts: str) -> list[list[int]]:
        return kernel(chunking, *texts, recipe=SHIVAKUMAR_1998)

    [plain, spaced, case, sign, wrapped] = found(
        "lines:2", "One two\nthree", " One \t two \n\n\u00a0three", "one two\nthree",
        "One two\nthree!", "One\ntwo three",
    )  # fmt: skip
    assert plain == spaced
    assert len({*map(tuple, (plain, case, sign, wrapped))}) == 4
    # Lines count that have any character, and words are what stands between white space.
    assert [len(chunks) for chunks in found("lines:1", "--\n!\n \n\u3000", "")] == [2, 0]
    [one, other] = found("words:2", "a-b c d", "a b c d")
    assert (len(one), len(other)) == (2, 2)
    assert one[0] != other[0]


LETTERS = some.sampled_from(
    [
        *("a", "B", "ab ", " ", "\n", "\n\n", "\r\n", "\r", "-", "...", ".", "é", "漢", "字\n"),
        *("\u0301", "=\u0338", "\u00a0", "x" * 64, "word\n", "İ", "ß ", "<", "\t\n", "\u2028"),
    ]
)
RECIPES_CHECKED = [*RECIPES.values(), SYMBOLS, recipe("shivakumar1998+symbols")]


@pytest.mark.parametrize("used", RECIPES_CHECKED, ids=lambda recipe: recipe.name)
@given(texts=some.lists(some.lists(LETTERS, max_size=60).map("".join), min_size=1, max_size=3))
def test_the_kernel_is_the_definition(used: Recipe, texts: list[str]) -> None:
    check(texts, used)


@given(
    text=some.lists(some.sampled_from(["a\n", "b ", "c d\n", "\n", ". "]), max_size=200),
    size=some.integers(1, 60),
    sliding=some.booleans(),
)
def test_any_size(text: list[str], size: int, sliding: bool) -> None:
    chunkings = [Chunking("lines", size, sliding), Chunking("words", size, sliding)]
    check(["".join(text)], WEBECHO, chunkings)
    check(["".join(text)], SHIVAKUMAR_1998, chunkings)


HTML = some.sampled_from(
    ["<p>", "<br>", "a b ", "C.", "<pre>", "</pre>", "\n", "<td>", "<li>é", "<script>x</script>"]
)


@given(some.lists(HTML, max_size=60).map("".join))
def test_of_html_they_are_those_of_its_text(html: str) -> None:
    for used in (WEBECHO, SHIVAKUMAR_1998):
        text = sketcher(used).text(html.encode(), True, "utf-8")
        for chunking in CHUNKINGS:
            if chunking != "paragraph":
                found = kernel(chunking, html, recipe=used, markup=True)
                assert found == kernel(chunking, text, recipe=used)


@pytest.mark.parametrize("used", RECIPES_CHECKED, ids=lambda recipe: recipe.name)
def test_sketching_makes_the_same(used: Recipe) -> None:
    html = "<p>One two.<br>Three<p>four <img src=a.png> five<p>six"
    bodies = [html, "", "<p>--", html * 20]
    tables = [chunking.table for chunking in ALL]
    made = sketches(bodies, used, markup=True, columns=tables)
    alone = sketcher(used).chunks(pages([*bodies], markup=True), tables)
    assert [made[name].to_pylist() for name in tables] == [
        alone[name].to_pylist() for name in tables
    ]
    # The rest of the sketch is what it is without.
    rest = sketches(bodies, used, markup=True, columns=())
    assert made.select(rest.schema.names).equals(rest)


def test_image_terms_are_in_no_chunk() -> None:
    with_image = "<p>One two<img src=http://a.example/b.png><p>three"
    found = kernel("page", with_image, "<p>One two<p>three", recipe=HENZINGER_2006, markup=True)
    assert found[0] == found[1]


def test_boilerplate_is_in_no_chunk() -> None:
    used = recipe("webecho", boilerplate=2)
    html = ["<p>Menu<p>one<p>two<br>three<p>End", "<p>Menu<p>four<p>End"]
    batch = pages([*html], markup=True, site="a.example")
    keys = sketcher(used).blocks(pages(["<p>Menu<p>End"], True, "a.example"))["blocks"][0].values
    without = _core.Sketcher(used.as_dict(), 1, keys)
    for chunking, expected in [
        ("lines:2", [["one", "two"], ["three"]]),
        ("paragraph", [["one"], ["two", "three"]]),
        ("words:2", [["one", "two"], ["three"]]),
        ("sentence", [["one", "two", "three"]]),
        ("page", [["one", "two", "three"]]),
    ]:
        table = Chunking.parse(chunking).table
        found = without.chunks(batch, [table])[table].to_pylist()
        assert found == [[sequence(*tokens) for tokens in expected], [sequence("four")]]
        assert without.sketch(batch, [table])[table].to_pylist() == found
    # On another site it is text as any other.
    elsewhere = pages([html[1]], True, "b.example")
    [found] = without.chunks(elsewhere, ["chunks-lines-1"])["chunks-lines-1"].to_pylist()
    assert found == [sequence(token) for token in ("menu", "four", "end")]


def test_a_page_without_chunks_has_none_and_without_a_body_nothing() -> None:
    made = sketcher(WEBECHO).chunks(pages(["a", "", None]), ["chunks-page"])
    assert made["chunks-page"].to_pylist() == [[sequence("a")], [], None]


@pytest.mark.parametrize("name", ["chunks-", "chunks-lines", "chunks-lines-0", "chunks-page-2"])
def test_other_columns_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no chunks"):
        sketcher(WEBECHO).chunks(pages(["a"]), [name])


def test_values_never_change() -> None:
    # Workspaces keep them: another value is another version of the recipes.
    text = "One two.\nThree, four\n\nfive"
    found = [kernel(chunking, text)[0][0] for chunking in ("lines:2", "words:2:sliding", "page")]
    assert found == GOLDEN[:3]
    assert kernel("lines:2", text, recipe=SHIVAKUMAR_1998)[0][0] == GOLDEN[3]
    assert unsigned(found)[0] == reference.sequence(
        [reference.fingerprint(token, "fast") for token in ("one", "two", "three", "four")]
    )


GOLDEN = [5863087509917215605, -1159368359409220329, 8228488788075646418, -8718861517748590879]


@pytest.mark.data
@pytest.mark.parametrize("used", [WEBECHO, SHIVAKUMAR_1998], ids=lambda recipe: recipe.name)
def test_real_pages(data: Path, used: Recipe) -> None:
    check([row["body"] for row in real_pages(data / "debian_docs.parquet", 40)], used)
    html = [row["body"] for row in real_pages(data / "debian_html.parquet", 40)]
    texts = [sketcher(used).text(body.encode(), True, "utf-8") for body in html]
    check(texts, used)
    tables = [chunking.table for chunking in ALL if chunking.unit != "paragraph"]
    of_html = sketcher(used).chunks(pages([*html], markup=True), tables)
    of_text = sketcher(used).chunks(pages([*texts]), tables)
    assert of_html.equals(of_text)
