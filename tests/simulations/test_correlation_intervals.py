"""Coverage of the confidence intervals of correlations, for systems of known quality."""

import numpy as np
import pytest
from rated_systems import qualities, rated, table_of

from tricolore.judge.correlation import statistics
from tricolore.judge.correlation.agreement import intervals
from tricolore.judge.correlation.measures import Measure

pytestmark = pytest.mark.slow

REPEATS = 400
SAMPLES = 400
SIZES = [(systems, segments) for segments in (50, 500) for systems in (8, 15, 30)]
CORRELATIONS = (0.98, 0.9, 0.7, 0.2)
STATISTICS = {"pearson": statistics.pearson, "spearman": statistics.spearman, "kendall-b": statistics.kendall_tau_b}
MEASURES = [Measure("system", name) for name in STATISTICS]


def hits(found, target):
    """Whether each interval holds its target, but for rounding."""
    return [one.low - 1e-9 <= target <= one.high + 1e-9 for one in found]


def over_segments(kind, systems, segments, r, repeats=REPEATS):
    """Coverage of the agreement of these systems' quality: corrected by statistic, then BCa, percentile of Pearson."""
    rng = np.random.default_rng((systems, segments, int(100 * r), len(kind)))
    covered = []
    for seed in range(repeats):
        human, metric = qualities(rng, systems, r)
        table = table_of(*rated(rng, human, metric, segments, kind))
        how = {"samples": SAMPLES, "seed": seed}
        found = intervals(table, ["0"], MEASURES, **how)
        row = [hits([one], target(human, metric))[0] for one, target in zip(found, STATISTICS.values(), strict=True)]
        for interval in ("bca", "percentile"):
            row += hits(intervals(table, ["0"], MEASURES[:1], interval=interval, **how), r)
        covered.append([*row, np.array([found[0].human_reliability, found[0].metric_reliability]).mean()])
    return 100 * np.mean(covered, axis=0)
