"""Paired tests between metrics by their ranks of the same lists: the two metrics swap places, source by source."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..multiplicity import holm
from ..resampling import check_room, selected_sums
from ..significance.paired_tests import ENUMERATED, shuffle_p


@dataclass(frozen=True)
class MetricPair:
    """Two metrics, by number: the better one, which has the lower ORANGE, and the other."""

    better: int
    worse: int
    difference: float  #: ORANGE of the worse metric less that of the better one, from 0 to 1
    p: float
    p_adjusted: float  #: by Holm, for all pairs of metrics


def is_exact(sources: int) -> bool:
    """Whether all ways to swap two metrics are enumerated."""
    return sources < ENUMERATED.bit_length()


def metric_pairs(ratios: NDArray[np.float64], trials: int, seed: int) -> list[MetricPair]:
    """Test every pair of metrics (the columns) on the same sources (the rows).

    If two metrics are equally good, each source may as well have their ranks swapped. p is the fraction of such swaps
    in which the difference of the means is at least as large as observed: of all, if there are at most `ENUMERATED`,
    otherwise of `trials`, by the coins of `selected_sums`.

    >>> import numpy as np
    >>> ranks = np.array([[0.1, 0.3], [0.2, 0.3], [0.1, 0.4], [0.1, 0.9], [0.2, 0.8], [0.3, 0.4]])
    >>> metric_pairs(ranks, 100, 1)[0].p  # all 64 swaps; two are as extreme
    0.03125
    """
    number, M = ratios.shape
    exact = is_exact(number)
    if exact:
        moved = (np.arange(2**number)[:, None] >> np.arange(number) & 1) @ ratios
    else:
        check_room("trials", trials, M)
        moved = selected_sums(ratios, trials, seed)
    totals = ratios.sum(axis=0)
    signed = np.ascontiguousarray((totals - 2 * moved).T)  # the difference of two rows is that of the metrics, swapped
    pairs = [(i, j) if totals[i] <= totals[j] else (j, i) for i, j in combinations(range(M), 2)]
    p_values = [
        shuffle_p(float(totals[j] - totals[i]), signed[j] - signed[i], float(totals[j]), exact) for i, j in pairs
    ]
    found = zip(pairs, p_values, holm(p_values), strict=True)
    return [MetricPair(i, j, float(totals[j] - totals[i]) / number, p, adjusted) for (i, j), p, adjusted in found]
