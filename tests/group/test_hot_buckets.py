"""What of hot buckets can be asked for, and how a label says it."""

from dataclasses import asdict

import pytest

from webecho.errors import SettingsError
from webecho.group.hot_buckets import ALL_PAIRS, HotSettings, without_hot


@pytest.mark.parametrize(
    ("settings", "label"),
    [
        (HotSettings(), ""),
        (HotSettings(hot=5_000, drawn=100_000, seed=0), ""),
        (HotSettings(hot=2), "-hot-2"),
        (HotSettings(drawn=1), "-drawn-1"),
        (HotSettings(seed=-7), "-seed--7"),
        (HotSettings(hot=100, drawn=7, seed=3), "-hot-100-drawn-7-seed-3"),
        (ALL_PAIRS, "-hot-none"),
    ],
)
def test_a_label_has_what_is_not_as_by_default(settings: HotSettings, label: str) -> None:
    assert settings.label == label
    rule, said = without_hot(f"combined-2-355{label}")
    assert rule == "combined-2-355"
    # Where no bucket is hot the settings have None, and people write none.
    assert {name: str(asdict(settings)[name]).lower() for name in said} == said
    assert "".join(f"-{name}-{value}" for name, value in said.items()) == label


def test_what_stands_elsewhere_in_a_label_is_left_there() -> None:
    assert without_hot("b-hot-2-x") == ("b-hot-2-x", {})
    assert without_hot("b-hot") == ("b-hot", {})


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(SettingsError) as error:
        HotSettings(hot=1)
    assert str(error.value) == "--hot 1: a bucket with a pair has 2 pages; give 2 or more"
    with pytest.raises(SettingsError, match=r"^--drawn 0: give 1 or more$"):
        HotSettings(drawn=0)
