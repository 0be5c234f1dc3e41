"""Several systems compared with one another: scores, intervals, differences, p-values that allow for many, clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InputError, InputTypeError, SpecError, UnknownNameError, nearest, shown, unknown
from ...parameters import Flag, checked, is_one_of
from ...readers.tables import LARGEST
from ..multiplicity import clusters, holm
from ..resampling import RESAMPLES, SEED, TRIALS, check_number, check_room, check_seed, resampled_sums
from ..score_table import Column, mean, too_large
from . import sacrebleu
from .intervals import LEVEL, UNKNOWN, Interval, check_compat, check_level, interval_of, with_items
from .paired_tests import NOISE, Shuffles, flip_p, flips

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ...metrics.base import Metric, Progress
    from ...segments import References, SegmentReferences

TESTS = ("ar", "bs")


@dataclass(frozen=True)
class System:
    """One system in the eyes of one metric. Values are the metric's own."""

    name: str
    score: float  #: the mean over its runs
    interval: Interval  #: of that mean, over resamples of the segments
    runs: tuple[float, ...]  #: the score of each run
    selection: float  #: s_sel: the bootstrap standard deviation of a run's score, averaged over runs
    optimisation: float  #: s_opt: the standard deviation of the score over runs; nan where there is one run
    cluster: int | None = None  #: from 1, the best; None where not all pairs were tested

    @property
    def median(self) -> int:
        """The number, from 0, of the run whose score is in the middle; of two the higher, as in MultEval."""
        middle = sorted(self.runs)[len(self.runs) // 2]
        return self.runs.index(middle)


@dataclass(frozen=True)
class Pair:
    """The difference of two systems in the eyes of one metric: the first less the second."""

    first: str
    second: str
    difference: float
    interval: Interval  #: of the difference, over resamples of the segments
    p: float
    p_adjusted: float  #: Holm's, over all pairs that were tested with this metric
    flips: float | None = None  #: the share of resamples that flip the sign, or make it zero; paired bootstrap only

    def turned(self) -> Pair:
        """The same, the second less the first."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=0.0 - self.difference,  # of which nothing is 0, not -0
            interval=self.interval.turned(),
        )

    @property
    def effect(self) -> float:
        """The difference in units of its standard deviation over resamples; nan where that is nothing."""
        if self.difference == 0:
            return 0.0
        deviation = self.interval.deviation
        return self.difference / deviation if deviation > 1e-12 * abs(self.difference) else math.nan


@dataclass(frozen=True)
class Judgement:
    """What one metric says: the systems from best to worst, and the pairs that were tested."""

    name: str  #: of the metric, as in spec texts
    title: str
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    signature: str
    higher_is_better: bool = True
    scale: float = 1.0  #: what printing multiplies by
    digits: int = 3  #: how many digits people expect after the point
    exact: bool = False  #: whether every way to deal the outputs was tried, for every pair
    least_p: float = 0.0  #: the smallest p-value that so many draws, or so few segments, can give
    averaged: bool = False  #: whether systems are scored by the means of scores from elsewhere

    def __str__(self) -> str:
        lines = [f"{self.title}{'' if self.higher_is_better else ' (less is better)'}"]
        for one in self.systems:
            cluster = "" if one.cluster is None else f", cluster {one.cluster}"
            lines.append(f"  {one.name}: {self._shown(one.score)} {self._span(one.interval)}{cluster}")
        for two in self.pairs:
            difference = f"{self._shown(two.difference, '+')} {self._span(two.interval)}"
            lines.append(f"  {two.first} - {two.second}: {difference}, p = {two.p:.4f}, adjusted {two.p_adjusted:.4f}")
        return "\n".join([*lines, self.signature])

    def _shown(self, value: float, sign: str = "") -> str:
        return f"{value * self.scale:{sign}.{self.digits}f}"

    def _span(self, interval: Interval) -> str:
        return f"[{self._shown(interval.low)}, {self._shown(interval.high)}]"

    def system(self, name: str) -> System:
        """Return a system by name."""
        for system in self.systems:
            if system.name == name:
                return system
        raise unknown("system", name, [one.name for one in self.systems])

    def pair(self, first: str, second: str) -> Pair:
        """Return the difference of two systems, the first less the second, in whichever order they were tested."""
        for pair in self.pairs:
            if (pair.first, pair.second) == (first, second):
                return pair
            if (pair.second, pair.first) == (first, second):
                return pair.turned()
        for name in (first, second):
            self.system(name)
        raise UnknownNameError(
            f"{first!r} and {second!r} were not compared"
            + ("" if first == second else f"; every system was compared with {self.pairs[0].second!r} only")
        )


@dataclass(frozen=True)
class Comparison:
    """What every metric says of several systems on the same segments."""

    judgements: tuple[Judgement, ...]
    names: tuple[str, ...]  #: of the systems, in the order in which they were given
    segments: int
    how: Settings
    left_out: int = 0  #: segments left out because a system had no score for them

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.judgements))

    def __getitem__(self, metric: str) -> Judgement:
        for judgement in self.judgements:
            if metric in (judgement.name, judgement.title):
                return judgement
        raise unknown("metric", metric, [one.name for one in self.judgements])


@dataclass(frozen=True)
class Settings:
    """How systems are compared; see `compare`."""

    test: str = "ar"
    trials: int = TRIALS
    resamples: int = 0  #: 0 stands for 1,000, or 10,000 where the test is the bootstrap
    level: float = LEVEL
    seed: int = SEED
    baseline: str | None = None
    compat: str | None = None

    def __post_init__(self) -> None:
        if not is_one_of(self.test, TESTS):
            raise SpecError(f"test must be ar (approximate randomisation) or bs (bootstrap); got {shown(self.test)}")
        check_number("trials", self.trials)
        if self.resamples == 0:
            # So many that a p-value can be small even after it has been adjusted for many pairs.
            number = TRIALS if self.test == "bs" and self.compat is None else RESAMPLES
            object.__setattr__(self, "resamples", number)
        check_number("resamples", self.resamples, least=2)
        check_level(self.level)
        check_seed(self.seed)
        check_compat(self.compat)
        if self.compat == "multeval" and self.test != "ar":
            raise SpecError("compat: MultEval has approximate randomisation only (test 'ar'); got test 'bs'")

    @property
    def alpha(self) -> float:
        """What adjusted p-values must be below to be significant."""
        return round(1 - self.level, 12)


def compare(
    systems: Mapping[str, Any],
    refs: Sequence[SegmentReferences] | References,
    metrics: Sequence[Metric | str] | Metric | str = ("bleu",),
    *,
    test: str = "ar",
    trials: int = TRIALS,
    resamples: int | None = None,
    level: float = LEVEL,
    seed: int = SEED,
    baseline: str | None = None,
    compat: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare the outputs of systems, all pairs of them or each with a `baseline`.

    `systems` are outputs by name: a list of texts, or a list of such lists for several optimiser runs. `test` is `ar`,
    paired approximate randomisation with `trials` shuffles (stratified over runs; Noreen 1989, Clark et al. 2011), or
    `bs`, the paired bootstrap (Koehn 2004), two-sided. Intervals are percentiles of `resamples` resamples (1,000 if
    not given; 10,000 where they are the test). p-values are given as they are and adjusted by Holm for all pairs of a
    metric; systems whose adjusted p-values are not below 1 - `level` share a cluster. `compat` is `sacrebleu` or
    `multeval`, for those who must match their p-values.

    >>> refs = [f"sentence {i} has some more words" for i in range(30)]
    >>> same = [f"sentence {i} has some other words" for i in range(30)]
    >>> worse = [f"sentence {i}" for i in range(30)]
    >>> found = compare({"a": same, "copy": same, "b": worse}, refs, "chrf")
    >>> [(s.name, round(s.score, 3), s.cluster) for s in found["chrf"].systems]
    [('a', 0.726, 1), ('copy', 0.726, 1), ('b', 0.355, 2)]
    >>> found["chrf"].pair("a", "copy").p, round(found["chrf"].pair("a", "b").p_adjusted, 4)
    (1.0, 0.0003)
    >>> print(found)
    chrF2
      a: 72.6 [72.4, 72.7], cluster 1
      copy: 72.6 [72.4, 72.7], cluster 1
      b: 35.5 [34.9, 35.9], cluster 2
      a - copy: +0.0 [0.0, 0.0], p = 1.0000, adjusted 1.0000
      a - b: +37.1 [36.8, 37.4], p = 0.0001, adjusted 0.0003
      copy - b: +37.1 [36.8, 37.4], p = 0.0001, adjusted 0.0003
    chrF2|nrefs:1|ar:10000|bs:1000|seed:12345|level:0.95|case:mixed|...
    """
    from ...metrics import expand, listed

    how = Settings(test, trials, _given(resamples), level, seed, baseline, compat)
    outputs, runs = _outputs(systems, texts=True)
    _check_systems(runs)
    asked = listed(metrics)
    if not asked:
        raise SpecError("metrics: expected at least one, got none")
    criteria = []
    for metric in expand(*asked):
        column = Column.of_texts(metric, outputs, refs, threads=threads, progress=progress)
        criteria.append(Criterion(column, metric.title, metric.display_digits, metric))
    return compare_columns(criteria, runs, how, progress)


def compare_scores(
    systems: Mapping[str, Any],
    *,
    name: str = "score",
    higher_is_better: bool = True,
    test: str = "ar",
    trials: int = TRIALS,
    resamples: int | None = None,
    level: float = LEVEL,
    seed: int = SEED,
    baseline: str | None = None,
    compat: str | None = None,
    missing: str = "refuse",
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems by scores of their segments from elsewhere; a system is scored by the mean of its segments.

    `systems` are lists of numbers by name, or lists of such lists for several runs. A segment for which some system has
    no score (nan) is an error, or with `missing='drop'` left out for all. The rest is as for `compare`.

    >>> found = compare_scores({"a": [3, 4, 5, 5, 6], "b": [2, 2, 5, 4, 5]})
    >>> found["score"].pair("a", "b").p, found["score"].signature
    (0.125, 'score|segments:5|ar:exact|bs:1000|seed:12345|level:0.95|version:tricolore-...')
    """
    how = Settings(test, trials, _given(resamples), level, seed, baseline, compat)
    if not isinstance(name, str):
        raise SpecError(f"name must be a text, what the scores are called; got {shown(name)}")
    checked("higher_is_better", higher_is_better, Flag())
    outputs, runs = _outputs(systems, texts=False)
    _check_systems(runs)
    names = [name for name, numbers in runs.items() for _ in numbers]
    try:
        values = np.array(outputs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputTypeError(f"systems: expected numbers, the scores of segments ({error})") from None
    kept = without_missing({name: values}, names, [str(i) for i in range(values.shape[1])], missing)
    return compare_columns(
        [Criterion(scores_column(name, values[:, kept], higher_is_better), name)],
        runs,
        how,
        progress,
        left_out=values.shape[1] - len(kept),
    )


def _given(resamples: int | None) -> int:
    """The number of resamples, or 0 where it is left open."""
    if resamples is None:
        return 0
    return check_number("resamples", resamples, least=2)


def scores_column(
    name: str, values: NDArray[np.float64], higher_is_better: bool = True, signature: str | None = None
) -> Column:
    """A column of scores from elsewhere; its signature is theirs, if they have one, and says that they are averaged."""
    from ..._version import __version__

    if signature is None:
        signature = f"{name}|segments:{values.shape[1]}|version:tricolore-{__version__}"
    else:
        signature = with_items(signature, {"segments": values.shape[1], "averaged": "yes"})
    return Column.of_scores(name, values, higher_is_better=higher_is_better, signature=signature)


def without_missing(
    columns: Mapping[str, NDArray[np.float64]],
    outputs: Sequence[str],
    segments: Sequence[str],
    missing: str,
    option: str = "missing='drop'",
) -> list[int]:
    """The segments for which every output has a score of every metric; the first that has not is told, or left out."""
    if not is_one_of(missing, ("refuse", "drop")):
        raise SpecError(f"missing must be refuse or drop; got {shown(missing)}")
    lacking = np.zeros(len(segments), dtype=bool)
    for name, values in columns.items():
        if (place := too_large(values)) is not None:
            output, segment = place
            raise InputError(
                f"{outputs[output]}: segment {segments[segment]}: {name} is {values[place]:g}; "
                f"expected a number between {-LARGEST:g} and {LARGEST:g}"
            )
        lacking |= np.isnan(values).any(axis=0)
        if missing == "refuse" and lacking.any():
            output, segment = np.argwhere(np.isnan(values))[0]
            more = int(np.isnan(values).sum()) - 1
            raise InputError(
                f"{outputs[output]}: segment {segments[segment]} has no {name}"
                + (f", and {more:,} more are missing" if more else "")
                + f"; {option} leaves out segments that not all systems have"
            )
    kept = np.flatnonzero(~lacking).tolist()
    if not kept:
        raise InputError("there is no segment for which every system has a score")
    return kept


def _outputs(systems: Mapping[str, Any], texts: bool) -> tuple[list[Any], dict[str, list[int]]]:
    """All runs of all systems one after another, and which of them are whose."""
    from collections.abc import Mapping

    from ...columns import listed
    from ...segments import as_list

    if not isinstance(systems, Mapping):
        raise InputTypeError(f"systems: expected outputs by name, {{'a': ..., 'b': ...}}; got {type(systems).__name__}")
    outputs: list[Any] = []
    runs: dict[str, list[int]] = {}
    for name, given in systems.items():
        if not isinstance(name, str):
            raise InputTypeError(f"systems: expected names that are texts, got {shown(name)}")
        several = as_list(given, name) if texts else listed(given, name)
        if not (several and _is_run(several[0], texts)):
            several = [several]
        runs[name] = list(range(len(outputs), len(outputs) + len(several)))
        outputs += [listed(run, name) for run in several]
    for name, numbers in runs.items():
        for number in numbers:
            if len(outputs[number]) != len(outputs[0]):
                raise InputError(
                    f"{name}: has {len(outputs[number]):,} segments, but {next(iter(runs))} has {len(outputs[0]):,}; "
                    "expected the same segments of every system"
                )
    return outputs, runs


def _check_systems(runs: Mapping[str, Sequence[int]]) -> None:
    if len(runs) < 2:
        raise InputError(f"expected two systems or more to compare, got {len(runs)}")


def _is_run(first: Any, texts: bool) -> bool:
    """Whether this is a run, and not a segment: a text, token numbers or a score."""
    from ...segments import is_ids

    return hasattr(first, "__len__") and not isinstance(first, str) and not (texts and is_ids(first))


@dataclass(frozen=True)
class Criterion:
    """A column of all outputs, and how its metric is printed."""

    column: Column
    title: str
    digits: int = 3
    metric: Metric | None = field(default=None)


def compare_columns(
    criteria: Sequence[Criterion],
    runs: Mapping[str, Sequence[int]],
    how: Settings,
    progress: Progress | None = None,
    left_out: int = 0,
) -> Comparison:
    """Compare systems whose outputs have been measured; `runs` says which outputs of a column are whose."""
    names = list(runs)
    _check_systems(runs)
    if how.baseline is not None and not is_one_of(how.baseline, names):
        hint = nearest(how.baseline, names) if isinstance(how.baseline, str) else ""
        raise SpecError(f"baseline: there is no system {shown(how.baseline)}{hint} ({', '.join(names)})")
    if how.compat == "multeval" and len({len(numbers) for numbers in runs.values()}) > 1:
        raise InputError("compat: MultEval needs equally many runs of every system")
    if how.compat == "sacrebleu" and any(len(numbers) > 1 for numbers in runs.values()):
        raise InputError("compat: sacreBLEU has one run of every system")
    segments = criteria[0].column.rows.shape[1]
    if segments == 0:
        raise InputError("there is nothing to compare: expected at least one segment, got none")
    judgements = tuple(_Judge(criterion, runs, how, progress, left_out).judgement() for criterion in criteria)
    return Comparison(judgements, tuple(names), segments, how, left_out)


class _Judge:
    """One metric's comparison in the making."""

    def __init__(
        self,
        criterion: Criterion,
        runs: Mapping[str, Sequence[int]],
        how: Settings,
        progress: Progress | None,
        left_out: int,
    ):
        self.criterion = criterion
        self.column = criterion.column
        self.names = list(runs)
        self.runs = list(runs.values())
        self.how = how
        self.left_out = left_out
        self.scores = self.column.systems()  # of each output
        self.varies = self.column.rows.shape[1] > 1  # a resample of one segment is always the same
        rows = self.column.rows.transpose(1, 0, 2)  # segments first
        check_room("resamples", how.resamples, rows.shape[1] * rows.shape[2])
        self.sums = resampled_sums(rows, how.resamples, how.seed, progress)
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
            found = sacrebleu.resampled_scores(metric, rows, self.how.resamples, self.how.seed)  # type: ignore[arg-type]
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
            return (1 if self.how.compat else 2) / (self.how.resamples + 1)
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
