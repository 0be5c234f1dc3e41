"""Coverage of the confidence intervals of correlations, for systems of known quality."""

from functools import cache

import numpy as np
import pytest
from rated_systems import UNLIMITED, qualities, rated
from tables import agrees

from tricolore.judge.correlation import statistics
from tricolore.judge.correlation.agreement import agreement, intervals
from tricolore.judge.correlation.measures import Measure
from tricolore.judge.correlation.soft_accuracy import soft_pairwise_accuracy

pytestmark = pytest.mark.slow

REPEATS = 400
SAMPLES = 200
SIZES = [(systems, segments) for segments in (50, 500) for systems in (8, 15, 30)]
STATISTICS = {"pearson": statistics.pearson, "spearman": statistics.spearman, "kendall-b": statistics.kendall_tau_b}
MEASURES = [Measure("system", name) for name in STATISTICS]
NAN = float("nan")


def holds(found, target):
    """Whether an interval holds its target, but for rounding."""
    return found.low - 1e-9 <= target <= found.high + 1e-9


def shares(covered):
    """How often each interval covers, in per cent."""
    return (100 * np.mean(covered, axis=0)).tolist()


def drawn(rng, human, *metrics, segments, kind):
    """A table with errors of some kind; `repeated`: Gaussian ones, and the mean of three ratings of each output."""
    how = {"kind": "gaussian", "ratings": 3} if kind == "repeated" else {"kind": kind}
    return rated(rng, human, *metrics, segments=segments, **how)


# System level: these systems -----------------------------------------------------------------------------------------

#: Kind of errors, systems, segments, true correlation.
THESE = [
    *[("heavy", *size, r) for size in SIZES for r in (0.98, 0.9)],
    *[("heavy", *size, r) for size in ((8, 50), (15, 500)) for r in (0.7, 0.2)],
    *[(kind, *size, 0.9) for kind in ("gaussian", "ties", "repeated") for size in SIZES],
]


def these_systems(kind, systems, segments, r):
    """Coverage of the agreement of these systems' quality: corrected by statistic, then BCa, percentile of Pearson."""
    rng = np.random.default_rng((systems, segments, int(100 * r), len(kind)))
    covered, reliable = [], []
    for seed in range(REPEATS):
        human, metric = qualities(rng, systems, r)
        table = drawn(rng, human, metric, segments=segments, kind=kind)
        how = {"samples": SAMPLES, "seed": seed}
        found = intervals(table, ["0"], MEASURES, **how)
        targets = [target(human, metric) for target in STATISTICS.values()]
        for interval in ("bca", "percentile") if kind == "heavy" else ():
            found += intervals(table, ["0"], MEASURES[:1], interval=interval, **how)
            targets.append(r)
        covered.append([holds(*one) for one in zip(found, targets, strict=True)])
        reliable.append(found[0].human_reliability)
    rates = [*shares(covered), NAN, NAN][:5]
    return [kind, str(systems), str(segments), f"{np.mean(reliable):.2f}", f"{r:.2f}", *rates]


@pytest.mark.parametrize("cell", THESE, ids=str)
def test_corrected_intervals_cover_the_agreement_of_these_systems(cell):
    row = these_systems(*cell)
    assert all(round(rate) >= 92 for rate in row[5:8])
    if cell == ("heavy", 15, 500, 0.98):
        assert row[-1] < 10  # percentiles do not
    agrees("correlation", HEADERS, row)


# System level: other systems -----------------------------------------------------------------------------------------

#: What is resampled, kind of errors, systems, segments, true correlation.
OTHERS = [
    *[("both", "gaussian", *size, r) for size in ((8, 50), (8, 500), (15, 500), (30, 500)) for r in (0.98, 0.9, 0.2)],
    *[("both", kind, *size, 0.9) for kind in ("heavy", "ties", "repeated") for size in ((8, 500), (15, 50), (30, 500))],
    *[("systems", "gaussian", systems, 50, 0.9) for systems in (8, 15, 30)],
]


def other_systems(over, kind, systems, segments, r):
    """Coverage of the correlation in a population of systems, of quality (both) or of scores on these segments."""
    rng = np.random.default_rng((systems, segments, int(100 * r)))
    covered = []
    for seed in range(REPEATS):
        human, metric = qualities(rng, systems, r, exact=False)
        table = drawn(rng, human, metric, segments=segments, kind=kind)
        found = intervals(table, ["0"], [MEASURES[0], MEASURES[2]], samples=300, seed=seed, over=over)
        # Variances of means of ratings and scores, whose errors have the covariance 0.3 * 2.2 * 1.2.
        noise = np.array([2.2**2, 1.2**2, 0.3 * 2.2 * 1.2]) / segments * (over == "systems")
        rho = (0.09 * r + noise[2]) / np.sqrt((0.09 + noise[0]) * (0.09 + noise[1]))
        targets = [rho, 2 / np.pi * np.arcsin(rho)]
        covered.append([holds(*one) for one in zip(found, targets, strict=True)])
    return [over, kind, str(systems), str(segments), f"{r:.2f}", *shares(covered)]


