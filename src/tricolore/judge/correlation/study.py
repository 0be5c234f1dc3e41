"""A whole study: metrics against people by several measures, with intervals, tests between metrics and straw men."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InputError, SpecError
from ..resampling import RESAMPLES, SEED
from .agreement import Agreement, agreement, intervals
from .measures import LEVELS, STATISTICS, Measure, check_choice
from .metric_tests import ALPHA, SHUFFLES, MetricComparison, check_williams, compare_metrics
from .rankings import check_ranked, ranked_agreement, ranked_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..score_table import ScoreTable
    from .evidence import Evidence

    #: Called with what is being done, then with (steps done, steps in all).
    Stage = Callable[[str], Callable[[int, int], None]]

#: What is measured where nothing is asked for.
USUAL = {
    "system": ("pearson", "spearman", "kendall-b", "accuracy"),
    "segment": ("kendall-b pooled", "kendall-b by segment", "pearson pooled", "accuracy-ties by segment"),
    "one system": ("kendall-b pooled", "pearson pooled", "spearman pooled"),
    "rankings": ("kendall-wmt14", "kendall-wmt13", "kendall-wmt12", "accuracy"),
}


#: Why a metric has no value, or one that means nothing.
CONSTANT = "its scores are all the same"

#: So many tables are resampled rather than the systems in them, where there are no segments to resample.
MANY_TABLES = 10


@dataclass(frozen=True)
class Intervals:
    """How intervals are made; no samples: not at all."""

    samples: int = RESAMPLES
    level: float = 0.95
    over: str | None = None  #: segments, systems, both or tables; None: the first of `_over` that there are


USUAL_INTERVALS = Intervals()


@dataclass(frozen=True)
class Test:
    """How metrics are tested against each other."""

    test: str = "permutation"
    permute: str = "both"
    shuffles: int = SHUFFLES
    alpha: float = ALPHA


@dataclass(frozen=True)
class StrawMan:
    """What a metric says of a straw man: its score, and how many real systems it puts below or level with it."""

    system: str
    metric: str
    score: float  #: as the metric gives it
    worst: float  #: the score of the worst of the real systems
    best: float
    beaten: int  #: real systems that score no better
    systems: int  #: real systems in all
    scale: float = 1.0  #: what printing multiplies scores by
    table: str = ""


@dataclass(frozen=True, eq=False)
class Results:
    """What came out."""

    evidence: Evidence  #: of the real systems
    agreements: tuple[Agreement, ...]  #: metric by metric, each by every measure
    comparisons: tuple[MetricComparison, ...] = ()
    with_straw_men: tuple[Agreement, ...] = ()  #: in the order of the agreements
    straw_men: tuple[StrawMan, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What was measured, in order."""
        return tuple(dict.fromkeys(one.measure for one in self.agreements))


def measures_for(
    evidence: Evidence,
    statistics: Sequence[str] | None = None,
    levels: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
) -> list[Measure]:
    """The measures that are asked for: statistics by name, at each level, or in full; or the usual ones.

    A level that there is no evidence for is left out, unless it was asked for.
    """
    for level in levels or ():
        check_choice("level", level, LEVELS)
        if not evidence.tables(level):
            raise InputError(f"there is no {level} level{_because(evidence)}")
    there = [level for level in levels or LEVELS if evidence.tables(level)]
    if not levels and _systems(evidence) < 2 and "segment" in there:
        there = ["segment"]
    if statistics is None:
        found = [Measure.parse(f"{level} {text}") for level in there for text in _usual(evidence, level)]
        if by:
            names = dict.fromkeys(one.statistic for one in found if one.level == "segment")
            grouped = [Measure("segment", name, group) for name in names for group in by]
            found = [*(one for one in found if one.level == "system"), *grouped]
    else:
        found = [one for text in statistics for one in _asked(text, there, by)]
    for measure in found:
        if not evidence.tables(measure.level):
            raise InputError(f"{str(measure)!r}: there is no {measure.level} level{_because(evidence)}")
        if evidence.rankings:
            check_ranked(measure)
            if measure.statistic == "soft-accuracy":
                raise SpecError("soft-accuracy needs a score for each segment, but rankings order pairs")
    return list(dict.fromkeys(found))


def _because(evidence: Evidence) -> str:
    why = [note for note in evidence.notes if "whole systems only" in note]
    return f" ({why[0]})" if why else ""


def _systems(evidence: Evidence) -> int:
    """How many systems there are to compare, at most."""
    return max(len(table.systems) for table in evidence.systems)


def _usual(evidence: Evidence, level: str) -> tuple[str, ...]:
    if level == "system":
        return USUAL["system"]
    if evidence.rankings:
        return USUAL["rankings"]
    return USUAL["segment" if _systems(evidence) > 1 else "one system"]


