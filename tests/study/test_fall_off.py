"""How children and equivalents fall off."""

from webecho.study.fall_off import fall_off_rows, falling, fewer, figures
from webecho.study.figures import Lines

# The paper's Table 8, rounded as it is.
ROWS = [
    {
        "old": "2003",
        "new": "2004",
        "table": 8,
        "distance": 1,
        "children": 33_200,
        "equivalents": 19_300,
    },
    {
        "old": "2003",
        "new": "2005",
        "table": 8,
        "distance": 2,
        "children": 29_100,
        "equivalents": 10_500,
    },
]


def test_the_papers_own_numbers() -> None:
    """Which say 12.5 and 45.5 %, from counts that are not rounded."""
    [row] = fall_off_rows(ROWS, ["2003", "2004", "2005"])
    assert (row["from"], row["to"]) == ("2004", "2005")
    assert round(row["share fewer children"], 3) == 0.123
    assert round(row["share fewer equivalents"], 3) == 0.456
    [sentence] = falling([row])
    assert (
        "From 2003–2004 to 2003–2005 children are 12.3% fewer and equivalents are 45.6% fewer"
        in sentence
    )


def test_more_are_a_share_below_0() -> None:
    assert fewer(8900, 9700) == -800 / 8900
    assert fewer(0, 5) is None
    row = {
        "old": "a",
        "from": "b",
        "to": "c",
        "share fewer children": -0.09,
        "share fewer equivalents": 0.5,
    }
    assert "children are 9.0% more and equivalents are 50.0% fewer" in falling([row])[0]
    assert falling([row | {"share fewer children": None}]) == []


def test_a_line_for_each_old_snapshot_with_several_newer() -> None:
    drawn = figures(ROWS, ["2003", "2004", "2005"])["fall_off"]
    assert isinstance(drawn, Lines)
    assert [(each.of, each.way, each.points) for each in drawn.series] == [
        ("2003", "children", [(1, 33_200), (2, 29_100)]),
        ("2003", "equivalents", [(1, 19_300), (2, 10_500)]),
    ]
    assert figures(ROWS[:1], ["2003", "2004"]) == {}
