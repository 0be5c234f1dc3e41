"""How well a metric agrees with human ratings: a statistic at system or segment level, with an interval.

Everything is turned so that higher is better. Scores that are missing on either side are left out. At system level
the human score of a system is the mean over its rated segments, the metric's is over all segments it scored;
`ScoreTable.matched` restricts metrics to rated outputs. Scores of segments tie if they are the same number;
`ScoreTable.without_noise` drops digits that are errors of arithmetic. Those of systems are sums, and always without.

Several tables (language pairs, campaigns): correlations are averaged over tables, each with the same weight; counts of
pairs are added up; pairs are made within a table only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...draws import draws
from ...errors import InputError, SpecError
from ...parameters import DRAWS, SEED, checked
from ..resampling import resampled_sums
from ..score_table import Column, ScoreTable, without_noise
from . import statistics as correlation
from .measures import Measure, check_choice, check_ranked, finish, signature_of, summaries
from .options import RESAMPLED
from .rankings import RankedPairs
from .soft_accuracy import SWAPS, Swaps, agreement_of_confidence, soft_accuracy, superiority

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from ..score_table import Floats
    from .rankings import Rankings

    #: Called with (measures done, measures in all).
    Progress = Callable[[int, int], None]

#: Scores that are resampled or exchanged at once; bounds memory.
CELLS = 2_000_000

#: Swaps of soft accuracy within a resample: fewer, since they are made anew for each.
SWAPS_OF_A_RESAMPLE = 200


@dataclass(frozen=True)
class Agreement:
    """How well a metric agrees with human ratings."""

    measure: Measure
    metric: str
    value: float
    low: float = float("nan")  #: nan where there is no interval
    high: float = float("nan")
    groups: int = 0  #: groups that have a value
    undefined: int = 0  #: groups that have none: constant, or with too few points
    points: int = 0  #: systems, or segments of systems, that both sides score
    pairs: int = 0  #: pairs that annotators do not tie, where they are summed; of accuracy-ties, soft-accuracy: all
    epsilon: float = float("nan")  #: of accuracy-ties: the difference up to which the metric's scores are tied
    resamples: int = 0  #: resamples that have a value
    signature: str = ""
    details: tuple[Agreement, ...] = ()  #: by table, where there are several
    table: str = ""  #: its name, in details

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

    Where annotators ranked, `rankings` (one for each table) are what metrics are compared with at segment level: over
    all pairs that they ordered.

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
    """Human ratings and a metric, on each table."""
    pairs = with_columns(tables, metric)
    if not rankings or measure.level == "system":
        return [_Sides(table, column) for table, column in pairs]
    check_ranked(measure)
    return [_Sides(*pair, RankedPairs(pair[0], ranked)) for pair, ranked in zip(pairs, rankings, strict=True)]


def _measured(sides: Sequence[_Sides], measure: Measure, seed: int) -> tuple[Agreement, list[Floats]]:
    """Measure tables as they are; also what the value is made of, by table."""
    settings = measure.settings | ({"seed": str(seed)} if measure.statistic == "soft-accuracy" else {})
    parts = [one.outcome(measure, seed + i, signature_of(settings)) for i, one in enumerate(sides)]
    return _together(measure, parts, signature_of(settings, len(parts))), [part for _, part in parts]


def intervals(
    tables: ScoreTable | Sequence[ScoreTable],
    metrics: Sequence[str | Column],
    measures: Sequence[Measure],
    *,
    samples: int = 1000,
    level: float = 0.95,
    seed: int = 12345,
    over: str = "segments",
    rankings: Sequence[Rankings] = (),
    progress: Progress | None = None,
) -> list[Agreement]:
    """Measure agreement with percentile bootstrap intervals, for all metrics, and for each all measures.

    Segments, systems or both are drawn with replacement, within each table, or whole tables as they are. Corpus metrics
    are computed anew from the rows that were drawn. All metrics and measures see the same draws: those of segments of
    the k-th table, from 0, are NumPy's `default_rng(seed + k)`, those of systems `default_rng((seed + k, 1))`, those of
    tables `default_rng(seed)`. A resample that has no value is left out (`resamples` says how many had one). There is
    no interval over segments where a table has only one, nor over tables if there is only one.
    """
    check_choice("choice of over", over, RESAMPLED)
    checked("samples", samples, DRAWS)
    checked("seed", seed, SEED)
    if not 0 < level < 1:
        raise SpecError(f"level must be between 0 and 1, such as 0.95; got {level!r}")
    chosen = tables_of(tables)
    plans = [Resamples(table, samples, seed + i, over) for i, table in enumerate(chosen)]
    results: list[Agreement] = []
    for metric in metrics:
        for measure in measures:
            sides = _sides(chosen, metric, measure, rankings)
            observed, parts = _measured(sides, measure, seed)
            if over == "tables":
                values = of_drawn_tables(measure, parts, samples, seed)
            elif over == "segments" and any(len(table.segments) < 2 for table in chosen):
                values = np.empty(0)
            else:
                values = finish(measure, [one.resampled(measure, plan) for one, plan in zip(sides, plans, strict=True)])
            settings = measure.settings | _resample_settings(measure, over, samples, level, seed)
            results.append(with_interval(observed, values, level, signature_of(settings, len(chosen))))
            if progress:
                progress(len(results), len(metrics) * len(measures))
    return results


def _resample_settings(measure: Measure, over: str, samples: int, level: float, seed: int) -> dict[str, str]:
    """What a signature says of resamples."""
    swaps = {"bs-swaps": str(SWAPS_OF_A_RESAMPLE)} if measure.statistic == "soft-accuracy" and over != "tables" else {}
    return {"over": over, "bs": str(samples), **swaps, "ci": f"{level:g}", "seed": str(seed)}


def of_drawn_tables(measure: Measure, parts: Sequence[Floats], samples: int, seed: int) -> Floats:
    """Values of resamples of tables, each of which stays what it is."""
    if len(parts) < 2:
        return np.empty(0)
    stacked = np.stack(parts)
    return finish(measure, [stacked[one] for one in draws(len(parts), samples, seed).T])


def with_interval(observed: Agreement, values: Floats, level: float, signature: str) -> Agreement:
    """Percentiles by linear interpolation between order statistics."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return replace(observed, signature=signature)
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return replace(observed, low=float(low), high=float(high), resamples=len(defined), signature=signature)


