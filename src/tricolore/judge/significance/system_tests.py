"""Compare systems by one column of statistics after the other: scores, intervals, p-values, clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InputError, SpecError, nearest, shown
from ...parameters import is_one_of
from ..multiplicity import clusters, holm
from ..resampling import check_room, resampled_sums
from ..score_table import Column, mean
from . import sacrebleu
from .comparison import Comparison, Judgement, Pair, System
from .interval import UNKNOWN, Interval, interval_of
from .intervals import with_items
from .paired_tests import NOISE, Shuffles, flip_p, flips

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from ...metrics.base import Metric, Progress
    from .comparison import Settings

    #: Called with the name of each stage of long work; returns a function of (done, total).
    Stage = Callable[[str], Progress]


@dataclass(frozen=True)
class Criterion:
    """A column of all outputs, and how its metric is printed."""

    column: Column
    title: str
    digits: int = 3
    metric: Metric | None = field(default=None)


@dataclass(frozen=True)
class Runs:
    """Which outputs of a column are runs of which system, and what each run is called."""

    numbers: dict[str, list[int]]
    names: list[str]

    @classmethod
    def single(cls, systems: Sequence[str]) -> Runs:
        """One run of each system."""
        return cls({name: [i] for i, name in enumerate(systems)}, list(systems))

    def system_of(self, output: int) -> str:
        """The system that an output belongs to."""
        return next(name for name, numbers in self.numbers.items() if output in numbers)

    def name_of(self, output: int) -> str:
        """What an output is called: its system, and where that has several runs, its file or number."""
        system = self.system_of(output)
        number = self.numbers[system].index(output)
        named = self.names[output] if self.names[output] != system else f"run {number + 1}"
        return system if len(self.numbers[system]) == 1 else f"{system}, {named}"


def compare_columns(
    criteria: Sequence[Criterion], runs: Runs, how: Settings, progress: Stage | None = None, left_out: int = 0
) -> Comparison:
    """Compare systems whose outputs have been measured."""
    names = list(runs.numbers)
    if how.baseline is not None and not is_one_of(how.baseline, names):
        hint = nearest(how.baseline, names) if isinstance(how.baseline, str) else ""
        raise SpecError(f"baseline: there is no system {shown(how.baseline)}{hint} ({', '.join(names)})")
    if how.compat == "multeval" and len({len(numbers) for numbers in runs.numbers.values()}) > 1:
        raise InputError("compat: MultEval needs equally many runs of every system")
    if how.compat == "sacrebleu" and any(len(numbers) > 1 for numbers in runs.numbers.values()):
        raise InputError("compat: sacreBLEU has one run of every system")
    segments = criteria[0].column.rows.shape[1]
    if segments == 0:
        raise InputError("there is nothing to compare: expected at least one segment, got none")
    judgements = []
    for one in criteria:
        step = progress(f"comparing by {one.column.name}") if progress else None
        judgements.append(_Judge(one, runs, how, step, left_out).judgement())
    return Comparison(tuple(judgements), tuple(names), segments, how, left_out)


class _Judge:
    """One metric's comparison in the making."""

    def __init__(self, criterion: Criterion, runs: Runs, how: Settings, progress: Progress | None, left_out: int):
        self.criterion = criterion
        self.column = criterion.column
        self.names = list(runs.numbers)
        self.runs = list(runs.numbers.values())
        self.run_names = runs.names
        self.how = how
        self.left_out = left_out
        self.scores = self.column.systems()  # of each output
        self.varies = self.column.rows.shape[1] > 1  # a resample of one segment is always the same
        rows = self.column.rows.transpose(1, 0, 2)  # segments first
        self.resamples = how.resamples or 0
        check_room("resamples", self.resamples, rows.shape[1] * rows.shape[2])
        self.sums = resampled_sums(rows, self.resamples, how.seed, progress)
        self.resampled = self.column.score(self.sums)  # resamples x outputs
        self.means = np.stack([self.resampled[:, list(numbers)].mean(axis=1) for numbers in self.runs], axis=1)
        self.shuffles = Shuffles(
            self.column.rows, self.runs, how.trials, how.seed, compat=how.compat, progress=progress
        )

    def judgement(self) -> Judgement:
        """Score, test and order the systems."""
        systems = [self.system(i) for i in range(len(self.names))]
        sign = -1 if self.column.higher_is_better else 1
        order = sorted(range(len(systems)), key=lambda i: sign * systems[i].score)
        chosen = self.chosen_pairs(order)
        p_values = [self.p_value(i, j) for i, j in chosen]
        adjusted = holm(p_values)
        pairs = [self.pair(i, j, *both) for (i, j), *both in zip(chosen, p_values, adjusted, strict=True)]
        ranked = [systems[i] for i in order]
        if self.how.baseline is None:
            alike = {frozenset(pair): p for pair, p in zip(chosen, adjusted, strict=True)}
            numbers = clusters(len(order), lambda a, b: alike[frozenset((order[a], order[b]))] < self.how.alpha)
            ranked = [replace(system, cluster=number) for system, number in zip(ranked, numbers, strict=True)]
        return Judgement(
            self.column.name,
            self.criterion.title,
            tuple(ranked),
            tuple(pairs),
            self.signature(self.exact(chosen)),
            self.column.higher_is_better,
            self.column.scale,
            self.criterion.digits,
            self.exact(chosen),
            min(self.least_p(i, j) for i, j in chosen),
            self.criterion.metric is None,
        )

    def chosen_pairs(self, order: list[int]) -> list[tuple[int, int]]:
        """The pairs to test, by number: better and worse, or system and baseline."""
        if self.how.baseline is None:
            return list(combinations(order, 2))
        baseline = self.names.index(self.how.baseline)
        return [(i, baseline) for i in range(len(self.names)) if i != baseline]

    def system(self, i: int) -> System:
        """Score a system, and see how the score varies."""
        numbers = list(self.runs[i])
        scores = self.scores[numbers]
        deviations = np.std(self.resampled[:, numbers], axis=0, ddof=1) if self.varies else np.array([math.nan])
        over_runs = float(np.std(scores, ddof=1)) if len(scores) > 1 else math.nan
        interval = self.interval(self.means[:, i])
        return System(
            self.names[i],
            float(scores.mean()),
            interval,
            tuple(scores.tolist()),
            float(deviations.mean()),
            over_runs,
            run_names=tuple(self.run_names[i] for i in numbers),
        )

    def pair(self, i: int, j: int, p: float, adjusted: float) -> Pair:
        """The difference of two systems."""
        difference = float(self.scores[list(self.runs[i])].mean() - self.scores[list(self.runs[j])].mean())
        interval = self.interval(self.means[:, i] - self.means[:, j])
        share = None
        if self.how.test == "bs" and self.how.compat is None and self.varies:
            share = flips(*self.pooled_differences(i, j))
        return Pair(self.names[i], self.names[j], difference, interval, p, adjusted, share)

    def interval(self, resampled: NDArray[np.float64]) -> Interval:
        """Where the scores or differences of resamples lie."""
        return interval_of(resampled, self.how.level) if self.varies else UNKNOWN

    def p_value(self, i: int, j: int) -> float:
        """How likely such a difference is by chance."""
        if self.how.compat == "sacrebleu":
            return self.sacrebleus_p(i, j)
        if self.how.test == "bs":
            return flip_p(*self.pooled_differences(i, j)) if self.varies else 1.0
        return self.shuffles.p_value(i, j, self.column.score)

    def pooled_differences(self, i: int, j: int) -> tuple[float, NDArray[np.float64]]:
        """The observed difference of two systems, their runs pooled, and its resamples; errors of rounding are zero."""
        one, other = (self.column.score(self.sums[:, list(self.runs[k])].sum(axis=1)) for k in (i, j))
        pooled = self.column.score(np.stack([self.shuffles.totals[k] for k in (i, j)]))
        least = NOISE * max(np.abs(scores).max() for scores in (one, other, pooled))
        observed, resampled = (np.where(np.abs(d) <= least, 0.0, d) for d in (pooled[0] - pooled[1], one - other))
        return float(observed), resampled

    def sacrebleus_p(self, i: int, j: int) -> float:
        """The p-value that sacreBLEU gives."""
        metric = self.criterion.metric or _Mean()
        observed = sacrebleu.scores(metric, np.stack([self.shuffles.totals[i], self.shuffles.totals[j]]))  # type: ignore[arg-type]
        difference = abs(float(observed[0] - observed[1]))
        if self.how.test == "bs":
            rows = self.column.rows[[self.runs[i][0], self.runs[j][0]]].transpose(1, 0, 2)
            found = sacrebleu.resampled_scores(metric, rows, self.resamples, self.how.seed)  # type: ignore[arg-type]
            return sacrebleu.bootstrap_p(difference, found[:, 0], found[:, 1])
        one, other = (sacrebleu.scores(metric, sums) for sums in self.shuffles.pseudo(i, j))  # type: ignore[arg-type]
        return sacrebleu.shuffle_p(difference, one, other)

    def exact(self, chosen: Sequence[tuple[int, int]]) -> bool:
        """Whether every way to deal the outputs is tried for every pair."""
        return self.how.test == "ar" and all(self.shuffles.exact(i, j) for i, j in chosen)

    def least_p(self, i: int, j: int) -> float:
        """The smallest p-value that there can be."""
        if self.how.test == "bs" and self.how.compat is None and not self.varies:
            return 1.0
        if self.how.test == "bs":
            return (1 if self.how.compat else 2) / (self.resamples + 1)
        if not self.shuffles.exact(i, j):
            return 1 / (self.how.trials + 1)
        # With equally many runs, to deal everything the other way round is as extreme.
        return (2 if len(self.runs[i]) == len(self.runs[j]) else 1) / self.shuffles.ways(i, j)

    def signature(self, exact: bool) -> str:
        """The metric's signature and all that was done with its scores."""
        how = self.how
        items: dict[str, Any] = {"left_out": self.left_out} if self.left_out else {}
        numbers = sorted({len(numbers) for numbers in self.runs})
        if numbers != [1]:
            items["runs"] = "/".join(map(str, numbers))
        items |= {"ar": "exact" if exact else how.trials} if how.test == "ar" else {"test": "bs"}
        items |= {"bs": how.resamples, "seed": how.seed, "level": f"{how.level:g}"}
        if how.compat:
            items["compat"] = how.compat
        return with_items(self.column.signature, items)


class _Mean:
    """What scores rows of value and count, as a metric would."""

    name = "mean"
    display_scale = 1.0

    def score(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean."""
        return mean(sums)
