"""Rules by their names and labels, and what is the same of all of them."""

import pytest

from webecho import SettingsError
from webecho.chunkings import Chunking
from webecho.group.rules import registry
from webecho.group.rules.checks import Agreement
from webecho.group.rules.keys import IDENTITY, Bands, Chunks, Pieces, SameChunks, Supershingles
from webecho.group.rules.parameters import Value
from webecho.group.rules.registry import (
    ALIASES,
    KINDS,
    PARAMETERS,
    RULES,
    TOKENS,
    parse,
    rule,
    rules_named,
    rules_of_sets,
    rules_with,
)
from webecho.group.rules.rule import Rule
from webecho.settings import SKETCH_COLUMNS, WEBECHO, Recipe, recipe

FEWER = recipe("henzinger2006", bits=192, m=42)
GIVEN: list[tuple[str, dict[str, Value]]] = [
    *((name, {}) for name in RULES),
    *(("similar", {"resemblance": value}) for value in (0.95, 1, 1 / 3, 1e-9, 0.8000000000000002)),
    ("b", {"least_b": 1}),
    ("c", {"least_c": 380}),
    ("c", {"pieces": 12}),
    ("combined", {"least_c": 350}),
    ("combined", {"least_b": 6, "least_c": 384}),
    ("by-site", {"least_b": 3, "least_c": 340, "least_c_across": 380, "pieces": 12}),
    ("overlap", {"shared": 1}),
    ("overlap", {"chunk": Chunking("page")}),
    ("overlap", {"chunk": Chunking("lines", 2)}),
    ("overlap", {"chunk": Chunking("sentence"), "shared": 7}),
    ("overlap", {"chunk": Chunking("lines", 4, sliding=True), "shared": 25}),
    ("overlap", {"chunk": Chunking("words", 8), "shared": 2, "most_pages": 100}),
    ("overlap", {"most_pages": 3, "fingerprint": 32}),
]


@pytest.mark.parametrize(("name", "given"), GIVEN)
def test_a_label_means_the_rule_that_has_it(name: str, given: dict[str, Value]) -> None:
    chosen = rule(name, recipe=WEBECHO, **given)
    assert parse(chosen.label) == chosen
    assert chosen.name == name
    assert {**given}.items() <= dict(chosen.values).items()


@pytest.mark.parametrize("name", RULES)
def test_a_name_means_what_the_papers_have(name: str) -> None:
    assert parse(name) == rule(name)
    assert parse(name, FEWER) == rule(name, recipe=FEWER)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bb",
        "b-",
        "b-2-3",
        "b-2.5",
        "b-.",
        "b-2-pieces-12",
        "similar-0.8.",
        "text-1",
        "overlap-15",
        "overlap-lines-4",
        "overlap-lines:4-15",
        "overlap-page-1-sliding",
        "overlap-lines-4-15-fingerprint-32-most_pages-9",
        "exact-1",
        "c-372-",
    ],
)
def test_what_is_no_label(text: str) -> None:
    assert parse(text) is None


def test_labels() -> None:
    labels = [rule(name).label for name in RULES]
    assert labels == [
        "payload",
        "text",
        "tokens",
        "very-similar",
        "virtually-identical",
        "similar-0.8",
        "edited-0.9",
        "b-2",
        "c-372",
        "combined-2-355",
        "by-site-2-355-372",
        "paragraphs",
        "overlap-lines-4-15",
    ]
    assert rule("c", pieces=12).label == "c-372-pieces-12"
    words = Chunking("words", 8, sliding=True)
    assert rule("overlap", chunk=words, shared=3, fingerprint=32, most_pages=9).label == (
        "overlap-words-8-sliding-3-most_pages-9-fingerprint-32"
    )


def test_different_resemblances_never_share_a_label() -> None:
    """The label names the file: a shared one would overwrite another's result."""
    values = (0.8, 0.80000001, 0.8000000000000002, 0.79999999, 1 / 3, 0.333333, 1e-9)
    labels = {rule("similar", value).label for value in values}
    assert len(labels) == len(values)


def test_an_unknown_rule_is_told_the_known_ones() -> None:
    with pytest.raises(SettingsError) as error:
        rule("same")
    assert str(error.value) == f"no rule is called 'same'; there are {', '.join(RULES)}"


@pytest.mark.parametrize("name", [name for name in RULES if name != "similar"])
def test_only_similar_has_a_resemblance(name: str) -> None:
    with pytest.raises(
        SettingsError, match=f"the rule {name} has no --resemblance; that is for similar(, and|$)"
    ):
        rule(name, 0.8)


