"""Exact line search: how a corpus score changes along a line through the weights (Och 2003, section 5).

Along w + γd the score of hypothesis k is the line

    w·h_k + γ d·h_k = a_k + γ b_k

and the hypothesis chosen at γ is the one whose line is the highest there. The highest lines of a source form its upper
envelope; between the breakpoints of the envelopes of all sources nothing changes. At a breakpoint, the sum of the rows
of statistics changes by the difference of two rows, so that one sweep from left to right gives the corpus score of
every interval, for any metric.

Of lines with the same slope the one with the larger intercept counts, of identical lines the first in the list.
Neighbouring intervals with the same score are joined. The best interval is taken at its middle, an unbounded one 1
beyond its breakpoint (or a millionth of it, if that is more). Ties go to the interval with the middle nearest to γ = 0.

Breakpoints are rounded, as all numbers are. So hypotheses are chosen again by the final weights; if the score is not
the expected one, the next best interval is tried. (This happens where hypotheses with different features have the same
line, so that only rounding tells them apart; or where a line that is nowhere the highest touches the envelope just in
the middle: then a point beside it is tried.) γ = 0 is the last resort, so that the score never drops.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..candidates import Candidates
from ..errors import InputError
from ..features import Features, Floats, Indices
from ..metrics.base import Metric
from .bounds import Bounds
from .task import check_metric, ranges

#: An interval of γ; infinite where it has no end.
Interval = tuple[float, float]

#: Scores that differ by no more than this (relative above 1) are equal: sums depend on the order of summation.
SAME = 1e-10
#: Points to try along a line, where rounding changes their scores.
TRIES = 20
#: The point to take in an interval, as a fraction of its width; and another, if that does not score as expected.
MIDDLE, BESIDE = 0.5, 0.38


@dataclass(frozen=True, eq=False)
class Point:
    """Weights, and the hypotheses they choose."""

    weights: Floats
    scores: Floats  #: of each hypothesis
    best: Indices  #: the best hypothesis of each source
    total: Floats  #: the sum of their rows
    value: float  #: the corpus score, negated where lower is better


@dataclass(frozen=True)
class Found:
    """The result of a search along a line."""

    gamma: float
    score: float  #: of the corpus at weights + gamma direction, negated where lower is better
    intervals: tuple[Interval, ...]  #: all with the best score, from left to right


class Lines:
    """Hypotheses as lines: features, where sources start, the row of statistics of each, and how sums are scored."""

    def __init__(
        self,
        features: Features,
        starts: Indices,
        text_of: NDArray[np.int32],
        rows: Floats,
        score: Callable[[Floats], Floats | float],
        width: int,
    ):
        self.features, self.starts, self.text_of = features, starts, text_of
        self.rows = np.ascontiguousarray(rows, dtype=np.float64)
        self.score = score  #: of one sum of rows or of many; higher is better
        self.search = _native.EnvelopeSearch(*features.arrays, starts, text_of, self.rows, width)

    @staticmethod
    def of(candidates: Candidates, metric: Metric, width: int, *, threads: int | None = None) -> Lines:
        """The lines of candidates with `width` features, scored by a metric."""
        rows = candidates.rows(metric, threads=threads)
        ready = candidates.ready(metric)
        score = ready.score if metric.higher_is_better else lambda sums: -ready.score(sums)
        return Lines(candidates.features, candidates.starts, candidates.text_of, rows, score, width)

    @property
    def varying(self) -> Indices:
        """For each feature the number of sources in which it varies."""
        return self.search.varying()

    def at(self, weights: Floats) -> Point:
        """The point at some weights."""
        scores = self.features.dot(weights)
        if not np.isfinite(scores).all():
            raise InputError("features or weights are so large that scores of hypotheses overflow")
        return self._point(weights, scores, _native.find_best(scores, self.starts))

    def moved(self, point: Point, column: int, weight: float) -> Point:
        """The point with another weight for one feature; identical to the last bit to `at`."""
        weights = point.weights.copy()
        weights[column] = weight
        return self._point(weights, *self.search.rescored(column, weights, point.scores, point.best))

    def _point(self, weights: Floats, scores: Floats, best: Indices) -> Point:
        total = self.rows[self.text_of[best]].sum(axis=0)
        value = float(self.score(total))
        return Point(weights, scores, best, total, -math.inf if math.isnan(value) else value)

    def best_on_axis(self, point: Point, column: int, bounds: Bounds, gain: float) -> Point | None:
        """The best point that changes the weight of one feature, if it gains at least `gain`."""
        weight = float(point.weights[column])
        lower, upper = float(bounds.lower[column]), float(bounds.upper[column])
        low, high = min(lower - weight, 0.0), max(upper - weight, 0.0)
        at, sums = self.search.along_axis(point.scores, point.best, point.total, column, low, high)
        gammas = self._gaining(point, at, sums, low, high, gain)
        moved = (self.moved(point, column, min(max(weight + gamma, lower), upper)) for gamma in gammas)
        return self._first(moved, point.value + gain)

    def best_along(self, point: Point, direction: Floats, bounds: Bounds, gain: float) -> Point | None:
        """The best point along a direction, if it gains at least `gain`."""
        low, high, at, sums = self.along(point, direction, bounds)
        gammas = self._gaining(point, at, sums, low, high, gain)
        moved = (self.at(bounds.project(point.weights + gamma * direction)) for gamma in gammas)
        return self._first(moved, point.value + gain)

    def _first(self, points: Iterator[Point], least: float) -> Point | None:
        usable = (one for one in points if one.value >= least and (ranges(one.scores, self.starts) > 0).any())
        return next(usable, None)

    def along(self, point: Point, direction: Floats, bounds: Bounds) -> tuple[float, float, Floats, Floats]:
        """The range of γ within the bounds, the breakpoints in it, and the sums of rows left of each."""
        low, high = bounds.reach(point.weights, direction)
        slopes = self.features.dot(direction)
        return low, high, *self.search.along(point.scores, point.best, point.total, slopes, low, high)

    def _gaining(self, point: Point, at: Floats, sums: Floats, low: float, high: float, gain: float) -> Iterator[float]:
        """The γ at which a gain is expected, the largest gain first."""
        values = self.values(at, sums, low, high)
        if values.max() < point.value + gain:  # mostly
            return
        for gamma, value in islice(choices(at, values, low, high), TRIES):
            if value < point.value + gain:
                return
            yield gamma

    def values(self, at: Floats, sums: Floats, low: float, high: float) -> Floats:
        """The scores of all intervals; -inf where the score is nan or the interval is empty."""
        values = np.array(self.score(sums))
        values[np.isnan(values)] = -np.inf
        if len(at) and at[0] <= low:  # also where lines cross at γ = 0, at the end of the bounds
            values[0] = -np.inf
        if len(at) and at[-1] >= high:
            values[-1] = -np.inf
        return values

    def find(self, weights: Floats, direction: Floats, bounds: Bounds) -> Found:
        """The best γ along a direction, its score, and all intervals with this score."""
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
        raise InputError(f"expected a direction of the shape of weights; got {direction.shape} and {weights.shape}")
    check_metric(metric)
    lines = Lines.of(candidates, metric, len(weights))
    return lines.find(weights, direction, Bounds.none(len(weights)) if bounds is None else bounds)


def choices(at: Floats, values: Floats, low: float, high: float) -> Iterator[tuple[float, float]]:
    """The middles of intervals with their scores, the best first; ties go to the nearest to 0.

    Points beside the middles follow those of equal score, since a line may touch the envelope just in the middle.
    """
    values = values.copy()
    while (best := float(values.max())) > -math.inf:
        intervals = best_intervals(at, values, low, high)
        for share in (MIDDLE, BESIDE):
            yield from ((gamma, best) for gamma in sorted((_inside(*one, share) for one in intervals), key=abs))
        values[values >= best - _tolerance(best)] = -math.inf


def best_intervals(at: Floats, values: Floats, low: float, high: float) -> list[tuple[float, float]]:
    """The intervals with the best score, neighbours joined; values[i] is the score left of breakpoint at[i]."""
    best = float(values.max())
    good = np.concatenate([[False], values >= best - _tolerance(best), [False]])
    begins, ends = np.flatnonzero(good[1:] & ~good[:-1]), np.flatnonzero(good[:-1] & ~good[1:])
    edges = np.concatenate([[low], at, [high]])
    return list(zip(edges[begins].tolist(), edges[ends].tolist(), strict=True))


def _tolerance(value: float) -> float:
    return SAME * max(1.0, abs(value))


def _inside(low: float, high: float, share: float) -> float:
    """The point at a share of an interval's width, or twice that beyond its only end."""
    if low == -math.inf:
        return MIDDLE - share if high == math.inf else high - 2 * share * max(1.0, 1e-6 * abs(high))
    return low + 2 * share * max(1.0, 1e-6 * abs(low)) if high == math.inf else low + share * (high - low)
