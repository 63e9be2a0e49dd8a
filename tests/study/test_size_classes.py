"""The classes of cluster sizes of the paper."""

from webecho.engine.local.engine import local_run
from webecho.study.size_classes import CLASS_NAMES, CLASSES, SIZES, size_class


def test_what_classes_are_called() -> None:
    assert (
        *("1", "2–10", "11–100", "101–1,000", "1,001–10,000", "10,001–100,000", "over 100,000"),
    ) == SIZES
    assert (CLASS_NAMES[0], CLASS_NAMES[1]) == ("1 page", "2–10 pages")


def test_every_size_is_in_its_class() -> None:
    with local_run().database() as database:
        for number, (low, high) in enumerate(CLASSES):
            for size in (low, high or 10**9):
                assert database.row(f"SELECT {size_class(str(size))} AS found") == {"found": number}
