"""What every tuner is given, what it returns, and how it chooses among the weights it passes through."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import _native
from ..errors import InputError, SpecError
from ..metrics.base import Metric
from ..parameters import SEED, Options, checked
from ..results import decimal

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..candidates import Candidates
    from ..features import Floats
    from .bounds import Bounds

    #: Called after every epoch or move with what happened.
    Watch = Callable[["Step"], None]

LARGEST = 1e150  #: of what is squared and summed


@dataclass(frozen=True)
class Step:
    """Where a tuner is: after an epoch, or after a move of a line search."""

    number: int  #: from 1; 0 is the start
    of: int | None  #: how many there will be at most, if that is known
    objective: float  #: what the tuner works on, on its own scale; its description says which
    score: float  #: the metric to report, on the lists tuned on; turned so that more is better
    held_out: float | None = None  #: the same on the held-out lists
    weights: Floats | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, eq=False)
class Task:
    """What to tune and by what."""

    candidates: Candidates
    metric: Metric  #: what is to become good: of the corpus (mert) or of single segments (the others)
    report: Metric  #: of the corpus: what is reported, and what chooses among epochs
    bounds: Bounds
    held_out: Candidates | None = None  #: chooses among epochs instead of the lists tuned on, if given
    patience: int = 10  #: epochs without a better one after which to stop, where lists are held out
    threads: int | None = None
    keeps_start: bool = True  #: whether the start is the answer where no epoch is better; a decoder wants something new

    def begin(self, start: Floats, seed: int) -> Floats:
        """The start within the bounds; what cannot be tuned, or not from there, is refused."""
        checked("seed", seed, SEED)
        weights = np.array(start, dtype=np.float64)
        if weights.shape != self.bounds.lower.shape:
            raise InputError(
                f"start: expected {len(self.bounds.lower):,} weights, as many as there are bounds; got {weights.shape}"
            )
        if not np.isfinite(weights).all():
            raise InputError("start: expected finite weights, got nan or an infinite one")
        self.check()
        return self.bounds.project(weights)

    def check(self) -> None:
        """Refuse what cannot be tuned, before any work is done."""
        for metric in (self.metric, self.report):
            check_metric(metric)
        size, columns = len(self.bounds.lower), self.candidates.features.columns
        if len(columns) and int(columns.max()) >= size:
            raise InputError(f"bounds: expected them for {int(columns.max()) + 1:,} features or more, got {size:,}")
        spread = feature_spread(self.candidates, size)
        if not (spread[self.bounds.free] > 0).any():
            raise InputError(
                "no feature differs between the hypotheses of any source, except those that are fixed; "
                "weights make no difference"
            )


def shown_gain(gain: float, metric: Metric) -> str:
    """A score that was negated where lower is better, as it is printed."""
    return decimal((gain if metric.higher_is_better else -gain) * metric.display_scale, metric.display_digits + 1)


def check_metric(metric: object) -> None:
    """Refuse what weights cannot be tuned by: it must be a metric whose statistics add, and more or less be better."""
    if not isinstance(metric, Metric):
        raise SpecError(f"expected a metric of Tricolore, whose statistics of segments add; got {metric!r}")
    if not metric.tells_quality:
        raise SpecError(f"{metric.spec} says how output is, not how good it is; weights cannot be tuned by it")


def check_sizes(numbers: Floats) -> None:
    """Refuse variances of features, or weights, that are too large to go on with: their squares are needed."""
    if not (np.abs(numbers) < LARGEST).all():
        raise InputError("features or weights are so large that their squares are not numbers any more; scale them")


@dataclass(frozen=True, eq=False)
class Tuned:
    """What a tuner found."""

    weights: Floats
    step: Step  #: the one whose weights these are
    steps: tuple[Step, ...]  #: all of them
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tuner(Options):
    """A way to find weights. Its fields are its parameters."""

    name: ClassVar[str]  #: as in the command
    default_metric: ClassVar[str] = "bleu"
    scores_segments: ClassVar[bool] = False  #: whether single segments are scored, not sums of their statistics

    def tune(self, task: Task, start: Floats, seed: int, watch: Watch | None = None) -> Tuned:
        """Find weights from a start; the same seed finds the same weights."""
        raise NotImplementedError

    def signature(self) -> dict[str, object]:
        """Its parameters, for the record."""
        return asdict(self)


class Selection:
    """Chooses the weights of the best step: by the held-out lists if there are any, else by those tuned on.

    Weights that make no difference any more, because all have become zero or as good as that, are never chosen.
    """

    def __init__(self, task: Task, watch: Watch | None, of: int | None = None):
        self.task = task
        self.watch = watch
        self.of = of
        self.steps: list[Step] = []
        self.best: Step | None = None
        self.collapsed = 0  # steps up to the last whose weights make no difference
        self.refused = -math.inf  # the best that such a step was judged by
        self.since_best = 0

    def see(self, weights: Floats, objective: float = math.nan) -> Step:
        """Take note of a step; the first is the start, number 0."""
        task = self.task
        score = task.candidates.objective(task.report, weights)
        held_out = None if task.held_out is None else task.held_out.objective(task.report, weights)
        step = Step(len(self.steps), self.of, objective, score, held_out, weights.copy())
        self.steps.append(step)
        if is_collapsed(task.candidates, weights):
            if step.number > 0:  # a start at zero is as good as any
                self.collapsed += 1
                self.refused = max(self.refused, judged_by(step))
        else:
            self.collapsed = 0  # on the way from one sign to another, all may be equal for a moment
            if self.best is None or self._gives_way(self.best) or judged_by(step) > judged_by(self.best):
                self.best, self.since_best = step, -1
        self.since_best += 1
        if self.watch is not None:
            self.watch(step)
        return step

    def _gives_way(self, best: Step) -> bool:
        """Whether any later step is taken instead of the best so far."""
        return best.number == 0 and not self.task.keeps_start

    @property
    def is_over(self) -> bool:
        """Whether to stop early: the weights are nothing any more, or held-out lists have long not got better."""
        return self.collapsed > 1 or (self.task.held_out is not None and self.since_best >= self.task.patience)

    def tuned(self) -> Tuned:
        """The weights of the best step."""
        if self.best is None or self.best.weights is None:
            raise InputError("the starting weights are zero, or make no difference; start from others")
        warnings = []
        if self.collapsed > 0 or self.refused > judged_by(self.best):
            warnings.append("weights collapsed to zero: the best before that are kept")
        elif self.best.number == 0 and len(self.steps) > 1:
            lists = "lists tuned on" if self.task.held_out is None else "held-out lists"
            warnings.append(f"no step is better than the start on the {lists}, by {self.task.report.title}: it is kept")
        return Tuned(self.best.weights, self.best, tuple(self.steps), tuple(warnings))


def judged_by(step: Step) -> float:
    """What decides which of two steps is better."""
    value = step.score if step.held_out is None else step.held_out
    return -math.inf if math.isnan(value) else value


def is_collapsed(candidates: Candidates, weights: Floats) -> bool:
    """Whether weights leave all hypotheses of every source with the same score, or are not numbers."""
    if not np.isfinite(weights).all() or not weights.any():
        return True
    return not (score_ranges(candidates, weights) > 0).any()


def score_ranges(candidates: Candidates, weights: Floats) -> Floats:
    """How much higher the best score of each source is than the lowest, by these weights."""
    return ranges(candidates, candidates.features.dot(weights))


def ranges(candidates: Candidates, values: Floats) -> Floats:
    """The highest less the lowest of some values, one a hypothesis, within each source."""
    starts = candidates.starts[:-1]
    return np.asarray(np.maximum.reduceat(values, starts) - np.minimum.reduceat(values, starts))


def feature_spread(candidates: Candidates, size: int, factors: Floats | None = None) -> Floats:
    """For every feature the mean over sources of its variance within the hypotheses of a source.

    With `factors`, one a source, variances are multiplied by them first.
    """
    features = candidates.features
    given = np.ones(candidates.sources) if factors is None else np.ascontiguousarray(factors, dtype=np.float64)
    sums = _native.sparse_variances(features.begins, features.columns, features.values, candidates.starts, given, size)
    return sums / candidates.sources