@pytest.mark.parametrize("cell", OTHERS, ids=str)
def test_intervals_cover_other_systems(cell):
    row = other_systems(*cell)
    least = 91 if cell == ("both", "heavy", 8, 500, 0.9) else 92  # 93 % of 1,500 tables
    assert all(round(rate) >= least for rate in row[5:])
    agrees("correlation-systems", HEADERS, row)


# Tables (campaigns) --------------------------------------------------------------------------------------------------


def campaigns(rng, number, kind):
    """Tables of 8 systems each, whose metric agrees more or less well."""
    found = []
    for r in rng.uniform(0.2, 1.0, number):
        human, metric = qualities(rng, 8, r, exact=False)
        found.append(drawn(rng, human, metric, segments=50, kind=kind))
    return found


def other_tables(kind, number):
    """Coverage of the mean over very many tables."""
    rng = np.random.default_rng((number, len(kind)))
    targets = [agreement(campaigns(np.random.default_rng(1), 4000, kind), "0", measure).value for measure in MEASURES]
    covered = []
    for seed in range(REPEATS):
        found = intervals(campaigns(rng, number, kind), ["0"], MEASURES, samples=400, seed=seed, over="tables")
        covered.append([holds(*one) for one in zip(found, targets, strict=True)])
    return [kind, str(number), *shares(covered)]


TABLES_OF = [("gaussian", 10), ("heavy", 10), ("ties", 30)]


@pytest.mark.parametrize("cell", TABLES_OF, ids=str)
def test_intervals_cover_other_tables(cell):
    row = other_tables(*cell)
    assert all(92 <= round(rate) <= 97 for rate in row[2:])
    agrees("correlation-tables", HEADERS, row)


# Segment level -------------------------------------------------------------------------------------------------------

SEGMENTS = [(kind, 8, 50) for kind in ("gaussian", "heavy", "ties", "repeated")]
SEGMENTS += [(kind, *size) for kind in ("gaussian", "heavy") for size in ((15, 50), (30, 50), (8, 500))]
SEGMENTS += [(kind, 8, 12) for kind in ("gaussian", "heavy")]
SEGMENT_MEASURES = [
    Measure.parse(text)
    for text in ("pearson pooled", "kendall-b by segment", "accuracy-ties by segment", "kendall-b pooled")
]


