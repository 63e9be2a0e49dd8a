"""`webecho restore`."""

from pathlib import Path
from typing import Any

from webecho.show.terminal import show
from webecho.write.restore import restore_archives


def run_restore(inputs: tuple[str, ...], out: Path, force: bool, options: dict[str, Any]) -> int:
    """Restores, prints the counts, and gives the number of revisits that had to stay."""
    done = restore_archives(inputs, out, force=force)
    count = sum(done.failed.values())
    shown: dict[str, Any] = {"files": done.files, "records": done.records}
    shown |= {"restored": done.restored, "not restored": count}
    shown |= {f"not restored: {reason}": number for reason, number in done.failed.items()}
    if done.other_files:
        shown["other files, not copied"] = done.other_files
    show(shown | {"written to": str(out)}, None, options["output"])
    return count
