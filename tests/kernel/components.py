"""Connected components by scipy, which the forest is held against."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def components(n: int, left: np.ndarray, right: np.ndarray) -> tuple[list[int], list[int]]:
    """For each page the lowest page of its component, and its size, by scipy."""
    graph = coo_array((np.ones(len(left), bool), (left, right)), shape=(n, n))
    _, labels = connected_components(graph, directed=False)
    _, first, inverse, counts = np.unique(
        labels, return_index=True, return_inverse=True, return_counts=True
    )
    return first[inverse].tolist(), counts[inverse].tolist()
