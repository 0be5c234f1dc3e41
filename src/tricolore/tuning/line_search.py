"""Exact line search: how a corpus score changes along a line through the weights (Och 2003, section 5).

Along w + γd the score of hypothesis k is the line

    w·h_k + γ d·h_k = a_k + γ b_k

and the hypothesis that is chosen at γ is the one whose line is the highest there. The highest lines of a source are its
upper envelope; between the breaks of the envelopes of all sources nothing changes. Each break changes the sum of the
rows of statistics by the difference of two rows, so that the corpus score of every interval follows from one walk from
left to right, whatever the metric.

Of lines with the same slope the one with the larger intercept counts, of identical lines the first in the list. The
best interval is taken at its middle, after neighbours with the same score have been joined; one without an end is taken
1 beyond its last break (or a millionth of the break, where that is more). Of several intervals with the best score, the
one whose middle is nearest to γ = 0 is taken.

Breaks are rounded as all numbers are. So before weights are returned, hypotheses are chosen anew by the weights as they
are there; where the score is not what it should be, the next best interval is tried. (It is not where hypotheses with
other features happen to have the same line: with rounded weights it is rounding that tells them apart. Nor where a line
that is nowhere the highest touches the others just in the middle; then a point beside it is taken.) γ = 0 is the last
resort, so that the score never drops.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from .. import _native
from ..errors import InputError
from .bounds import Bounds
from .task import check_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from ..candidates import Candidates
    from ..features import Features, Floats, Indices
    from ..metrics.base import Metric

    #: An interval of γ; infinite where it has no end.
    Interval = tuple[float, float]

#: Scores that differ by no more than this (of the score, if that is above 1) are the same: sums of rows that are not
#: whole numbers depend on the order of adding.
SAME = 1e-10
#: Points that are tried before a line is given up, where rounding makes them something else than they should be.
TRIES = 20
#: Where to be in an interval, as a share of its width; and where else, if its middle is not like the rest of it.
MIDDLE, BESIDE = 0.5, 0.38


@dataclass(frozen=True, eq=False)
class Point:
    """Weights and what they choose."""

    weights: Floats
    scores: Floats  #: of all hypotheses
    best: Indices  #: the best hypothesis of each source
    total: Floats  #: the sum of their rows
    value: float  #: the corpus score, turned so that more is better


@dataclass(frozen=True)
class Found:
    """What a search along a line found."""

    gamma: float
    score: float  #: of the corpus at weights + gamma direction, turned so that more is better
    intervals: tuple[Interval, ...]  #: all that have the best score, from left to right


class Lines:
    """Hypotheses as lines: features, where sources begin, which row of statistics each has, and how sums score."""

    def __init__(
        self,
        features: Features,
        starts: Indices,
        text_of: NDArray[np.int32],
        rows: Floats,
        score: Callable[[Floats], Floats | float],
        width: int,
    ):
        self.features = features
        self.starts = starts
        self.text_of = text_of
        self.rows = np.ascontiguousarray(rows, dtype=np.float64)
        self.score = score  #: of many sums of rows, or of one; more is better
        self.search = _native.EnvelopeSearch(
            features.begins, features.columns, features.values, starts, text_of, self.rows, width
        )

    @staticmethod
    def of(candidates: Candidates, metric: Metric, width: int, *, threads: int | None = None) -> Lines:
        """Candidates judged by a metric; there are `width` features."""
        rows = candidates.rows(metric, threads=threads)
        ready = candidates.ready(metric)
        score = ready.score if metric.higher_is_better else lambda sums: -ready.score(sums)
        return Lines(candidates.features, candidates.starts, candidates.text_of, rows, score, width)

    @property
    def varying(self) -> Indices:
        """For each feature the number of sources between whose hypotheses it differs."""
        return self.search.varying()

    # Points ------------------------------------------------------------------------------------------------

    def at(self, weights: Floats) -> Point:
        """What weights choose."""
        scores = self.features.dot(weights)
        if not np.isfinite(scores).all():
            raise InputError("features or weights are so large that scores of hypotheses are not numbers any more")
        return self._point(weights, scores, _native.find_best(scores, self.starts))

    def moved(self, point: Point, column: int, weight: float) -> Point:
        """The same with another weight for one feature; to the last bit as if all had been computed anew."""
        weights = point.weights.copy()
        weights[column] = weight
        return self._point(weights, *self.search.rescored(column, weights, point.scores, point.best))

    def _point(self, weights: Floats, scores: Floats, best: Indices) -> Point:
        total = self.rows[self.text_of[best]].sum(axis=0)
        return Point(weights, scores, best, total, _number(float(self.score(total))))

    def is_collapsed(self, point: Point) -> bool:
        """Whether the hypotheses of every source have all the same score."""
        highest = np.maximum.reduceat(point.scores, self.starts[:-1])
        return not (highest > np.minimum.reduceat(point.scores, self.starts[:-1])).any()

    # Searching ---------------------------------------------------------------------------------------------

    def best_on_axis(self, point: Point, column: int, bounds: Bounds, gain: float) -> Point | None:
        """The best point when one feature's weight moves, if it gains as much."""
        weight = float(point.weights[column])
        lower, upper = float(bounds.lower[column]), float(bounds.upper[column])
        low, high = min(lower - weight, 0.0), max(upper - weight, 0.0)
        at, sums = self.search.along_axis(point.scores, point.best, point.total, column, low, high)
        for gamma in self._gaining(point, at, sums, low, high, gain):
            moved = self.moved(point, column, min(max(weight + gamma, lower), upper))
            if moved.value >= point.value + gain and not self.is_collapsed(moved):
                return moved
        return None

    def best_along(self, point: Point, direction: Floats, bounds: Bounds, gain: float) -> Point | None:
        """The best point along a direction, if it gains as much."""
        low, high, at, sums = self.along(point, direction, bounds)
        for gamma in self._gaining(point, at, sums, low, high, gain):
            moved = self.at(bounds.project(point.weights + gamma * direction))
            if moved.value >= point.value + gain and not self.is_collapsed(moved):
                return moved
        return None

    def along(self, point: Point, direction: Floats, bounds: Bounds) -> tuple[float, float, Floats, Floats]:
        """From where to where the bounds let one go, the breaks in between, and the sums of rows left of each."""
        low, high = bounds.reach(point.weights, direction)
        slopes = self.features.dot(direction)
        return low, high, *self.search.along(point.scores, point.best, point.total, slopes, low, high)

    def _gaining(self, point: Point, at: Floats, sums: Floats, low: float, high: float, gain: float) -> Iterator[float]:
        """Where a gain is to be expected, most first."""
        values = self.values(at, sums, low, high)
        if values.max() < point.value + gain:
            return
        for gamma, value in islice(choices(at, values, low, high), TRIES):
            if value < point.value + gain:
                return
            yield gamma

    def values(self, at: Floats, sums: Floats, low: float, high: float) -> Floats:
        """Score the sums of all intervals; what is not a number, or not an interval, is worse than everything."""
        values = np.array(self.score(sums))
        values[np.isnan(values)] = -np.inf
        if len(at) and at[0] <= low:  # lines that cross at γ = 0, where the bounds end, too
            values[0] = -np.inf
        if len(at) and at[-1] >= high:
            values[-1] = -np.inf
        return values

    def find(self, weights: Floats, direction: Floats, bounds: Bounds) -> Found:
        """The best γ along a direction, its score, and all intervals that have it."""
        point = self.at(weights)
        low, high, at, sums = self.along(point, direction, bounds)
        values = self.values(at, sums, low, high)
        intervals = tuple(best_intervals(at, values, low, high)) if values.max() > -math.inf else ()
        for gamma, value in islice(choices(at, values, low, high), TRIES):
            if value < point.value:
                break
            found = self.at(bounds.project(weights + gamma * direction)).value
            if found >= point.value and found >= value - _tolerance(value):
                return Found(gamma, found, intervals)
        return Found(0.0, point.value, intervals)


