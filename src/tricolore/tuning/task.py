"""What every tuner is given, what it returns, and how it selects among the weights of its steps."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import ClassVar

import numpy as np

from .. import _native
from ..candidates import Candidates
from ..errors import InputError, SpecError
from ..features import Floats, Indices
from ..metrics.base import Metric
from ..parameters import SEED, Options, checked
from ..results import decimal
from .bounds import Bounds

#: Called after every step.
Watch = Callable[["Step"], None]

LARGEST = 1e150  #: numbers below this can be squared and summed
SPREAD = 32.0  #: the largest median range of model scores in a source that steps of tuners can overcome


@dataclass(frozen=True)
class Step:
    """The state of a tuner after an epoch, or after a pass of a line search."""

    number: int  #: from 1; 0 is the start
    of: int | None  #: the most steps there can be, if known
    objective: float  #: what the tuner itself optimises, on its own scale
    score: float  #: the reported metric on the lists tuned on, negated where lower is better
    held_out: float | None = None  #: the same on the held-out lists
    weights: Floats | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class Task:
    """The candidates to tune on, and the metrics to tune for."""

    candidates: Candidates
    metric: Metric  #: to optimise: for the corpus (mert) or for segments (the others)
    report: Metric  #: the corpus metric that is reported and selects the epoch
    bounds: Bounds
    held_out: Candidates | None = None  #: if given, used for epoch selection instead of the lists tuned on
    patience: int = 10  #: epochs without improvement on held-out lists before stopping
    threads: int | None = None
    keeps_start: bool = True  #: whether to return the start where no epoch is better

    def begin(self, start: Floats, seed: int) -> Floats:
        """Check the task and the start, and return the start moved within the bounds."""
        checked("seed", seed, SEED)
        weights = np.array(start, dtype=np.float64)
        if weights.shape != self.bounds.lower.shape:
            raise InputError(f"start: expected {len(self.bounds.lower)} weights, one per bound; got {weights.shape}")
        if not np.isfinite(weights).all():
            raise InputError("start: expected finite weights, got nan or infinity")
        self.check()
        return self.bounds.project(weights)

    def unit(self, start: Floats) -> float:
        """A power of 2 to divide the start by before tuning, and to multiply weights by after it; 1 for most starts.

        Weights that are multiplied choose the same hypotheses, but gains and steps have a scale of their own: beside
        scores that differ by hundreds within a source they change nothing. So a start whose scores have a median range
        above `SPREAD` is scaled down. With bounds, which have the scale of the weights, it is not.
        """
        return 1.0 if self.bounds.bounded else spread_unit(self.candidates, start)

    def check(self) -> None:
        """Reject what cannot be tuned, before any work."""
        check_metric(self.metric)
        check_metric(self.report)
        size, columns = len(self.bounds.lower), self.candidates.features.columns
        if len(columns) and int(columns.max()) >= size:
            raise InputError(f"bounds: expected at least {int(columns.max()) + 1:,}, one per feature; got {size:,}")
        if not (feature_spread(self.candidates, size)[self.bounds.free] > 0).any():
            raise InputError("no feature differs between hypotheses of a source, or only fixed ones; nothing to tune")


def shown_gain(gain: float, metric: Metric) -> str:
    """A score that was negated where lower is better, as it is printed."""
    return decimal((gain if metric.higher_is_better else -gain) * metric.display_scale, metric.display_digits + 1)


def check_metric(metric: object) -> None:
    """Reject what weights cannot be tuned for."""
    if not isinstance(metric, Metric):
        raise SpecError(f"expected a metric of Tricolore, with additive segment statistics; got {metric!r}")
    if not metric.tells_quality:
        raise SpecError(f"{metric.spec}: neither higher nor lower is better; tune for another metric")


def check_sizes(numbers: Floats) -> None:
    """Reject variances of features, or weights, that are too large to be squared."""
    if not (np.abs(numbers) < LARGEST).all():
        raise InputError("features or weights are so large that they overflow when squared; scale them")


@dataclass(frozen=True, eq=False)
class Tuned:
    """The result of a tuner."""

    weights: Floats
    step: Step  #: the step with these weights
    steps: tuple[Step, ...]  #: all steps
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tuner(Options):
    """A tuning method; its fields are its parameters."""

    name: ClassVar[str]  #: as in the command
    default_metric: ClassVar[str] = "bleu"
    scores_segments: ClassVar[bool] = False  #: whether it scores segments, not the corpus

    def tune(self, task: Task, start: Floats, seed: int, watch: Watch | None = None) -> Tuned:
        """Tune from the start; the same random seed gives the same weights."""
        raise NotImplementedError

    def signature(self) -> dict[str, object]:
        """Its parameters, for signatures."""
        return asdict(self)


class Selection:
    """Selects the weights of the best step on the held-out lists if there are any, else on those tuned on.

    Collapsed weights, which give all hypotheses of every source the same score, are never selected.
    """

    def __init__(self, task: Task, watch: Watch | None, of: int | None = None):
        self.task, self.watch, self.of = task, watch, of
        self.steps: list[Step] = []
        self.best: Step | None = None
        self.collapsed = 0  # how many of the last steps in a row have collapsed weights
        self.refused = -math.inf  # the best score of a step with collapsed weights
        self.since_best = 0

    def see(self, weights: Floats, objective: float = math.nan) -> Step:
        """Record a step; the first is the start, number 0."""
        task = self.task
        score = task.candidates.objective(task.report, weights)
        held_out = None if task.held_out is None else task.held_out.objective(task.report, weights)
        step = Step(len(self.steps), self.of, objective, score, held_out, weights.copy())
        self.steps.append(step)
        if is_collapsed(task.candidates, weights):
            if step.number > 0:  # a start at zero is fine
                self.collapsed += 1
                self.refused = max(self.refused, judged_by(step))
        else:
            self.collapsed = 0  # weights that change their signs may collapse for a moment
            best = self.best
            if best is None or (best.number == 0 and not task.keeps_start) or judged_by(step) > judged_by(best):
                self.best, self.since_best = step, -1
        self.since_best += 1
        if self.watch is not None:
            self.watch(step)
        return step

    @property
    def is_over(self) -> bool:
        """Whether to stop early: weights have collapsed, or held-out lists have not improved for `patience` steps."""
        return self.collapsed > 1 or (self.task.held_out is not None and self.since_best >= self.task.patience)

    def tuned(self) -> Tuned:
        """The weights of the best step."""
        if self.best is None or self.best.weights is None:
            raise InputError("the starting weights are zero, or give all hypotheses the same score; start from others")
        warnings = []
        if self.collapsed > 0 or self.refused > judged_by(self.best):
            warnings.append("weights collapsed to zero; the best weights before that are kept")
        elif self.best.number == 0 and len(self.steps) > 1:
            lists = "lists tuned on" if self.task.held_out is None else "held-out lists"
            warnings.append(f"no step has a better {self.task.report.title} than the start on the {lists}; it is kept")
            if self.task.bounds.bounded and (unit := spread_unit(self.task.candidates, self.best.weights)) > 1:
                warnings.append(f"scores are too far apart for its steps; divide start, fix and bounds by {unit:g}")
        return Tuned(self.best.weights, self.best, tuple(self.steps), tuple(warnings))


def judged_by(step: Step) -> float:
    """The score by which steps are compared."""
    value = step.score if step.held_out is None else step.held_out
    return -math.inf if math.isnan(value) else value


def is_collapsed(candidates: Candidates, weights: Floats) -> bool:
    """Whether weights give all hypotheses of every source the same score, or are not finite."""
    return not np.isfinite(weights).all() or not (ranges(candidates.features.dot(weights), candidates.starts) > 0).any()


def ranges(values: Floats, starts: Indices) -> Floats:
    """The range of each source's values, given one per hypothesis."""
    return np.asarray(np.maximum.reduceat(values, starts[:-1]) - np.minimum.reduceat(values, starts[:-1]))


