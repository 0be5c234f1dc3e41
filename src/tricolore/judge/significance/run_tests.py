"""Several optimiser runs of a system: whole runs exchanged, and estimates that hold for new runs and new segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, inf, sqrt

import numpy as np
from numpy.typing import NDArray

from ...extras import load
from .interval import Interval
from .paired_tests import ENUMERATED, NOISE, shuffle_p


def exchange_p(first: NDArray[np.float64], second: NDArray[np.float64], trials: int, seed: int) -> float:
    """The p-value of the difference of two mean scores over runs, if whole runs are exchanged between the systems.

    All arrangements are enumerated if there are at most `ENUMERATED`; otherwise `trials` are drawn, the rows of
    `default_rng(seed).permuted` over the runs.

    >>> import numpy as np
    >>> exchange_p(np.array([0.31, 0.33, 0.32]), np.array([0.30, 0.29, 0.28]), 1000, 1)  # 2 of 20 arrangements
    0.1
    """
    runs, R = np.concatenate([first, second]), len(first)
    exact = comb(len(runs), R) <= ENUMERATED
    if exact:
        chosen = np.array([*combinations(range(len(runs)), R)])
    else:
        places = np.tile(np.arange(len(runs)), (trials, 1))
        chosen = np.random.default_rng(seed).permuted(places, axis=1)[:, :R]
    sums = runs[chosen].sum(axis=1)
    differences = sums / R - (runs.sum() - sums) / len(second)
    observed = float(first.mean() - second.mean())
    return shuffle_p(observed, differences, float(np.abs(runs).max()), exact)


def least_exchange_p(first: int, second: int, trials: int) -> float:
    """The smallest p-value of `exchange_p`; with equally many runs, exchanging all of them is equally extreme.

    >>> least_exchange_p(3, 3, 10_000), round(least_exchange_p(5, 5, 10_000), 4), least_exchange_p(1, 3, 10_000)
    (0.1, 0.0079, 0.25)
    """
    ways = comb(first + second, first)
    return (2 if first == second else 1) / ways if ways <= ENUMERATED else 1 / (trials + 1)


@dataclass(frozen=True)
class Estimate:
    """A mean score over runs, or a difference of two, with its standard error and degrees of freedom."""

    value: float
    error: float
    freedom: float

    def interval(self, level: float) -> Interval:
        """The t interval."""
        special = load("scipy.special", "a test over several runs")
        half = float(special.stdtrit(self.freedom, (1 + level) / 2)) * self.error
        return Interval(self.value - half, self.value + half, self.value, self.error)

    def p_value(self, scale: float) -> float:
        """Two-sided, from the t distribution; differences within rounding errors of `scale` have p = 1."""
        if abs(self.value) <= NOISE * scale:
            return 1.0
        stdtr = load("scipy.special", "a test over several runs").stdtr
        return 2 * float(stdtr(self.freedom, -abs(self.value) / self.error)) if self.error else 0.0


def over_runs(scores: Sequence[NDArray[np.float64]], resampled: Sequence[NDArray[np.float64]], n: int) -> Estimate:
    r"""The mean score of one system over runs, or the difference of two, for new runs and new segments.

        Var = Σₖ sₖ²/Rₖ + max(0, V − Σₖ qₖ/Rₖ)        qₖ = Rₖ/(Rₖ − 1) · (Vₖ − V̄ₖ)

    sₖ: standard deviation of the `scores` of the Rₖ runs of system k; V: bootstrap variance of the value over the `n`
    segments; V̄ₖ, Vₖ: that of the system's mean, and that of a run, averaged. qₖ is due to segments that single runs
    find easy or hard; s² has it already. Degrees of freedom are Satterthwaite's (Rₖ − 1 and n − 1). A single run is
    taken to vary as the runs of the other system do. `resampled` are resamples x runs for each system.

    N. Obuchowski, H. Rockette. Hypothesis testing of diagnostic accuracy for multiple readers and multiple tests.
    Communications in Statistics 24, 1995. S. Hillis. A comparison of denominator degrees of freedom methods for
    multiple observer ROC analysis. Statistics in Medicine 26, 2007.
    """
    signs = (1.0, -1.0)
    unbiased = n / (n - 1)
    means = [one.mean(axis=1) for one in resampled]
    common = unbiased * np.var(sum(sign * one for sign, one in zip(signs, means, strict=False)), ddof=1)
    singles = sum(len(one) == 1 for one in scores)
    parts: list[tuple[float, int]] = []
    for own, drawn, mean in zip(scores, resampled, means, strict=True):
        if (R := len(own)) > 1:
            share = 1 / R + singles
            common -= share * R / (R - 1) * unbiased * (np.var(drawn, axis=0, ddof=1).mean() - np.var(mean, ddof=1))
            parts.append((share * float(np.var(own, ddof=1)), R - 1))
    parts.append((max(0.0, float(common)), n - 1))
    variance = sum(one for one, _ in parts)
    squares = sum(one * one / freedom for one, freedom in parts)
    value = float(sum(sign * one.mean() for sign, one in zip(signs, scores, strict=False)))
    return Estimate(value, sqrt(variance), variance * variance / squares if squares else inf)
