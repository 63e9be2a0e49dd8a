import pyarrow as pa
import pytest

from webecho.read.names import is_called, number_of


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("#12", 12),
        ("12", 12),
        ("#0", 0),
        ("-1", None),
        ("1.5", None),
        ("#", None),
        ("http://a.org/12", None),
        ("9" * 16, None),
    ],
)
def test_numbers(name: str, number: int | None) -> None:
    assert number_of(name) == number


def test_a_page_is_called_by_its_url_or_its_id() -> None:
    pages = pa.RecordBatch.from_pydict({"url": ["a", None, "b", "7"], "id": [7, 8, 7, None]})
    assert is_called(pages, "7").to_pylist() == [True, False, True, True]
    assert is_called(pages, "a").to_pylist() == [True, False, False, False]
    assert is_called(pages, "none").to_pylist() == [False] * 4
