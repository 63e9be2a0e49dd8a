"""Numbers of bytes as people write them: 500MB, 1.5 GB, 2GiB; and as they read them."""

import re

from webecho.errors import SettingsError

_SIZE = re.compile(r"\s*(\d+\.?\d*)\s*([kmgt]?)(i?)b?\s*", re.ASCII)


def in_bytes(size: int | str) -> int:
    """The number of bytes: K, M, G, T count in thousands, Ki, Mi, Gi, Ti in 1024s."""
    if isinstance(size, int):
        return size
    found = _SIZE.fullmatch(size.lower())
    if not found or (found[3] and not found[2]):
        raise SettingsError(f"{size!r} is no size; try 500MB or 2GB")
    step = 1024 if found[3] else 1000
    return int(float(found[1]) * step ** " kmgt".index(found[2] or " "))


def size(count: float) -> str:
    """Bytes for people."""
    if count < 0:
        return f"-{size(-count)}"
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
