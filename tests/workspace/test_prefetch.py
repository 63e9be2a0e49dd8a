import gc
import threading
import time
import weakref

import pyarrow as pa
import pytest

from webecho.workspace.prefetch import plain_memory, prefetch


def test_items_come_in_order_and_an_error_in_its_place() -> None:
    def items():
        yield from range(5)
        raise OSError("the end")

    seen = []
    with pytest.raises(OSError, match="the end"):
        for item in prefetch(items()):
            seen.append(item)
    assert seen == [0, 1, 2, 3, 4]


def test_an_item_that_was_given_is_held_by_nobody() -> None:
    class Item:
        pass

    def through(items):
        for item in items:
            known = weakref.ref(item)
            del item
            yield known() is None

    items = (Item() for _ in range(5))
    assert list(prefetch(through(prefetch(items)))) == [True] * 5


def test_leaving_early_ends_the_threads() -> None:
    closed = []

    def items():
        try:
            yield from range(1000)
        finally:
            closed.append(True)

    before = threading.active_count()
    for item in prefetch(number * 2 for number in prefetch(items())):
        if item == 10:
            break
    del item
    gc.collect()
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() == before
    assert closed == [True]


def test_memory_comes_from_the_system_for_a_while() -> None:
    before = pa.default_memory_pool().backend_name
    with pytest.raises(OSError), plain_memory():
        assert pa.default_memory_pool().backend_name == "system"
        raise OSError
    assert pa.default_memory_pool().backend_name == before


def test_of_two_that_overlap_the_last_restores_it() -> None:
    before = pa.default_memory_pool().backend_name
    first, second = plain_memory(), plain_memory()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert pa.default_memory_pool().backend_name == "system"
    second.__exit__(None, None, None)
    assert pa.default_memory_pool().backend_name == before
