"""*Spilling*: where memory is limited, each large piece of it that the kernels ask for lies in a
mapped file, which needs none of its own (`rust/src/spilling.rs`)."""

import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from webecho import _core
from webecho.run import Run
from webecho.workspace.prefetch import WhileUsed


@WhileUsed
def _spilled() -> Callable[[], None]:
    _core.spill_into(tempfile.gettempdir())
    return _core.spill_into


def spilling(run: Run) -> AbstractContextManager[None]:
    """Lets large pieces lie in the folder for temporary files while the block runs, if the memory
    of the run is limited."""
    return nullcontext() if run.memory is None else _spilled()
