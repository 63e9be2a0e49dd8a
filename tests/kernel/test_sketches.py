"""The whole way from bytes to a row, and the rows that are no ordinary ones."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernel import kernels, reference
from tests.kernel.test_text import markup
from webecho.settings import FETTERLY_2004, HENZINGER_2006, WEBECHO, Recipe, recipe

URL = "http://www.example.com/index.html"
CHANGED = [
    recipe("webecho", k=1),
    recipe("webecho", k=3, wrap=True, m=20, width=5, bits=64),
    recipe("webecho", fingerprint="rabin", m=12, width=6),
    recipe("webecho", functions="rabin", m=12, width=2, bits=128),
    recipe("webecho", join_formatting=False, image_terms=True, m=6, width=1),
    recipe("fetterly2004", wrap=False, k=2, m=6, width=3),
    recipe("henzinger2006", fold_case=True, functions="rounds", split_unspaced=True),
    recipe("henzinger2006", image_terms=False, k=4, m=5, width=5, bits=448),
]
RECIPES = [WEBECHO, FETTERLY_2004, HENZINGER_2006, *CHANGED]


def check(source: str, recipe: Recipe, *, markup: bool = False, url: str | None = URL) -> None:
    expected = reference.sketch(source, markup, recipe, url)
    found = kernels.row(source, recipe, markup=markup, urls=[url])
    assert found["tokens"] == len(expected.token_prints)
    for name in ("chars", "title", "hollow", *kernels.COLUMNS):
        assert found[name] == getattr(expected, name), name
    assert found["markup_digest"] == digest_of(source.encode())
    prints = b"".join(token.to_bytes(8, "little") for token in expected.token_prints)
    assert found["digest"] == digest_of(prints)


def digest_of(data: bytes) -> bytes | None:
    """128 bits of any bytes: those of the raw bytes of a page of them."""
    return kernels.row(data, WEBECHO, columns=[])["markup_digest"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a", "a96faf705af16834e6c632b61e964e1f"),
        (b"abc", "06b05ab6733a618578af5f94892f3950"),
        (b"", None),
    ],
)
def test_digests_are_xxh3_128(data: bytes, expected: str | None) -> None:
    """Known values of the published function; none for a page of no bytes."""
    found = digest_of(data)
    assert (found.hex() if found else None) == expected


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@given(html=markup)
def test_any_markup(recipe: Recipe, html: str) -> None:
    check(html, recipe, markup=True)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@given(text=st.text(st.characters(exclude_categories=["Cs", "Cn"])))
def test_any_text(recipe: Recipe, text: str) -> None:
    check(text, recipe)


@given(st.lists(st.binary(), min_size=1), st.booleans())
def test_any_bytes_alone_and_in_company(bodies: list[bytes], markup: bool) -> None:
    together = kernels.sketches(bodies, WEBECHO, markup=markup)
    alone = [kernels.sketches([body], WEBECHO, markup=markup) for body in bodies]
    assert together.equals(pa.Table.from_batches(alone).combine_chunks().to_batches()[0])


@pytest.mark.parametrize("recipe", RECIPES[:3], ids=lambda recipe: recipe.name)
def test_a_page_without_tokens_has_only_raw_bytes(recipe: Recipe) -> None:
    row = kernels.row("<p> … <!-- nothing -->", recipe, markup=True)
    assert row["tokens"] == 0
    assert len(row["markup_digest"]) == 16
    assert [row[name] for name in ("digest", *kernels.COLUMNS)] == [None] * 5


def test_a_null_body_gives_a_row_of_nulls() -> None:
    row = kernels.sketches([None], WEBECHO).to_pylist()[0]  # type: ignore[list-item]
    assert row.pop("hollow") is False
    assert set(row.values()) == {None}


def test_only_wanted_columns_come_and_each_is_the_same_alone() -> None:
    texts = ["one two three four five six", "seven"]
    whole = kernels.sketches(texts, WEBECHO)
    for name in kernels.COLUMNS:
        alone = kernels.sketches(texts, WEBECHO, columns=[name])
        assert alone[name] == whole[name]
        assert not set(kernels.COLUMNS) - {name} & set(alone.schema.names)


def test_strings_and_bytes_of_every_arrow_type_are_the_same_pages() -> None:
    texts = ["Crème brûlée, 漢字", None, "x"]
    rows = []
    for kind in (pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()):
        data = texts if "string" in str(kind) else [text and text.encode() for text in texts]
        pages = {"body": pa.array(data, kind), "markup": [False] * 3}
        pages |= {"charset": pa.nulls(3, pa.string()), "url": pa.nulls(3, pa.string())}
        batch = pa.record_batch(pages)
        rows.append(kernels.sketcher(WEBECHO).sketch(batch, list(kernels.COLUMNS)))
    assert all(row.equals(rows[0]) for row in rows)


def test_characters_that_are_known_need_no_charset() -> None:
    """A string is text already; a label inside it says how it once came."""
    html = "<meta charset=koi8-r>Привет"
    known = kernels.row(html, WEBECHO, markup=True)
    assert known["digest"] == kernels.row("Привет", WEBECHO)["digest"]
    assert kernels.row(html.encode(), WEBECHO, markup=True)["digest"] != known["digest"]


@pytest.mark.parametrize(
    ("words", "dropped", "hollow"),
    [(9, 500, True), (10, 500, False), (9, 499, False), (0, 5000, True)],
)
def test_a_page_whose_text_stands_in_scripts_is_hollow(
    words: int, dropped: int, hollow: bool
) -> None:
    html = f"<script>{'x' * dropped}</script><p>" + "word " * words
    assert kernels.row(html, WEBECHO, markup=True)["hollow"] is hollow
    check(html, WEBECHO, markup=True)


@pytest.mark.parametrize("recipe", [WEBECHO, HENZINGER_2006], ids=lambda recipe: recipe.name)
def test_a_huge_page(recipe: Recipe) -> None:
    # 1.3 MB, and only 180 words that differ in what follows them.
    check(" ".join(f"{n} bottles of Beer on the wall ½" for n in range(30)) * 1_500, recipe)


@pytest.mark.data
@pytest.mark.parametrize(
    ("recipe", "count", "longest"),
    [(WEBECHO, 16, 8_000), (FETTERLY_2004, 6, 4_000), (HENZINGER_2006, 6, 4_000)]
    + [(changed, 6, 5_000) for changed in CHANGED],
    ids=lambda value: getattr(value, "name", ""),
)
def test_real_pages(recipe: Recipe, count: int, longest: int, data: Path) -> None:
    for file in ("debian_html", "snapshots/2"):
        pages = kernels.real_pages(data / f"{file}.parquet", count, longest)
        assert pages
        for page in pages:
            body = page["body"]
            html = body if isinstance(body, str) else body.decode()
            check(html, recipe, markup=True, url=page["url"])
