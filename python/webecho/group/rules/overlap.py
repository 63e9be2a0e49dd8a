"""`overlap`: enough chunks in common; or all of them in the same order, however few (Shivakumar
1998 removes exact copies first). As pairs only the former are reported."""

from webecho.chunkings import Chunking
from webecho.errors import SettingsError, setting
from webecho.group.rules.checks import Shared
from webecho.group.rules.keys import Chunks, SameChunks
from webecho.group.rules.parameters import (
    FINGERPRINTS,
    Value,
    chunk,
    fingerprint,
    most_pages,
    shared,
)
from webecho.group.rules.rule import RuleKind, Search
from webecho.settings import Recipe

# Section 3; a page that is one chunk can share no more.
SHARED = {"lines:4": 15, "lines:2": 25, "page": 1}


def implied(values: dict[str, Value]) -> dict[str, Value]:
    """How many chunks must be shared, where that is not given."""
    if "shared" in values:
        return {}
    chunking = str(values["chunk"])
    if chunking not in SHARED:
        raise SettingsError(
            f"how many chunks of {chunking} must two pages share? Give ", setting("shared")
        )
    return {"shared": SHARED[chunking]}


def sets(chunk: Chunking, fingerprint: int = FINGERPRINTS[0], **_: Value) -> SameChunks:
    """Copies, however short; what stands on very many pages tells of them too."""
    return SameChunks(chunk, 1, fingerprint)


def searches(
    _: Recipe,
    chunk: Chunking,
    shared: int,
    most_pages: int | None = None,
    fingerprint: int = FINGERPRINTS[0],
) -> tuple[Search, ...]:
    return (Search(Chunks(chunk, fingerprint, most_pages), Shared(shared)),)


RULE = RuleKind(
    name="overlap",
    explanation="they share at least so many chunks, such as runs of four lines",
    paper="Shivakumar 1998",
    sets=sets,
    searches=searches,
    parameters=(chunk(), shared(), most_pages(), fingerprint()),
    implied=implied,
)
