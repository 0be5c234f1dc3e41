"""Compare systems by columns of statistics: scores, intervals, p-values, clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from itertools import combinations
from math import comb
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InputError, SpecError, nearest, shown
from ...parameters import is_one_of
from ...scoring import with_items
from ..multiplicity import clusters, holm
from ..resampling import check_room, resampled_sums
from ..score_table import Column, mean
from . import sacrebleu
from .comparison import Compared, Comparison, Judgement, Pair, Settings, System
from .confidence import SCORE_LEVEL, Tested, check_resampled, signature_items
from .interval import Interval
from .intervals import confidence_of
from .paired_tests import ENUMERATED, NOISE, Shuffles, flip_p, flips
from .percentiles import interval_of
from .run_tests import Estimate, exchange_p, least_exchange_p, over_runs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ...metrics.base import Metric
    from ...scores import ScoreTests
    from ...stats import Stats
    from ...types import Progress, Stage


@dataclass(frozen=True)
class Criterion:
    """A column with the statistics of all outputs, and how its metric is printed."""

    column: Column
    title: str
    digits: int = 3
    metric: Metric | None = None


@dataclass(frozen=True)
class Runs:
    """Which outputs of a column are runs of which system, and the name of each run."""

    numbers: dict[str, list[int]]
    names: list[str]

    @classmethod
    def single(cls, systems: Sequence[str]) -> Runs:
        """One run per system."""
        return cls({name: [i] for i, name in enumerate(systems)}, list(systems))

    def system_of(self, output: int) -> str:
        """The system that an output belongs to."""
        return next(name for name, numbers in self.numbers.items() if output in numbers)

    def name_of(self, output: int) -> str:
        """The name of an output: its system, and if that has several runs, the file or number."""
        system = self.system_of(output)
        number = self.numbers[system].index(output)
        named = self.names[output] if self.names[output] != system else f"run {number + 1}"
        return system if len(self.numbers[system]) == 1 else f"{system}, {named}"


def compare_columns(
    criteria: Sequence[Criterion], runs: Runs, how: Settings, progress: Stage | None = None, left_out: int = 0
) -> Comparison:
    """Compare systems by the statistics of their outputs."""
    names = list(runs.numbers)
    if how.baseline is not None and not is_one_of(how.baseline, names):
        hint = nearest(how.baseline, names) if isinstance(how.baseline, str) else ""
        raise SpecError(f"baseline: there is no system {shown(how.baseline)}{hint} ({', '.join(names)})")
    if how.compat == "multeval" and len({len(numbers) for numbers in runs.numbers.values()}) > 1:
        raise InputError("compat: MultEval requires the same number of runs of every system")
    if how.compat == "sacrebleu" and any(len(numbers) > 1 for numbers in runs.numbers.values()):
        raise InputError("compat: sacreBLEU requires a single run of every system")
    segments = criteria[0].column.rows.shape[1]
    check_resampled(segments, 1 if how.compat else 2)
    judgements = []
    for one in criteria:
        step = progress(f"comparing by {one.column.name}") if progress else None
        judgements.append(_Judge(one, runs, how, step, left_out).judgement())
    return Comparison(tuple(judgements), tuple(names), segments, how, left_out, compared=Compared(criteria))


def untested(metric: Metric, scores: NDArray[np.float64], runs: Runs) -> Judgement:
    """Systems by scores of whole outputs, which have neither intervals nor p-values."""
    nothing = Interval(*[math.nan] * len(fields(Interval)))
    systems = []
    for name, numbers in runs.numbers.items():
        own = scores[numbers]
        s_opt = float(np.std(own, ddof=1)) if len(own) > 1 else math.nan
        names = tuple(runs.names[k] for k in numbers)
        systems.append(System(name, float(own.mean()), nothing, tuple(own.tolist()), math.nan, s_opt, run_names=names))
    sign = -1 if metric.higher_is_better else 1
    ranked = tuple(sorted(systems, key=lambda system: sign * system.score))
    how = (metric.higher_is_better, metric.display_scale, metric.display_digits)
    return Judgement(metric.spec, metric.title, ranked, (), metric.signature(), *how, averaged=True)


class _Judge:
    """Compares systems by one metric."""

    def __init__(self, criterion: Criterion, runs: Runs, how: Settings, progress: Progress | None, left_out: int):
        self.criterion = criterion
        self.column = criterion.column
        self.names = list(runs.numbers)
        self.runs = list(runs.numbers.values())
        self.run_names = runs.names
        self.how = how
        self.left_out = left_out
        self.scores = self.column.systems()  # of each output
        rows = self.column.rows
        self.resamples = how.resamples or 0
        check_room("resamples", self.resamples, rows.shape[0] * rows.shape[2])
        self.sums = resampled_sums(rows.transpose(1, 0, 2), self.resamples, how.seed, progress)
        self.resampled = self.column.score(self.sums)  # resamples x outputs
        self.means = np.stack([self.resampled[:, numbers].mean(axis=1) for numbers in self.runs], axis=1)
        self.shuffles = Shuffles(rows, self.runs, how.shuffles, how.seed, compat=how.compat, progress=progress)

    def judgement(self) -> Judgement:
        systems = [self.system(i) for i in range(len(self.names))]
        sign = -1 if self.column.higher_is_better else 1
        order = sorted(range(len(systems)), key=lambda i: sign * systems[i].score)
        chosen = list(combinations(order, 2))  # better and worse
        if self.how.baseline is not None:
            baseline = self.names.index(self.how.baseline)
            chosen = [(i, baseline) for i in range(len(self.names)) if i != baseline]
        p_values = [self.p_value(i, j) for i, j in chosen]
        adjusted = holm(p_values)
        pairs = [self.pair(i, j, *both) for (i, j), *both in zip(chosen, p_values, adjusted, strict=True)]
        ranked = [systems[i] for i in order]
        if self.how.baseline is None:
            alike = {frozenset(pair): p for pair, p in zip(chosen, adjusted, strict=True)}
            numbers = clusters(len(order), lambda a, b: alike[frozenset((order[a], order[b]))] < self.how.alpha)
            ranked = [replace(system, cluster=number) for system, number in zip(ranked, numbers, strict=True)]
        exact = self.how.test == "ar" and all(self.exact(i, j) for i, j in chosen)
        least = min(chosen, key=lambda pair: self.least_p(*pair), default=(0, 0))  # a single system has no pair
        exchanged = self.how.test == "ar" and self.as_units(*least)
        return Judgement(
            self.column.name,
            self.criterion.title,
            tuple(ranked),
            tuple(pairs),
            self.signature(exact),
            self.column.higher_is_better,
            self.column.scale,
            self.criterion.digits,
            exact,
            self.least_p(*least),
            self.arrangements(*least) if exchanged else "",
            self.least_segments_p(*least) if exchanged else None,
            self.criterion.metric is None,
        )

    def as_units(self, *systems: int) -> bool:
        """Whether runs, not segments, are exchanged, because a system has several."""
        return self.how.runs_as == "units" and any(len(self.runs[i]) > 1 for i in systems)

    def exact(self, i: int, j: int) -> bool:
        if self.as_units(i, j):
            return comb(len(self.runs[i]) + len(self.runs[j]), len(self.runs[i])) <= ENUMERATED
        return self.shuffles.exact(i, j)

    def arrangements(self, i: int, j: int) -> str:
        a, b = len(self.runs[i]), len(self.runs[j])
        return f"{comb(a + b, a):,} arrangements of {a} + {b} runs"

    def system(self, i: int) -> System:
        numbers = self.runs[i]
        scores = self.scores[numbers]
        s_sel = float(np.std(self.resampled[:, numbers], axis=0, ddof=1).mean())
        s_opt = float(np.std(scores, ddof=1)) if len(scores) > 1 else math.nan
        names = tuple(self.run_names[k] for k in numbers)
        runs = tuple(scores.tolist())
        return System(self.names[i], float(scores.mean()), self.interval(i), runs, s_sel, s_opt, run_names=names)

    def pair(self, i: int, j: int, p: float, adjusted: float) -> Pair:
        difference = float(self.scores[self.runs[i]].mean() - self.scores[self.runs[j]].mean())
        share = None
        if self.how.test == "bs" and self.how.compat is None and not self.as_units(i, j):
            share = flips(*self.pooled_differences(i, j))
        about = self.names[i], self.names[j], difference, self.interval(i, j), p, adjusted
        return Pair(*about, share, self.exchange_p(i, j))

    def exchange_p(self, i: int, j: int) -> float | None:
        """The p-value if whole runs are exchanged; None if they are not."""
        if self.how.test == "bs" or not self.as_units(i, j):
            return None
        one, other = (self.scores[self.runs[k]] for k in (i, j))
        return exchange_p(one, other, self.how.shuffles, self.how.seed)

    def estimate(self, *systems: int) -> Estimate:
        """The mean over runs of one system, or the difference of two, for new runs and segments."""
        runs = [self.runs[i] for i in systems]
        return over_runs(
            [self.scores[k] for k in runs], [self.resampled[:, k] for k in runs], self.column.rows.shape[1]
        )

    def interval(self, *systems: int) -> Interval:
        """Of the mean of one system, or of the difference of two."""
        if self.as_units(*systems):
            return self.estimate(*systems).interval(self.how.level)
        first, *second = (self.means[:, i] for i in systems)
        return interval_of(first - second[0] if second else first, self.how.level)

    def p_value(self, i: int, j: int) -> float:
        if self.how.compat == "sacrebleu":
            return self.sacrebleus_p(i, j)
        if self.as_units(i, j):
            p = self.estimate(i, j).p_value(float(np.abs(self.scores).max()))
            return max(p, self.exchange_p(i, j) or self.least_p(i, j))
        if self.how.test == "bs":
            return flip_p(*self.pooled_differences(i, j))
        return self.shuffles.p_value(i, j, self.column.score)

    def pooled_differences(self, i: int, j: int) -> tuple[float, NDArray[np.float64]]:
        """The observed difference of two systems with pooled runs, and its resamples; rounding errors become zero."""
        one, other = (self.column.score(self.sums[:, self.runs[k]].sum(axis=1)) for k in (i, j))
        pooled = self.column.score(np.stack([self.shuffles.totals[k] for k in (i, j)]))
        least = NOISE * max(np.abs(scores).max() for scores in (one, other, pooled))
        observed, resampled = (np.where(np.abs(d) <= least, 0.0, d) for d in (pooled[0] - pooled[1], one - other))
        return float(observed), resampled

    def sacrebleus_p(self, i: int, j: int) -> float:
        """The p-value of sacreBLEU."""
        metric: Any = self.criterion.metric or SimpleNamespace(name="mean", display_scale=1.0, score=mean)
        observed = sacrebleu.scores(metric, np.stack([self.shuffles.totals[i], self.shuffles.totals[j]]))
        difference = abs(float(observed[0] - observed[1]))
        if self.how.test == "bs":
            rows = self.column.rows[[self.runs[i][0], self.runs[j][0]]].transpose(1, 0, 2)
            found = sacrebleu.resampled_scores(metric, rows, self.resamples, self.how.seed)
            return sacrebleu.bootstrap_p(difference, *found)
        one, other = (sacrebleu.scores(metric, sums) for sums in self.shuffles.pseudo(i, j))
        return sacrebleu.shuffle_p(difference, one, other)

    def least_p(self, i: int, j: int) -> float:
        if self.how.test == "bs":
            return (1 if self.how.compat else 2) / (self.resamples + 1)
        if self.as_units(i, j):
            return least_exchange_p(len(self.runs[i]), len(self.runs[j]), self.how.shuffles)
        return self.least_segments_p(i, j)

    def least_segments_p(self, i: int, j: int) -> float:
        if not self.shuffles.exact(i, j):
            return float(1 / (self.how.shuffles + 1))
        # With equally many runs, swapping all outputs is equally extreme.
        return (2 if len(self.runs[i]) == len(self.runs[j]) else 1) / self.shuffles.ways(i, j)

    def signature(self, exact: bool) -> str:
        how = self.how
        items: dict[str, Any] = {"left_out": self.left_out} if self.left_out else {}
        numbers = sorted({len(numbers) for numbers in self.runs})
        if numbers != [1]:
            items |= {"runs": "/".join(map(str, numbers)), "runs_as": how.runs_as}
        items |= {"ar": "exact" if exact else how.shuffles} if how.test == "ar" else {"test": "bs"}
        items |= {"bs": how.resamples, "seed": how.seed, "level": f"{how.level:g}"}
        if how.compat:
            items["compat"] = how.compat
        return with_items(self.column.signature, items)


# Beside scores, as in sacreBLEU: the first system is the baseline --------------------------------------------------


def tested(
    metric: Metric, counted: Mapping[str, Stats], how: ScoreTests, progress: Progress | None = None
) -> dict[str, Tested]:
    """Compute intervals and p-values for every system from its rows of statistics."""
    given: dict[str, Any] = {"resamples": how.resamples, "seed": how.seed, "compat": how.compat, "progress": progress}
    intervals = {name: confidence_of(metric, rows, **given) for name, rows in counted.items()} if how.intervals else {}
    p_values, exact = _p_values(metric, counted, how) if how.test else ({}, False)
    items = signature_items(how, exact)
    return {name: Tested(intervals.get(name), p_values.get(name), items) for name in counted}


def _p_values(metric: Metric, counted: Mapping[str, Stats], how: ScoreTests) -> tuple[dict[str, float], bool]:
    """The p-values of all systems except the baseline, and whether all assignments were enumerated."""
    names = list(counted)
    rows = np.stack([metric.values_of(counted[name]) for name in names])
    column = Column(metric.spec, np.asarray(metric.score(rows)), rows, metric.score)  # type: ignore[arg-type]
    settings = Settings(
        how.test or "ar",
        how.trials,
        how.resamples,
        SCORE_LEVEL,
        how.seed,
        names[0],
        how.compat,
    )
    criterion = Criterion(column, metric.title, metric=metric)
    found = compare_columns([criterion], Runs.single(names), settings).judgements[0]
    return {pair.first: pair.p for pair in found.pairs}, found.exact
