"""What of hot buckets can be asked for, and how a label says it."""

import pytest

from webecho.errors import SettingsError
from webecho.group.hot_buckets import ALL_PAIRS, HotSettings


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


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(SettingsError) as error:
        HotSettings(hot=1)
    assert str(error.value) == "--hot 1: a bucket with a pair has 2 pages; give 2 or more"
    with pytest.raises(SettingsError, match=r"^--drawn 0: give 1 or more$"):
        HotSettings(drawn=0)
