"""A percentile interval of resampled scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...parameters import LEVEL, checked

#: With fewer segments, percentile intervals are too narrow (docs/significance.md).
FEW = 30


def few_segments(number: int, tested: bool = False) -> list[str]:
    """The caution about intervals over few segments, and about the bootstrap test, if it was done; or nothing."""
    if number >= FEW:
        return []
    test = ", and the bootstrap test rejected up to 10 % of true null hypotheses at 0.05" if tested else ""
    return [
        f"caution: with fewer than {FEW} segments intervals are too narrow: with 12, 95 % intervals covered 89 to 94 % "
        f"in simulations{test}."
    ]


@dataclass(frozen=True)
class Interval:
    """Percentiles, mean and standard deviation of resampled scores."""

    low: float
    high: float
    mean: float
    deviation: float

    @property
    def half_width(self) -> float:
        """Half of the interval's width."""
        return (self.high - self.low) / 2

    def __contains__(self, score: float) -> bool:
        return self.low <= score <= self.high

    def turned(self) -> Interval:
        """The interval of the negated scores."""
        return Interval(0.0 - self.high, 0.0 - self.low, 0.0 - self.mean, self.deviation)


def interval_of(scores: NDArray[np.float64], level: float = 0.95) -> Interval:
    """The percentile interval of resampled scores, with linear interpolation between order statistics.

    B. Efron, R. Tibshirani. An introduction to the bootstrap. 1993, ch. 13.

    >>> import numpy as np
    >>> found = interval_of(np.arange(101.0), level=0.5)
    >>> found.low, found.high, found.mean
    (25.0, 75.0, 50.0)
    """
    outside = (1 - checked("level", level, LEVEL)) / 2
    low, high = np.quantile(scores, [outside, 1 - outside])
    deviation = np.std(scores, ddof=1) if len(scores) > 1 else np.nan
    return Interval(float(low), float(high), float(np.mean(scores)), float(deviation))
