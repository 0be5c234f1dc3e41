"""The result of tuning: a table of methods and sets as in Chen & Cherry (2014), and the weights of every run."""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from .. import spec
from .._version import __version__
from ..errors import SpecError, unknown
from ..features import Floats
from ..metrics.base import Metric
from ..results import Page, Result, Table, decimal
from ..types import Record
from ..weights import Weights
from .rounds import Outcome
from .task import Step, Tuner, shown_gain

TUNE = "Tune"  #: the name of the lists tuned on, among the sets
START = "start"  #: the name of the weights before tuning, among the methods
ALPHA = 0.05  #: the significance level of marks in tables


@dataclass(frozen=True, eq=False)
class Method:
    """A tuner and the metric that it optimises."""

    name: str  #: as in tables
    tuner: Tuner
    metric: Metric


@dataclass(frozen=True, eq=False)
class Run:
    """One run of a method."""

    seed: int
    weights: Weights
    rows: Mapping[str, Floats]  #: statistics of what was chosen: by set, splits x sources x statistics
    warnings: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()  #: of the tuner, the start first


@dataclass(frozen=True, eq=False)
class SetScores:
    """Scores of methods on a set, on the metric's own scale, and their differences from the baseline."""

    signature: str
    runs: Mapping[str, Floats]  #: by method, one per run, or per run and split
    p: Mapping[str, float]  #: by method, except the baseline
    scale: float = 1.0  #: factor for printing

    def of(self, method: str) -> dict[str, Any]:
        """The mean of a method, its standard deviation over runs and splits, and p; scores in points."""
        scores = self.runs[method] * self.scale
        std = None if len(scores) < 2 else float(np.std(scores, ddof=1))
        return {"mean": float(scores.mean()), "std": std, "runs": scores.tolist(), "p": self.p.get(method)}


