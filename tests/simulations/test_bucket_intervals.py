"""Coverage of intervals from sums in 1,000 buckets, which tables have, beside those over segments."""

from functools import cache

import numpy as np
import pytest
from tables import documented, markdown
from test_significance_simulations import bleu_rows, noise

import tricolore as tri
from tricolore.judge.significance.intervals import confidence_of
from tricolore.stats import Stats
from tricolore.tables.group_sums import BUCKETS, GroupSums
from tricolore.tables.table_scores import TableOptions, scores_of

pytestmark = pytest.mark.slow

DRAWS = 400
BLEU, WER = tri.BLEU(tokenize="none"), tri.WER()
SIZES = (100, 1000, 10_000)


def rows_of(rng, data, segments):
    """Statistics of segments: BLEU's, or WER's with heavy tails in the number of errors."""
    if data == "BLEU":
        return BLEU, bleu_rows(rng, noise(rng, "heavy tails", 1, segments))[0]
    lengths = rng.integers(3, 40, segments)
    errors = np.minimum(np.exp(rng.standard_t(3, segments) / 2 - 1), 5) * lengths
    return WER, np.stack([np.round(errors), lengths, lengths], axis=1).astype(float)


@cache
def simulated(data, segments):
    """Coverage of buckets and of segments in per cent, and the mean ratio of their standard errors."""
    rng = np.random.default_rng([len(data), segments])
    metric, many = rows_of(rng, data, 2_000_000)
    truth, covered, covered_by_segments, ratios = float(metric.score(many.sum(axis=0))), 0, 0, []
    for draw in range(DRAWS):
        _, rows = rows_of(rng, data, segments)
        stats = Stats(rows, metric.columns, (1, 1))
        sums = GroupSums([metric], (), BUCKETS, "key")
        sums.add([stats], [()], np.zeros(segments, dtype=np.int64), rng.integers(0, BUCKETS, segments))
        (cell,) = scores_of(sums, [metric.spec], TableOptions(True, seed=draw)).cells
        covered += cell.confidence.low <= truth <= cell.confidence.high
        other = confidence_of(metric, stats, seed=draw)
        covered_by_segments += other.low <= truth <= other.high
        ratios.append(cell.confidence.deviation / other.deviation)
    return 100 * covered / DRAWS, 100 * covered_by_segments / DRAWS, float(np.mean(ratios))


def bucket_table():
    rows = []
    for data in ("BLEU", "WER, heavy tails"):
        for segments in SIZES:
            *coverage, ratio = simulated(data, segments)
            rows.append([data, f"{segments:,}", *coverage, f"{ratio:.2f}"])
    return ["metric", "segments", "coverage, buckets", "coverage, segments", "standard errors, ratio"], rows


TABLES = {"buckets": bucket_table}


@pytest.mark.parametrize("segments", SIZES)
@pytest.mark.parametrize("data", ["BLEU", "WER, heavy tails"])
def test_intervals_over_buckets_cover_as_those_over_segments(data, segments):
    buckets, by_segments, ratio = simulated(data, segments)
    assert abs(buckets - by_segments) <= 2
    assert 0.97 <= ratio <= 1.02
    assert 92 <= buckets <= 97 or (data, segments) == ("WER, heavy tails", 100)  # too few for any percentiles


def test_the_documentation_has_these_figures():
    assert documented("buckets") == markdown(*bucket_table())
