"""Records that give no page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Skipped:
    """A record that gives no page, and why. `failed` marks what should have been readable."""

    place: int
    reason: str
    detail: str | None = None
    url: str | None = None
    location: str | None = None
    failed: bool = False
    # Of a request or the like: the fingerprints of its own id, and of the record it belongs to.
    key: int | None = None
    beside: int | None = None
