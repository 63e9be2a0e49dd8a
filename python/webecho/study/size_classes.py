"""The classes of cluster sizes of Fetterly 2004, Figures 4 to 10."""

# From and to how many pages.
CLASSES = (
    *((1, 1), (2, 10), (11, 100), (101, 1_000), (1_001, 10_000), (10_001, 100_000)),
    (100_001, None),
)


def sizes(low: int, high: int | None) -> str:
    """A class of sizes as people write it."""
    if high is None:
        return f"over {low - 1:,}"
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


# What a class is called on an axis, and where it stands alone; these have colours of their own.
SIZES = tuple(sizes(*ends) for ends in CLASSES)
CLASS_NAMES = tuple(f"{each} page{'s' * (each != '1')}" for each in SIZES)


def size_class(size: str) -> str:
    """SQL for the number of the class of a size, from 0 on."""
    cases = " ".join(
        f"WHEN {size} <= {high} THEN {number}"
        for number, (_, high) in enumerate(CLASSES)
        if high is not None
    )
    return f"(CASE {cases} ELSE {len(CLASSES) - 1} END)"
