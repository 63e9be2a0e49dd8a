"""*Spilling*: where memory is limited, each large piece of it that the kernels ask for lies in a
mapped file, which needs none of its own (`rust/src/spilling.rs`), and what Arrow frees goes back at
once."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pyarrow as pa

from webecho import _core
from webecho.run import Run
from webecho.workspace.prefetch import WhileUsed


@WhileUsed
def _spilled() -> Callable[[], None]:
    _core.spill_into(tempfile.gettempdir())
    usual = pa.default_memory_pool()
    pa.set_memory_pool(_returning_pool())

    def undo() -> None:
        pa.set_memory_pool(usual)
        _core.spill_into()

    return undo


def _returning_pool() -> pa.MemoryPool:
    """What keeps nothing that was freed. Measured while rows of 232 MB of text were written: the
    process held 231 MiB, and with Arrow's usual allocator 292."""
    # Not every Arrow is built with it.
    with suppress(NotImplementedError):
        pa.jemalloc_set_decay_ms(0)
        return pa.jemalloc_memory_pool()
    return pa.system_memory_pool()


@contextmanager
def spilling(run: Run) -> Iterator[None]:
    """Lets large pieces lie in the folder for temporary files while the block runs, if the memory
    of the run is limited."""
    if run.memory is None:
        yield
        return
    before = _core.unspilled_pieces()
    with _spilled():
        yield
    # Of runs within others the outermost tells it.
    if _core.unspilled_pieces() > before and not _spilled.users:
        run.warn(
            f"large pieces of memory found no room in {tempfile.gettempdir()} and were held, "
            "perhaps beyond the memory that is allowed; make room there, or set TMPDIR"
        )
