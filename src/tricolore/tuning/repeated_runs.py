"""Tuning repeated: with several seeds, with several objectives, on halves; and what that is worth elsewhere.

Optimisers are unstable, so that one run says little about a method (J. Clark et al. Better hypothesis testing for
statistical machine translation: controlling for optimizer instability. ACL 2011). Several runs give a mean and a
standard deviation, and a test that is stratified over runs compares methods (Chen & Cherry 2014, Tables 5-8).
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
    """Everything that the runs have in common."""

    candidates: Candidates
    layout: Layout
    start: Floats
    bounds: Bounds
    report: Metric
    tests: Mapping[str, Candidates] = field(default_factory=dict)  #: lists that no weight is tuned on
    folds: int = 0  #: each is chosen for by weights tuned on the others
    held_out: Candidates | None = None
    held_out_share: float = 0.0  #: fraction of the sources, drawn at random for each run, instead of `held_out`
    patience: int = 10
    threads: int | None = None

    def __post_init__(self) -> None:
        if self.folds and not 2 <= self.folds <= self.candidates.sources:
            raise SpecError(
                f"folds must be from 2 to the number of sources, {self.candidates.sources:,}; got {self.folds}"
            )

    @property
    def sets(self) -> list[str]:
        """What there are scores for."""
        return [TUNE, *([self.fold_set] if self.folds else []), *self.tests]

    @property
    def fold_set(self) -> str:
        """What the parts left out are called together."""
        return f"{self.folds}-fold"

    def task(self, candidates: Candidates, method: Method, seed: int) -> Task:
        """What a tuner is given: all of some candidates, or what is left of them without a share that is held out."""
        held_out = self.held_out
        if self.held_out_share:
            order = np.random.default_rng(seed).permutation(candidates.sources)
            number = max(1, round(self.held_out_share * candidates.sources))
            if number >= candidates.sources:
                raise InputError(f"holding out {number:,} of {candidates.sources:,} sources leaves none to tune on")
            held_out = candidates.subset(np.sort(order[:number]))
            candidates = candidates.subset(np.sort(order[number:]))
        return Task(candidates, method.metric, self.report, self.bounds, held_out, self.patience, self.threads)


def run_once(
    setup: Setup, method: Method, seed: int, number: int = 0, runs: int = 1, follow: Follow | None = None
) -> Run:
    """Tune, and choose from every set with the weights."""

    def tune(candidates: Candidates, fold: int | None) -> Tuned:
        def watch(step: Step) -> None:
            if follow is not None:
                follow(Watched(method.name, step, setup.report, number, runs, fold))

        return method.tuner.tune(setup.task(candidates, method, seed), setup.start, seed, follow and watch)

    tuned = tune(setup.candidates, None)
    warnings = [*tuned.warnings]
    rows = chosen_rows(setup, tuned.weights)
    if setup.folds:
        rows[setup.fold_set] = np.zeros_like(rows[TUNE])
        fold_of = np.arange(setup.candidates.sources) % setup.folds
        for fold in range(setup.folds):
            inside, outside = np.flatnonzero(fold_of == fold), np.flatnonzero(fold_of != fold)
            found = tune(setup.candidates.subset(outside), fold)
            rows[setup.fold_set][inside] = _rows_of(setup.candidates, setup.report, found.weights)[inside]
            warnings += [f"fold {fold + 1}: {text}" for text in found.warnings]
    return Run(seed, Weights.of(tuned.weights, setup.layout), rows, tuple(warnings))


def chosen_rows(setup: Setup, weights: Floats) -> dict[str, Floats]:
    """Statistics of what weights choose from every set, one row per source."""
    sets = {TUNE: setup.candidates, **({setup.fold_set: setup.candidates} if setup.folds else {}), **setup.tests}
    return {name: _rows_of(candidates, setup.report, weights) for name, candidates in sets.items()}


def _rows_of(candidates: Candidates, metric: Metric, weights: Floats) -> Floats:
    rows: Floats = candidates.rows(metric)[candidates.text_of[candidates.best(weights)]]
    return rows


def replicate(
    setup: Setup,
    methods: Sequence[Method],
    seeds: Sequence[int],
    *,
    baseline: str = START,
    how: Settings | None = None,
    follow: Follow | None = None,
) -> Tuning:
    """Run every method with every seed and compare them with a `baseline`: a method, or `start`."""
    start = Run(0, Weights.of(setup.start, setup.layout), chosen_rows(setup, setup.start))
    runs: dict[str, list[Run]] = {START: [start]}
    for method in methods:
        runs[method.name] = [run_once(setup, method, seed, i, len(seeds), follow) for i, seed in enumerate(seeds)]
    references = {name: setup.tests.get(name, setup.candidates).references for name in setup.sets}
    return replace(compared(setup.report, references, runs, baseline, how), methods=tuple(methods))


def compared(
    report: Metric,
    references: Mapping[str, References],
    runs: Mapping[str, Sequence[Run]],
    baseline: str = START,
    how: Settings | None = None,
) -> Tuning:
    """Compare methods whose runs are done, on every set that has references."""
    how = replace(how or Settings(), baseline=baseline)
    of: dict[str, list[int]] = {}
    for method in runs:
        first = sum(map(len, of.values()))
        of[method] = list(range(first, first + len(runs[method])))
    everything = [run for method in runs for run in runs[method]]
    names = [method for method in runs for _ in runs[method]]
    comparisons = {}
    for name, refs in references.items():
        rows = np.stack([run.rows[name] for run in everything])
        comparisons[name] = compare_columns([_criterion(report, refs, rows)], Runs(of, names), how)
    return Tuning(report, runs, comparisons, baseline)


def _criterion(report: Metric, references: References, rows: Floats) -> Criterion:
    ready: Any = report.ready_for(references)
    column = Column(
        report.spec,
        np.asarray(ready.score(rows)),
        rows,
        ready.score,
        report.higher_is_better,
        ready.signature(references.counts()),
        report.display_scale,
    )
    return Criterion(column, report.title, report.display_digits, report)
