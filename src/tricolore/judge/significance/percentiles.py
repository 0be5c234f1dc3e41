"""The percentile interval of resampled scores."""

import numpy as np
from numpy.typing import NDArray

from ...parameters import LEVEL, checked
from .interval import Interval


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
