"""How well a metric agrees with human ratings: a statistic at system or segment level, with a confidence interval.

Scores are negated where lower is better, and dropped where either side is missing. At system level the human score of a
system is the mean over its rated segments, the metric's is computed on all segments it scored; `ScoreTable.matched`
restricts metrics to rated outputs. Segment scores tie if they are equal; `ScoreTable.without_noise` removes rounding
errors first. System scores are sums, and always rounded.

Several tables (language pairs, campaigns): correlations are averaged over tables with equal weights; counts of pairs
are added up; no pair spans two tables.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...draws import draws
from ...errors import InputError, SpecError
from ...parameters import DRAWS, SEED, checked
from ...types import Progress
from ..score_table import Column, Floats, ScoreTable, without_noise
from . import statistics as correlation
from .attenuation import (
    deattenuated,
    pearson_without_rating_noise,
    rating_moments,
    reliability,
    sampling_noise,
)
from .interval_methods import (
    bca_bounds,
    expanded_percentiles,
    influences,
    interval_of,
    percentiles,
    with_sampled_systems,
)
from .measures import Measure, check_choice, check_ranked, finish, mean_defined, signature_of, summaries
from .options import INTERVALS, RESAMPLED
from .rankings import RankedPairs, Rankings
from .resampled_groups import ResampledGroups, grouped
from .resamples import Resamples
from .soft_accuracy import SWAPS, Swaps, agreement_of_confidence, soft_accuracy, superiority

#: Swaps of soft accuracy within a resample: fewer than otherwise, as each resample needs its own.
SWAPS_OF_A_RESAMPLE = 200


@dataclass(frozen=True)
class Agreement:
    """How well a metric agrees with human ratings."""

    measure: Measure
    metric: str
    value: float
    low: float = float("nan")  #: nan where there is no interval
    high: float = float("nan")
    interval: str = ""  #: how the interval was computed, one of INTERVALS
    corrected: float = float("nan")  #: the value without the noise of a finite number of segments, or that of ratings
    human_reliability: float = float("nan")  #: share of the variance of the scores that is not such noise
    metric_reliability: float = float("nan")  #: the same for the metric's; both are means over tables
    groups: int = 0  #: groups with a value
    undefined: int = 0  #: groups without one: constant scores, or too few points
    points: int = 0  #: systems, or segments of systems, that are rated and scored
    pairs: int = 0  #: pairs not tied by annotators, for pair statistics; all pairs for accuracy-ties and soft-accuracy
    epsilon: float = float("nan")  #: accuracy-ties: the largest difference of metric scores that counts as a tie
    tied: float = float("nan")  #: accuracy-ties: of the pairs whose scores differ, the share that epsilon ties
    resamples: int = 0  #: resamples with a value
    signature: str = ""
    details: tuple[Agreement, ...] = ()  #: by table, if there are several
    table: str = ""  #: the name of the table, in details

    def __float__(self) -> float:
        return self.value


def agreement(
    tables: ScoreTable | Sequence[ScoreTable],
    metric: str | Column,
    measure: Measure,
    *,
    seed: int = 12345,
    rankings: Sequence[Rankings] = (),
) -> Agreement:
    """Measure how well a metric agrees with human ratings; `seed` is for the swaps of soft accuracy.

    With `rankings` (one per table), segment-level measures compare metrics with the pairs that annotators ordered.

    >>> human = Column.of_scores("human", [[3.0, 4.0], [2.0, 2.0], [1.0, 3.0]])
    >>> metric = Column.of_scores("metric", [[0.4, 0.9], [0.3, 0.1], [0.3, 0.5]])
    >>> table = ScoreTable(("a", "b", "c"), ("1", "2"), human, (metric,))
    >>> agreement(table, "metric", Measure("segment", "kendall-wmt14", "segment")).value
    0.8333333333333334
    """
    return _measured(_sides(tables_of(tables), metric, measure, rankings), measure, checked("seed", seed, SEED))[0]


def _sides(
    tables: Sequence[ScoreTable], metric: str | Column, measure: Measure, rankings: Sequence[Rankings]
) -> list[_Sides]:
    pairs = with_columns(tables, metric)
    if not rankings or measure.level == "system":
        return [_Sides(table, column) for table, column in pairs]
    check_ranked(measure)
    return [_Sides(*pair, RankedPairs(pair[0], ranked)) for pair, ranked in zip(pairs, rankings, strict=True)]


def _measured(sides: Sequence[_Sides], measure: Measure, seed: int) -> tuple[Agreement, list[Floats]]:
    """The agreement over all tables, and the summary of each table."""
    settings = measure.settings | ({"seed": str(seed)} if measure.statistic == "soft-accuracy" else {})
    outcomes = [one.outcome(measure, seed + i, signature_of(settings)) for i, one in enumerate(sides)]
    details, parts = tuple(one for one, _ in outcomes), [part for _, part in outcomes]
    if len(details) == 1:
        return details[0], parts
    sums = {name: sum(getattr(one, name) for one in details) for name in ("groups", "undefined", "points", "pairs")}
    value, signature = float(finish(measure, parts)), signature_of(settings, len(parts))
    whole = Agreement(measure, details[0].metric, value, signature=signature, details=details)
    return replace(whole, **sums), parts


def intervals(
    tables: ScoreTable | Sequence[ScoreTable],
    metrics: Sequence[str | Column],
    measures: Sequence[Measure],
    *,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 12345,
    over: str = "segments",
    interval: str | None = None,
    rankings: Sequence[Rankings] = (),
    progress: Progress | None = None,
) -> list[Agreement]:
    """Measure agreement with bootstrap intervals: metric by metric, each by all measures.

    `interval` is how: `corrected` (the default, see `attenuation`), `disattenuated`, `expanded`, `bca` or `percentile`.
    Measures that cannot be corrected, such as all at segment level, get expanded percentile intervals instead, unless
    ratings are repeated and the interval is `disattenuated`.

    Segments, systems or both are resampled within each table, or whole tables are. Corpus metrics are recomputed from
    the resampled rows. All metrics and measures share the resamples: those of segments of the k-th table, from 0, are
    NumPy's `default_rng(seed + k)`, those of systems `default_rng((seed + k, 1))`, those of tables `default_rng(seed)`.
    A resample without a value is dropped (`resamples` counts the others). There is no interval over segments if a table
    has only one rated segment, nor over tables if there is only one table.
    """
    check_choice("choice of over", over, RESAMPLED)
    check_choice("choice of interval", interval or INTERVALS[0], INTERVALS)
    checked("samples", samples, DRAWS)
    checked("seed", seed, SEED)
    if not 0 < level < 1:
        raise SpecError(f"level must be between 0 and 1, such as 0.95; got {level!r}")
    chosen = tables_of(tables)
    plans = [Resamples(table, samples, seed + i, over) for i, table in enumerate(chosen)]
    few_segments = any(rated_segments(table) < 2 for table in chosen)
    too_few = {"tables": len(chosen) < 2, "segments": few_segments, "both": few_segments}
    results: list[Agreement] = []
    for metric, measure in itertools.product(metrics, measures):
        if measure == measures[0]:  # the statistics of a metric share counts
            of_level = {one.level: _sides(chosen, metric, one, rankings) for one in measures}
        sides = of_level[measure.level]
        observed, parts = _measured(sides, measure, seed)
        how = interval_of(measure, over, interval, len(chosen))
        if how == "disattenuated" and any(table.human.noise is None for table in chosen):
            raise InputError(
                "interval: 'disattenuated' requires outputs with two ratings or more, which show the noise of ratings; "
                "every output has one"
            )
        settings = {**measure.settings, "interval": how, "over": over, "bs": str(samples)}
        if measure.statistic == "soft-accuracy" and over != "tables":
            settings["bs-swaps"] = str(SWAPS_OF_A_RESAMPLE)
        settings |= {"ci": f"{level:g}", "seed": str(seed)}
        observed = replace(observed, signature=signature_of(settings, len(chosen)))
        if not (too_few.get(over) or np.isnan(observed.value)):
            observed = _with_interval(observed, sides, parts, plans, level, how)
        results.append(observed)
        if progress:
            progress(len(results), len(metrics) * len(measures))
    return results


def _with_interval(
    observed: Agreement,
    sides: Sequence[_Sides],
    parts: Sequence[Floats],
    plans: Sequence[Resamples],
    level: float,
    how: str,
) -> Agreement:
    """Add the interval; there is none if no resample has a value."""
    measure, over = observed.measure, plans[0].over
    if how == "corrected":
        observed, values = _corrected(observed, sides, plans)
    elif how == "disattenuated":
        observed, values = _disattenuated(observed, sides, plans)
    elif over == "tables":
        drawn = draws(len(parts), plans[0].samples, plans[0].seed).T
        values = finish(measure, [np.stack(parts)[some] for some in drawn])
    else:
        values = finish(measure, [one.resampled(measure, plan) for one, plan in zip(sides, plans, strict=True)])
    defined = values[~np.isnan(values)]
    if not len(defined):
        return observed
    if how == "bca":
        low, high = bca_bounds(defined, observed.value, _influences(measure, sides, parts, plans), level)
    elif how in ("expanded", "disattenuated"):
        low, high = expanded_percentiles(defined, level, _units(plans))
    else:
        low, high = percentiles(defined, level)
    return replace(observed, low=low, high=high, interval=how, resamples=len(defined))


def _units(plans: Sequence[Resamples]) -> list[int]:
    """How many units are resampled in each table; of systems and segments, the fewer."""
    over, tables = plans[0].over, [plan.table for plan in plans]
    if over == "tables":
        return [len(tables)]
    sizes = [(len(table.segments), len(table.systems)) for table in tables]
    return [{"segments": n, "systems": s}.get(over, min(n, s)) for n, s in sizes]


def _corrected(observed: Agreement, sides: Sequence[_Sides], plans: Sequence[Resamples]) -> tuple[Agreement, Floats]:
    """Values of resamples without the noise of segments, and with that of systems if these are resampled."""
    measure, over = observed.measure, plans[0].over
    found = [one.without_noise(measure, plan) for one, plan in zip(sides, plans, strict=True)]
    tallies, wholes, shares = zip(*found, strict=True)
    if over != "systems":
        known = (~np.isnan(shares)).sum(axis=0)
        human, metric = np.nansum(shares, axis=0) / np.where(known > 0, known, np.nan)
        value = float(finish(measure, _summaries(measure, wholes))[0])
        observed = replace(observed, corrected=value, human_reliability=float(human), metric_reliability=float(metric))
    if over == "segments":
        return observed, finish(measure, _summaries(measure, tallies))
    numbers = [one.points for one in observed.details or (observed,)]
    return observed, with_sampled_systems(measure, tallies, numbers, plans[0].seed)


def _disattenuated(
    observed: Agreement, sides: Sequence[_Sides], plans: Sequence[Resamples]
) -> tuple[Agreement, Floats]:
    """Values of resamples without the noise of ratings."""
    found = [one.without_rating_noise(observed.measure, plan) for one, plan in zip(sides, plans, strict=True)]
    value, share = mean_defined(np.stack([both for _, both in found]), axis=0).tolist()
    values = finish(observed.measure, [one for one, _ in found])
    return replace(observed, corrected=value, human_reliability=share), values


def _summaries(measure: Measure, tallies: Sequence[Floats]) -> list[Floats]:
    """Summaries of tables from tallies of system scores."""
    return [one if measure.how.adds_pairs else measure.how.value(one)[:, None] for one in tallies]


def _influences(
    measure: Measure, sides: Sequence[_Sides], parts: Sequence[Floats], plans: Sequence[Resamples]
) -> Floats:
    """How each resampled unit, segment, system or table, moves the value: by the jackknife."""
    if plans[0].over == "tables":
        return influences(np.array([finish(measure, [*parts[:i], *parts[i + 1 :]]) for i in range(len(parts))]))
    found = []
    for k, (one, plan) in enumerate(zip(sides, plans, strict=True)):
        for left in plan.left_out():
            changed = one.resampled(measure, left)
            every = [changed if i == k else np.broadcast_to(part, changed.shape) for i, part in enumerate(parts)]
            found.append(influences(finish(measure, every), left.of))
    return np.concatenate(found)


class _Sides:
    """Human ratings and a metric on one table; `ranked` holds the pairs that annotators ordered, if they ranked."""

    def __init__(self, table: ScoreTable, metric: Column, ranked: RankedPairs | None = None):
        self.table = table
        self.metric = metric
        self.ranked = ranked
        self.sides = table.human, metric
        self.segments = table.human.segment_scores(), metric.segment_scores()
        self.points = ResampledGroups(*self.segments)

    def outcome(self, measure: Measure, seed: int, signature: str) -> tuple[Agreement, Floats]:
        """Measure the table as it is; also return the summary from which several tables make a value."""
        x, y = self.groups(measure)
        points, total, epsilon, tied = int((~(np.isnan(x) | np.isnan(y))).sum()), len(x), float("nan"), float("nan")
        if measure.statistic == "soft-accuracy":
            value = soft_accuracy(*self.sides, Swaps(SWAPS, seed))
            groups, pairs, summary = not np.isnan(value), points * (points - 1) // 2, np.array([value])
        elif measure.statistic == "accuracy-ties":
            value, epsilon, groups, pairs = correlation.calibrated(x, y)[0].tolist()
            summary, tied = np.array([value]), correlation.share_tied(x, y, epsilon)
        else:
            tallies = measure.how.tally(x, y) if self.ranked is None else self.ranked.tallies(self.metric)
            summary = summaries(measure, tallies)
            value, total = float(finish(measure, [summary])), len(tallies)
            groups = (~np.isnan(measure.how.value(tallies))).sum()
            pairs = int(correlation.usable_pairs(summary)) if measure.how.adds_pairs else 0
            points = points if self.ranked is None else pairs
        found = Agreement(measure, self.metric.name, value, signature=signature, table=self.table.name)
        found = replace(found, epsilon=epsilon, tied=tied)
        used = int(groups)
        return replace(found, groups=used, undefined=total - used, points=points, pairs=int(pairs)), summary

    def groups(self, measure: Measure) -> tuple[Floats, Floats]:
        """Human scores and the metric's, one group per row."""
        if measure.level == "system":
            human, metric = (ordered(measure, side.system_scores())[None] for side in self.sides)
        else:
            human, metric = (grouped(side, measure.by) for side in self.segments)
        return human, metric

    def resampled(self, measure: Measure, plan: Resamples) -> Floats:
        """Summaries, one resample per row."""
        if self.ranked is not None:
            return self.ranked.resampled(self.metric, plan)
        if measure.statistic == "soft-accuracy":
            return np.array([[value] for value in self._soft_accuracies(plan)])
        if measure.statistic == "accuracy-ties":
            return self._tie_accuracies(measure, plan)
        if measure.level == "system":
            tallies = measure.how.tally(*(ordered(measure, plan.system_scores(side)) for side in self.sides))
            return tallies if measure.how.adds_pairs else measure.how.value(tallies)[:, None]
        return self.points.summaries(measure, plan)

    def without_noise(self, measure: Measure, plan: Resamples) -> tuple[Floats, Floats, Floats]:
        """Tallies of resamples and of the table without the noise of segments; the reliability of both sides."""
        observed = np.stack([side.system_scores() for side in self.sides])
        present = ~np.isnan(observed).any(axis=0)
        observed = observed[:, present]
        resampled = np.stack([plan.all_system_scores(side)[:, present] for side in self.sides], axis=1)
        if present.sum() < 2:
            nothing = measure.how.tally(*np.full((2, plan.samples, 2), np.nan))
            return nothing, nothing[:1], np.full(2, np.nan)
        whole = resampled[~np.isnan(resampled).any(axis=(1, 2))]
        number, noise = len(self.table.segments), np.zeros((2, 2))
        if plan.over != "systems" and len(whole):  # resamples have (n - 1) / n of the noise
            noise = sampling_noise(observed, whole) * number / max(1, number - 1)
        better = deattenuated(resampled, noise, 2 - 1 / number), deattenuated(observed[None], noise, 1)
        tallies = [measure.how.tally(*(ordered(measure, one[:, i]) for i in (0, 1))) for one in better]
        return tallies[0], tallies[1], reliability(observed, noise)

    def without_rating_noise(self, measure: Measure, plan: Resamples) -> tuple[Floats, Floats]:
        """Summaries of resamples without the noise of ratings; the value of the table, and the ratings' reliability."""
        moments = rating_moments(*self.segments, np.asarray(self.table.human.noise))
        if measure.by == "pooled" and plan.systems is None:  # all systems are in every resample
            moments = moments.sum(axis=0, keepdims=True)
        drawn, whole = plan.sums_by_system(moments), moments.sum(axis=1)
        if plan.systems is not None:
            drawn = np.take_along_axis(drawn, plan.systems[..., None], axis=1)
        if measure.by == "pooled":
            drawn, whole = (one.sum(axis=-2, keepdims=True) for one in (drawn, whole))
        values, (own, share) = pearson_without_rating_noise(drawn)[0], pearson_without_rating_noise(whole)
        return mean_defined(values, axis=1)[:, None], mean_defined(np.stack([own, share]), axis=1)

    def _tie_accuracies(self, measure: Measure, plan: Resamples) -> Floats:
        """Calibrate ties in each resample; copies of one point are not paired."""
        if measure.level == "segment":
            return self.points.tie_accuracies(measure, plan)
        sides = [ordered(measure, plan.all_system_scores(side)) for side in self.sides]
        parts = [
            correlation.calibrated_resamples(x[None], y[None], np.ones((1, 1)), times[None])
            for x, y, times in zip(*sides, plan.times[0], strict=True)
        ]
        return np.concatenate(parts)[:, :1]

    def _soft_accuracies(self, plan: Resamples) -> Iterator[float]:
        """Soft accuracy of each resample; a system is not paired with its own copies."""
        swaps = Swaps(SWAPS_OF_A_RESAMPLE, plan.seed)
        first, second = np.triu_indices(len(self.table.systems), 1)
        human, metric = (superiority(side, swaps) for side in self.sides)
        for i, (systems, segments) in enumerate(zip(*plan.times, strict=True)):
            if plan.segments is not None:
                if len(plan.human_confidence) == i:  # all metrics share it
                    plan.human_confidence.append(superiority(self.sides[0], swaps, segments))
                human, metric = plan.human_confidence[i], superiority(self.sides[1], swaps, segments)
            yield agreement_of_confidence(human, metric, systems[first] * systems[second])


def ordered(measure: Measure, scores: Floats) -> Floats:
    """Scores of systems for a measure: where their order counts, sums that differ by rounding are ties."""
    return scores if measure.statistic == "pearson" else without_noise(scores, axis=-1)


def rated_segments(table: ScoreTable) -> int:
    """How many segments have a rating of any system."""
    return int((~np.isnan(table.human.segments)).any(axis=0).sum())


def tables_of(tables: ScoreTable | Sequence[ScoreTable]) -> list[ScoreTable]:
    """One table, or several, as a list."""
    chosen = [tables] if isinstance(tables, ScoreTable) else list(tables)
    if not chosen:
        raise InputError("there is nothing to compare: expected at least one table, got none")
    return chosen


def with_columns(tables: Sequence[ScoreTable], metric: str | Column) -> list[tuple[ScoreTable, Column]]:
    """Each table with its column of a metric, given by name, or as a column if there is only one table."""
    if isinstance(metric, str):
        return [(table, table.metric(metric)) for table in tables]
    if len(tables) > 1:
        raise InputError(f"{metric.name}: there are {len(tables)} tables; expected the name of a metric, got a column")
    return [(replace(tables[0], metrics=(metric,)), metric)]