def _asked(text: str, levels: Sequence[str], by: Sequence[str] | None) -> list[Measure]:
    """One statistic at all levels that it is for, or one measure that is written in full."""
    if len(text.split()) > 1:
        return [Measure.parse(text)]
    check_choice("statistic", text, tuple(STATISTICS))
    found = []
    for level in levels:
        if level not in STATISTICS[text].levels:
            continue
        found += (
            [Measure(level, text, group) for group in (by or [""])] if level == "segment" else [Measure(level, text)]
        )
    if not found:
        raise SpecError(f"{text} is for {' and '.join(STATISTICS[text].levels)} level only")
    return found


def study(
    evidence: Evidence,
    measures: Sequence[Measure],
    *,
    interval: Intervals | None = USUAL_INTERVALS,
    test: Test | None = None,
    seed: int = SEED,
    stage: Stage | None = None,
) -> Results:
    """Measure every metric by every measure; tell stages of long work to `stage`."""
    real = evidence.without_straw_men()
    if test:
        _check_test(real, measures, test)
    tell = stage or (lambda _: lambda _done, _total: None)
    agreements = _agreements(real, measures, interval, seed, tell("resampling"))
    straw: list[Agreement] = []
    if evidence.straw_men:
        straw = _agreements(evidence, measures, interval, seed, tell("resampling with straw men"))
    comparisons = [_compare(real, measure, test, seed, tell) for measure in measures] if test else []
    return Results(
        real,
        tuple(agreements),
        tuple(comparisons),
        tuple(straw),
        tuple(_straw_men(evidence)),
        (
            *_undefined(real, agreements),
            *_constant(real, agreements),
            *_two_systems(real, measures),
            *_all_tied(real, agreements),
            *_unequal(agreements),
        ),
    )


def _agreements(
    evidence: Evidence,
    measures: Sequence[Measure],
    interval: Intervals | None,
    seed: int,
    progress: Callable[[int, int], None],
) -> list[Agreement]:
    """Agreements of all metrics, metric by metric, in the order of the measures."""
    found: dict[tuple[str, Measure], Agreement] = {}
    for level in LEVELS:
        asked = [measure for measure in measures if measure.level == level]
        if not asked:
            continue
        for one in _at_level(evidence, level, asked, interval, seed, progress):
            found[one.metric, one.measure] = one
    return [found[metric, measure] for metric in evidence.metrics for measure in measures]


def _at_level(
    evidence: Evidence,
    level: str,
    measures: Sequence[Measure],
    interval: Intervals | None,
    seed: int,
    progress: Callable[[int, int], None],
) -> list[Agreement]:
    tables, metrics = evidence.tables(level), evidence.metrics
    ranked = evidence.rankings if level == "segment" else ()
    if interval is None or not interval.samples:
        if ranked:
            return [ranked_agreement(tables, ranked, metric, one) for metric in metrics for one in measures]
        return [agreement(tables, metric, measure, seed=seed) for metric in metrics for measure in measures]
    over = _over(tables, level, interval.over)
    if ranked:
        return ranked_intervals(
            tables, ranked, metrics, measures, samples=interval.samples, level=interval.level, seed=seed, over=over
        )
    return intervals(
        tables,
        metrics,
        measures,
        samples=interval.samples,
        level=interval.level,
        seed=seed,
        over=over,
        progress=progress,
    )


def _over(tables: Sequence[ScoreTable], level: str, asked: str | None) -> str:
    """What is resampled: segments cannot be where there is only one that stands for all.

    Many campaigns of a few systems each are themselves the sample; one of few tables is hardly one.
    """
    several = all(len(table.segments) > 1 for table in tables)
    if asked in ("segments", "both") and not several:
        raise InputError(
            f"at {level} level there is one score for each system, so segments cannot be resampled; choose systems"
        )
    if asked == "tables" and len(tables) < 2:
        raise InputError("there is one table, so tables cannot be resampled; --within makes several")
    return asked or ("segments" if several else "tables" if len(tables) >= MANY_TABLES else "systems")


def _check_test(evidence: Evidence, measures: Sequence[Measure], test: Test) -> None:
    """Refuse a test that cannot be made, before any work."""
    if len(evidence.metrics) < 2:
        raise SpecError(f"a test compares metrics, but there is only one ({evidence.metrics[0]}); name two or more")
    if test.test == "williams":
        for measure in measures:
            check_williams(measure, len(evidence.tables(measure.level)))


def _compare(evidence: Evidence, measure: Measure, test: Test, seed: int, tell: Stage) -> MetricComparison:
    """Test all pairs of metrics by one measure."""
    tables = evidence.tables(measure.level)
    alone = len(tables) == 1 and len(tables[0].segments) < 2  # several are exchanged table by table
    if test.test == "permutation" and test.permute == "inputs" and alone:
        raise InputError(
            f"at {measure.level} level there is one score for each system, so inputs cannot be exchanged; "
            "choose systems or both"
        )
    return compare_metrics(
        tables,
        evidence.metrics,
        measure,
        test=test.test,
        over=test.permute,
        shuffles=test.shuffles,
        alpha=test.alpha,
        seed=seed,
        rankings=evidence.rankings,
        progress=tell(f"testing {measure}"),
    )


