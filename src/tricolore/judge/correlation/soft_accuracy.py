r"""Soft pairwise accuracy: whether a metric is as confident as annotators that one system is better than another.

.. math:: SPA = 1 - \binom{N}{2}^{-1} \sum_{i<j} |p^h_{ij} - p^m_{ij}|

:math:`p_{ij}` is the one-sided p-value of a paired permutation test that system i is better than j: the share of
assignments, each of which swaps the two systems on a random half of the segments, where the lead of i over j is at
least the observed one. All pairs, annotators and metric share the assignments. An equal lead counts half, so that
:math:`p_{ji} = 1 - p_{ij}` and the order of systems does not matter; mt-metrics-eval counts it in full.

B. Thompson, N. Mathur, D. Deutsch, H. Khayrallah. Improving statistical significance in human evaluation of automatic
metrics via soft pairwise accuracy. WMT 2024.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InputError
from ...parameters import DRAWS, SEED, checked
from ..resampling import selected_sums
from ..score_table import Column, Floats, mean

#: Assignments of each test.
SWAPS = 1000
#: Leads that differ by less than this fraction of the scores count as equal, as sums have rounding errors.
NOISE = 1e-11


def soft_pairwise_accuracy(human: ArrayLike, metric: ArrayLike, *, swaps: int = SWAPS, seed: int = 12345) -> float:
    """Soft pairwise accuracy of segment scores (systems x segments; nan: missing); systems are scored by their means.

    >>> human = [[80, 90, 70, 100], [60, 70, 50, 80], [61, 69, 50, 81]]
    >>> soft_pairwise_accuracy(human, human)
    1.0
    """
    checked("swaps", swaps, DRAWS)
    columns = Column.of_scores("human", human), Column.of_scores("metric", metric)
    if columns[0].segments.shape != columns[1].segments.shape or columns[0].segments.ndim != 2:
        shapes = " and ".join(str(column.segments.shape) for column in columns)
        raise InputError(f"expected two arrays of systems x segments of the same shape; got {shapes}")
    return soft_accuracy(*columns, Swaps(swaps, checked("seed", seed, SEED)))


class Swaps(NamedTuple):
    """Random assignments, the same for all columns: NumPy's `default_rng(seed).integers(2, ..., dtype=bool)`."""

    number: int
    seed: int

    def moved(self, rows: Floats) -> Floats:
        """Sums of the rows (systems x segments x statistics) of swapped segments, for each assignment."""
        systems, segments, statistics = rows.shape
        flat = rows.transpose(1, 0, 2).reshape(segments, systems * statistics)
        return selected_sums(flat, self.number, self.seed).reshape(self.number, systems, statistics)


def soft_accuracy(human: Column, metric: Column, swaps: Swaps) -> float:
    """Soft pairwise accuracy of two columns."""
    return agreement_of_confidence(superiority(human, swaps), superiority(metric, swaps))


def agreement_of_confidence(human: Floats, metric: Floats, times: Floats | None = None) -> float:
    """1 - the mean difference of two lists of p-values, without nan; `times` are weights."""
    differences = np.abs(human - metric)
    counts = np.where(np.isnan(differences), 0.0, 1.0 if times is None else times)
    number = counts.sum()
    return float(1 - np.where(counts > 0, differences, 0.0) @ counts / number) if number else float("nan")


def superiority(column: Column, swaps: Swaps, times: Floats | None = None) -> Floats:
    """The p-values that system i is better than j, for all i < j in order; nan if one of them has no score.

    A corpus metric is recomputed from the swapped rows. `times` says how often a resample contains each segment. With
    fewer than two segments there is nothing to swap, and all are nan.
    """
    systems, segments = column.segments.shape
    if segments < 2 or systems < 2:
        return np.full(systems * (systems - 1) // 2, np.nan)
    if column.score is mean and not np.isnan(column.segments).any():
        return superiority_of_means(column.segment_scores(), swaps, times)
    rows = column.rows if times is None else column.rows * times[:, None]
    total = rows.sum(axis=1)
    moved = swaps.moved(rows)
    stays = total - moved
    scores = column.system_scores(total)
    return np.concatenate(
        [
            _share_at_least(
                column.oriented(column.score(stays[:, i, None] + moved[:, i + 1 :]))
                - column.oriented(column.score(stays[:, i + 1 :] + moved[:, i, None])),
                scores[i] - scores[i + 1 :],
                np.maximum(np.abs(scores[i]), np.abs(scores[i + 1 :])),
            )
            for i in range(systems - 1)
        ]
    )


def superiority_of_means(segments: Floats, swaps: Swaps, times: Floats | None = None) -> Floats:
    """The same for means, if no score is missing: a lead is a sum of differences with random signs."""
    values = segments if times is None else segments * times
    first, second = np.triu_indices(len(values), 1)
    total, sizes = values.sum(axis=1), np.abs(values).sum(axis=1)
    changed = total - 2 * swaps.moved(values[..., None])[..., 0]
    leads = changed[:, first] - changed[:, second]
    return _share_at_least(leads, total[first] - total[second], np.maximum(sizes[first], sizes[second]))


def _share_at_least(leads: Floats, observed: Floats, size: Floats) -> Floats:
    """The share of leads above the observed one, plus half of those equal to it; nan if there is none."""
    margin = NOISE * np.maximum(size, np.abs(observed))
    above, below = leads > observed + margin, leads < observed - margin
    share = 0.5 + 0.5 * (above.mean(axis=0) - below.mean(axis=0))
    return np.where(np.isnan(observed), np.nan, share)
