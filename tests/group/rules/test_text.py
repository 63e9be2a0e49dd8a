"""`text`: pages made by hand, and against text and white space taken apart in Python."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import webecho
from tests.kernel import kernels
from webecho.group.rules.keys import TEXT
from webecho.group.rules.registry import parse, rule
from webecho.settings import RECIPES, WEBECHO

# The characters with Unicode's property White_Space, one by one.
WHITE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    chr(code) for code in range(0x2000, 0x200B)
)


def folded(text: str) -> str:
    for character in WHITE:
        text = text.replace(character, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip(" ")


def sets(pages: Iterable[str], name: str, column: str = "html") -> list[list[int]]:
    """The pages that a rule holds together, by their numbers."""
    found = webecho.clusters(pa.table({column: list(pages)}), name)
    members: dict[int, list[int]] = defaultdict(list)
    for row in found.to_pylist():
        members[row["cluster"]].append(row["page"])
    return sorted(members.values())


# Two pages that the tokens hold together, and whether their readers see the same.
PAIRS = [
    ("<p>operator&lt;&lt; writes</p>", "<p>operator&gt;&gt; writes</p>", False),
    ("<p>10 % of it</p>", "<p>10 && of it</p>", False),
    ("<p>Polish it</p>", "<p>polish it</p>", False),
    ("<p>a-b c</p>", "<p>a - b c</p>", False),
    ("<p>one  two\n three</p>", "<div> one<br>two <b>three</b></div>", True),
    ("<p>caf&eacute;&nbsp;noir</p>", "<p>café noir</p>", True),
    ("<p>1 &lt; 2 &amp; 3</p>", "<p>1 &#60; 2 &#x26; 3</p>", True),
    ("<p>bo<b>ld</b> word</p>", "<p>bold word</p>", True),
    ("<p>seen<script>var x</script></p>", "<p>seen<!-- not --></p>", True),
]


@pytest.mark.parametrize(("left", "right", "same"), PAIRS)
def test_what_a_reader_sees(left: str, right: str, same: bool) -> None:
    assert sets([left, right], "tokens") == [[0, 1]]
    together = [[0, 1]] if same else [[0], [1]]
    assert sets([left, right], "text") == sets([left, right], "exact") == together


def test_symbols_alone() -> None:
    # Without a token pages are the same by their bytes under `tokens`, by their text under `text`.
    pages = ["<p>%</p>", "<p>&amp;&amp;</p>", "<b>%</b>", "<i></i>", "<i> </i>", "<i></i>", "", ""]
    assert sets(pages, "text") == [[0, 2], [1], [3, 5], [4], [6], [7]]
    assert sets(pages, "tokens") == [[0], [1], [2], [3, 5], [4], [6], [7]]


def test_markup_and_plain_text_agree_where_their_readers_see_the_same() -> None:
    markup = kernels.row("<h1>A &amp; B</h1>\n<p>c &lt;d&gt;<br>é\u3000f</p>", WEBECHO, markup=True)
    plain = kernels.row("\n A & B\n\nc <d>\r\né f ", WEBECHO)
    assert markup["text_digest"] == plain["text_digest"] is not None
    assert markup["markup_digest"] != plain["markup_digest"]
    for nothing in ("", " \n\u3000", "<p> <!-- x -->"):
        assert kernels.row(nothing, WEBECHO, markup=True)["text_digest"] is None


PIECES = ["a", "A", "é", "漢", "<", ">", "%", "\0", "\x1c", "\u200b", *WHITE]


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=6), min_size=2, max_size=8))
def test_the_digest_is_that_of_the_folded_text(pages: list[list[str]]) -> None:
    texts = ["".join(page) for page in pages]
    found = [row["text_digest"] for row in kernels.sketches(texts, WEBECHO).to_pylist()]
    expected = [folded(text) for text in texts]
    assert [digest is None for digest in found] == [not text for text in expected]
    for i, one in enumerate(expected):
        assert [each == found[i] for each in found] == [each == one for each in expected]


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda recipe: recipe.name)
def test_sets_are_those_of_the_slow_text(recipe: webecho.settings.Recipe) -> None:
    pages = [page for left, right, _ in PAIRS for page in (left, right)]
    pages += [page.replace(">", ">\u2003\n", 1) for page in pages]
    by_text: dict[str, list[int]] = defaultdict(list)
    for number, page in enumerate(pages):
        text = folded(kernels.sketcher(recipe).text(page.encode(), True, "utf-8"))
        by_text[hashlib.sha256(text.encode()).hexdigest()].append(number)
    found = defaultdict(list)
    for number, row in enumerate(kernels.sketches(pages, recipe, markup=True).to_pylist()):
        found[row["text_digest"]].append(number)
    assert sorted(found.values()) == sorted(by_text.values())
    assert len(found) < len(pages) / 2


def test_a_rule_and_its_other_name() -> None:
    chosen = rule("text")
    assert (chosen.sets, chosen.searches(WEBECHO), chosen.label) == (TEXT, (), "text")
    assert rule("exact") == parse("exact") == chosen
    assert TEXT.columns == ("text_digest", "markup_digest")
