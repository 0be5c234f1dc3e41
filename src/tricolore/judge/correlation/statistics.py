r"""Statistics of two lists of scores of the same items: human ratings and a metric's scores.

Each takes two vectors, or the rows of two arrays. Points with a missing score (nan) are dropped. A statistic is nan,
without an error or warning, if a list is constant, there are fewer than two points, or no pair is left to count.

Pair statistics count the pairs of points. A pair is concordant (:math:`C`) if annotators and metric prefer the same
point, and discordant (:math:`D`) if they prefer different ones; :math:`T_h` are the pairs tied by annotators only,
:math:`T_m` by the metric only, :math:`T_{hm}` by both.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ... import _native
from ...errors import InputError, SpecError, nearest
from ...processors import worker_count
from ..score_table import Floats

#: The columns of counts of pairs.
CONCORDANT, DISCORDANT, HUMAN_TIES, METRIC_TIES, BOTH_TIES, POINTS, HUMAN_VALUES, METRIC_VALUES = range(8)

#: The most pairs that tie calibration holds in memory; each takes up to 24 bytes.
MOST_PAIRS = 50_000_000


# Two vectors --------------------------------------------------------------------------------------------------


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    r"""Pearson's correlation.

    .. math:: r = \frac{\sum (x_i - \bar x)(y_i - \bar y)}{\sqrt{\sum (x_i - \bar x)^2 \sum (y_i - \bar y)^2}}

    >>> round(pearson([1, 2, 3], [1, 3, 2]), 12)
    0.5
    """
    return float(pearson_rows(*_arrays(x, y))[0])


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's correlation: Pearson's correlation of the ranks; ties share the mean of their ranks.

    >>> round(spearman([1, 2, 2, 4], [1, 3, 2, 4]), 6)
    0.948683
    """
    return float(spearman_rows(*_arrays(x, y))[0])


def kendall_tau_b(x: ArrayLike, y: ArrayLike) -> float:
    r"""Kendall's correlation, corrected for ties in either list.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(C + D + T_h)(C + D + T_m)}}

    M. G. Kendall. The treatment of ties in ranking problems. Biometrika 33, 1945.

    >>> kendall_tau_b([1, 2, 3, 3], [1, 2, 3, 3])
    1.0
    """
    return float(tau_b(pair_counts(*_arrays(x, y)))[0])


def kendall_tau_c(x: ArrayLike, y: ArrayLike) -> float:
    r"""Kendall's correlation in Stuart's form, for lists with few distinct values.

    .. math:: \tau_c = \frac{2 (C - D)}{n^2 (m - 1) / m}

    n: points; m: distinct values of the list that has fewer.

    A. Stuart. The estimation and comparison of strengths of association in contingency tables. Biometrika 40, 1953.

    >>> round(kendall_tau_c([1, 1, 2, 2], [1, 2, 3, 4]), 12)
    1.0
    """
    return float(tau_c(pair_counts(*_arrays(x, y)))[0])


def kendall(pairs: Iterable[tuple[float, float]], variant: str = "half") -> float:
    r"""Kendall's correlation as the metrics tasks of WMT counted it, over pairs of translations.

    A pair is the difference of the human scores (only its sign counts) and the difference of the metric's scores. Pairs
    tied by annotators are dropped; the variants treat ties of the metric differently (`VARIANTS`).

    >>> pairs = [(1, 0.2), (1, 0), (-1, 0.3), (1, 0.1), (0, 0.4)]
    >>> [round(kendall(pairs, variant), 3) for variant in ("half", "wmt12", "wmt13", "wmt14")]
    [0.25, 0.0, 0.333, 0.25]
    """
    return float(variant_of(variant)(counts_of_pairs(pairs)))


