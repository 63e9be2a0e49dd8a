"""Threads that work for somebody end when that one is interrupted, or another has failed."""

import signal
import threading
import time

import pytest

from webecho.engine.local.workers import for_each


def test_results_are_in_order() -> None:
    assert for_each(lambda item: item * 2, range(50), 4) == [item * 2 for item in range(50)]
    assert for_each(str, (), 2) == []


def endless(begun: threading.Event) -> None:
    begun.set()
    while True:
        time.sleep(0.001)


@pytest.mark.parametrize("wakes", [True, False])
def test_ctrl_c_ends_what_has_begun(wakes: bool) -> None:
    begun = threading.Event()

    def interrupt() -> None:
        begun.wait()
        # The main thread waits by now.
        time.sleep(0.1)
        signal.pthread_kill(main, signal.SIGINT)

    main = threading.get_ident()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # As asyncio leaves it, a thread that waits is not woken.
    signal.siginterrupt(signal.SIGINT, wakes)
    threading.Thread(target=interrupt).start()
    # Without this the pool would wait for its threads, which never end.
    with pytest.raises(KeyboardInterrupt):
        for_each(endless, [begun] * 5, 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # One that was just being started is not waited for, but has nothing to do.
    for each in threading.enumerate():
        if "webecho-worker" in each.name:
            each.join(60)
            assert not each.is_alive()


def test_one_that_fails_ends_the_others() -> None:
    begun = threading.Event()

    def work(fails: bool) -> None:
        if not fails:
            endless(begun)
        begun.wait()
        raise ValueError("no")

    # Its failure is heard when all before it are done, of which there are none.
    with pytest.raises(ValueError, match="no"):
        for_each(work, [True, False], 2)
