r"""Whether one metric agrees with human ratings better than another: tests of all pairs, with Holm's correction.

Williams' test is for Pearson's correlation of independent points that share human scores:

.. math::

    t = (r_{hx} - r_{hy}) \sqrt{\frac{(n - 1)(1 + r_{xy})}
        {2 K \frac{n - 1}{n - 3} + \frac{(r_{hx} + r_{hy})^2}{4} (1 - r_{xy})^3}}, \quad
    K = 1 - r_{hx}^2 - r_{hy}^2 - r_{xy}^2 + 2 r_{hx} r_{hy} r_{xy}

with n - 3 degrees of freedom (E. J. Williams. Regression analysis. 1959; J. H. Steiger. Tests for comparing elements of
a correlation matrix. Psychological Bulletin 87, 1980; for metrics: Y. Graham and T. Baldwin. Testing for significance
of increased correlation with human judgment. EMNLP 2014).

The permutation test takes any measure (D. Deutsch, R. Dror, D. Roth. A statistical analysis of summarization evaluation
metrics using resampling methods. TACL 9, 2021). Both metrics' segment scores are standardised, then swapped at random:
per system (PERM-SYSTEMS), per segment (PERM-INPUTS) or per segment and system (PERM-BOTH); then the measure is
recomputed. Per system, scores of whole systems are swapped at system level, standardised over systems. Otherwise a
system's score is the mean of its swapped scores, also for a corpus metric: counts of different metrics cannot be
swapped.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import SpecError
from ...extras import load
from ...types import Progress
from ..multiplicity import clusters, holm
from ..score_table import Column, Floats, ScoreTable
from . import statistics as correlation
from .agreement import Agreement, agreement, tables_of, with_columns
from .measures import Measure, check_choice, finish, signature_of
from .options import EXCHANGED, TESTS
from .rankings import RankedPairs, Rankings
from .swapped_metrics import Shuffles, SwappedMetrics

SIDES = ("two", "one")

#: Differences that are smaller than the observed one by no more than this count as equal to it.
NOISE = 1e-10


@dataclass(frozen=True)
class MetricDifference:
    """The difference between two metrics' agreement with human ratings, and its p-values."""

    first: str
    second: str
    difference: float  #: of their agreements; the first has the higher one
    p: float  #: nan if the test is not defined
    adjusted: float  #: with Holm's correction for all pairs


@dataclass(frozen=True)
class MetricComparison:
    """All pairs of metrics by one measure."""

    measure: Measure
    agreements: tuple[Agreement, ...]  #: best first; nan last
    clusters: tuple[int, ...]  #: in the same order, from 1: no two of a cluster differ; 0 where there is no value
    differences: tuple[MetricDifference, ...]
    signature: str
    over: str = ""  #: what the permutation test swaps
    least_p: float = math.nan  #: the least p-value that the permutation test can reach

    def difference(self, one: str, other: str) -> MetricDifference:
        """The test of two metrics, in either order."""
        return next(pair for pair in self.differences if {pair.first, pair.second} == {one, other})


def compare_metrics(
    tables: ScoreTable | Sequence[ScoreTable], metrics: Sequence[str | Column], measure: Measure, **how: Any
) -> MetricComparison:
    """`compare_metrics_by` for one measure."""
    return compare_metrics_by(tables, metrics, [measure], **how)[0]


