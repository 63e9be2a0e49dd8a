"""`webecho.restore`."""

import os
from pathlib import Path
from typing import Any

from webecho.api.inputs import (
    as_inputs,
)
from webecho.errors import in_python
from webecho.write.restore import Restored, restore_archives


@in_python()
def restore(data: Any, out: str | os.PathLike[str], *, force: bool = False) -> Restored:
    """What was brought back: WARC files, written into the folder `out`, in which each revisit that
    `dedup` made is again the record it stands for."""
    return restore_archives([os.fspath(each) for each in as_inputs(data)], Path(out), force=force)
