"""Pairwise ranking: weights that rank pairs of hypotheses as a metric does (Hopkins & May 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..candidates import Candidates
from ..errors import InputError
from ..extras import load
from ..features import Features, Floats, Indices
from ..parameters import Real, Whole, param
from .bounds import Bounds
from .task import Selection, Task, Tuned, Tuner, Watch, check_sizes, feature_spread, ranges, usable_gains


@dataclass(frozen=True)
class Pro(Tuner):
    r"""Pairwise ranking optimisation, PRO (Hopkins & May 2011).

    In each epoch Γ pairs of hypotheses are drawn per source, with replacement. Of the pairs whose gains differ by α or
    more, the Ξ that differ most are kept; ties go to the first drawn. A logistic classifier learns from the
    differences of features which of two is better:

    .. math:: v = \arg\min_v \; λ‖v‖^2 + \sum_{(a, b)} 2 \log(1 + e^{-v·(h_a - h_b)})

    over pairs of a better a and a worse b, within the bounds of the weights. The factor 2 is for the mirror image
    (h_b - h_a, worse) that Hopkins & May give to the classifier, too: without a constant term its loss is the same.
    Then the weights are interpolated:

    .. math:: w ← ψ v + (1 - ψ) w

    Γ: `samples`; Ξ: `keep`; α: `threshold`; ψ: `interpolation`; λ: `l2`. h: features. A gain is the segment score by
    the task's metric, negated where lower is better. Hopkins & May use BLEU with smoothing 2.

    α is on the metric's own scale: 0.05 is 5 points of BLEU or TER. For a metric with a larger scale (NIST) nearly all
    pairs pass it, and Ξ makes the selection; 0.5 is closer to its purpose there.

    v and w are interpolated without normalisation, as in the paper, so starting weights much larger than what the
    classifier finds have a longer effect: after n epochs (1 - ψ)^n of them is left, 4 % after 30. A start whose scores
    are far apart is scaled down first, and weights are scaled back at the end (`Task.unit`). The paper does not
    mention λ. It is added to a sum, so it is small, and keeps v finite where all pairs are separable; 0.5 is a Gaussian
    prior of variance 1.

    In the paper lists are decoded again before each round; here they are fixed, and only the draws differ. The
    objective of a step is the mean log probability of the right order of its pairs: higher is better, 0 at most.

    Mark Hopkins, Jonathan May (2011): Tuning as ranking. EMNLP.
    """

    name: ClassVar[str] = "pro"
    default_metric: ClassVar[str] = "bleu(smooth=2)"
    scores_segments: ClassVar[bool] = True

    samples: int = param(5000, Whole(1, 100_000_000), "Γ: pairs drawn per source")
    keep: int = param(50, Whole(1, 100_000_000), "Ξ: pairs kept per source, those that differ most")
    threshold: float = param(0.05, Real(0), "α: smallest difference of a pair, on the metric's own scale")
    interpolation: float = param(0.1, Real(0, above=True, high=1), "ψ: share of the new weights in the update")
    l2: float = param(0.5, Real(0, above=True), "λ: L2 regularisation of the classifier")
    epochs: int = param(30, Whole(1, 100_000), "passes over the sources")

    def tune(self, task: Task, start: Floats, seed: int, watch: Watch | None = None) -> Tuned:
        start = task.begin(start, seed)
        gains = usable_gains(task.candidates, task.metric, task.threads)
        if (most := ranges(gains, task.candidates.starts).max()) < self.threshold:
            raise InputError(
                f"pro: no two hypotheses of a source differ by {self.threshold:g} or more by {task.metric.spec}; "
                f"the largest difference is {most:.3g}: lower the threshold"
            )
        # Half the mean squared difference of a feature in a pair, which scales its weight.
        spread = feature_spread(task.candidates, len(start))
        check_sizes(spread)
        check_sizes(start)
        selection = Selection(task, watch, self.epochs)
        rng = np.random.default_rng(seed)
        unit = task.unit(start)
        weights = learnt = start / unit
        pairs = self._draw(task.candidates, gains, rng)
        selection.see(weights * unit, pairs.fit(weights))
        for epoch in range(self.epochs):
            if epoch:
                pairs = self._draw(task.candidates, gains, rng)
            if len(pairs):
                learnt = learn(pairs, learnt, task.bounds, spread, self.l2)
                weights = task.bounds.project(self.interpolation * learnt + (1 - self.interpolation) * weights)
            selection.see(weights * unit, pairs.fit(weights))
            if selection.is_over:
                break
        return selection.tuned()

    def _draw(self, candidates: Candidates, gains: Floats, rng: np.random.Generator) -> Pairs:
        better, worse = [], []
        for begin, end in zip(candidates.starts[:-1].tolist(), candidates.starts[1:].tolist(), strict=True):
            drawn = rng.integers(begin, end, (2, self.samples), dtype=np.int32)
            difference = gains[drawn[0]] - gains[drawn[1]]
            size = np.abs(difference)
            enough = np.flatnonzero((size >= self.threshold) & (size > 0))
            kept = enough[largest(size[enough], self.keep)]
            first = difference[kept] > 0
            better.append(np.where(first, drawn[0, kept], drawn[1, kept]))
            worse.append(np.where(first, drawn[1, kept], drawn[0, kept]))
        return Pairs.of(candidates.features, np.concatenate(better), np.concatenate(worse))


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of a better and a worse hypothesis, with the features of the hypotheses in them.

    Differences of features are never stored: scores of hypotheses are computed and then subtracted.
    """

    features: Features
    better: Indices
    worse: Indices

    @staticmethod
    def of(features: Features, better: NDArray[np.int32], worse: NDArray[np.int32]) -> Pairs:
        """From indices of hypotheses."""
        used, places = np.unique(np.concatenate([better, worse]), return_inverse=True)
        return Pairs(features.take(used), places[: len(better)], places[len(better) :])

    def __len__(self) -> int:
        return len(self.better)

    def margins(self, weights: Floats) -> Floats:
        """The score of the better hypothesis minus that of the worse, for each pair."""
        scores = self.features.dot(weights)
        return np.asarray(scores[self.better] - scores[self.worse])

    def fit(self, weights: Floats) -> float:
        """The mean log probability of the right order."""
        return -float(np.logaddexp(0.0, -self.margins(weights)).mean()) if len(self) else float("nan")

    def loss(self, weights: Floats, regularisation: float) -> tuple[float, Floats]:
        """The loss of the classifier, and its gradient."""
        margins = self.margins(weights)
        losses = np.logaddexp(0.0, -margins)
        pull = -2 * np.exp(-margins - losses)  # e^(-m) / (1 + e^(-m)) is the probability of the wrong order
        number = len(self.features)
        factors = np.asarray(np.bincount(self.better, pull, number) - np.bincount(self.worse, pull, number), np.float64)
        gradient = self.features.weighted_sum(factors, len(weights))
        loss = 2 * losses.sum() + regularisation * np.square(weights).sum()
        return float(loss), gradient + 2 * regularisation * weights


