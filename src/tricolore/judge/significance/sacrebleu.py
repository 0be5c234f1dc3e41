"""sacreBLEU 2.6.0's arithmetic, to match its numbers: single precision, and its order statistics.

Its resamples are sums of 32-bit floats, and scores are computed from them in the resulting precision (under NumPy 2:
chrF, TER and the precisions of BLEU in 32 bits). If a p-value depends on a tie, the precision decides.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...draws import stream
from ...elementwise import exp, log
from ...errors import InputError
from ...metrics.base import Metric
from .interval import Interval

#: The largest number of which 100 million can be added in single precision.
LARGEST_SINGLE = 1e30


def resampled_scores(metric: Metric, rows: NDArray[np.float64], samples: int, seed: int) -> list[NDArray[Any]]:
    """Scores of bootstrap resamples of rows (segments x systems x statistics), by system, times 100 as in sacreBLEU."""
    if np.abs(rows).max(initial=0.0) > LARGEST_SINGLE:
        raise InputError(
            f"compat: sacreBLEU adds in single precision, and numbers above {LARGEST_SINGLE:g} overflow; leave it out"
        )
    flat = np.ascontiguousarray(rows.reshape(len(rows), -1), dtype=np.float32)
    sums = stream(seed).resampled_sums_single(flat, samples).reshape(samples, *rows.shape[1:])
    return [scores(metric, sums[:, k]) for k in range(rows.shape[1])]


def scores(metric: Metric, sums: NDArray[Any]) -> NDArray[Any]:
    """Score the sums of a system's rows in their own precision, times 100 as sacreBLEU does.

    A score of nothing is a float of Python there, beside which NumPy keeps all in double precision.
    """
    if metric.name == "bleu" and _is_sacrebleus(metric):
        return _bleu(metric, [*sums.T])
    known = {"chrf": _chrf, "ter": _ter}.get(metric.name)
    if known is None:
        return metric.score(sums.astype("float64")) * metric.display_scale  # type: ignore[return-value]
    found, of_nothing = known(metric, [*sums.T])
    if of_nothing.any() and sums.dtype == np.float32:
        return np.where(of_nothing, known(metric, [*sums.T.astype(np.float64)])[0], found)
    return found


def interval_of(resampled: NDArray[Any], scale: float = 1.0) -> Interval:
    """Mean and interval of sacreBLEU: the n // 40-th score from either end."""
    ordered = np.sort(resampled)
    outside = len(ordered) // 40
    low, high = ordered[outside], ordered[len(ordered) - outside - 1]
    mean = ordered.mean()
    deviation = np.std(ordered, ddof=1) if len(ordered) > 1 else np.nan
    return Interval(*(float(x) / scale for x in (low, high, mean, deviation)))


def bootstrap_p(observed: float, a: NDArray[Any], b: NDArray[Any]) -> float:
    """The p-value of its paired bootstrap: absolute resampled differences, less their mean, above the observed one.

    Ties do not count as chance, so that a system and its copy have p = 1 / (n + 1).
    """
    differences = np.abs(a - b)
    return _share_above(differences - differences.mean(), observed)


def shuffle_p(observed: float, a: NDArray[Any], b: NDArray[Any]) -> float:
    """The p-value of its approximate randomisation; ties as in `bootstrap_p`."""
    return _share_above(np.abs(a - b), observed)


def _share_above(differences: NDArray[Any], observed: float) -> float:
    return (int(np.sum(differences > observed)) + 1) / (len(differences) + 1)


def _is_sacrebleus(metric: Any) -> bool:
    """Whether sacreBLEU has this variant of BLEU."""
    return (
        metric.smooth in ("none", "floor", "add-k", "exp")
        and metric.weights is None
        and metric.mean == "geometric"
        and metric.short in ("auto", "zero", "effective")
        and metric.zero_if_no_unigram
    )


def _bleu(metric: Any, columns: list[NDArray[Any]]) -> NDArray[Any]:
    order = metric.order
    m, l = columns[:order], columns[order : 2 * order]
    c, r = (np.trunc(column.astype(np.float64)) for column in columns[2 * order : 2 * order + 2])
    with np.errstate(divide="ignore", invalid="ignore"):
        bp = np.where(c < r, np.where(c > 0, exp(1 - r / c), 0.0), 1.0)
        nothing = np.all([m_n == 0 for m_n in m], axis=0)
        going = np.ones(c.shape, dtype=bool)  # until an order is longer than the text
        logs, orders = np.zeros(c.shape), np.zeros(c.shape)
        halved = np.ones_like(l[0])
        for n in range(order):
            m_n, l_n = m[n], l[n]
            if metric.smooth == "add-k" and n > 0:
                m_n, l_n = m_n + metric.add, l_n + metric.add
            going &= l_n != 0
            p = 100.0 * m_n / l_n
            if metric.smooth == "exp":
                halved = np.where(going & (m_n == 0), halved * 2, halved)
                p = np.where(m_n == 0, 100.0 / (halved * l_n), p)
            elif metric.smooth == "floor":
                p = np.where(m_n == 0, 100.0 * metric.epsilon / l_n, p)
            kept = np.ones_like(going) if metric.short != "effective" else going
            p = np.where(going, p, 0.0).astype(np.float64)
            logs += np.where(kept, np.where(p == 0, -9999999999.0, log(p)), 0.0)
            orders += kept
        score = bp * exp(logs / np.maximum(orders, 1))
    return np.where(nothing, 0.0, score)


def _chrf(metric: Any, columns: list[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Scores, and which are of nothing: no order matches, or with `eps_smoothing` each is only smoothed."""
    factor = metric.beta**2
    zero = np.zeros_like(columns[0])
    p_sum, r_sum, orders, total = zero, zero, zero, zero
    of_nothing = np.ones(zero.shape, dtype=bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        for hyp, ref, match in zip(columns[::3], columns[1::3], columns[2::3], strict=True):
            p, r = match / hyp, match / ref
            there = (hyp > 0) & (ref > 0)
            p_sum, r_sum, orders = p_sum + np.where(there, p, zero), r_sum + np.where(there, r, zero), orders + there
            p, r = np.where(hyp > 0, p, zero + 1e-16), np.where(ref > 0, r, zero + 1e-16)
            below = factor * p + r
            total = total + np.where(below > 0, (1 + factor) * p * r / below, zero + 1e-16)
            of_nothing &= (below <= 0) | ~((hyp > 0) | (ref > 0))
        if metric.eps_smoothing:
            return np.asarray(100 * total / (metric.char_order + metric.word_order)), of_nothing
        p, r = (np.where(orders > 0, of / orders, zero) for of in (p_sum, r_sum))
        matched = p + r > 0
        return np.where(matched, 100 * ((1 + factor) * p * r / ((factor * p) + r)), zero), ~matched


def _ter(_: Any, columns: list[NDArray[Any]]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Scores, and which have no words of references."""
    edits, length = columns[0], columns[3]
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = edits / length
    return 100 * np.where(length > 0, rate, (edits > 0).astype(rate.dtype)), ~(length > 0)
