"""*Workers*: threads that each do the same for some of the items.

Only the main thread hears Ctrl-C, and a pool waits for what its threads have begun, which may be to
copy a file of any length. So whoever leaves early, interrupted or since one of them failed, has all
others leave too, at the next line of Python that they come to.
"""

import ctypes
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
EVERY = 0.2  # seconds


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
            begun = [pool.submit(noted, item) for item in items]
            return [_waited_for(each) for each in begun]
        except BaseException:
            # While none of them can end, for a thread without work would die of it.
            with lock:
                left = True
                for thread in working:
                    stop(thread)
            raise


def _waited_for(result: Future[Result]) -> Result:
    # Not for ever: where a signal lets what waits go on, as after asyncio has had it, nothing else
    # would wake the main thread to hear Ctrl-C.
    while not wait([result], EVERY).done:
        pass
    return result.result()


def stop(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Stopped))