def line_search(
    candidates: Candidates, metric: Metric, weights: Floats, direction: Floats, bounds: Bounds | None = None
) -> Found:
    """Find the best γ for weights + γ direction, by the corpus score.

    >>> from tricolore import WER
    >>> from tricolore.candidates import Candidates
    >>> lists = [(["a c", "a b"], np.array([[1.0, 0.0], [0.0, 2.0]])), (["c", "d"], np.array([[0.0, 1.0], [1.0, 0.0]]))]
    >>> candidates = Candidates.of(lists, ["a b", "c"])
    >>> line_search(candidates, WER(), np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    Found(gamma=2.0, score=-0.0, intervals=((1.0, inf),))
    """
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    direction = np.ascontiguousarray(direction, dtype=np.float64)
    if weights.shape != direction.shape or weights.ndim != 1:
        raise InputError(f"expected as many directions as weights, got {direction.shape} and {weights.shape}")
    check_metric(metric)
    lines = Lines.of(candidates, metric, len(weights))
    return lines.find(weights, direction, Bounds.none(len(weights)) if bounds is None else bounds)


def choices(at: Floats, values: Floats, low: float, high: float) -> Iterator[tuple[float, float]]:
    """The middles of intervals with their scores, the best first; of equally good ones the nearest to 0 first.

    After the middles of the equally good come points beside them: a line may touch the envelope just there.
    """
    values = values.copy()
    while (best := float(values.max())) > -math.inf:
        intervals = best_intervals(at, values, low, high)
        for share in (MIDDLE, BESIDE):
            yield from sorted(((_inside(*interval, share), best) for interval in intervals), key=_distance)
        values[values >= best - _tolerance(best)] = -math.inf


def best_intervals(at: Floats, values: Floats, low: float, high: float) -> list[tuple[float, float]]:
    """The intervals with the best score, neighbours joined; values[i] is the score left of at[i]."""
    best = float(values.max())
    good = np.concatenate([[False], values >= best - _tolerance(best), [False]])
    begins, ends = np.flatnonzero(good[1:] & ~good[:-1]), np.flatnonzero(good[:-1] & ~good[1:])
    edges = np.concatenate([[low], at, [high]])
    return list(zip(edges[begins].tolist(), edges[ends].tolist(), strict=True))


def _tolerance(value: float) -> float:
    return SAME * max(1.0, abs(value))


def _inside(low: float, high: float, share: float) -> float:
    """Where to be in an interval: at a share of its width, or twice that beyond its only end."""
    if low == -math.inf:
        return MIDDLE - share if high == math.inf else high - 2 * share * max(1.0, 1e-6 * abs(high))
    return low + 2 * share * max(1.0, 1e-6 * abs(low)) if high == math.inf else low + share * (high - low)


def _distance(choice: tuple[float, float]) -> float:
    return abs(choice[0])


def _number(value: float) -> float:
    return -math.inf if math.isnan(value) else value
