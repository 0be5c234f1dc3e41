"""Multiple comparisons: Holm's correction, and clusters of items that do not differ."""

import math
from collections.abc import Callable, Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    r"""Adjust p-values for multiple tests, to control the family-wise error rate.

    The k-th smallest of m is multiplied by m - k + 1, and raised to at least the one before it. A test without a
    p-value (nan) does not count and stays nan.

    S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 1979.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted((i for i, p in enumerate(p_values) if not math.isnan(p)), key=lambda i: p_values[i])
    adjusted = [float(p) for p in p_values]
    least = 0.0
    for k, i in enumerate(order):
        least = max(least, min(1.0, (len(order) - k) * p_values[i]))
        adjusted[i] = least
    return adjusted


def clusters(number: int, differs: Callable[[int, int], bool]) -> list[int]:
    """Cluster numbers, from 1, of items ordered from best to worst.

    An item that differs from any member of the cluster before it starts a new one, so no two of a cluster differ.

    >>> clusters(4, lambda i, j: (i, j) in {(0, 2), (0, 3), (1, 3)})
    [1, 1, 2, 2]
    """
    ranks: list[int] = []
    starts: list[int] = []
    for i in range(number):
        if not starts or any(differs(j, i) for j in range(starts[-1], i)):
            starts.append(i)
        ranks.append(len(starts))
    return ranks
