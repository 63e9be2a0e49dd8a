"""The kernel's paragraphs are those of the definition, taken character by character."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.kernel import reference_paragraphs as reference
from tests.kernel.kernels import real_pages, sketches
from webecho import _core
from webecho.settings import WEBECHO, recipe

SKETCHER = _core.Sketcher(WEBECHO.as_dict(), 2)
COLUMNS = ("paragraphs", "overlapping_paragraphs")


def pages(texts: list[str], markup: bool = False) -> pa.RecordBatch:
    nothing = pa.nulls(len(texts), pa.string())
    return pa.record_batch(
        {
            "body": pa.array(texts, pa.string()),
            "markup": pa.array([markup] * len(texts)),
            "charset": nothing,
            "url": nothing,
        }
    )


def kernel(*texts: str, markup: bool = False) -> list[tuple[list[int], list[int]]]:
    """The paragraphs of each text without and with overlap."""
    found = SKETCHER.paragraphs(pages([*texts], markup)).to_pylist()
    return [tuple(row[name] or [] for name in COLUMNS) for row in found]  # type: ignore[misc]


def test_sentences_come_with_their_texts_and_lengths() -> None:
    """Those of the n-th overlapping paragraph are the n-th and the next two."""
    text = " One  two. Trois é. Four。Five and  \n six. " + "x" * 151
    batch = pages([text, "", "..."])
    (sentences, *empty) = SKETCHER.sentences(batch)["sentences"].to_pylist()
    assert sentences == ["One two.", "Trois é.", "Four。", "Five and six.", "x" * 150, "x"]
    assert empty == [[], []]
    made = SKETCHER.paragraphs(batch)
    lengths = made["sentence_chars"].to_pylist()
    assert lengths == [[8, 8, 5, 13, 150, 1], None, None]
    overlapping = made["overlapping_paragraphs"].to_pylist()[0]
    windows = [" ".join(sentences[at : at + 3]) for at in range(3)]
    assert overlapping[:3] == [kernel(window)[0][0][0] for window in windows]
    along = SKETCHER.sketch(batch, ["sentence_chars"])
    assert along["sentence_chars"].to_pylist() == lengths
    assert "paragraphs" not in along.schema.names


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u2028", "\u0085"])
def test_white_space_beyond_ascii_is_characters_to_paragraphs_and_one_space_to_the_text(
    space: str,
) -> None:
    """As docs/study-duplicates.md and docs/workspace.md say."""
    texts = ["One two. Three.", "One \t\ntwo.  Three.", f"One {space}two. Three."]
    columns = sketches(texts, WEBECHO, columns=("text_digest", "chars")).to_pydict()
    assert columns["chars"] == [15, 15, 16]
    assert len(set(columns["text_digest"])) == 1
    plain, folded, wide = kernel(*texts)
    assert plain == folded
    assert wide != plain
    # Of the same two sentences, the first a character longer.
    lengths = SKETCHER.paragraphs(pages(texts))["sentence_chars"].to_pylist()
    assert lengths == [[8, 6], [8, 6], [9, 6]]


def check(texts: list[str]) -> None:
    """Paragraphs have equal fingerprints exactly where their sentences are equal."""
    names: dict[object, int] = {}
    for text, (without, overlap) in zip(texts, kernel(*texts), strict=True):
        for expected, found in (
            (reference.paragraphs(text), without),
            (reference.overlapping(text), overlap),
        ):
            assert len(found) == len(expected), text
            for sentences, value in zip(expected, found, strict=True):
                assert names.setdefault(sentences, value) == value
    assert len(set(names.values())) == len(names)


WORDS = some.sampled_from(
    [
        "a",
        "b.",
        "é。",
        " ",
        "  ",
        "\n\t",
        ".",
        "...",
        "\u00a0",
        "漢",
        "३।",
        "x" * 149,
        "y" * 150,
        "z. ",
    ]
)


@given(some.lists(some.lists(WORDS, max_size=30).map("".join), min_size=1, max_size=4))
def test_the_kernel_is_the_definition(texts: list[str]) -> None:
    check(texts)


@given(some.lists(some.text(max_size=700), min_size=1, max_size=3))
def test_any_text(texts: list[str]) -> None:
    check([text.replace("\ud800", "") for text in texts])


@pytest.mark.parametrize("length", [1, 149, 150, 151, 299, 300, 301, 449, 450, 451, 900])
def test_without_periods_a_sentence_has_150_characters(length: int) -> None:
    text = "é" * length
    assert [len(each) for each in reference.sentences(text)] == [150] * (length // 150) + [
        length % 150
    ] * (length % 150 > 0)
    check([text, text + ".", text + ".b.", text + " b"])


def test_sentences_of_exactly_150_and_151_characters() -> None:
    exact, over = "a" * 149 + ".", "a" * 150 + "."
    assert reference.sentences(exact + "b.") == [exact, "b."]
    # The 151st character is a period alone, which ends no sentence.
    assert reference.sentences(over + "b.") == ["a" * 150, "b."]
    check([exact + "b.", over + "b."])
    [first, second] = (found for found, _ in kernel(exact + "b.", over + "b."))
    assert first != second


def test_only_periods_make_no_paragraph() -> None:
    assert kernel("." * 600, " . " * 300, "", " \n") == [([], [])] * 4


def test_more_than_450_characters_have_a_whole_paragraph() -> None:
    for text in (
        "x" * 451,
        "x " * 226 + "y",
        ("x" * 149 + " ") * 3 + "y",
        "x" * 200 + "." + "y" * 250,
    ):
        assert len(reference.collapsed(text)) >= 451
        assert len(reference.sentences(text)) >= 3
        check([text])


def test_six_sentences_are_two_paragraphs_as_in_the_paper() -> None:
    [(both, _), (first, _), (second, _)] = kernel("1. 2. 3. 4. 5. 6.", "1. 2. 3.", "4. 5. 6.")
    assert both == first + second
    assert len(first) == len(second) == 1


def test_full_stops_of_other_scripts_end_sentences() -> None:
    [(found, _)] = kernel("一二三。四五六。七八九。十。")
    assert len(found) == 2
    check(["一二三。四五六。七八九。十。", "एक। दो। तीन। चार॥ पांच", "واحد۔ دو۔ تین۔ چار"])


def test_case_counts_and_white_space_does_not() -> None:
    [plain, spaced, other] = (found for found, _ in kernel("One. Two", " One.\n\tTwo ", "one. Two"))
    assert plain == spaced
    assert plain != other


def test_markup_is_text_first() -> None:
    html = "<title>One.</title><p>Two <b>bold</b>.<p>Three.<script>No.</script><p>Four"
    assert kernel(html, markup=True) == kernel("One.\nTwo bold.\nThree.\nFour")


def test_sketching_makes_the_same() -> None:
    texts = ["One. Two. Three. Four.", "", "...", "漢字。"]
    made = sketches(texts, WEBECHO, columns=["paragraphs"])
    assert [made[name].to_pylist() for name in COLUMNS] == [
        SKETCHER.paragraphs(pages(texts))[name].to_pylist() for name in COLUMNS
    ]


def test_values_never_change() -> None:
    # Workspaces keep them: another value is another version of the recipes.
    [found] = kernel("One. Two. Three. Four.")
    assert found == GOLDEN
    changed = _core.Sketcher(recipe("fetterly2004").as_dict(), 1)
    assert changed.paragraphs(pages(["One. Two. Three. Four."]))["paragraphs"].to_pylist() == [
        GOLDEN[0]
    ]


GOLDEN = ([3933319491281129271, -8917563550828617034], [3933319491281129271, -3523079606098486363])


@pytest.mark.data
def test_real_pages(data: Path) -> None:
    rows = real_pages(data / "debian_docs.parquet", 60)
    check([row["body"] for row in rows])
