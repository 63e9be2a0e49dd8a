"""Numbers of bytes as people write them."""

import pytest

from webecho.errors import SettingsError
from webecho.sizes import in_bytes, size


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (7, 7),
        ("7", 7),
        ("7b", 7),
        ("500MB", 500_000_000),
        ("500 mb", 500_000_000),
        (" 1.5 GB ", 1_500_000_000),
        ("2k", 2_000),
        ("2Ki", 2_048),
        ("2GiB", 2_147_483_648),
        ("1TiB", 1_099_511_627_776),
        ("0", 0),
    ],
)
def test_sizes(size: int | str, expected: int) -> None:
    assert in_bytes(size) == expected


@pytest.mark.parametrize("size", ["", "MB", "much", "-1MB", "1PB", "1 000", "7ib", "1e9", "٣MB"])
def test_what_is_no_size(size: str) -> None:
    with pytest.raises(SettingsError) as error:
        in_bytes(size)
    assert str(error.value) == f"{size!r} is no size; try 500MB or 2GB"


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 KB"),
        (57_901, "57.9 KB"),
        (10**6, "1.0 MB"),
        (2.5e9, "2.5 GB"),
        (3.1e12, "3.1 TB"),
        (3.1e15, "3100.0 TB"),
    ],
)
def test_sizes_for_people(count: float, shown: str) -> None:
    assert size(count) == shown
