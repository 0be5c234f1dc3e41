"""Repeated tuning: several random seeds and methods, folds and test sets, compared.

Optimisers are unstable, so that one run says little about a method (J. Clark et al. Better hypothesis testing for
statistical machine translation: controlling for optimizer instability. ACL 2011). Several runs give a mean and a
standard deviation, and methods are compared by a test stratified over runs (Chen & Cherry 2014, Tables 5-8).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, SpecError
from ..judge.score_table import Column
from ..judge.significance.comparison import Settings
from ..judge.significance.system_tests import Criterion, Runs, compare_columns
from ..weights import Weights
from .task import Task
from .tuning_result import START, TUNE, Run, Tuning, Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..candidates import Candidates
    from ..features import Floats, Layout
    from ..metrics.base import Metric
    from ..segments import References
    from .bounds import Bounds
    from .task import Step, Tuned
    from .tuning_result import Method

    #: Called after every step of a tuner.
    Follow = Callable[[Watched], None]


@dataclass(frozen=True, eq=False)
class Setup:
    """What all runs have in common."""

    candidates: Candidates
    layout: Layout
    start: Floats
    bounds: Bounds
    report: Metric
    tests: Mapping[str, Candidates] = field(default_factory=dict)  #: test sets
    folds: int = 0  #: of cross-validation
    held_out: Candidates | None = None
    held_out_share: float = 0.0  #: fraction of the sources to hold out at random in each run, instead of `held_out`
    patience: int = 10
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.folds and not 2 <= self.folds <= self.candidates.sources:
            raise SpecError(f"folds must be from 2 to {self.candidates.sources:,} (the sources); got {self.folds}")

    @property
    def sets(self) -> dict[str, Candidates]:
        """The sets to score: the lists tuned on, the folds, the test sets."""
        return {TUNE: self.candidates, **({self.fold_set: self.candidates} if self.folds else {}), **self.tests}

    @property
    def fold_set(self) -> str:
        """The name of the set of all folds."""
        return f"{self.folds}-fold"

    def chosen_rows(self, weights: Floats) -> dict[str, Floats]:
        """Statistics of what weights choose from each set, one row per source."""
        return {name: _rows_of(candidates, self.report, weights) for name, candidates in self.sets.items()}

    def task(self, candidates: Candidates, method: Method, seed: int) -> Task:
        """The task of a tuner on some candidates, without those held out."""
        held_out = self.held_out
        if self.held_out_share:
            order = np.random.default_rng(seed).permutation(candidates.sources)
            number = max(1, round(self.held_out_share * candidates.sources))
            if number >= candidates.sources:
                raise InputError(f"holding out {number:,} of {candidates.sources:,} sources leaves none to tune on")
            held_out = candidates.subset(np.sort(order[:number]))
            candidates = candidates.subset(np.sort(order[number:]))
        return Task(candidates, method.metric, self.report, self.bounds, held_out, self.patience, self.threads)


def run_once(setup: Setup, method: Method, seed: int, number: int, runs: int, follow: Follow | None) -> Run:
    """Tune, and choose from each set with the weights found."""

    def tune(candidates: Candidates, fold: int | None) -> Tuned:
        def watch(step: Step) -> None:
            if follow is not None:
                follow(Watched(method.name, step, setup.report, number, runs, fold))

        return method.tuner.tune(setup.task(candidates, method, seed), setup.start, seed, follow and watch)

    tuned = tune(setup.candidates, None)
    warnings = [*tuned.warnings]
    rows = setup.chosen_rows(tuned.weights)
    for fold in range(setup.folds):
        inside = np.arange(setup.candidates.sources) % setup.folds == fold
        found = tune(setup.candidates.subset(np.flatnonzero(~inside)), fold)
        rows[setup.fold_set][inside] = _rows_of(setup.candidates, setup.report, found.weights)[inside]
        warnings += [f"fold {fold + 1}: {text}" for text in found.warnings]
    return Run(seed, Weights.of(tuned.weights, setup.layout), rows, tuple(warnings))


def _rows_of(candidates: Candidates, metric: Metric, weights: Floats) -> Floats:
    return np.asarray(candidates.rows(metric)[candidates.text_of[candidates.best(weights)]])


def replicate(
    setup: Setup,
    methods: Sequence[Method],
    seeds: Sequence[int],
    *,
    baseline: str = START,
    how: Settings | None = None,
    follow: Follow | None = None,
) -> Tuning:
    """Run every method with every random seed, and compare them with a `baseline`: a method, or `start`."""
    start = Run(0, Weights.of(setup.start, setup.layout), setup.chosen_rows(setup.start))
    runs: dict[str, list[Run]] = {START: [start]}
    for method in methods:
        runs[method.name] = [run_once(setup, method, seed, i, len(seeds), follow) for i, seed in enumerate(seeds)]
    references = {name: candidates.references for name, candidates in setup.sets.items()}
    return replace(compared(setup.report, references, runs, baseline, how), methods=tuple(methods))


def compared(
    report: Metric,
    references: Mapping[str, References],
    runs: Mapping[str, Sequence[Run]],
    baseline: str = START,
    how: Settings | None = None,
) -> Tuning:
    """Compare methods by their runs, on each set."""
    how = replace(how or Settings(), baseline=baseline, runs_as="stratified")
    names = [method for method in runs for _ in runs[method]]
    of = {method: [i for i, name in enumerate(names) if name == method] for method in runs}
    comparisons = {}
    for name, refs in references.items():
        ready: Any = report.ready_for(refs)
        rows = np.stack([run.rows[name] for method in runs for run in runs[method]])
        scores, signature = np.asarray(ready.score(rows)), ready.signature(refs.counts())
        better, scale = report.higher_is_better, report.display_scale
        column = Column(report.spec, scores, rows, ready.score, better, signature, scale)
        criterion = Criterion(column, report.title, report.display_digits, report)
        comparisons[name] = compare_columns([criterion], Runs(of, names), how)
    return Tuning(report, runs, comparisons, baseline)
