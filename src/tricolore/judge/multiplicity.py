"""Many comparisons at once: Holm's correction, and clusters of what cannot be told apart."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    r"""Adjust p-values so that the chance of any false claim among all of them stays below the level.

    The k-th smallest of m is multiplied by m - k + 1, and none becomes smaller than one before it. A test that could
    not be done (nan) is not one of the m, and stays as it is.

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
    """Number the clusters, from 1, of things ordered from best to worst.

    Whatever differs from any member of the cluster above it begins a new one, so that no two in a cluster differ.

    >>> clusters(4, lambda i, j: (i, j) in {(0, 2), (0, 3), (1, 3)})
    [1, 1, 2, 2]
    """
    ranks: list[int] = []
    members: list[int] = []
    for i in range(number):
        if not members or any(differs(j, i) for j in members):
            ranks.append(ranks[-1] + 1 if ranks else 1)
            members = []
        else:
            ranks.append(ranks[-1])
        members.append(i)
    return ranks