def counts_of_pairs(pairs: Iterable[tuple[float, float]]) -> Floats:
    """Count pairs of differences, human and metric, as `pair_counts` counts pairs of scores.

    Points are not counted, so `tau_c` does not apply. Counts add up over segments.

    >>> counts_of_pairs([(1, 0.2), (1, 0), (-1, 0.3), (0, 0.4)])
    array([1., 1., 1., 1., 0., 0., 0., 0.])
    """
    given = np.asarray(list(pairs), dtype=np.float64).reshape(-1, 2)
    human, metric = np.sign(given[~np.isnan(given).any(axis=1)].T)
    agree, human_tie, metric_tie = human * metric, human == 0, metric == 0
    ties = human_tie & ~metric_tie, ~human_tie & metric_tie, human_tie & metric_tie
    return np.array([*(one.sum() for one in (agree > 0, agree < 0, *ties)), 0, 0, 0], dtype=np.float64)


def kendall_of_scores(human: ArrayLike, metric: ArrayLike, variant: str = "half") -> float:
    """`kendall` over all pairs of items, from their human scores and a metric's scores.

    >>> kendall_of_scores([3, 2, 1], [0.5, 0.5, 0.1], "wmt13")
    1.0
    """
    return float(variant_of(variant)(pair_counts(*_arrays(human, metric)))[0])


def pairwise_accuracy(human: ArrayLike, metric: ArrayLike) -> float:
    r"""Share of the pairs not tied by annotators that the metric orders as they do; ties of the metric are errors.

    .. math:: \frac{C}{C + D + T_m}

    T. Kocmi, C. Federmann, R. Grundkiewicz, M. Junczys-Dowmunt, H. Matsushita, A. Menezes. To ship or not to ship: an
    extensive evaluation of automatic metrics for machine translation. WMT 2021.

    >>> pairwise_accuracy([3, 2, 1], [0.5, 0.6, 0.1])
    0.6666666666666666
    """
    return float(accuracy(pair_counts(*_arrays(human, metric)))[0])


class TieAccuracy(NamedTuple):
    """Accuracy with ties, and the largest difference of metric scores that counts as a tie."""

    accuracy: float
    epsilon: float


def accuracy_with_ties(
    human: ArrayLike, metric: ArrayLike, *, epsilon: float | None = None, sample_rate: float = 1.0, seed: int = 12345
) -> TieAccuracy:
    r"""Share of all pairs on which annotators and metric agree, ties included, after tie calibration.

    .. math:: acc_{eq} = \frac{C + T_{hm}}{C + D + T_h + T_m + T_{hm}}

    Metric scores count as tied if they differ by no more than epsilon: by default, of 0 and all differences that occur,
    the smallest with the best accuracy. In arrays of two axes each row is a group: pairs are made within groups, the
    accuracy is averaged over groups, and epsilon is the same for all. `sample_rate` below 1 samples the pairs.

    D. Deutsch, G. Foster, M. Freitag. Ties matter: meta-evaluating modern metrics with pairwise accuracy and tie
    calibration. EMNLP 2023.

    >>> accuracy_with_ties([3, 3, 1], [0.5, 0.6, 0.1]).accuracy
    1.0
    """
    x, y = _arrays(human, metric, axes=2)
    if epsilon is not None or sample_rate != 1.0:
        return _accuracy_of_pairs(x, y, epsilon, sample_rate, seed)
    best, least, _, _ = calibrated(x, y)[0].tolist()
    return TieAccuracy(best, least if best == best else best)


# Rows of two arrays ---------------------------------------------------------------------------------------


def pearson_rows(x: Floats, y: Floats) -> Floats:
    """Pearson's correlation of each row of y with its row of x; if x has fewer rows, they are repeated in order."""
    x = _repeated(x, y)
    missing = np.isnan(x) | np.isnan(y) if np.isnan(x).any() or np.isnan(y).any() else None
    with np.errstate(all="ignore"):
        dx, defined_x = _deviations(x, missing)
        dy, defined_y = _deviations(y, missing)
        r = np.einsum("ij,ij->i", dx, dy) / np.sqrt(np.einsum("ij,ij->i", dx, dx) * np.einsum("ij,ij->i", dy, dy))
    return np.where(defined_x & defined_y, np.clip(r, -1.0, 1.0), np.nan)


