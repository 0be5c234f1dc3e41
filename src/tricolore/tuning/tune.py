"""`tune`: tune feature weights over n-best lists, with folds, held-out lists, test sets and several random seeds."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from ..candidates import CandidateReader, Candidates
from ..compression import without_suffix
from ..errors import InputError, InputTypeError, SpecError
from ..features import Floats, Layout
from ..metrics.base import Metric
from ..parameters import DRAWS, SEED, Choice, Fraction, ListOf, Options, OrNone, Whole, Word, checked, param
from ..readers.texts import references_of
from ..segments import References
from ..types import Stage
from ..weights import NORMS, Weights, as_weights, check_names
from . import repeated_runs
from .bounds import make_bounds
from .choices import LIMIT, ignored, no_progress
from .methods import Methods, Metrics, baseline_of, make_methods, norm_of
from .repeated_runs import Follow, Setup, fold_set_of
from .run_scores import RunTest
from .tuning_result import TUNE, Tuning

#: Weights, numbers by name, or a file.
GivenWeights: TypeAlias = Weights | Mapping[str, float | Sequence[float]] | str | os.PathLike[str]

#: Candidates per list that expected BLEU is tuned on by default: K of Chen & Cherry (2014).
XBLEU_FIRST = 100
FOLD_BY = ("shuffle", "order")
RUNS_AS = ("together", "stratified")


@dataclass(frozen=True)
class TuneOptions(Options):
    """Options of all methods, which have parameters of their own."""

    first: int | None = param(
        None, LIMIT, "tune on the first N candidates of each list (default: all; 100 if xbleu is the only method)"
    )
    held_out: float | None = param(
        None, OrNone(Fraction()), "fraction of the sources to hold out; used for epoch selection and early stopping"
    )
    patience: int = param(10, Whole(1, 1_000_000), "epochs without improvement on held-out lists before stopping")
    folds: int = param(0, Whole(0, 1_000_000), "cross-validate: tune on N - 1 of N folds, choose from the other")
    repeats: int = param(1, Whole(1, 10_000), "how often to cross-validate per run, each time with other folds")
    fold_by: str = param(
        "shuffle", Choice(FOLD_BY), "shuffle: random folds for every run and repetition; order: every K-th source"
    )
    normalise: str | None = param(
        None, OrNone(Choice(NORMS)), "norm that weights are scaled by (default: l1 for mert, else none)"
    )
    replicate: int = param(1, Whole(1, 10_000), "number of runs: with the random seed and those after it")
    seed: int = param(12345, SEED, "random seed")
    trials: int = param(10_000, DRAWS, "shuffles of the significance test")
    runs_as: str = param(
        "together",
        Choice(RUNS_AS),
        "in p-values, a sentence's runs are swapped together, and runs and splits drawn again; stratified: all runs "
        "count as independent",
    )
    fix: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()

    def complete(self) -> None:
        """Reject options that contradict each other."""
        object.__setattr__(self, "fix", checked("fix", self.fix, ListOf(Word("a text such as 'lm' or 'lm=0.5'"))))
        object.__setattr__(self, "bounds", checked("bounds", self.bounds, ListOf(Word("a text such as 'lm=0:1'"))))
        if self.folds == 1:
            raise SpecError("folds must be 2 or more; got 1")
        if self.repeats > 1 and not self.folds:
            raise SpecError("repeats: how often to cross-validate; requires folds")
        if self.repeats > 1 and self.fold_by == "order":
            raise SpecError("repeats: folds by order are always the same; requires fold_by='shuffle'")
        if self.normalise not in (None, "none") and (self.fix or self.bounds):
            raise SpecError("normalise: scales all weights, so that none can be fixed or have bounds")

    @property
    def seeds(self) -> list[int]:
        """The random seed of each run."""
        return [self.seed + i for i in range(self.replicate)]

    def settings(self, start: str) -> dict[str, Any]:
        """The settings that signatures name."""
        found = {"start": start, "fix": ",".join(self.fix), "bounds": ",".join(self.bounds)}
        splits = {"folds": self.folds, "fold-by": self.fold_by, "repeats": self.repeats} if self.folds else {}
        return {key: value for key, value in found.items() if value} | splits


def tune(
    nbest: Any,
    refs: Any,
    method: Methods = "mert",
    metric: Metrics | None = None,
    *,
    report: str | Metric | None = None,
    start: GivenWeights | None = None,
    held_out: float | tuple[Any, Any] | None = None,
    test: tuple[Any, Any] | Sequence[tuple[Any, Any]] | Mapping[str, tuple[Any, Any]] = (),
    folds: int = 0,
    repeats: int = 1,
    fold_by: str = "shuffle",
    first: int | None = None,
    patience: int = 10,
    fix: Sequence[str] = (),
    bounds: Sequence[str] = (),
    normalise: str | None = None,
    replicate: int = 1,
    seed: int = 12345,
    baseline: str | None = None,
    trials: int = 10_000,
    runs_as: str = "together",
    threads: int | None = None,
    progress: Stage | None = None,
    watch: Follow | None = None,
    note: Callable[[str], None] | None = None,
    **parameters: Any,
) -> Tuning:
    """Tune feature weights over n-best lists to optimise a metric: ŵ = argmax_w metric(Σ_s row(argmax_k w·h_sk)).

    h_sk are the features of candidate k of source s, and row its statistics. `nbest` is a file, a list of files to
    merge, `Candidates`, or lists in memory: for each source its candidates as `(text, features)`. `refs` are the
    references of each source, or a file.

    - `method`: mert, mira, pro or xbleu, or several; `parameters` are theirs (`restarts`, `epochs`, ...; see
      `tricolore.tuning.mert` and its neighbours)
    - `metric`: what is optimised, or several (default: bleu; pro: bleu(smooth=2); xbleu: bleu(smooth=4)); `report`: the
      corpus metric that is reported and selects epochs (default: the same, but BLEU without smoothing)
    - `start`: initial weights (default: all equal); `fix`: features whose weights are fixed, `name` or `name=x`;
      `bounds`: `name=low:high`; `normalise`: l1, l2, max or none
    - `held_out`: a fraction of the sources, or (nbest, refs), used for epoch selection and early stopping after
      `patience` epochs; `test`: (nbest, refs) of test sets, by name
    - `folds`: cross-validation, `repeats` times per run, each time with other folds; these do not depend on the order
      of the sources, unless `fold_by` is "order": every K-th source
    - `replicate`: number of runs, with `seed` and those after it; `baseline`: the row that p-values are against;
      `trials`: shuffles of that test; `runs_as`: together or stratified, see `tricolore.tuning.run_scores`
    - `watch` is called after every step of a tuner, `note` with each warning about the data

    >>> lists = [[("a cat sat", {"lm": -3, "len": 3}), ("the cat sat", {"lm": -4, "len": 3})],
    ...          [("dogs", {"lm": -1, "len": 1}), ("dogs bark", {"lm": -2, "len": 2})]]
    >>> tuning = tune(lists, ["the cat sat", "dogs bark"], "mert", "chrf", start={"lm": 1, "len": 0})
    >>> print(repr(tuning))
    Tuning: chrF2 on the lists tuned on: start 42.81, mert 100.00
    >>> tuning.weights.values["lm"][0] < 0
    True
    """
    share = float(held_out) if isinstance(held_out, int | float) else None
    options = TuneOptions(
        first, share, patience, folds, repeats, fold_by, normalise, replicate, seed, trials, runs_as,
        fix, bounds,  # type: ignore[arg-type]
    )  # fmt: skip
    methods, reported = make_methods(method, metric, report, parameters)
    if isinstance(nbest, Candidates):
        if first is not None:
            raise SpecError("first is for lists that are still to be read; candidates have been read as they are")
    elif first is None and all(one.tuner.name == "xbleu" for one in methods):
        options = replace(options, first=XBLEU_FIRST)
    norm = norm_of(options.normalise, methods, bool(options.fix or options.bounds))
    others = None if share is not None or held_out is None else _pair(held_out, "held_out")
    metrics, stage = [one.metric for one in methods], progress or no_progress
    lists = _Lists(options, reported, metrics, threads, stage, note or ignored)
    setup = lists.setup(nbest, references_of(refs), start, others, _test_sets(test))
    against = baseline_of(baseline, methods)
    for one in methods:  # reject what cannot be tuned before any work
        setup.task(setup.candidates, one, options.seed).check()
    how = RunTest(options.trials, options.seed, options.runs_as, against)
    found = repeated_runs.replicate(setup, methods, options.seeds, how=how, follow=watch)
    settings = options.settings("equal" if start is None else origin_of(start))
    if held_out is not None:
        names = _files_of(others[0]) if others else [f"{share:g}"]
        settings |= {"held-out": ",".join(names) or "given", "patience": options.patience}
    settings |= {"first": options.first} if options.first else {}
    firsts = tuple(setup.candidates.text(i) for i in setup.candidates.starts[:-1])
    return replace(found, norm=norm, settings=settings, sets_are=tuple(_about(setup)), firsts=firsts)


@dataclass(eq=False)
class _Lists:
    """Reads all lists, with the same columns for their features."""

    options: TuneOptions
    report: Metric
    metrics: Sequence[Metric]
    threads: int | None
    progress: Stage
    note: Callable[[str], None]
    reader: CandidateReader = field(default_factory=CandidateReader)

    def setup(
        self,
        nbest: Any,
        references: References,
        start: GivenWeights | None,
        held_out: tuple[Any, Any] | None,
        tests: Sequence[tuple[str | None, Any, Any]],
    ) -> Setup:
        """Read all lists, and count the statistics of the metrics."""
        options = self.options
        if isinstance(nbest, Candidates):
            candidates = nbest
            self.reader = CandidateReader((group.name, group.width) for group in nbest.layout.groups)
        else:
            step = self.progress("reading lists")
            candidates = self.reader.read(nbest, references, first=options.first, progress=step)
        tuned = self.reader.layout.size
        held = None if held_out is None else self._others(*held_out)
        sets: dict[str, Candidates] = {}
        for name, lists, refs in tests:
            path = name or (_files_of(lists) or ["test"])[0]
            base = without_suffix(os.path.basename(path)).removesuffix(".txt")
            numbered = (f"{base} ({number})" for number in range(2, len(sets) + 6))
            taken = (TUNE, fold_set_of(options.folds), *sets)
            known = next(one for one in (name or base, base, path, *numbered) if one not in taken)
            sets[known] = self._others(lists, refs)
        layout = self.reader.layout
        check_names(layout)
        vector = self._start(start, layout, tuned)
        bounds, vector = make_bounds(layout, vector, options.fix, options.bounds)
        for metric in dict.fromkeys([self.report, *self.metrics]):
            candidates.rows(metric, threads=self.threads, progress=self.progress("counting"))
        for other in (*([held] if held else []), *sets.values()):
            other.rows(self.report, threads=self.threads, progress=self.progress("counting"))
        splits = (sets, options.folds, held, options.held_out or 0.0)
        how = (options.patience, self.threads, options.repeats, options.fold_by)
        return Setup(candidates, layout, vector, bounds, self.report, *splits, *how)

    def _others(self, nbest: Any, refs: Any) -> Candidates:
        """Read lists with their own references."""
        known = self.reader.layout
        candidates = self.reader.read(nbest, references_of(refs))
        if candidates.features.columns.size and candidates.features.columns.min() >= known.size:
            there, name = ", ".join([*known.by_name][:5]), (_files_of(nbest) or ["nbest"])[0]
            raise InputError(f"{name}: no feature is in the lists to tune on ({there}); expected the same features")
        return candidates

    def _start(self, start: GivenWeights | None, layout: Layout, tuned: int) -> Floats:
        """The initial weights; the first `tuned` columns are those of features in the lists tuned on."""
        if start is None:  # features that only other lists have must not change the result
            return np.where(np.arange(layout.size) < tuned, 1 / max(tuned, 1), 0.0)
        weights = as_weights(start)
        vector, missing = weights.vector(layout)
        if missing:
            self.note(weights.warning(missing))
        if unused := [name for name in weights.values if name not in layout.by_name]:
            self.note(weights.unused_warning(unused))
        return vector


def origin_of(weights: GivenWeights) -> str:
    """The file that weights come from, or `given`."""
    if isinstance(weights, str | os.PathLike):
        return os.fspath(weights)
    return weights.origin if isinstance(weights, Weights) and weights.origin != Weights.origin else "given"


def _files_of(nbest: Any) -> list[str]:
    """The files of n-best lists; none if these are in memory."""
    given = [nbest] if isinstance(nbest, str | os.PathLike) else nbest
    files = isinstance(given, list | tuple) and all(isinstance(one, str | os.PathLike) for one in given)
    return [os.fspath(one) for one in given] if files else []


def _pair(given: Any, name: str) -> tuple[Any, Any]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputTypeError(f"{name}: expected (nbest, refs), n-best lists and their references")
    return given[0], given[1]


def _test_sets(test: Any) -> list[tuple[str | None, Any, Any]]:
    """The name, lists and references of each test set; without a name, the file gives it."""
    if isinstance(test, Mapping):
        return [(str(name), *_pair(one, f"test {name!r}")) for name, one in test.items()]
    several = isinstance(test, list) or (isinstance(test, tuple) and (len(test) != 2 or isinstance(test[0], tuple)))
    pairs: Any = test if several else [test]
    return [(None, *_pair(one, "test")) for one in pairs]


def _about(setup: Setup) -> Iterator[str]:
    yield (
        f"{TUNE}: the lists tuned on, {setup.candidates.sources:,} sources, {len(setup.candidates):,} hypotheses; "
        "scores on these are optimistic."
    )
    if setup.folds:
        how = "every K-th source, in the order of the file" if setup.fold_by == "order" else "drawn at random"
        yield f"{setup.fold_set}: each fold of the sources ({how}), with weights tuned on the other folds."
    for name, candidates in setup.tests.items():
        yield f"{name}: {candidates.sources:,} sources, {len(candidates):,} hypotheses, not tuned on."
    if len(setup.sets) == 1:
        yield "For scores on unseen sources, cross-validate with folds or give test lists."
