"""ORANGE's verdicts and paired tests for metrics that are equally good: how often is any of them called worse?"""

import numpy as np
import pytest
from tables import agrees

from tricolore.judge.orange.metric_pairs import metric_pairs
from tricolore.judge.orange.options import Settings
from tricolore.judge.orange.ranking import _intervals, _verdicts

pytestmark = pytest.mark.slow

#: Metrics, sources, and how ranks are distributed.
CELLS = [
    *[
        (34, sources, kind)
        for sources, kind in ((50, "Gaussian"), (200, "Gaussian"), (200, "heavy tails"), (50, "ties"))
    ],
    (2, 12, "ties"),
    (2, 200, "heavy tails"),
    (10, 500, "heavy tails"),
]
REPEATS, TRIALS = 400, 19_999


def ratios(rng, metrics, sources, kind):
    """Ranks divided by the lengths of lists: some lists are hard for all metrics, and each metric errs on its own."""
    errors = 1.6 * rng.normal(size=(sources, 1)) + rng.normal(size=(sources, metrics))
    if kind == "Gaussian":
        return 0.5 + 0.1 * errors
    # Most references are at the top, and a few far down.
    ranks = 1 / (1 + np.exp(3 - 1.5 * errors))
    return ranks if kind == "heavy tails" else (np.round(10 * ranks) + 1) / 11


def row(metrics, sources, kind):
    """How often any metric is worse than the best, by the interval and by Holm; and the size of a test between two."""
    rng, found = np.random.default_rng((metrics, sources, len(kind))), []
    for seed in range(REPEATS):
        values = ratios(rng, metrics, sources, kind)
        means = values.mean(axis=0)
        best = int(np.argmin(means))
        pairs = metric_pairs(values, TRIALS, seed)
        high = _intervals(values, Settings(samples=400, seed=seed))[1][best]
        any_worse = [
            "worse" in _verdicts(best, means, high, pairs, Settings(verdict=how)) for how in ("interval", "holm")
        ]
        first = next(one for one in pairs if {one.better, one.worse} == {0, 1})
        found.append([*any_worse, any(one.p_adjusted < 0.05 for one in pairs), first.p <= 0.05])
    return [str(metrics), str(sources), kind, *(float(share) for share in 100 * np.mean(found, axis=0))]


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_equal_metrics_are_rarely_worse(cell):
    found = row(*cell)
    interval, holm, any_pair, alone = map(round, found[3:])
    assert max(holm, any_pair, alone) <= 7
    assert alone >= 3 or cell[1] == 12
    if cell[0] == 34:
        assert interval > 70
    agrees("orange", HEADERS, found)


# Intervals -----------------------------------------------------------------------------------------------------------


def covered(sources, kind):
    """How often the 95 % interval of ORANGE covers its expectation."""
    truth = ratios(np.random.default_rng(1), 1, 1_000_000, kind).mean()
    rng, hits = np.random.default_rng((sources, len(kind))), 0
    for seed in range(1000):
        low, high = _intervals(ratios(rng, 1, sources, kind), Settings(samples=400, seed=seed))
        hits += low[0] <= truth <= high[0]
    return [str(sources), kind, hits / 10]


@pytest.mark.parametrize("sources", [50, 200, 500])
@pytest.mark.parametrize("kind", ["Gaussian", "heavy tails", "ties"])
def test_intervals_cover_the_expectation(sources, kind):
    found = covered(sources, kind)
    assert 92 <= round(found[-1]) <= 97
    agrees("orange-intervals", HEADERS, found)


# Tables --------------------------------------------------------------------------------------------------------------

HEADERS = {
    "orange": ["metrics", "sources", "ranks", "any worse, `interval`", "any worse, `holm`", "any pair", "one pair"],
    "orange-intervals": ["sources", "ranks", "covered"],
}
KINDS = ("Gaussian", "heavy tails", "ties")
TABLES = {
    "orange": lambda: (HEADERS["orange"], [row(*cell) for cell in CELLS]),
    "orange-intervals": lambda: (
        HEADERS["orange-intervals"],
        [covered(sources, kind) for kind in KINDS for sources in (50, 200, 500)],
    ),
}
