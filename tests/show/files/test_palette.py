"""One colour for one thing."""

from webecho.show.files.palette import BLUE, COLLECTIONS, GREEN, MARKERS, PURPLE, RULES, colour


def test_a_collection_has_its_colour_in_all_figures_of_a_study() -> None:
    every = ["2003", "2004", "2005"]
    assert [colour(name, every) for name in every] == [*COLLECTIONS[:3]]
    # Also where it is the only one drawn.
    assert colour("2005", every) == GREEN


def test_measures_and_rules_have_theirs() -> None:
    assert colour("clusters", []) == BLUE != colour("duplicates", [])
    assert colour("b-2", []) == RULES["b"] == colour("b", [])
    assert colour("by-site-2-355-372", []) == PURPLE
    # A collection may have the name of a measure.
    assert colour("duplicates", ["duplicates"]) == COLLECTIONS[0]


def test_colours_and_markers_are_told_apart() -> None:
    assert len({*COLLECTIONS}) == len(COLLECTIONS) == len({*MARKERS})
