"""Bootstrap intervals of short corpora without NumPy, which takes longer to load than they do: the same numbers.

The sums of resamples come from the core, as always; formulas, percentiles and deviations are plain arithmetic, in the
order in which NumPy does it.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import add

from ...draws import stream
from ...scoring import Score, with_items
from .confidence import SCORE_LEVEL, Confidence, Tested, check_resampled, signature_items
from .interval import Interval, few_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ...metrics.base import Metric
    from ...scores import ScoreTests

#: With more of them, NumPy is worth loading.
SEGMENTS, RESAMPLES = 10_000, 2_000


def is_enough(how: ScoreTests, segments: int) -> bool:
    """Whether nothing is asked for but intervals, and of so few segments that NumPy would take longer to load."""
    alone = how.confidence and how.test is None and how.compat is None
    return alone and how.resamples <= RESAMPLES and segments <= SEGMENTS


def tested_plainly(
    metrics: Sequence[tuple[Metric, list[int]]], rows: Any, nrefs: Any, how: ScoreTests
) -> list[tuple[Score, Tested]]:
    """The score and interval of each metric from rows of which it has these columns; see `intervals.confidence_of`."""
    check_resampled(len(rows))
    totals = [reduce(add, column, 0.0) for column in zip(*rows.tolist(), strict=True)]
    sums = stream(how.seed).resampled_lists(rows, how.resamples)
    found = []
    for metric, columns in metrics:
        score = Score(metric, [totals[column] for column in columns], nrefs)
        resampled = [metric.value([row[column] for column in columns]) for row in sums]
        items = {"bs": how.resamples, "seed": how.seed, "level": f"{SCORE_LEVEL:g}"}
        interval = percentile_interval(resampled, SCORE_LEVEL)
        signature = with_items(score.signature, items)
        confidence = Confidence(score, interval, SCORE_LEVEL, signature, tuple(few_segments(len(rows))))
        found.append((score, Tested(confidence, None, signature_items(how, exact=False))))
    return found


def percentile_interval(scores: list[float], level: float) -> Interval:
    """As `percentiles.interval_of`.

    >>> found = percentile_interval([float(i) for i in range(101)], level=0.5)
    >>> found.low, found.high, found.mean
    (25.0, 75.0, 50.0)
    """
    outside = (1 - level) / 2
    number, ordered = len(scores), sorted(scores)
    mean = pairwise_sum(scores) / number
    squares = [(score - mean) * (score - mean) for score in scores]
    deviation = math.sqrt(pairwise_sum(squares) / (number - 1)) if number > 1 else math.nan
    low, high = (quantile(ordered, share) for share in (outside, 1 - outside))
    return Interval(low, high, mean, deviation)


def quantile(ordered: list[float], share: float) -> float:
    """Interpolate between order statistics from the nearer one, as `np.quantile` does."""
    place = (len(ordered) - 1) * share
    before = math.floor(place)
    a, b = ordered[before], ordered[min(before + 1, len(ordered) - 1)]
    part = place - before
    return b - (b - a) * (1 - part) if part >= 0.5 else a + (b - a) * part


def pairwise_sum(numbers: list[float]) -> float:
    """Add in the order of `np.sum`: eight sums side by side within 128 numbers, halves of longer lists."""
    number = len(numbers)
    if number < 8:
        return reduce(add, numbers, 0.0)
    if number > 128:
        half = number // 2 - number // 2 % 8
        return pairwise_sum(numbers[:half]) + pairwise_sum(numbers[half:])
    whole = number - number % 8
    r = [reduce(add, numbers[i:whole:8]) for i in range(8)]
    return reduce(add, numbers[whole:], ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7])))