class Resamples:
    """Which segments and systems of a table make up each resample; None: all of them, as they are.

    What is not needed is not drawn.
    """

    def __init__(self, table: ScoreTable, samples: int, seed: int, over: str):
        self.table = table
        self.samples = samples
        self.seed = seed
        self.over = over
        self._scores: dict[int, tuple[Column, Floats]] = {}

    @cached_property
    def segments(self) -> NDArray[np.int64] | None:
        """Segments, a resample a row."""
        return draws(len(self.table.segments), self.samples, self.seed) if self.over != "systems" else None

    @cached_property
    def systems(self) -> NDArray[np.int64] | None:
        """Systems, a resample a row."""
        if self.over == "segments":
            return None
        number = len(self.table.systems)
        return np.random.default_rng((self.seed, 1)).integers(0, number, size=(self.samples, number))

    def times(self) -> tuple[Floats, Floats]:
        """How often each system, and each segment, is in each resample."""
        return (
            _times(self.systems, self.samples, len(self.table.systems)),
            _times(self.segments, self.samples, len(self.table.segments)),
        )

    def system_scores(self, column: Column) -> Floats:
        """Scores of the systems that were drawn, on the segments that were drawn, higher is better."""
        scores = self.all_system_scores(column)
        return scores if self.systems is None else np.take_along_axis(scores, self.systems, axis=1)

    def all_system_scores(self, column: Column) -> Floats:
        """Scores of all systems, on the segments that were drawn."""
        if id(column) not in self._scores:  # which holds the column, so that the id stays its own
            self._scores[id(column)] = column, self._system_scores(column)
        return self._scores[id(column)][1]

    def _system_scores(self, column: Column) -> Floats:
        systems, segments, statistics = column.rows.shape
        if self.over == "systems":
            return np.broadcast_to(system_scores(column), (self.samples, systems))
        flat = np.ascontiguousarray(column.rows.transpose(1, 0, 2)).reshape(segments, systems * statistics)
        sums = resampled_sums(flat, self.samples, self.seed)
        return system_scores(column, sums.reshape(self.samples, systems, statistics))


def _times(drawn: NDArray[np.int64] | None, samples: int, number: int) -> Floats:
    if drawn is None:
        return np.ones((samples, number))
    return np.stack([np.bincount(one, minlength=number) for one in drawn]).astype(np.float64)


