"""Reading ahead: one thread makes the next items while the caller works on the last."""

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def read_ahead(items: Iterable[T], depth: int = 2) -> Iterator[T]:
    """The same items in the same order, up to `depth` of them made in advance.

    An exception of the source is raised where its item would have come. Leaving the loop early
    ends the thread.
    """
    ready: queue.Queue[tuple[str, object]] = queue.Queue(depth)
    stopped = threading.Event()

    def put(kind: str, value: object) -> bool:
        while not stopped.is_set():
            try:
                ready.put((kind, value), timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def work() -> None:
        try:
            for item in items:
                if not put("item", item):
                    return
            put("end", None)
        except BaseException as error:  # handed to the caller, who raises it
            put("error", error)

    thread = threading.Thread(target=work, name="webecho-read-ahead", daemon=True)
    thread.start()
    try:
        while True:
            kind, value = ready.get()
            if kind == "end":
                return
            if kind == "error":
                assert isinstance(value, BaseException)
                raise value
            yield value  # type: ignore[misc]
    finally:
        stopped.set()
        thread.join()
