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
SAMPLES = 200
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


def coverage_of_these():
    """Heavy tails at all sizes; lower correlations, Gaussian errors and ties at one."""
    cells = [("heavy", systems, segments, r) for segments in (50, 500) for systems in (8, 15, 30) for r in (0.98, 0.9)]
    cells += [("heavy", 15, 500, 0.7), ("heavy", 15, 500, 0.2), ("gaussian", 15, 500, 0.9), ("ties", 15, 500, 0.9)]
    header = ["errors", "systems", "segments", "reliability", "true r", "corrected: Pearson", "Spearman", "Kendall τ-b"]
    return [*header, "Pearson: BCa", "percentile"], [these_systems(*cell) for cell in cells]


def other_systems(over, systems, segments, r):
    """Coverage of the correlation in a population of systems, of quality (both) or of scores on these segments."""
    rng = np.random.default_rng((systems, segments, int(100 * r)))
    covered = []
    for seed in range(REPEATS):
        human, metric = qualities(rng, systems, r, exact=False)
        table = rated(rng, human, metric, segments=segments)
        found = intervals(table, ["0"], [MEASURES[0], MEASURES[2]], samples=300, seed=seed, over=over)
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
    "correlation": coverage_of_these,
    "correlation-systems": coverage_of_others,
    "correlation-segments": coverage_of_segments,
}


def test_corrected_intervals_cover_the_agreement_of_these_systems():
    header, rows = coverage_of_these()
    assert all(round(rate) >= 92 for row in rows for rate in row[5:8]), rows
    assert min(row[-1] for row in rows) < 10  # percentiles do not
    assert markdown(header, rows) == documented("correlation")


@pytest.mark.parametrize(("name", "least"), [("correlation-systems", 92), ("correlation-segments", 89)])
def test_other_intervals_cover(name, least):
    header, rows = TABLES[name]()
    assert all(round(rate) >= least for row in rows for rate in row if isinstance(rate, float)), rows
    assert markdown(header, rows) == documented(name)
