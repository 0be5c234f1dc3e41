"""How fast metrics are judged against people: Kendall's correlation beside scipy, permutation tests, intervals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
import table
from measure import alternate, least
from table import Options, Row

from tricolore.judge.correlation.agreement import intervals
from tricolore.judge.correlation.measures import STATISTICS, USUAL, Measure
from tricolore.judge.correlation.metric_tests import compare_metrics_by, permutation_test
from tricolore.judge.correlation.options import LEVELS
from tricolore.judge.correlation.statistics import kendall_tau_b
from tricolore.judge.score_table import Column, ScoreTable

POINTS = 1_000_000
SYSTEMS, SEGMENTS = 15, 1000

#: Tested with as many shuffles as the metrics tasks of WMT use.
TESTED = ("system pearson", "system kendall-b", "segment pearson by segment", "segment kendall-b by segment")


def measure(options: Options) -> Iterator[Row]:
    """All questions about the speed of judging metrics."""
    yield kendall(options)
    scores = made_table()
    for text in TESTED:
        yield permutations(scores, Measure.parse(text), options)
    yield all_intervals(scores, options)


def commands(options: Options) -> Iterator[Row]:
    """What `tricolore correlate` does for several metrics."""
    yield usual_intervals(15, 2000, 10, 15, 6, options)
    yield usual_intervals(100, 1000, 5, 40, 15, options)
    yield all_tests(options)


def kendall(options: Options) -> Row:
    """Kendall's correlation of many points, of which many are tied."""
    from scipy.stats import kendalltau

    rng = np.random.default_rng(1)
    x = rng.integers(0, 1000, POINTS).astype(float)
    y = x + rng.integers(0, 1000, POINTS)
    repeats = options.repeats(3)
    ours, peer, agree = alternate(lambda: kendall_tau_b(x, y), lambda: kendalltau(x, y).statistic, repeats)
    question = f"Kendall's tau-b, {POINTS:,} points with ties / scipy"
    return Row(question, ours, peer, bar=2, goal=0.5, limit=True, agree=agree, repeats=repeats)


def permutations(scores: ScoreTable, what: Measure, options: Options) -> Row:
    """Whether one metric is better than another, over single scores."""
    shuffles = 1000
    repeats = options.repeats(2)
    ours = least(lambda: permutation_test(scores, "first", "second", what, shuffles=shuffles), repeats)
    question = f"{shuffles:,} shuffles, {SEGMENTS:,} x {SYSTEMS}: {what}"
    return Row(question, ours, bar=10, goal=3, limit=True, repeats=repeats)


def all_intervals(scores: ScoreTable, options: Options) -> Row:
    """Every statistic that is made for a level, over segments."""
    chosen = [Measure("system", name) for name in STATISTICS]
    chosen += [Measure("segment", name, "segment") for name in STATISTICS if name != "soft-accuracy"]
    chosen += [Measure("segment", name, "pooled") for name in ("pearson", "spearman", "kendall-b")]
    ours = least(lambda: intervals(scores, ["first"], chosen), options.repeats(2))
    question = f"1,000 resamples, {SEGMENTS:,} x {SYSTEMS}: {len(chosen)} measures"
    return Row(question, ours, bar=60, goal=20, limit=True, repeats=options.repeats(2))


def usual_intervals(systems: int, segments: int, metrics: int, bar: float, goal: float, options: Options) -> Row:
    """What `tricolore correlate` measures unless asked for something else, for several metrics."""
    scores = tied_table(systems, segments, metrics)
    chosen = [[Measure.parse(f"{level} {name}") for name in USUAL[level]] for level in LEVELS]
    names = [column.name for column in scores.metrics]
    repeats = options.repeats(2)
    ours = least(lambda: [intervals(scores, names, some) for some in chosen], repeats)
    question = f"correlate, {systems} x {segments:,} x {metrics} metrics, 1,000 resamples"
    return Row(question, ours, bar=bar, goal=goal, limit=True, repeats=repeats)


def all_tests(options: Options) -> Row:
    """Intervals of all statistics, and which of ten metrics is better by each of them."""
    scores = tied_table(15, 2000, 10)
    names = [column.name for column in scores.metrics]
    chosen = [[Measure(level, name) for name, one in STATISTICS.items() if level in one.levels] for level in LEVELS]
    repeats = options.repeats(1)
    ours = least(
        lambda: [(intervals(scores, names, some), compare_metrics_by(scores, names, some)) for some in chosen], repeats
    )
    question = "the same 15 x 2,000 x 10, all statistics, --test permutation"
    return Row(question, ours, bar=60, goal=20, limit=True, repeats=repeats)


def tied_table(systems: int, segments: int, metrics: int) -> ScoreTable:
    """MQM ratings, of which most are tied, and metrics on four scales: many digits, few, 32 bits, steps of 5."""
    rng = np.random.default_rng(2)
    quality = 0.3 * rng.normal(size=(systems, 1)) + 0.8 * rng.normal(size=(1, segments))
    seen = [quality + (0.6 + 0.2 * k) * rng.normal(size=quality.shape) for k in range(metrics + 2)]
    human = -np.rint(np.maximum(0.0, 2 - 2 * seen[-1])) - 4.0 * (seen[-2] < -1)
    scales = (
        lambda score: np.maximum(0.0, np.round(30 + 20 * score, 4)),
        lambda score: (0.8 + 0.1 * score).astype(np.float32).astype(np.float64),
        lambda score: np.clip(5 * np.rint(16 + 2.4 * score), 0, 100),
        lambda score: score,
    )
    columns = (Column.of_scores(f"metric {k}", scales[k % 4](seen[k])) for k in range(metrics))
    names = tuple(f"system {i}" for i in range(systems)), tuple(str(i) for i in range(segments))
    return ScoreTable(*names, Column.of_scores("human", human), tuple(columns))


def made_table() -> ScoreTable:
    """People and two metrics that see the same quality through noise; people's scores are often tied."""
    rng = np.random.default_rng(1)
    quality = 0.3 * rng.normal(size=(SYSTEMS, 1)) + rng.normal(size=(1, SEGMENTS))
    human, first, second = (quality + rng.normal(size=(SYSTEMS, SEGMENTS)) for _ in range(3))
    return ScoreTable(
        tuple(f"system {i}" for i in range(SYSTEMS)),
        tuple(str(i) for i in range(SEGMENTS)),
        Column.of_scores("human", human.round(1)),
        (Column.of_scores("first", first), Column.of_scores("second", second)),
    )


if __name__ == "__main__":
    table.main(lambda options: chain(measure(options), commands(options)), __doc__)