def segment_level(kind, systems, segments):
    """Coverage of what very many segments of these systems show, by expanded percentiles."""
    rng = np.random.default_rng((systems, segments, 1))
    human, metric = qualities(rng, systems, 0.9)
    measures = SEGMENT_MEASURES[: 4 if systems * segments <= 400 else 3]  # pairs of all outputs take long
    many = [drawn(rng, human, metric, segments=24_000 // systems, kind=kind) for _ in range(8)]
    targets = [np.mean([agreement(one, "0", measure).value for one in many]) for measure in measures]
    covered = []
    for seed in range(300 if segments == 500 else REPEATS):
        table = drawn(rng, human, metric, segments=segments, kind=kind)
        found = intervals(table, ["0"], measures, samples=250, seed=seed)
        covered.append([holds(*one) for one in zip(found, targets, strict=True)])
    return [kind, str(systems), str(segments), *[*shares(covered), NAN][:4]]


@pytest.mark.parametrize("cell", SEGMENTS, ids=str)
def test_expanded_intervals_cover_other_segments(cell):
    row = segment_level(*cell)
    if cell[2] > 12:
        least = 90 if cell == ("heavy", 15, 50) else 92  # as the docs say
        assert all(least <= round(rate) <= 98 for rate in row[3:] if rate == rate)
    agrees("correlation-segments", HEADERS, row)


# Repeated ratings ----------------------------------------------------------------------------------------------------

REPEATED = [
    (kind, ratings, *size)
    for kind in ("gaussian", "heavy", "ties")
    for ratings, size in ((2, (8, 50)), (2, (30, 50)), (2, (8, 500)), (3, (8, 50)), (3, (15, 50)))
]
#: Cells that miss, as the docs say.
BELOW = {("gaussian", 2, 8, 500): 91, ("heavy", 2, 30, 50): 90}
RATED_MEASURES = [Measure.parse("segment pearson pooled"), Measure.parse("segment pearson by system")]


@cache
def with_unlimited_ratings(kind, systems):
    """These systems, and their agreement with the mean of very many ratings of very many outputs."""
    rng = np.random.default_rng((systems, len(kind)))
    both = qualities(rng, systems, 0.9)
    many = [rated(rng, *both, segments=40_000 // systems, kind=kind, ratings=UNLIMITED) for _ in range(8)]
    return both, [np.mean([agreement(one, "0", measure).value for one in many]) for measure in RATED_MEASURES]


def repeated_ratings(kind, ratings, systems, segments):
    """Coverage of the correlation with quality: disattenuated, and not."""
    both, targets = with_unlimited_ratings(kind, systems)
    rng, covered, reliable = np.random.default_rng((systems, segments, ratings, len(kind))), [], []
    for seed in range(300 if segments == 500 else REPEATS):
        table = rated(rng, *both, segments=segments, kind=kind, ratings=ratings)
        how = {"samples": 300, "seed": seed}
        found = intervals(table, ["0"], RATED_MEASURES, interval="disattenuated", **how)
        if segments == 50:
            found += intervals(table, ["0"], RATED_MEASURES[:1], **how)
        covered.append([holds(*one) for one in zip(found, [*targets, targets[0]], strict=False)])
        reliable.append(found[0].human_reliability)
    about = [kind, str(ratings), str(systems), str(segments), f"{np.mean(reliable):.2f}"]
    return [*about, *[*shares(covered), NAN][:3]]


@pytest.mark.parametrize("cell", REPEATED, ids=str)
def test_disattenuated_intervals_cover_the_correlation_with_quality(cell):
    row = repeated_ratings(*cell)
    assert all(BELOW.get(cell, 92) <= round(rate) <= 97 for rate in row[5:7])
    agrees("correlation-ratings", HEADERS, row)


# What cannot be corrected --------------------------------------------------------------------------------------------

UNCORRECTED = [("gaussian", 8, 50), ("heavy", 8, 50), ("ties", 8, 50), ("gaussian", 15, 50), ("gaussian", 8, 200)]


def uncorrected(kind, systems, segments):
    """Coverage of the expected value on as many other segments, of soft accuracy and of accuracy with ties."""
    rng = np.random.default_rng((systems, segments, len(kind)))
    human, metric = qualities(rng, systems, 0.9)
    measures = [Measure("system", "soft-accuracy"), Measure("system", "accuracy-ties")]
    tables = [drawn(rng, human, metric, segments=segments, kind=kind) for _ in range(100)]
    soft = [soft_pairwise_accuracy(one.human.segments, one.metrics[0].segments, swaps=200) for one in tables]
    targets = [np.mean(soft), np.mean([agreement(one, "0", measures[1]).value for one in tables])]
    covered = []
    for seed, table in enumerate(tables):
        found = intervals(table, ["0"], measures, samples=100, seed=seed)
        covered.append([holds(*one) for one in zip(found, targets, strict=True)])
    return [kind, str(systems), str(segments), *shares(covered)]


@pytest.mark.parametrize("cell", UNCORRECTED, ids=str)
def test_what_is_not_corrected(cell):
    agrees("correlation-uncorrected", HEADERS, uncorrected(*cell))


# Tables --------------------------------------------------------------------------------------------------------------

_TITLES = ["Pearson pooled", "Kendall τ-b", "accuracy with ties", "Kendall τ-b pooled"]
HEADERS = {
    "correlation": [
        *("errors", "systems", "segments", "reliability", "true r"),
        *("corrected: Pearson", "Spearman", "Kendall τ-b", "Pearson: BCa", "percentile"),
    ],
    "correlation-systems": ["over", "errors", "systems", "segments", "true r", "Pearson", "Kendall τ-b"],
    "correlation-tables": ["errors", "tables", "Pearson", "Spearman", "Kendall τ-b"],
    "correlation-segments": ["errors", "systems", "segments", *_TITLES],
    "correlation-ratings": [
        *("errors", "ratings", "systems", "segments", "reliability"),
        *("disattenuated: pooled", "by system", "not: pooled"),
    ],
    "correlation-uncorrected": ["errors", "systems", "segments", "soft accuracy", "accuracy with ties"],
}
TABLES = {
    name: lambda name=name, make=make, cells=cells: (HEADERS[name], [make(*cell) for cell in cells])
    for name, make, cells in (
        ("correlation", these_systems, THESE),
        ("correlation-systems", other_systems, OTHERS),
        ("correlation-tables", other_tables, TABLES_OF),
        ("correlation-segments", segment_level, SEGMENTS),
        ("correlation-ratings", repeated_ratings, REPEATED),
        ("correlation-uncorrected", uncorrected, UNCORRECTED),
    )
}