def _straw_men(evidence: Evidence) -> list[StrawMan]:
    """What metrics say of the straw men."""
    found = []
    for table in evidence.systems if evidence.straw_men else ():
        real = [i for i, name in enumerate(table.systems) if name not in evidence.straw_men]
        for column in table.metrics:
            scores, oriented = column.systems(), column.oriented(column.systems())
            ordered = sorted(real, key=lambda i: oriented[i])
            for i, name in enumerate(table.systems):
                if name in evidence.straw_men:
                    beaten = sum(bool(oriented[j] <= oriented[i]) for j in real)
                    score, worst, best = (float(scores[k]) for k in (i, ordered[0], ordered[-1]))
                    found.append(
                        StrawMan(name, column.name, score, worst, best, beaten, len(real), column.scale, table.name)
                    )
    return found


def _undefined(evidence: Evidence, agreements: Sequence[Agreement]) -> list[str]:
    """Say which values are missing, and why."""
    notes = []
    for one in agreements:
        if math.isnan(one.value):
            why = _reason(evidence, one)
            notes.append(f"{one.metric}: {one.measure} has no value (nan): {why}")
    return notes


def _constant(evidence: Evidence, agreements: Sequence[Agreement]) -> list[str]:
    """Say which values come of ties alone: a metric that cannot tell anything apart has a value where pairs count."""
    return [
        f"{one.metric}: {one.measure} says nothing of it: {CONSTANT}, and every pair is a tie"
        for one in agreements
        if one.measure.how.adds_pairs and not math.isnan(one.value) and _reason(evidence, one) == CONSTANT
    ]


def _two_systems(evidence: Evidence, measures: Sequence[Measure]) -> list[str]:
    """Say what a correlation of two points is worth."""
    if len(evidence.systems) > 1 or _systems(evidence) != 2 or all(one.level == "segment" for one in measures):
        return []
    return [
        "there are only two systems, so that a correlation of systems is 1 or -1: all it says is whether a metric "
        "prefers the same one as people do"
    ]


def _all_tied(evidence: Evidence, agreements: Sequence[Agreement]) -> list[str]:
    """Say which metrics do best by accuracy with ties if they call everything a tie: they know nothing of use here."""
    found: dict[Measure, list[str]] = {}
    for one in agreements:
        if not math.isnan(one.epsilon) and one.epsilon >= _spread(evidence.segments[0], one) * (1 - 1e-12):
            found.setdefault(one.measure, []).append(one.metric)
    return [
        f"{measure}: the best for {', '.join(names)} is to call everything a tie; the value is how often people tie"
        for measure, names in found.items()
    ]


def _spread(table: ScoreTable, one: Agreement) -> float:
    """The largest difference between two scores of a metric that are compared."""
    scores = np.where(np.isnan(table.human.segments), np.nan, table.metric(one.metric).segments)
    scores = {"segment": scores.T, "system": scores}.get(one.measure.by, scores.reshape(1, -1))
    there = scores[(~np.isnan(scores)).any(axis=1)]
    return float((np.nanmax(there, axis=1) - np.nanmin(there, axis=1)).max()) if len(there) else math.nan


def _unequal(agreements: Sequence[Agreement]) -> list[str]:
    """Say where metrics are judged on different data, so that their values cannot be compared."""
    notes = []
    for level, what in (("system", "systems"), ("segment", "outputs")):
        points = {one.metric: one.points for one in agreements if one.measure.level == level}
        if len(set(points.values())) > 1:
            numbers = ", ".join(f"{number:,} for {metric}" for metric, number in points.items())
            differ = f"scores are missing, so metrics are judged on different {what} ({numbers})"
            notes.append(f"{differ}; --common uses what all score")
    return notes


def _reason(evidence: Evidence, one: Agreement) -> str:
    """Why an agreement has no value."""
    tables = evidence.tables(one.measure.level)
    sides = []
    for table in tables:
        for who, column in (("people", table.human), (one.metric, table.metric(one.metric))):
            values = column.systems() if one.measure.level == "system" else column.segments
            present = values[~np.isnan(values)]
            sides.append((who, len(present), len(np.unique(present))))
    for who in ("people", one.metric):
        own = [(points, different) for name, points, different in sides if name == who]
        if all(points == 0 for points, _ in own):
            return f"there is no score by {who}" if who == "people" else "it has no score"
        if all(different <= 1 and points > 1 for points, different in own):
            return "all scores by people are the same" if who == "people" else CONSTANT
    if all(len(table.systems) < 2 for table in tables) and one.measure.by not in ("system", "pooled"):
        return "there is only one system"
    if all(points < 2 for _, points, _ in sides):
        return "there is only one score"
    return "too few scores that differ, or no pair that people do not tie"