def compare_metrics_by(
    tables: ScoreTable | Sequence[ScoreTable],
    metrics: Sequence[str | Column],
    measures: Sequence[Measure],
    *,
    test: str = "permutation",
    over: str | None = None,
    sided: str = "two",
    shuffles: int = 1000,
    alpha: float = 0.05,
    seed: int = 12345,
    rankings: Sequence[Rankings] = (),
    progress: Progress | None = None,
) -> list[MetricComparison]:
    """Test all pairs of metrics, by each measure: which agree with human ratings significantly better than others.

    `over` is what the permutation test swaps: systems (the default), inputs (the default if there is one system) or
    both. p-values are two-sided, unless `sided` is "one": then they ask whether the better of the two is better, as the
    metrics tasks of WMT do. Equal differences count as hits, so a metric and its copy have p = 1. Metrics of one
    cluster do not differ: no p-value after Holm's correction is below `alpha`. With `rankings` (one per table),
    segment-level measures compare metrics with the pairs that annotators ordered.
    """
    check_choice("test", test, TESTS)
    check_choice("choice of sided", sided, SIDES)
    if not 0 < alpha < 1:
        raise SpecError(f"alpha must be between 0 and 1, such as 0.05; got {alpha!r}")
    chosen = tables_of(tables)
    over = swapped_by_default(chosen) if over is None else over
    if test == "williams":
        for measure in measures:
            check_williams(measure, len(chosen))
    p_values: dict[tuple[Measure, int, int], float] = {}
    agreements = {
        measure: [agreement(chosen, metric, measure, seed=seed, rankings=rankings) for metric in metrics]
        for measure in measures
    }
    shuffled = Shuffles(shuffles, seed)
    pairs = [*itertools.combinations(range(len(metrics)), 2)]
    for done, (i, j) in enumerate(pairs):
        swapped = None if test == "williams" else _SwappedPair(chosen, metrics[i], metrics[j], over, rankings, shuffled)
        for number, measure in enumerate(measures, 1):
            better = _rank(agreements[measure][i]) >= _rank(agreements[measure][j])
            if swapped is None:
                two = (metrics[i], metrics[j]) if better else (metrics[j], metrics[i])
                p = _williams_of(chosen[0], *two, measure, sided)
            else:
                p = swapped.p(measure, sided, turned=not better)
            p_values[measure, i, j] = p_values[measure, j, i] = p
            if progress:
                progress(done * len(measures) + number, len(pairs) * len(measures))
    settings = {"test": test, "sided": sided, "correction": "holm", "alpha": f"{alpha:g}"}
    least = (over, least_p(chosen, over, shuffles)) if test == "permutation" else ("", math.nan)
    if test == "permutation":
        settings |= {"over": over, "shuffles": str(shuffles), "seed": str(seed)}
    return [
        _comparison(
            measure,
            agreements[measure],
            {(i, j): p_values[measure, i, j] for i, j in itertools.permutations(range(len(metrics)), 2)},
            alpha,
            signature_of({**measure.settings, **settings}, len(chosen)),
            least,
        )
        for measure in measures
    ]


def _rank(one: Agreement) -> float:
    """Its value; metrics without one come last."""
    return -math.inf if math.isnan(one.value) else one.value


def _comparison(
    measure: Measure,
    agreements: Sequence[Agreement],
    p_values: Mapping[tuple[int, int], float],
    alpha: float,
    signature: str,
    least: tuple[str, float],
) -> MetricComparison:
    """Metrics from best to worst, with corrected p-values and clusters."""
    order = sorted(range(len(agreements)), key=lambda i: -_rank(agreements[i]))
    ranked = tuple(agreements[i] for i in order)
    pairs = [*itertools.combinations(range(len(order)), 2)]
    found = [p_values[order[i], order[j]] for i, j in pairs]
    adjusted = dict(zip(pairs, holm(found), strict=True))
    measured = sum(not math.isnan(one.value) for one in ranked)
    return MetricComparison(
        measure,
        ranked,
        tuple(clusters(measured, lambda i, j: adjusted[i, j] < alpha)) + (0,) * (len(ranked) - measured),
        tuple(
            MetricDifference(ranked[i].metric, ranked[j].metric, ranked[i].value - ranked[j].value, p, adjusted[i, j])
            for (i, j), p in zip(pairs, found, strict=True)
        ),
        signature,
        *least,
    )


# Williams' test --------------------------------------------------------------------------------------------------


def williams(r_hx: float, r_hy: float, r_xy: float, n: int, *, sided: str = "two") -> float:
    """Return the p-value of Williams' test; one-sided: that metric x correlates better with human ratings than y.

    It is nan for fewer than four points, an undefined correlation, or r_xy = -1; it is 1 if both correlations are equal
    (0.5 one-sided).

    >>> round(williams(0.4, 0.5, 0.1, 103), 2)  # t = -0.89
    0.37
    """
    check_choice("choice of sided", sided, SIDES)
    stdtr = load("scipy.special", "Williams' test").stdtr
    if n < 4 or any(map(math.isnan, (r_hx, r_hy, r_xy))):
        return math.nan
    if abs(r_hx - r_hy) <= NOISE:
        return 1.0 if sided == "two" else 0.5
    K = 1 - r_hx**2 - r_hy**2 - r_xy**2 + 2 * r_hx * r_hy * r_xy
    below = 2 * max(K, 0.0) * (n - 1) / (n - 3) + (r_hx + r_hy) ** 2 / 4 * (1 - r_xy) ** 3
    if below <= 0 or 1 + r_xy <= NOISE:  # perfectly correlated, where t is 0 / 0
        return math.nan
    t = (r_hx - r_hy) * math.sqrt((n - 1) * (1 + r_xy) / below)
    return float(2 * stdtr(n - 3, -abs(t)) if sided == "two" else stdtr(n - 3, -t))