class _Sides:
    """Human ratings and one metric, on one table; `ranked` are the pairs that annotators ordered, if they ranked."""

    def __init__(self, table: ScoreTable, metric: Column, ranked: RankedPairs | None = None):
        self.table = table
        self.ranked = ranked
        self.human = table.human
        self.metric = metric
        self.human_segments = segment_scores(self.human)
        self.metric_segments = segment_scores(metric)

    def outcome(self, measure: Measure, seed: int, signature: str) -> tuple[Agreement, Floats]:
        """Measure the table as it is; also what the value is made of, to be joined with that of other tables."""
        x, y = self.groups(measure)
        points = int((~(np.isnan(x) | np.isnan(y))).sum())
        result = Agreement(
            measure, self.metric.name, float("nan"), points=points, signature=signature, table=self.table.name
        )
        if measure.statistic == "soft-accuracy":
            value = soft_accuracy(self.human, self.metric, Swaps(SWAPS, seed))
            groups, pairs = int(not np.isnan(value)), points * (points - 1) // 2
            result = replace(result, value=value, groups=groups, undefined=1 - groups, pairs=pairs)
            return result, np.array([value])
        if measure.statistic == "accuracy-ties":
            value, epsilon, used, all_pairs = correlation.calibrated(x, y)[0].tolist()
            groups = int(used)
            result = replace(result, value=value, epsilon=epsilon, groups=groups, pairs=int(all_pairs))
            return replace(result, undefined=len(x) - groups), np.array([value])
        tallies = measure.how.tally(x, y) if self.ranked is None else self.ranked.tallies(self.metric)
        undefined = int(np.isnan(measure.how.value(tallies)).sum())
        summary = summaries(measure, tallies)
        pairs = int(correlation.usable_pairs(summary)) if measure.how.adds_pairs else 0
        result = replace(result, value=float(finish(measure, [summary])), pairs=pairs, undefined=undefined)
        points = points if self.ranked is None else pairs
        return replace(result, groups=len(tallies) - undefined, points=points), summary

    def groups(self, measure: Measure) -> tuple[Floats, Floats]:
        """Human scores and the metric's, a group a row."""
        if measure.level == "system":
            human, metric = (ordered(measure, system_scores(side))[None] for side in (self.human, self.metric))
            return human, metric
        return grouped(self.human_segments, measure.by), grouped(self.metric_segments, measure.by)

    def resampled(self, measure: Measure, plan: Resamples) -> Floats:
        """What the value is made of, a resample a row."""
        if self.ranked is not None:
            return self.ranked.resampled(self.metric, plan)
        if measure.statistic == "soft-accuracy":
            return np.array([[value] for value in self._soft_accuracies(plan)])
        if measure.statistic == "accuracy-ties":
            return self._tie_accuracies(measure, plan)
        if measure.level == "system":
            sides = [ordered(measure, plan.system_scores(side)) for side in (self.human, self.metric)]
            tallies = measure.how.tally(*sides)
            return tallies if measure.how.adds_pairs else measure.how.value(tallies)[:, None]
        drawn = {"segment": plan.segments, "system": plan.systems}.get(measure.by)
        within = {"segment": plan.systems, "system": plan.segments}.get(measure.by)
        if drawn is not None and within is None:  # whole groups are drawn, and a group stays what it is
            tallies = measure.how.tally(*self.groups(measure))
            return np.concatenate(
                [summaries(measure, tallies[drawn[some]]) for some in at_once(plan.samples, tallies.size)]
            )
        return np.concatenate(
            [self._redrawn(measure, plan, some) for some in at_once(plan.samples, self.human_segments.size)]
        )

    def _redrawn(self, measure: Measure, plan: Resamples, some: slice) -> Floats:
        """The same for some of the resamples, whose groups are made anew."""
        systems, segments = (np.arange(number)[None] for number in self.human_segments.shape)
        systems = systems if plan.systems is None else plan.systems[some]
        segments = segments if plan.segments is None else plan.segments[some]
        where = systems[:, :, None], segments[:, None, :]
        x, y = (grouped(side[where], measure.by) for side in (self.human_segments, self.metric_segments))
        tallies = measure.how.tally(*(side.reshape(-1, side.shape[-1]) for side in (x, y)))
        return summaries(measure, tallies.reshape(*x.shape[:2], -1))

    def _tie_accuracies(self, measure: Measure, plan: Resamples) -> Floats:
        """Ties are calibrated anew in each resample; copies of one thing are no pair."""
        systems, segments = plan.times()
        if measure.level == "system":
            sides = [ordered(measure, plan.all_system_scores(side)) for side in (self.human, self.metric)]
            parts = [
                correlation.calibrated_resamples(x[None], y[None], np.ones((1, 1)), times[None])
                for x, y, times in zip(*sides, systems, strict=True)
            ]
            return np.concatenate(parts)[:, :1]
        x, y = self.groups(measure)
        if measure.by == "pooled":
            points = np.einsum("bs,bg->bsg", systems, segments).reshape(plan.samples, -1)
            return correlation.calibrated_resamples(x, y, np.ones((plan.samples, 1)), points)[:, :1]
        drawn = (segments, systems) if measure.by == "segment" else (systems, segments)
        return correlation.calibrated_resamples(x, y, *drawn)[:, :1]

    def _soft_accuracies(self, plan: Resamples) -> Iterator[float]:
        """Copies of one system are no pair."""
        swaps = Swaps(SWAPS_OF_A_RESAMPLE, plan.seed)
        first, second = np.triu_indices(len(self.table.systems), 1)
        sides = superiority(self.human, swaps), superiority(self.metric, swaps)
        for systems, segments in zip(*plan.times(), strict=True):
            if plan.segments is not None:
                sides = superiority(self.human, swaps, segments), superiority(self.metric, swaps, segments)
            yield agreement_of_confidence(*sides, systems[first] * systems[second])