def spread_unit(candidates: Candidates, weights: Floats) -> float:
    """The least power of 2, from 1, that weights must be divided by for a median range of scores up to `SPREAD`."""
    spread = ranges(candidates.features.dot(weights), candidates.starts)
    middle = float(np.median(spread[spread > 0])) if (spread > 0).any() else 0.0
    return 2.0 ** max(0, math.ceil(math.log2(max(middle / SPREAD, 1.0)))) if math.isfinite(middle) else 1.0


def feature_spread(candidates: Candidates, size: int, factors: Floats | None = None) -> Floats:
    """The variance of each feature over the hypotheses of a source, averaged over sources.

    With `factors`, one per source, variances are multiplied by them first.
    """
    features = candidates.features
    given = np.ones(candidates.sources) if factors is None else np.ascontiguousarray(factors, dtype=np.float64)
    return _native.sparse_variances(*features.arrays, candidates.starts, given, size) / candidates.sources


def usable_gains(candidates: Candidates, metric: Metric, threads: int | None = None) -> Floats:
    """The score of each hypothesis as a segment, negated where lower is better; rejected if nothing can be learnt."""
    candidates.rows(metric, threads=threads)
    gains = candidates.gains(metric)
    wrong = np.flatnonzero(~np.isfinite(gains))
    if len(wrong):
        source = int(np.searchsorted(candidates.starts, wrong[0], side="right")) - 1
        raise InputError(
            f"source {source}: hypothesis {wrong[0] - candidates.starts[source]} scores {gains[wrong[0]]} "
            f"by {metric.spec}; expected a finite number"
        )
    if not (ranges(gains, candidates.starts) > 0).any():
        raise InputError(f"in every source, all hypotheses have the same score by {metric.spec}; nothing can be learnt")
    return gains