def _deviations(values: Floats, missing: NDArray[np.bool_] | None) -> tuple[Floats, NDArray[np.bool_]]:
    """Deviations from the mean of each row, scaled against overflow (0 where missing), and which rows vary.

    Values decide whether a row varies, as deviations of a constant row need not be exactly 0.
    """
    if values.shape[1] == 0:
        return values, np.zeros(len(values), dtype=bool)
    highest = (values if missing is None else np.where(missing, -np.inf, values)).max(axis=1)
    lowest = (values if missing is None else np.where(missing, np.inf, values)).min(axis=1)
    size = np.maximum(np.abs(highest), np.abs(lowest))
    scale = np.where(size > 0, size, 1.0)
    away = values / scale[:, None]
    if missing is None:
        mean = away.mean(axis=1)
        away -= mean[:, None]
        most = np.maximum(np.abs(highest / scale - mean), np.abs(lowest / scale - mean))  # rounding keeps the order
    else:
        away = np.where(missing, 0.0, away)
        mean = away.sum(axis=1) / np.maximum((~missing).sum(axis=1), 1)
        away = np.where(missing, 0.0, away - mean[:, None])
        most = np.abs(away).max(axis=1)
    away /= np.where(most > 0, most, 1.0)[:, None]
    return away, (lowest < highest) & np.isfinite(size)


def spearman_rows(x: Floats, y: Floats) -> Floats:
    """Spearman's correlation of each row of y with its row of x."""
    missing = np.isnan(y) | np.isnan(_repeated(x, y))
    if missing.any():  # a point that is missing on one side is not ranked on the other
        x, y = np.where(missing, np.nan, _repeated(x, y)), np.where(missing, np.nan, y)
    return pearson_rows(midranks(x), midranks(y))


def midranks(values: Floats) -> Floats:
    """Ranks within each row, from 1; ties share the mean of their ranks, nan stays nan.

    >>> import numpy as np
    >>> midranks(np.array([[30.0, 10.0, 30.0, np.nan]]))
    array([[2.5, 1. , 2.5, nan]])
    """
    ranks = np.empty(values.shape)
    _native.midranks(np.ascontiguousarray(values, dtype=np.float64), ranks, worker_count(None))
    return ranks


def pair_counts(human: Floats, metric: Floats) -> Floats:
    """Count the pairs within each row: columns C, D, T_h, T_m, T_hm, then points and distinct values of either side.

    If `human` has fewer rows, they are repeated in order. Sorting makes it n log n (Knight 1966).

    >>> import numpy as np
    >>> pair_counts(np.array([[3.0, 2.0, 1.0, 1.0]]), np.array([[0.5, 0.6, 0.1, np.nan]]))
    array([[2., 1., 0., 0., 0., 3., 3., 3.]])
    """
    counts = np.empty((len(metric), 8))
    _native.pair_counts(_contiguous(human), _contiguous(metric), counts, worker_count(None))
    return counts


def resampled_pair_counts(human: Floats, metric: Floats, places: NDArray[np.int64], times: Floats) -> Floats:
    """Count the pairs within each row in resamples: resamples x rows x columns, as `pair_counts` does for copies.

    `times` (resamples x places) says how often what is in a place was drawn, and `places` where each point of a row is.
    Points are sorted once, and counted in a tree of sums (Fenwick 1994).

    >>> import numpy as np
    >>> x, y = np.array([[3.0, 2.0, 1.0]]), np.array([[0.5, 0.6, 0.1]])
    >>> resampled_pair_counts(x, y, np.arange(3), np.array([[2, 1, 0], [1, 1, 1]]))[:, 0, :5]
    array([[0., 2., 0., 0., 1.],
           [2., 1., 0., 0., 0.]])
    """
    counts = np.empty((len(times) * len(human), 8))
    where, drawn = (np.ascontiguousarray(one, dtype=np.uint32) for one in (places, times))
    _native.resampled_pair_counts(_contiguous(human), _contiguous(metric), where, drawn, counts, worker_count(None))
    return counts.reshape(len(times), len(human), 8)


