import gc
import threading
import time
import weakref

import pyarrow as pa
import pytest

from webecho.workspace.prefetch import Room, plain_memory, prefetch


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


def test_room_is_waited_for_and_given_back() -> None:
    room = Room(100)
    room.wait(1000)  # nothing else is in flight
    room.hold(60)
    room.wait(40)
    assert not room.fits(41)
    done = threading.Event()

    def late() -> None:
        room.wait(50)
        done.set()

    thread = threading.Thread(target=late)
    thread.start()
    assert not done.wait(0.05)
    room.hold(-20)
    thread.join(10)
    assert done.is_set()


def test_nobody_waits_for_room_that_is_closed() -> None:
    room = Room(10)
    room.hold(10)
    room.close()
    room.wait(5)


def test_room_without_a_number_is_endless() -> None:
    room = Room()
    room.hold(1 << 60)
    room.wait(1 << 60)