@dataclass(frozen=True, eq=False)
class Watched:
    """A step of a tuner in some run; as text, one line."""

    method: str
    step: Step
    report: Metric
    run: int = 0  #: from 0
    runs: int = 1
    fold: int | None = None  #: from 0; None: all sources
    round: int | None = None  #: of decoding, from 1

    def __str__(self) -> str:
        step, report = self.step, self.report
        parts = [self.method, *([f"run {self.run + 1} of {self.runs}"] if self.runs > 1 else [])]
        parts += [] if self.fold is None else [f"fold {self.fold + 1}"]
        parts += [] if self.round is None else [f"round {self.round}"]
        told = [f"step {step.number}{f'/{step.of}' if step.of else ''}"]
        told += [] if math.isnan(step.objective) else [f"objective {step.objective:.6g}"]
        told += [f"{report.title} {shown_gain(step.score, report)}"]
        told += [] if step.held_out is None else [f"held out {shown_gain(step.held_out, report)}"]
        return f"{', '.join(parts)}: {' '.join(told)}"

    def record(self) -> Record:
        """The step as a row of a table."""
        fold, step = None if self.fold is None else self.fold + 1, self.step
        place = {"method": self.method, "run": self.run + 1, "fold": fold, "step": step.number}
        return {**place, "objective": step.objective, "score": step.score, "held_out": step.held_out}


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(Result):
    """All runs of all methods, and their comparison on each set: the lists tuned on, folds, test sets.

    `weights` are the weights found; of several runs, those of the run with the median score.
    """

    reported: Metric  #: the metric of the scores
    runs: Mapping[str, Sequence[Run]]  #: by method, the start first
    scores: Mapping[str, SetScores]  #: by set
    baseline: str  #: the method that others are compared with
    methods: Sequence[Method] = ()
    norm: str = "none"  #: how weights are scaled
    runs_as: str = "together"  #: how runs count in p
    settings: Mapping[str, Any] = field(default_factory=dict)  #: named in signatures, beside the tuner's parameters
    sets_are: Sequence[str] = ()  #: notes on the sets
    rounds: Sequence[Outcome] = ()  #: with a decoder: the rounds of each run
    firsts: Sequence[str] = ()  #: the first candidate of each source in the lists tuned on

    def __repr__(self) -> str:
        means = {name: self.scores[TUNE].of(name)["mean"] for name in self.runs}
        told = ", ".join(f"{name} {mean:.{self.reported.display_digits + 1}f}" for name, mean in means.items())
        return f"Tuning: {self.reported.title} on the lists tuned on: {told}"

    @property
    def sets(self) -> list[str]:
        """The names of the sets."""
        return [*self.scores]

    @property
    def weights(self) -> Weights:
        """The weights found, if one method was tuned for one metric."""
        if len(self.methods) != 1:
            names = ", ".join(method.name for method in self.methods)
            raise SpecError(f"weights: {len(self.methods)} methods were tuned; call weights_of with one of {names}")
        return self.weights_of(self.methods[0].name)

    def weights_of(self, method: str) -> Weights:
        """The weights that a method found, normalised by `norm`."""
        return self.median(method).weights.normalised(self.norm)

    def median(self, method: str) -> Run:
        """The run of a method with the median score on the lists tuned on; of two, the better."""
        if method not in self.runs:
            raise unknown("method", method, [*self.runs])
        scores = self.scores[TUNE].runs[method].tolist()
        better = [value if self.reported.higher_is_better else -value for value in scores]
        return self.runs[method][better.index(statistics.median_high(better))]

    @property
    def warnings(self) -> list[str]:
        """The warnings of all runs, each once."""
        texts = (
            f"{method}{f', run {number}' if len(runs) > 1 else ''}: {text}"
            for method, runs in self.runs.items()
            for number, run in enumerate(runs, 1)
            for text in run.warnings
        )
        return [*dict.fromkeys(texts)]

    def signature(self, method: Method) -> str:
        """All settings of a method, in one line."""
        runs = self.runs[method.name]
        seeds = str(runs[0].seed) if len(runs) == 1 else f"{runs[0].seed}..{runs[-1].seed}"
        items: dict[str, Any] = {"metric": method.metric.spec, **method.tuner.signature(), "seed": seeds}
        items |= {**self.settings, "report": self.reported.spec, "version": f"tricolore-{__version__}"}
        return "|".join([method.tuner.name, *(f"{key}:{_written(value)}" for key, value in items.items())])

    def to_dict(self) -> dict[str, Any]:
        """All results, with the weights of every run; scores in points."""
        signatures = {method.name: {"signature": self.signature(method)} for method in self.methods}
        rows = []
        for name, runs in self.runs.items():
            weights = [dict(run.weights.normalised(self.norm).values) for run in runs]
            seeds = [None if name == START else run.seed for run in runs]
            found = [{"seed": seed, "weights": one} for seed, one in zip(seeds, weights, strict=True)]
            scores = {one: self.scores[one].of(name) for one in self.sets}
            rows.append({"method": name, "scores": scores, **signatures.get(name, {}), "runs": found})
        own = {name: one.signature for name, one in self.scores.items()}
        return {"baseline": self.baseline, "signatures": own, "methods": rows, "warnings": self.warnings}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        records = []
        for method, name in product(self.runs, self.sets):
            found, signature = self.scores[name].of(method), self.scores[name].signature
            row = {"method": method, "set": name, "metric": self.reported.spec, "score": found["mean"]}
            row |= {"std": found["std"], "p": found["p"], "runs": len(found["runs"]), "signature": signature}
            records.append(row)
        return {"scores": records}

    def page(self, width: int | None = None) -> Page:
        """The rounds of each run with a decoder, then the table of methods and sets."""
        signatures = {name: one.signature for name, one in self.scores.items()}
        alike = len(set(signatures.values())) == 1
        shown = [signatures[TUNE]] if alike else [f"{name}: {text}" for name, text in signatures.items()]
        several = len(self.rounds) > 1
        rounds = [one.table(self.reported, f"Run {i}" if several else "") for i, one in enumerate(self.rounds, 1)]
        return Page([*rounds, self._table(width)], [*self._notes()], [*shown, *map(self.signature, self.methods)])

    def _table(self, width: int | None) -> Table:
        """One row per method: for each set the mean, the standard deviation over runs and splits, and p."""
        header = [f"{self.reported.title}{'' if self.reported.higher_is_better else ' ↓'}"]
        several = {name: any(len(one) > 1 for one in found.runs.values()) for name, found in self.scores.items()}
        for name, found in self.scores.items():
            header += [name, *(["std"] if several[name] else []), *(["p"] if found.p else [])]
        digits = self.reported.display_digits + 1 if width is None else width
        sign = 1 if self.reported.higher_is_better else -1
        rows: list[list[str]] = []
        significant = []
        for method in self.runs:
            row = [method]
            for name, scores in self.scores.items():
                one, baseline = scores.of(method), scores.of(self.baseline)
                p, std = one["p"], one["std"]
                star = name != TUNE and p is not None and p <= ALPHA and sign * one["mean"] > sign * baseline["mean"]
                significant += [(len(rows), len(row))] if star else []
                row.append(decimal(one["mean"], digits))
                row += ["" if std is None else decimal(std, digits)] if several[name] else []
                row += ["" if p is None else f"{p:.4f}{'*' if star else ' '}"] if scores.p else []
            rows.append(row)
        return Table(header, rows, best=significant)

    def _notes(self) -> Iterator[str]:
        yield from self.sets_are
        start = self.settings.get("start", "given")
        origin = {"equal": "all equal", "given": "as given"}.get(start, f"from {start}")
        yield f"{START}: the weights before tuning, {origin}."
        numbers = {name: max(map(len, one.runs.values())) for name, one in self.scores.items()}
        if any(one.p for one in self.scores.values()):
            stratified = "stratified over runs, which count as independent"
            counted = "over sentences, runs and splits" if max(numbers.values()) > 1 else "over sentences"
            how = stratified if self.runs_as == "stratified" else counted
            yield (
                f"p: of the difference from {self.baseline}, by approximate randomisation {how}; * better, p at most "
                f"{ALPHA:g}, and not on {TUNE}, whose scores selected the weights."
            )
        if not any(one.any() for found in self.scores.values() for one in found.runs.values()):
            yield f"All scores are 0: {self.reported.title} does not distinguish these; report another metric."
        if max(numbers.values()) > 1:
            told = ", ".join(f"{name} {number}" for name, number in numbers.items())
            yield f"Means over runs, and over splits of folds ({told}); std: standard deviation over these."
        if numbers.get(f"{self.settings.get('folds')}-fold") == 1:
            yield "One split into folds: p ignores that splits vary, and is small about twice too often; repeat it."
        yield from (f"Warning: {text}" for text in self.warnings)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return spec.write(value) if isinstance(value, float) else str(value)
