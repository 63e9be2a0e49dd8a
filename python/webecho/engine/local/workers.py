"""*Workers*: threads that each do the same for some of the items.

Only the main thread hears Ctrl-C, and a pool waits for what its threads have begun, which may be to
copy a file of any length. So whoever leaves early, interrupted or since one of them failed, has all
others leave too, at the next line of Python that they come to.
"""

import ctypes
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Stopped(BaseException):
    """What is raised in a thread whose result nobody waits for any more."""


def for_each(work: Callable[[Item], Result], items: Sequence[Item], threads: int) -> list[Result]:
    """What `work` gives for each item, in their order."""
    working: set[int] = set()
    lock = threading.Lock()
    left = False

    def noted(item: Item) -> Result:
        with lock:
            if left:
                raise Stopped
            working.add(threading.get_ident())
        try:
            return work(item)
        finally:
            with lock:
                working.discard(threading.get_ident())

    with ThreadPoolExecutor(threads, "webecho-worker") as pool:
        try:
            return [*pool.map(noted, items)]
        except BaseException:
            # While none of them can end, for a thread without work would die of it.
            with lock:
                left = True
                for thread in working:
                    stop(thread)
            raise


def stop(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Stopped))