def check_williams(measure: Measure, tables: int) -> None:
    """Reject measures that Williams' test does not support."""
    if measure.statistic != "pearson" or measure.by not in ("", "pooled"):
        raise SpecError(
            f"Williams' test is for 'system pearson' and 'segment pearson pooled'; got {str(measure)!r} "
            "(statistics=... chooses)"
        )
    if tables > 1:
        raise SpecError(f"Williams' test is for one table; got {tables}: use the permutation test")


def _williams_of(table: ScoreTable, x: str | Column, y: str | Column, measure: Measure, sided: str) -> float:
    """Williams' test over the points that are rated and scored by both metrics."""
    columns = table.human, *(with_columns([table], metric)[0][1] for metric in (x, y))
    at_systems = measure.level == "system"
    scores = np.stack([one.system_scores() if at_systems else one.segment_scores().ravel() for one in columns])
    human, first, second = scores[:, ~np.isnan(scores).any(axis=0)]
    r_hx, r_hy, r_xy = (correlation.pearson(*two) for two in ((human, first), (human, second), (first, second)))
    return williams(r_hx, r_hy, r_xy, len(human), sided=sided)


# The permutation test --------------------------------------------------------------------------------------------


def permutation_test(
    tables: ScoreTable | Sequence[ScoreTable],
    first: str | Column,
    second: str | Column,
    measure: Measure,
    *,
    over: str | None = None,
    sided: str = "two",
    shuffles: int = 1000,
    seed: int = 12345,
    rankings: Sequence[Rankings] = (),
) -> float:
    """Return the p-value, (hits + 1) / (shuffles + 1), that two metrics agree equally well with human ratings.

    One-sided: that the first is no better. It is nan if the measure is undefined for one of them; a shuffle in which it
    is undefined counts as a hit. The draws of the k-th table, from 0, are NumPy's `default_rng(seed + k)`.
    """
    chosen = tables_of(tables)
    over = swapped_by_default(chosen) if over is None else over
    check_choice("choice of sided", sided, SIDES)
    return _SwappedPair(chosen, first, second, over, rankings, Shuffles(shuffles, seed)).p(measure, sided)


def swapped_by_default(tables: Sequence[ScoreTable]) -> str:
    """What the permutation test swaps: systems, as metrics favour some of them, or segments if there is one system."""
    return "systems" if any(len(table.systems) > 1 for table in tables) else "inputs"


def least_p(tables: Sequence[ScoreTable], over: str, shuffles: int) -> float:
    """The least two-sided p-value of a permutation test: one in half of all arrangements, or in the shuffles."""
    units = sum(len(table.systems) if over == "systems" else len(table.segments) for table in tables)
    return max(2.0 ** (1 - units), 1 / (shuffles + 1)) if over != "both" else 1 / (shuffles + 1)


class _SwappedPair:
    """Two metrics on all tables, whose scores are swapped."""

    def __init__(
        self,
        tables: Sequence[ScoreTable],
        first: str | Column,
        second: str | Column,
        over: str,
        rankings: Sequence[Rankings],
        shuffles: Shuffles,
    ):
        check_choice("choice of over", over, EXCHANGED)
        self.shuffles = shuffles
        both = zip(with_columns(tables, first), with_columns(tables, second), strict=True)
        ranked = (
            [RankedPairs(*pair) for pair in zip(tables, rankings, strict=True)] if rankings else [None] * len(tables)
        )
        self.tables = [
            SwappedMetrics(table, x, y, over, shuffles, k, pairs)
            for k, (((table, x), (_, y)), pairs) in enumerate(zip(both, ranked, strict=True))
        ]

    def p(self, measure: Measure, sided: str, *, turned: bool = False) -> float:
        """The p-value; `turned`: the second metric is the better one."""
        sign = -1.0 if turned else 1.0
        observed = sign * self._difference(measure, [one.observed(measure) for one in self.tables])[0]
        if np.isnan(observed):
            return math.nan
        shuffled = sign * self._difference(measure, [one.shuffled(measure) for one in self.tables])
        if sided == "two":
            observed, shuffled = abs(observed), np.abs(shuffled)
        hits = np.sum(~(shuffled < observed - NOISE))
        return float((hits + 1) / (self.shuffles.number + 1))

    @staticmethod
    def _difference(measure: Measure, sides: Sequence[tuple[Floats, Floats]]) -> Floats:
        """The first metric's value less the second's, from the summaries of all tables."""
        first, second = zip(*sides, strict=True)
        return finish(measure, first) - finish(measure, second)
