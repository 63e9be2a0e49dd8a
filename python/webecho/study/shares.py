"""Shares: how large a part is of the whole."""


def ratio(part: float, whole: float) -> float:
    """The share of a part; nothing of nothing is 0."""
    return part / whole if whole else 0.0
