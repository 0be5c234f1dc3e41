"""Minimum error rate training: weights that make the corpus score of what they choose as good as can be (Och 2003).

    ŵ = argmax_w metric(Σ_s row(argmax_k w·h_sk))

h_sk: features of hypothesis k of source s; row: its statistics, which add; metric: any that scores sums of rows, turned
so that more is better. The corpus score is piecewise constant in w and has no gradient, but along any line it can be
searched exactly; how, and what happens to ties, is told in line_search.py.

A climb goes along one line after another: the axes of all features that differ between hypotheses, in random order,
then some random directions, about half of them towards a hypothesis drawn at random, so that it comes to be chosen. It
moves as soon as a line gains, and ends when none has gained in a whole pass. The first climb begins at the start, so
that the result is never worse. The others begin elsewhere, in turns anywhere and near the best that was found so far.
Either finds what the other does not.

Features are measured by how much they differ: with σ_j the root of the mean variance of feature j between the
hypotheses of a source, over the sources where it differs, and m(w) = max_j |w_j| σ_j (1 if that is 0),

    anywhere          w_j = m(start)/σ_j · U(0, 1) with the sign of the start; U(−1, 1) where that is 0
    near w            w_j + r m(w)/σ_j · N(0, 1), with log r uniform from log 0.01 to log 0.3
    random direction  d_j = N(0, 1)/σ_j, divided by the largest
    towards h         d_j = (h_j − h'_j)/σ_j², divided by the largest; h' is what is chosen of the same source

always within the bounds; a weight that is fixed, or whose feature differs nowhere, stays as it is. Without bounds,
weights are multiplied by powers of two on the way, which changes no choice and no rounding.

Where others differ: Moses' mert moves along the best of all axes instead of along each that gains, stops at gains below
0.0001, begins its other climbs anywhere within ranges it is given, and computes in single precision. It does not join
neighbouring intervals with the same score, and goes 1000 beyond the first break and 0.1 beyond the last.

Franz Josef Och. Minimum error rate training in statistical machine translation. ACL 2003. Random directions: Daniel
Cer, Dan Jurafsky, Christopher Manning. Regularization and search for minimum error rate training. WMT 2008.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..parameters import OrNone, Real, Whole, param
from .line_search import Lines
from .task import Selection, Step, Tuner, feature_spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..features import Floats
    from .line_search import Point
    from .task import Task, Tuned, Watch

#: The least and the greatest σ, so that what follows from it is a number.
SPREADS = (1e-100, 1e100)
#: How far from the best weights a climb begins that begins near them, at least and at most.
NEAR = (0.01, 0.3)


@dataclass(frozen=True)
class Mert(Tuner):
    """Minimum error rate training. Works with every metric that says how good a corpus is.

    - `restarts`: climbs beside the one from the start. Of few sources the score has many local maxima, and climbs are
      short. So where nothing is said there are 20, but below 100 sources 2,000 by their number, at most 400: on the
      five sources of Moses' own test, 20 reach what Moses reached in three of its seven rounds only with some seeds.
    - `directions`: random directions in each pass of a climb, beside the axes.
    - `gain`: a smaller gain is none.

    A step is a climb. With held-out lists, they choose among the ends of the climbs and the start. The watcher is also
    told after each pass, with the number of the climb and without weights.
    """

    restarts: int | None = param(
        None, OrNone(Whole(0, 100_000)), "random restarts (default: 20; more below 100 sources, up to 400)"
    )
    directions: int = param(10, Whole(0, 100_000), "random directions per pass, beside the axes")
    gain: float = param(1e-6, Real(low=0, above=True), "smallest gain worth a move")

    name: ClassVar[str] = "mert"

    def signature(self) -> dict[str, object]:
        return {**super().signature(), "restarts": "auto" if self.restarts is None else self.restarts}

    def tune(self, task: Task, start: Floats, seed: int, watch: Watch | None = None) -> Tuned:
        """Find weights from a start; the same seed finds the same weights."""
        start = task.begin(start, seed)
        random = np.random.default_rng(seed)
        climber = _Climber(self, task, start, random)
        climbs = 1 + (restarts_for(task.candidates.sources) if self.restarts is None else self.restarts)
        selection = Selection(task, watch, climbs)
        best = climber.lines.at(start)
        selection.see(start, best.value)
        for number in range(climbs):
            end = climber.climb(climber.beginning(number, best), _passes(selection))
            selection.see(end.weights, end.value)
            if end.value > best.value:
                best = end
        return selection.tuned()


def restarts_for(sources: int) -> int:
    """How many restarts where nothing is said.

    >>> [restarts_for(sources) for sources in (1, 5, 50, 1000)]
    [400, 400, 40, 20]
    """
    return min(400, max(20, 2000 // sources))


class _Climber:
    """Goes uphill, line by line."""

    def __init__(self, mert: Mert, task: Task, start: Floats, random: np.random.Generator):
        self.mert = mert
        self.bounds = task.bounds
        self.start = start
        self.random = random
        self.lines = Lines.of(task.candidates, task.metric, len(start), threads=task.threads)
        varying = self.lines.varying
        self.moves = (varying > 0) & task.bounds.free
        self.axes = np.flatnonzero(self.moves)
        variance = feature_spread(task.candidates, len(start))[self.axes] * task.candidates.sources
        self.units = 1 / np.clip(np.sqrt(variance / varying[self.axes]), *SPREADS)  # 1/σ

    def beginning(self, number: int, best: Point) -> Floats:
        """Where a climb begins."""
        if number == 0:
            return self.start
        return self.anywhere() if number % 2 else self.near(best.weights)

    def anywhere(self) -> Floats:
        """Weights as large as those at the start, with the same signs: people mostly know these."""
        signs = np.sign(self.start[self.axes])
        drawn = self.random.uniform(np.where(signs == 0, -1.0, 0.0), 1.0) * np.where(signs < 0, -1.0, 1.0)
        return self._moved(self.start, self._size(self.start) * self.units * drawn - self.start[self.axes])

    def near(self, weights: Floats) -> Floats:
        """Other weights, not far away."""
        distance = np.exp(self.random.uniform(*np.log(NEAR)))
        normal = self.random.standard_normal(len(self.axes))
        return self._moved(weights, distance * self._size(weights) * self.units * normal)

    def _size(self, weights: Floats) -> float:
        return float(np.abs(weights[self.axes] / self.units).max()) or 1.0

    def _moved(self, weights: Floats, by: Floats) -> Floats:
        weights = weights.copy()
        weights[self.axes] += by
        return self.bounds.project(weights)

    def climb(self, weights: Floats, watch: Callable[[Point], None]) -> Point:
        """Go up from there until nothing gains any more."""
        point = self.lines.at(weights)
        moves, tried = 0, dict.fromkeys(self.axes.tolist(), -1)  # how many moves there were when an axis was tried last
        while True:
            before = moves
            if not self.bounds.bounded:
                point = _rescaled(point)
            for axis in self.random.permutation(self.axes).tolist():
                if tried[axis] == moves:
                    continue
                moved = self.lines.best_on_axis(point, axis, self.bounds, self.mert.gain)
                if moved is not None:
                    point, moves = moved, moves + 1
                tried[axis] = moves
            for _ in range(self.mert.directions):
                moved = self.lines.best_along(point, self._direction(point), self.bounds, self.mert.gain)
                if moved is not None:
                    point, moves = moved, moves + 1
            if moves == before:
                return point
            watch(point)

    def _direction(self, point: Point) -> Floats:
        """Any direction, or one that lifts a hypothesis above the one that is chosen."""
        direction = np.zeros(len(self.start))
        if self.random.random() < 0.5:
            hypothesis = int(self.random.integers(len(self.lines.text_of)))
            source = int(np.searchsorted(self.lines.starts, hypothesis, side="right")) - 1
            for row, sign in ((hypothesis, 1.0), (int(point.best[source]), -1.0)):
                columns, values = self.lines.features.row(row)
                direction[columns] += sign * values
            direction[self.axes] *= self.units**2
            direction[~self.moves] = 0.0
        if not direction.any():
            direction[self.axes] = self.random.standard_normal(len(self.axes)) * self.units
        return np.asarray(direction / np.abs(direction).max())


def _rescaled(point: Point) -> Point:
    """The same weights, so that the largest is from 1/2 to 1: times a power of two, which rounds nothing."""
    exponent = -int(np.frexp(np.abs(point.weights).max())[1])
    return replace(point, weights=np.ldexp(point.weights, exponent), scores=np.ldexp(point.scores, exponent))


def _passes(selection: Selection) -> Callable[[Point], None]:
    """Tell the watcher how a climb is going."""

    def see(point: Point) -> None:
        if selection.watch is not None:
            task = selection.task
            score = task.candidates.objective(task.report, point.weights)
            selection.watch(Step(len(selection.steps), selection.of, point.value, score))

    return see