def learn(pairs: Pairs, start: Floats, bounds: Bounds, spread: Floats, regularisation: float) -> Floats:
    """The weights of the classifier: those of the smallest loss within the bounds.

    Weights are scaled so that the curvature of the loss is about equal in all; `spread` is the variance of features.
    """
    optimize = load("scipy.optimize", "PRO")
    # The second derivative at 0: 2 · 1/4 · (h_a - h_b)² per pair, where h_a - h_b is about √2 σ.
    unit = 1 / np.sqrt(len(pairs) * spread + 2 * regularisation)

    def loss(scaled: Floats) -> tuple[float, Floats]:
        value, gradient = pairs.loss(scaled * unit, regularisation)
        return value, gradient * unit

    lower, upper = bounds.lower / unit, bounds.upper / unit
    found = optimize.minimize(
        loss,
        np.clip(start / unit, lower, upper),
        jac=True,
        method="L-BFGS-B",
        bounds=optimize.Bounds(lower, upper),
        # Stop by the gradient alone: near a bound one step may gain hardly anything, and the next one more.
        options={"maxiter": 1000, "maxfun": 2000, "ftol": 0.0, "gtol": 1e-5},
    )
    # Weights on a bound are set exactly, which scaling back might miss by the last digit.
    weights = np.where(found.x <= lower, bounds.lower, np.where(found.x >= upper, bounds.upper, found.x * unit))
    return bounds.project(weights)


def largest(values: Floats, number: int) -> Indices:
    """The indices of the largest values, in ascending order; ties go to the first.

    >>> largest(np.array([1.0, 3.0, 2.0, 2.0]), 2)
    array([1, 2])
    """
    if len(values) <= number:
        return np.arange(len(values))
    least = np.partition(values, len(values) - number)[len(values) - number]
    above = values > least
    tied = np.flatnonzero(values == least)[: number - int(above.sum())]
    return np.sort(np.concatenate([np.flatnonzero(above), tied]))