def test_what_a_rule_has_instead_is_told() -> None:
    with pytest.raises(SettingsError, match=r"that is for similar, and edited has --equal-words$"):
        rule("edited", 0.8)
    with pytest.raises(SettingsError, match=r"that is for similar, and b has --least-b$"):
        rule("b", 0.8)
    with pytest.raises(SettingsError, match=r"that is for similar$"):
        rule("tokens", 0.8)


def test_which_rules_have_a_parameter() -> None:
    assert {name: rules_with(name) for name in PARAMETERS} == {
        "resemblance": ["similar"],
        "equal_words": ["edited"],
        "least_b": ["b", "combined", "by-site"],
        "least_c": ["c", "combined", "by-site"],
        "least_c_across": ["by-site"],
        "pieces": ["c", "by-site"],
        **{name: ["overlap"] for name in ("chunk", "shared", "most_pages", "fingerprint")},
    }
    assert rules_of_sets() == ["b", "c", "combined", "by-site"]


def looked_at(chosen: Rule, of: Recipe) -> set[str]:
    """The sketch columns that the keys and checks of a rule are about."""
    column = {Bands: "features", Pieces: "projection", Supershingles: "supershingles"}
    found = set()
    for search in chosen.searches(of):
        keys, check = search.keys, search.check
        # Chunks are no column of the sketches.
        found |= set() if isinstance(keys, Chunks) else {column[type(keys)]}
        if isinstance(check, Agreement):
            found |= {"supershingles"} if check.least_b is not None else set()
            found |= {"projection"} if check.least_c is not None else set()
    return found


@pytest.mark.parametrize("of", [WEBECHO, FEWER])
@pytest.mark.parametrize("name", RULES)
def test_a_rule_says_what_it_needs(name: str, of: Recipe) -> None:
    chosen = rule(name, recipe=of)
    assert set(chosen.columns) == looked_at(chosen, of)
    assert set(chosen.sketched) == (
        set(SKETCH_COLUMNS) if chosen.pairs_of_sets else set(chosen.columns)
    )
    asked = {measure for search in chosen.searches(of) for measure in search.check.asked}
    assert chosen.compares_shingles == ("resemblance" in asked)
    tables = {"paragraphs": ("paragraphs",), "overlap": ("chunks-lines-4",)}
    assert chosen.tables == tables.get(name, ())


@pytest.mark.parametrize(
    "name", [name for name in RULES if name not in ("payload", "text", "paragraphs", "overlap")]
)
def test_the_sets_of_a_rule_alone_are_a_rule(name: str) -> None:
    alone = rule(name).without_searches
    assert (alone.sets, alone.searches(WEBECHO), alone.columns) == (IDENTITY, (), ())


def test_what_is_the_same_by_chunks_depends_on_the_parameters() -> None:
    lines = Chunking("lines", 4)
    alone = rule("overlap", shared=3, fingerprint=32, most_pages=9).without_searches
    assert (alone.sets, alone.searches(WEBECHO)) == (SameChunks(lines, 1, 32), ())
    assert alone.tables == ("chunks-lines-4",)


def test_identity_sets_are_the_rule_of_tokens() -> None:
    assert rule("tokens") == TOKENS


def test_exact_is_another_name_for_text() -> None:
    assert ALIASES == {"exact": "text"}
    assert rule("exact") == parse("exact") == rule("text")
    assert rule("exact").label == "text"
    with pytest.raises(SettingsError, match="the rule text has no --resemblance"):
        rule("exact", 0.8)


def test_several_rules_by_names_and_labels_each_once() -> None:
    found = rules_named(["b", "similar-0.9", "exact", "b-2", "text"], FEWER)
    assert [each.label for each in found] == ["b-2", "similar-0.9", "text"]
    assert found[0] == rule("b", recipe=FEWER)
    with pytest.raises(
        SettingsError, match=r"no rule is called 'b 2'; there are payload, .*, some"
    ):
        rules_named(["b 2"])
    assert rules_named([]) == []


def test_the_table_of_the_registry_is_what_the_rules_say() -> None:
    lines = (registry.__doc__ or "").splitlines()
    table = [line for line in lines if line.startswith("| `")]
    assert table == [
        f"| `{name}` | {kind.explanation} | {kind.paper} |" for name, kind in KINDS.items()
    ]
