"""Expected gain: weights that maximise the expected score of a hypothesis under the model (Chen & Cherry 2014)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _native
from ..candidates import Candidates
from ..errors import InputError
from ..features import Features, Floats, Indices
from ..metrics.base import Metric
from ..metrics.length import Length
from ..parameters import Choice, Flag, Real, Whole, param
from .bounds import Bounds
from .task import Selection, Task, Tuned, Tuner, Watch, check_sizes, feature_spread, ranges, usable_gains

#: Hypotheses whose model scores differ by less are about equally probable.
UNIFORM = 0.1

WEIGHTINGS = ("length", "equal")
#: Parameters of a metric that decide how long references are.
LENGTH_PARAMETERS = ("tokenize", "strip_punctuation", "ref_len")


def expected_gain(
    features: Features, starts: Indices, gains: Floats, lengths: Floats, weights: Floats, regularisation: float = 10.0
) -> tuple[float, Floats]:
    """The loss J and its gradient; `ExpectedGain` has the equations.

    There is a row of features and a gain per hypothesis, and a length per source; source i has hypotheses starts[i] to
    starts[i + 1].

    >>> from tricolore.features import Features
    >>> features = Features.of(np.array([[1.0], [0.0]]))  # two hypotheses, of which the first is good
    >>> expected_gain(features, np.array([0, 2]), np.array([1.0, 0.0]), np.array([8.0]), np.zeros(1), 0.0)
    (-4.0, array([-2.]))
    """
    gained, gradient = _native.expected_gain(*features.arrays, starts, gains, lengths, weights)
    loss = regularisation * float(np.square(weights).sum()) - gained
    return loss, 2 * regularisation * weights - gradient


@dataclass(frozen=True)
class ExpectedGain(Tuner):
    r"""Expected gain by stochastic gradient descent: "expected BLEU" of Chen & Cherry (2014, section 3.2).

    .. math:: J(w) = λ‖w‖^2 - \sum_i len(R_i) \sum_k P_{ik} G_{ik}, \quad
              P_{ik} = \frac{e^{w·h_{ik}}}{\sum_{k'} e^{w·h_{ik'}}}

    is minimised. h_ik: features of hypothesis k of source i; G_ik: its gain, the segment score by the task's metric,
    negated where lower is better; any metric will do. λ: `regularisation`. len(R_i): effective reference length, in the
    metric's words; of several references that closest to the first hypothesis, or as the metric's `ref_len` says. With
    `weighting="equal"` it is 1 for all.

    λ is added to a sum, not a mean: twice the sources need twice the λ for the same weights. It depends on scale, too:
    where features or gains are small, λ = 10 pulls weights towards 0, and a smaller one is better. If the weights of
    the last epoch leave all hypotheses of each source about equally probable, there is a warning.

    A step for source i, of S, follows

    .. math:: -\frac{2λ}{S} w + len(R_i) \sum_k P_{ik} (G_{ik} - E_i) h_{ik}, \quad E_i = \sum_k P_{ik} G_{ik}

    which sums to the gradient of -J over an epoch: all sources once, in random order. The paper leaves the step size
    open. Here it is, for feature j and after t steps,

    .. math:: \frac{η_0}{1 + t/S} · \frac{1}{2λ + \sum_i len(R_i) σ_i(G) σ_i^2(h_j)}

    η_0: `rate`; σ_i: standard deviation over the hypotheses of source i, equally weighted. The denominator estimates
    the second derivative of J, so that log probabilities in the hundreds and counts of 0 or 1 are learnt equally fast,
    and a feature times 1000 gets a weight 1000 times smaller, where λ allows it. It is computed once from the data and
    does not change J. It is too large once P is far from uniform, hence an η_0 above 1. The regulariser is applied at
    the weights where the step ends, so that it never moves a weight past 0.

    With the defaults J ends within 1 % of what L-BFGS reaches (of the way there from w = 0, or from the start if that
    is nearer) on real lists of 100 and 200 sources with λ = 10, and within 8 % with λ = 0.1. Thousands of rare features
    can make J worse in the first epochs; it recovers, and a smaller η_0 avoids this.

    A start whose scores are so far apart that P hardly changes is scaled down first, and weights are scaled back at the
    end (`Task.unit`). After each step weights are moved back within their bounds. With `average`, the weights of an
    epoch are the mean over its steps. The objective of a step is J itself: lower is better.

    Boxing Chen, Colin Cherry (2014): A systematic comparison of smoothing techniques for sentence-level BLEU. WMT.
    """

    name: ClassVar[str] = "xbleu"
    default_metric: ClassVar[str] = "bleu(smooth=4)"
    scores_segments: ClassVar[bool] = True

    regularisation: float = param(10.0, Real(0), "λ: L2 regularisation")
    epochs: int = param(50, Whole(1, 100_000), "passes over the sources")
    rate: float = param(30.0, Real(0, above=True), "η0: initial step size")
    average: bool = param(False, Flag(), "average the weights over the steps of an epoch")
    weighting: str = param("length", Choice(WEIGHTINGS), "how sources are weighted: by reference length, or equally")

    def tune(self, task: Task, start: Floats, seed: int, watch: Watch | None = None) -> Tuned:
        weights = task.begin(start, seed)
        problem = Problem.of(task, self.weighting)
        check_sizes(weights)
        unit = task.unit(weights)
        weights /= unit
        steps = problem.steps(self.regularisation)
        selection = Selection(task, watch, self.epochs)
        rng = np.random.default_rng(seed)
        selection.see(weights * unit, problem.loss(weights, self.regularisation))
        for epoch in range(self.epochs):
            mean = problem.descend(weights, rng, steps, self.regularisation, self.rate, epoch)
            reached = mean if self.average else weights
            selection.see(reached * unit, problem.loss(reached, self.regularisation))
            if selection.is_over:
                break
        return self._warned(selection.tuned(), task.candidates, unit)

    def _warned(self, tuned: Tuned, candidates: Candidates, unit: float) -> Tuned:
        """Warn if the regulariser has left hardly anything of the weights."""
        last = tuned.steps[-1].weights
        if last is None or ranges(candidates.features.dot(last), candidates.starts).max() >= UNIFORM * unit:
            return tuned
        warning = (
            f"xbleu: with regularisation={self.regularisation:g} all hypotheses of a source end up about equally "
            "probable; features or gains are too small for it: lower it"
        )
        return dataclasses.replace(tuned, warnings=(*tuned.warnings, warning))


@dataclass(frozen=True, eq=False)
class Problem:
    """Candidates with a gain each, and the weight of each source (`lengths`)."""

    candidates: Candidates
    bounds: Bounds
    gains: Floats
    lengths: Floats

    @staticmethod
    def of(task: Task, weighting: str) -> Problem:
        """The problem of a task."""
        candidates = task.candidates
        gains = usable_gains(candidates, task.metric, task.threads)
        lengths = reference_lengths(candidates, task.metric) if weighting == "length" else np.ones(candidates.sources)
        if not (lengths * ranges(gains, candidates.starts) > 0).any():
            raise InputError(
                "xbleu: all sources whose hypotheses differ have empty references, and so no weight; "
                "expected some that have words, or weighting=equal"
            )
        return Problem(candidates, task.bounds, gains, lengths)

    def loss(self, weights: Floats, regularisation: float) -> float:
        """The loss J."""
        features, starts = self.candidates.features, self.candidates.starts
        return expected_gain(features, starts, self.gains, self.lengths, weights, regularisation)[0]

    def steps(self, regularisation: float) -> Floats:
        """The step size of each weight, without the rate."""
        factors = self.lengths * gain_spread(self.candidates, self.gains)
        bend = feature_spread(self.candidates, len(self.bounds.lower), factors) * self.candidates.sources
        check_sizes(bend)
        total = 2 * regularisation + bend
        # Without a regulariser, weights of features that do not vary stay as they are.
        return np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)

    def descend(
        self, weights: Floats, rng: np.random.Generator, steps: Floats, regularisation: float, rate: float, epoch: int
    ) -> Floats:
        """Move the weights in place through one epoch; return their mean over its steps."""
        features, starts, sources = self.candidates.features, self.candidates.starts, self.candidates.sources
        data = (*features.arrays, starts, self.gains, self.lengths, rng.permutation(sources))
        sums = np.zeros_like(weights)
        limits = (steps, self.bounds.lower, self.bounds.upper, 2 * regularisation / sources, rate, float(epoch))
        _native.descend_expected_gain(*data, *limits, weights, sums)
        return self.bounds.project(sums / sources)


def gain_spread(candidates: Candidates, gains: Floats) -> Floats:
    """The standard deviation of the gains of each source."""
    sizes = np.diff(candidates.starts)
    mean = np.add.reduceat(gains, candidates.starts[:-1]) / sizes
    squares = np.square(gains - np.repeat(mean, sizes))
    return np.asarray(np.sqrt(np.add.reduceat(squares, candidates.starts[:-1]) / sizes))


def reference_lengths(candidates: Candidates, metric: Metric) -> Floats:
    """The effective reference length of each source, in the metric's words: characters for metrics of characters.

    Of several references the metric's `ref_len` chooses, or else the closest to the first hypothesis of the source.
    """
    known = {name: getattr(metric, name) for name in LENGTH_PARAMETERS if hasattr(metric, name)}
    length = Length(**known)
    first = [candidates.text(int(i)) for i in candidates.starts[:-1]]
    return np.asarray(length.stats(first, candidates.references).values[:, length.columns.index("ref_len")])