def calibrated(human: Floats, metric: Floats) -> Floats:
    """Calibrate ties: best accuracy averaged over rows, epsilon, rows that have a pair, pairs.

    `metric` may have a multiple of the rows of `human`: each block is calibrated alone, and gives a row of the result.
    """
    _check_number_of_pairs(human)
    results = np.empty((len(metric) // max(len(human), 1), 4))
    _native.calibrate_ties(_contiguous(human), _contiguous(metric), results, worker_count(None))
    return results


def calibrated_resamples(human: Floats, metric: Floats, group_times: Floats, point_times: Floats) -> Floats:
    """Calibrate ties in resamples, given how often each contains each row (group) and each point of the rows.

    A row of the result is that of `calibrated`. Copies of one point are not paired.
    """
    _check_number_of_pairs(human)
    results = np.empty((len(group_times), 4))
    x, y, of_groups, of_points = map(_contiguous, (human, metric, group_times, point_times))
    _native.calibrate_resampled_ties(x, y, of_groups, of_points, results, worker_count(None))
    return results


def share_tied(human: Floats, metric: Floats, epsilon: float) -> float:
    """Of the pairs within rows whose metric scores differ, the share that differ by no more than epsilon.

    >>> share_tied(np.array([[1.0, 2.0, 3.0]]), np.array([[0.1, 0.2, 0.5]]), 0.1)
    0.3333333333333333
    """
    tied, pairs = 0, 0
    scores = np.where(np.isnan(human), np.nan, metric)
    for some in np.array_split(scores, max(1, scores.size * scores.shape[1] // 1_000_000)):
        present = ~np.isnan(some)
        largest = np.where(present, np.abs(some), 0.0).max(axis=1, initial=0.0)
        reach = epsilon + 1e-9 * (epsilon + largest) * (epsilon > 0)  # differences are rounded
        near, equal = (_within(some, most) for most in (reach, np.zeros(len(some))))
        tied, pairs = tied + near - equal, pairs + int((present.sum(axis=1) ** 2).sum()) - equal
    return tied / pairs if pairs and not np.isnan(epsilon) else float("nan")


def _check_number_of_pairs(human: Floats) -> None:
    groups, size = human.shape
    number = groups * (size * (size - 1) // 2)
    if number > MOST_PAIRS:
        raise InputError(
            f"tie calibration of {number:,} pairs is not supported (at most {MOST_PAIRS:,}): "
            "group by segment, or call accuracy_with_ties with a sample_rate"
        )


def _contiguous(array: Floats) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float64)


def _within(rows: Floats, most: Floats) -> int:
    """How many pairs of the same row, in either order, have a second score above the first by no more than `most`."""
    if rows.shape[1] <= 128:
        return int((rows[:, None, :] <= (rows + most[:, None])[:, :, None]).sum())
    ordered = (np.sort(row[~np.isnan(row)]) for row in rows)
    found = (np.searchsorted(row, row + one, side="right").sum() for row, one in zip(ordered, most, strict=True))
    return int(sum(found))


def _accuracy_of_pairs(
    human: Floats, metric: Floats, epsilon: float | None, sample_rate: float, seed: int
) -> TieAccuracy:
    """Accuracy with ties for a sample of the pairs, or for a given epsilon."""
    if not 0 < sample_rate <= 1:
        raise SpecError(f"sample_rate must be above 0 and at most 1; got {sample_rate!r}")
    rng = np.random.default_rng(seed)
    shares, all_differences, all_gains = [], [np.zeros(1)], [np.zeros(1)]
    for all_x, all_y in zip(human, metric, strict=True):
        present = ~(np.isnan(all_x) | np.isnan(all_y))
        x, y = all_x[present], all_y[present]
        i, j = np.triu_indices(len(x), 1)
        if sample_rate < 1:
            kept = rng.random(len(i)) < sample_rate
            i, j = i[kept], j[kept]
        if not len(i):
            continue
        with np.errstate(invalid="ignore"):
            difference = np.where(y[i] == y[j], 0.0, np.abs(y[i] - y[j]))
        tie, right = x[i] == x[j], np.sign(x[i] - x[j]) == np.sign(y[i] - y[j])
        shares.append(np.mean(right & ~tie))
        all_differences.append(difference)
        all_gains.append((tie.astype(np.float64) - (right & ~tie)) / len(i))
    if not shares:
        return TieAccuracy(float("nan"), float("nan"))
    differences, gains = np.concatenate(all_differences), np.concatenate(all_gains)
    if epsilon is not None:
        gain = gains[differences <= epsilon].sum()
    else:  # tie pairs in the order of their differences; ties for the best sum, but for rounding, go to the first
        order = np.argsort(differences, kind="stable")
        differences, gains = differences[order], np.cumsum(gains[order])
        ends = np.append(differences[1:] != differences[:-1], True)
        best = np.argmax(np.round(gains[ends], 12))
        gain, epsilon = gains[ends][best], differences[ends][best]
    return TieAccuracy(float((sum(shares) + gain) / len(shares)), float(epsilon))


# Counts of pairs ----------------------------------------------------------------------------------------------


def tau_b(counts: Floats) -> Floats:
    """Kendall's tau-b of counts (last axis)."""
    c, d, human, metric = (counts[..., k] for k in (CONCORDANT, DISCORDANT, HUMAN_TIES, METRIC_TIES))
    return _ratio(c - d, np.sqrt((c + d + human) * (c + d + metric)))


def tau_c(counts: Floats) -> Floats:
    """Kendall's tau-c of counts (last axis)."""
    c, d, n = (counts[..., k] for k in (CONCORDANT, DISCORDANT, POINTS))
    m = np.minimum(counts[..., HUMAN_VALUES], counts[..., METRIC_VALUES])
    return _ratio(2 * (c - d), n**2 * (m - 1) / np.maximum(m, 1))


def accuracy(counts: Floats) -> Floats:
    """Pairwise accuracy of counts (last axis)."""
    return _ratio(counts[..., CONCORDANT], usable_pairs(counts))


def usable_pairs(counts: Floats) -> Floats:
    """Pairs not tied by annotators."""
    return counts[..., CONCORDANT] + counts[..., DISCORDANT] + counts[..., METRIC_TIES]


def tau_wmt12(counts: Floats) -> Floats:
    """(C - D - T_m) / (C + D + T_m): a tie of the metric counts as discordant (WMT10 to WMT12)."""
    return _ratio(2 * counts[..., CONCORDANT] - usable_pairs(counts), usable_pairs(counts))


def tau_wmt13(counts: Floats) -> Floats:
    """(C - D) / (C + D): ties of the metric are dropped (WMT13)."""
    c, d = (counts[..., k] for k in (CONCORDANT, DISCORDANT))
    return _ratio(c - d, c + d)


def tau_wmt14(counts: Floats) -> Floats:
    """(C - D) / (C + D + T_m): a tie of the metric is half right and half wrong (WMT14; Chen and Cherry 2014)."""
    return _ratio(counts[..., CONCORDANT] - counts[..., DISCORDANT], usable_pairs(counts))


#: How ties of the metric are treated. `half` is eq. 12 of B. Chen and C. Cherry, A systematic comparison of smoothing
#: techniques for sentence-level BLEU, WMT 2014. They say that they follow WMT13; their rule is that of WMT14.
VARIANTS: dict[str, Callable[[Floats], Floats]] = {
    "half": tau_wmt14,
    "wmt12": tau_wmt12,
    "wmt13": tau_wmt13,
    "wmt14": tau_wmt14,
}


def variant_of(name: str) -> Callable[[Floats], Floats]:
    """Return the function of counts of a variant of Kendall's correlation."""
    if name not in VARIANTS:
        known = list(VARIANTS)
        raise SpecError(f"there is no variant {name!r} of kendall{nearest(name, known)} (there are {', '.join(known)})")
    return VARIANTS[name]


def _ratio(a: Floats, b: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b > 0, a / b, np.nan)


def _arrays(x: Any, y: Any, axes: int = 1) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.shape != second.shape or first.ndim > axes:
        wanted = "two lists" if axes == 1 else "two lists, or two arrays of rows,"
        raise InputError(f"expected {wanted} of the same length; got shapes {first.shape} and {second.shape}")
    return np.atleast_2d(first), np.atleast_2d(second)


def _repeated(x: Floats, y: Floats) -> Floats:
    """x, with its rows repeated in order to match those of y."""
    return x if len(x) == len(y) else np.broadcast_to(x, (len(y) // len(x), *x.shape)).reshape(y.shape)
