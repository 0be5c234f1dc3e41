"""Repeated tuning: several random seeds and methods, folds and test sets, compared.

Optimisers are unstable, so that one run says little about a method (J. Clark et al. Better hypothesis testing for
statistical machine translation: controlling for optimizer instability. ACL 2011). Several runs give a mean and a
standard deviation (Chen & Cherry 2014, Tables 5-8). Folds are drawn at random for every run and repetition, so that the
deviation of cross-validated scores includes that of splits; `run_scores` has the tests.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np

from ..candidates import Candidates
from ..errors import InputError, SpecError
from ..features import Floats, Indices, Layout
from ..metrics.base import Metric
from ..segments import References
from ..weights import Weights
from .bounds import Bounds
from .run_scores import RunTest, set_scores
from .task import Step, Task, Tuned
from .tuning_result import START, TUNE, Method, Run, Tuning, Watched

#: Called after every step of a tuner.
Follow = Callable[[Watched], None]


def fold_set_of(folds: int) -> str:
    """The name of the set of all folds."""
    return f"{folds}-fold"


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
    repeats: int = 1  #: how often the sources are split into folds, in each run
    fold_by: str = "shuffle"

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
        return fold_set_of(self.folds)

    def chosen_rows(self, weights: Floats) -> dict[str, Floats]:
        """Statistics of what weights choose from each set, one row per source."""
        return {name: _rows_of(candidates, self.report, weights)[None] for name, candidates in self.sets.items()}

    @cached_property
    def _sorted(self) -> Indices:
        """The sources in an order that does not depend on that of the file: by references and texts."""
        texts, starts, entries = self.candidates.texts, self.candidates.text_starts, self.candidates.references.entries
        keys = [(repr(entry), texts[a:b]) for entry, a, b in zip(entries, starts[:-1], starts[1:], strict=True)]
        return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)

    def split(self, seed: int, repetition: int) -> list[Indices]:
        """The sources of each fold, in random order; with `fold_by="order"`, every K-th source."""
        sources = np.arange(self.candidates.sources)
        if self.fold_by == "shuffle":
            sources = np.random.default_rng([seed, repetition]).permutation(self._sorted)
        return [sources[fold :: self.folds] for fold in range(self.folds)]

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
    splits = [setup.split(seed, repetition) for repetition in range(setup.repeats)] if setup.folds else []
    if splits:
        rows[setup.fold_set] = np.repeat(rows[setup.fold_set], len(splits), axis=0)
    for number_of, (split, fold) in enumerate(product(range(len(splits)), range(setup.folds))):
        inside = splits[split][fold]
        outside = np.concatenate([other for other in splits[split] if other is not inside])
        found = tune(setup.candidates.subset(np.sort(outside) if setup.fold_by == "order" else outside), number_of)
        rows[setup.fold_set][split, inside] = _rows_of(setup.candidates, setup.report, found.weights)[inside]
        warnings += [f"fold {number_of + 1}: {text}" for text in found.warnings]
    return Run(seed, Weights.of(tuned.weights, setup.layout), rows, tuple(warnings), tuned.steps)


def _rows_of(candidates: Candidates, metric: Metric, weights: Floats) -> Floats:
    return np.asarray(candidates.rows(metric)[candidates.text_of[candidates.best(weights)]])


def replicate(
    setup: Setup,
    methods: Sequence[Method],
    seeds: Sequence[int],
    *,
    how: RunTest | None = None,
    follow: Follow | None = None,
) -> Tuning:
    """Run every method with every random seed, and compare them with the baseline: a method, or `start`."""
    start = Run(0, Weights.of(setup.start, setup.layout), setup.chosen_rows(setup.start))
    runs: dict[str, list[Run]] = {START: [start]}
    for method in methods:
        runs[method.name] = [run_once(setup, method, seed, i, len(seeds), follow) for i, seed in enumerate(seeds)]
    references = {name: candidates.references for name, candidates in setup.sets.items()}
    return replace(compared(setup.report, references, runs, how, setup.folds), methods=tuple(methods))


def compared(
    report: Metric,
    references: Mapping[str, References],
    runs: Mapping[str, Sequence[Run]],
    how: RunTest | None = None,
    folds: int = 0,
) -> Tuning:
    """Compare methods by their runs, on each set."""
    how = how or RunTest()
    scores = {}
    for name, refs in references.items():
        rows = {method: np.concatenate([run.rows[name] for run in of]) for method, of in runs.items()}
        own = folds if name == fold_set_of(folds) else 0
        scores[name] = set_scores(report, refs, rows, how, folds=own, tuned_on=name == TUNE)
    return Tuning(report, runs, scores, how.baseline, runs_as=how.runs_as)
