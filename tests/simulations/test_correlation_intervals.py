"""Coverage of the confidence intervals of correlations, for systems of known quality."""

import numpy as np
import pytest
from rated_systems import qualities, rated
from tables import documented, markdown

from tricolore.judge.correlation import statistics
from tricolore.judge.correlation.agreement import agreement, intervals
from tricolore.judge.correlation.measures import Measure

pytestmark = pytest.mark.slow

REPEATS = 400
SAMPLES = 300
CORRELATIONS = (0.98, 0.9, 0.7, 0.2)
STATISTICS = {"pearson": statistics.pearson, "spearman": statistics.spearman, "kendall-b": statistics.kendall_tau_b}
MEASURES = [Measure("system", name) for name in STATISTICS]


def holds(found, target):
    """Whether an interval holds its target, but for rounding."""
    return found.low - 1e-9 <= target <= found.high + 1e-9


def these_systems(kind, systems, segments, r):
    """Coverage of the agreement of these systems' quality: corrected by statistic, then BCa, percentile of Pearson."""
    rng = np.random.default_rng((systems, segments, int(100 * r), len(kind)))
    covered, reliable = [], []
    for seed in range(REPEATS):
        human, metric = qualities(rng, systems, r)
        table = rated(rng, human, metric, segments=segments, kind=kind)
        how = {"samples": SAMPLES, "seed": seed}
        found = intervals(table, ["0"], MEASURES, **how)
        targets = [target(human, metric) for target in STATISTICS.values()]
        for interval in ("bca", "percentile"):
            found += intervals(table, ["0"], MEASURES[:1], interval=interval, **how)
        covered.append([holds(*one) for one in zip(found, [*targets, r, r], strict=True)])
        reliable.append(found[0].human_reliability)
    rates = (100 * np.mean(covered, axis=0)).tolist()
    return [kind, str(systems), str(segments), f"{np.mean(reliable):.2f}", f"{r:.2f}", *rates]


def coverage_of_these(segments):
    """Heavy tails at all sizes; Gaussian errors and ties at one."""
    header = ["errors", "systems", "segments", "reliability", "true r", "corrected: Pearson", "Spearman", "Kendall τ-b"]
    rows = [these_systems("heavy", systems, segments, r) for systems in (8, 15, 30) for r in CORRELATIONS]
    rows += [these_systems(kind, 15, segments, r) for kind in ("gaussian", "ties") for r in (0.98, 0.7)]
    return [*header, "Pearson: BCa", "percentile"], rows


def other_systems(over, systems, segments, r):
    """Coverage of the correlation in a population of systems, of quality (both) or of scores on these segments."""
    rng = np.random.default_rng((systems, segments, int(100 * r)))
    covered = []
    for seed in range(REPEATS):
        human, metric = qualities(rng, systems, r, exact=False)
        table = rated(rng, human, metric, segments=segments)
        found = intervals(table, ["0"], [MEASURES[0], MEASURES[2]], samples=SAMPLES, seed=seed, over=over)
        # Variances of means of ratings and scores, whose errors have the covariance 0.3 * 2.2 * 1.2.
        noise = np.array([2.2**2, 1.2**2, 0.3 * 2.2 * 1.2]) / segments * (over == "systems")
        rho = (0.09 * r + noise[2]) / np.sqrt((0.09 + noise[0]) * (0.09 + noise[1]))
        targets = [rho, 2 / np.pi * np.arcsin(rho)]
        covered.append([holds(*one) for one in zip(found, targets, strict=True)])
    return [over, str(systems), str(segments), f"{r:.2f}", *(100 * np.mean(covered, axis=0)).tolist()]


def coverage_of_others():
    sizes = [(8, 50), (8, 500), (15, 500), (30, 500)]
    rows = [other_systems("both", *size, r) for size in sizes for r in (0.98, 0.9, 0.2)]
    rows += [other_systems("systems", systems, 50, 0.9) for systems in (8, 15, 30)]
    return ["over", "systems", "segments", "true r", "Pearson", "Kendall τ-b"], rows


SEGMENT_MEASURES = [
    Measure.parse(text)
    for text in ("pearson pooled", "kendall-b pooled", "kendall-b by segment", "accuracy-ties by segment")
]


def segment_level(kind, systems, segments):
    """Coverage of what very many segments of these systems show, by percentiles."""
    rng = np.random.default_rng((systems, segments))
    human, metric = qualities(rng, systems, 0.9)
    many = rated(rng, human, metric, segments=3000, kind=kind)
    targets = [agreement(many, "0", measure).value for measure in SEGMENT_MEASURES]
    covered = []
    for seed in range(REPEATS):
        table = rated(rng, human, metric, segments=segments, kind=kind)
        found = intervals(table, ["0"], SEGMENT_MEASURES, samples=200, seed=seed)
        covered.append([holds(*one) for one in zip(found, targets, strict=True)])
    return [kind, str(systems), str(segments), *(100 * np.mean(covered, axis=0)).tolist()]


def coverage_of_segments():
    cells = [("heavy", 8, 50), ("gaussian", 8, 50), ("ties", 8, 50), ("heavy", 15, 50), ("heavy", 8, 200)]
    titles = [f"{measure.how.title}{' pooled' * (measure.by == 'pooled')}" for measure in SEGMENT_MEASURES]
    return ["errors", "systems", "segments", *titles], [segment_level(*cell) for cell in cells]


TABLES = {
    "correlation-50": lambda: coverage_of_these(50),
    "correlation-500": lambda: coverage_of_these(500),
    "correlation-systems": coverage_of_others,
    "correlation-segments": coverage_of_segments,
}


@pytest.mark.parametrize(("name", "corrected"), [("correlation-50", 3), ("correlation-500", 3)])
def test_corrected_intervals_cover_the_agreement_of_these_systems(name, corrected):
    header, rows = TABLES[name]()
    assert all(rate >= 92 for row in rows for rate in row[5 : 5 + corrected]), rows
    assert min(row[-1] for row in rows) < 10  # percentiles do not
    assert markdown(header, rows) == documented(name)


@pytest.mark.parametrize(("name", "least"), [("correlation-systems", 92), ("correlation-segments", 89)])
def test_other_intervals_cover(name, least):
    header, rows = TABLES[name]()
    assert all(rate >= least for row in rows for rate in row if isinstance(rate, float)), rows
    assert markdown(header, rows) == documented(name)