def segment_scores(column: Column) -> Floats:
    """Scores of segments (systems x segments), higher is better."""
    return column.oriented(column.segments)


def system_scores(column: Column, sums: Floats | None = None) -> Floats:
    """Scores of systems, on all segments or from sums of rows, higher is better."""
    return column.oriented(column.systems(sums))


def ordered(measure: Measure, scores: Floats) -> Floats:
    """Scores of systems for a measure: where their order counts, sums that differ by the order of adding are ties."""
    return scores if measure.statistic == "pearson" else without_noise(scores, axis=-1)


def grouped(values: Floats, by: str) -> Floats:
    """Scores of systems x segments, perhaps after other axes, as groups in rows."""
    if by == "pooled":
        return values.reshape(*values.shape[:-2], 1, -1)
    return values if by == "system" else values.swapaxes(-1, -2)


def at_once(number: int, cells: int) -> Iterator[slice]:
    """Cut a number of resamples, each of so many scores, into parts that fit into memory."""
    size = max(1, CELLS // max(1, cells))
    for first in range(0, number, size):
        yield slice(first, min(first + size, number))


def _together(measure: Measure, parts: Sequence[tuple[Agreement, Floats]], signature: str) -> Agreement:
    """One agreement of those of all tables."""
    first = parts[0][0]
    if len(parts) == 1:
        return replace(first, signature=signature)
    one_by_one = tuple(part for part, _ in parts)
    return Agreement(
        measure,
        first.metric,
        float(finish(measure, [part for _, part in parts])),
        groups=sum(part.groups for part in one_by_one),
        undefined=sum(part.undefined for part in one_by_one),
        points=sum(part.points for part in one_by_one),
        pairs=sum(part.pairs for part in one_by_one),
        signature=signature,
        details=one_by_one,
    )


def tables_of(tables: ScoreTable | Sequence[ScoreTable]) -> list[ScoreTable]:
    """One table, or several, as a list."""
    chosen = [tables] if isinstance(tables, ScoreTable) else list(tables)
    if not chosen:
        raise InputError("there is nothing to compare: expected at least one table, got none")
    return chosen


def with_columns(tables: Sequence[ScoreTable], metric: str | Column) -> list[tuple[ScoreTable, Column]]:
    """Each table with its column of a metric, which is given by name; where there is one table, also as a column."""
    if isinstance(metric, str):
        return [(table, table.metric(metric)) for table in tables]
    if len(tables) > 1:
        raise InputError(f"{metric.name}: there are {len(tables)} tables; expected the name of a metric, got a column")
    shape = tables[0].human.segments.shape
    if metric.segments.shape != shape:
        raise InputError(
            f"{metric.name}: expected scores of {shape[0]} systems on {shape[1]} segments, "
            f"got an array of shape {metric.segments.shape}"
        )
    return [(tables[0], metric)]
