"""Minimum error rate training: weights that optimise the corpus score of the hypotheses they choose (Och 2003).

    ŵ = argmax_w metric(Σ_s row(argmax_k w·h_sk))

h_sk: features of hypothesis k of source s; row: its statistics, which are added; metric: any corpus metric, negated
where lower is better. The corpus score is piecewise constant in w and has no gradient, but along any line it can be
searched exactly; line_search.py says how, and how ties are broken.

A climb follows one line after another: the axes of all features that vary, in random order, then random directions,
about half of them towards a hypothesis drawn at random. It moves as soon as a line gains, and ends after a whole pass
without a gain. The first climb begins at the start, so that the result is never worse. The others begin anywhere and
near the best weights so far, in turn: each finds optima that the other misses.

With σ_j the root of the mean variance of feature j within sources, over the sources where it varies, and
m(w) = max_j |w_j| σ_j (1 if that is 0),

    anywhere          w_j = m(start)/σ_j · U(0, 1) with the sign of the start; U(−1, 1) where that is 0
    near w            w_j + r m(w)/σ_j · N(0, 1), with log r uniform from log 0.01 to log 0.3
    random direction  d_j = N(0, 1)/σ_j, divided by the largest
    towards h         d_j = (h_j − h'_j)/σ_j², divided by the largest; h': the hypothesis chosen of the same source

always within the bounds; weights that are fixed, or whose features do not vary, stay as they are. Without bounds,
weights are rescaled by powers of two on the way, which changes no choice and rounds nothing.

Differences to Moses: its mert moves along the best of all axes instead of each that gains, ignores gains below 0.0001,
begins further climbs anywhere within given ranges, and computes in single precision. It does not join neighbouring
intervals with the same score, and goes 1000 beyond the first breakpoint and 0.1 beyond the last.

Franz Josef Och. Minimum error rate training in statistical machine translation. ACL 2003. Random directions: Daniel
Cer, Dan Jurafsky, Christopher Manning. Regularization and search for minimum error rate training. WMT 2008.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from ..features import Floats
from ..parameters import OrNone, Real, Whole, param
from .line_search import Lines, Point
from .task import Selection, Step, Task, Tuned, Tuner, Watch, feature_spread

#: The smallest and largest σ, so that nothing overflows.
SPREADS = (1e-100, 1e100)
#: The range of r, the distance of a climb that begins near the best weights.
NEAR = (0.01, 0.3)


@dataclass(frozen=True)
class Mert(Tuner):
    """Minimum error rate training, for any metric of which higher or lower is better.

    - `restarts`: climbs beside the one from the start. With few sources the score has many local maxima, and climbs are
      short; so the default is 20, but 2,000 divided by the sources below 100 sources, at most 400. On the five sources
      of Moses' own test, 20 restarts reach what Moses reached in three of its seven rounds only with some seeds.
    - `directions`: random directions in each pass of a climb, beside the axes.
    - `gain`: smaller gains are ignored.

    A step is a climb. Held-out lists select among the start and the ends of the climbs. The watcher is also called
    after each pass, with the number of the climb and without weights.
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
        start = task.begin(start, seed)
        random = np.random.default_rng(seed)
        climber = _Climber(self, task, start, random)
        default = min(400, max(20, 2000 // task.candidates.sources))
        climbs = 1 + (default if self.restarts is None else self.restarts)
        selection = Selection(task, watch, climbs)
        best = climber.lines.at(start)
        selection.see(start, best.value)
        for number in range(climbs):
            end = climber.climb(climber.beginning(number, best), partial(_watch_pass, selection))
            selection.see(end.weights, end.value)
            if end.value > best.value:
                best = end
        return selection.tuned()


class _Climber:
    """Climbs line by line."""

    def __init__(self, mert: Mert, task: Task, start: Floats, random: np.random.Generator):
        self.mert, self.bounds, self.start, self.random = mert, task.bounds, start, random
        self.lines = Lines.of(task.candidates, task.metric, len(start), threads=task.threads)
        varying = self.lines.varying
        self.moves = (varying > 0) & task.bounds.free
        self.axes = np.flatnonzero(self.moves)
        variance = feature_spread(task.candidates, len(start))[self.axes] * task.candidates.sources
        self.units = 1 / np.clip(np.sqrt(variance / varying[self.axes]), *SPREADS)  # 1/σ

    def beginning(self, number: int, best: Point) -> Floats:
        """Where a climb begins: at the start, then in turn anywhere and near the best weights."""
        if number == 0:
            return self.start
        weights = (self.start if number % 2 else best.weights).copy()
        size = float(np.abs(weights[self.axes] / self.units).max()) or 1.0  # m(w)
        if number % 2:  # with the signs of the start, which are mostly known
            signs = np.sign(self.start[self.axes])
            drawn = self.random.uniform(np.where(signs == 0, -1.0, 0.0), 1.0) * np.where(signs < 0, -1.0, 1.0)
            weights[self.axes] += size * self.units * drawn - self.start[self.axes]
        else:
            distance = np.exp(self.random.uniform(*np.log(NEAR)))
            weights[self.axes] += distance * size * self.units * self.random.standard_normal(len(self.axes))
        return self.bounds.project(weights)

    def climb(self, weights: Floats, watch: Callable[[Point], None]) -> Point:
        """Climb from some weights until no line gains."""
        point = self.lines.at(weights)
        moves, tried = 0, dict.fromkeys(self.axes.tolist(), -1)  # the number of moves when each axis was last tried
        while True:
            before = moves
            if not self.bounds.bounded:  # so that the largest weight is from 1/2 to 1
                exponent = -int(np.frexp(np.abs(point.weights).max())[1])
                weights, scores = (np.ldexp(one, exponent) for one in (point.weights, point.scores))
                point = replace(point, weights=weights, scores=scores)
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
        """A random direction, or one towards a hypothesis."""
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


def _watch_pass(selection: Selection, point: Point) -> None:
    """Tell the watcher how a climb is going."""
    if selection.watch is not None:
        score = selection.task.candidates.objective(selection.task.report, point.weights)
        selection.watch(Step(len(selection.steps), selection.of, point.value, score))
