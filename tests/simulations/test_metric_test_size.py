"""How often tests between metrics reject at 0.05 if metrics favour systems, but agree equally well with ratings."""

import numpy as np
import pytest
from rated_systems import rated
from tables import agrees

from tricolore.judge.correlation.measures import Measure
from tricolore.judge.correlation.metric_tests import compare_metrics, permutation_test
from tricolore.judge.correlation.value_notes import REJECTED

pytestmark = pytest.mark.slow

#: The standard deviation of what metrics add to the quality of systems, whose own is 0.3.
BIAS = 0.2
REPEATS = 400
SIZES = [(systems, segments) for segments in (50, 500) for systems in (8, 15, 30)]
CELLS = [
    *[("system pearson", "gaussian", *size) for size in SIZES],
    *[("system pearson", kind, *size) for kind in ("heavy", "ties", "repeated") for size in ((8, 50), (15, 500))],
    *[("system kendall-b", "gaussian", *size) for size in ((8, 50), (15, 50), (30, 50))],
    *[("segment pearson pooled", kind, 8, 50) for kind in ("gaussian", "heavy", "ties", "repeated")],
    *[("segment pearson pooled", "gaussian", *size) for size in ((15, 50), (30, 50))],
    ("segment kendall-b by segment", "gaussian", 8, 50),
]


#: Cells that miss, as the docs say.
BEYOND = {
    ("system pearson", "repeated", 15, 500): (3, 8),
    ("system kendall-b", "gaussian", 8, 50): (2, 7),
    ("segment pearson pooled", "gaussian", 30, 50): (3, 10),
}


def rejections(text, kind, systems, segments):
    rng = np.random.default_rng((systems, segments))
    measure, rejected = Measure.parse(text), []
    how = {"kind": "gaussian", "ratings": 3} if kind == "repeated" else {"kind": kind}
    every = kind == "gaussian" and systems == 8  # what swaps segments takes long
    swaps = ("systems", "inputs", "both") if every else ("systems",)
    for seed in range(REPEATS):
        quality = 0.3 * rng.standard_normal(systems)
        metrics = quality + BIAS * rng.standard_normal((2, systems))
        table = rated(rng, quality, *metrics, segments=segments, **how)
        options = {"shuffles": 100, "seed": seed}
        p = [permutation_test(table, "0", "1", measure, over=over, **options) for over in swaps]
        p += [np.nan] * (3 - len(p))
        if measure.statistic == "pearson":
            p.append(compare_metrics(table, ["0", "1"], measure, test="williams").differences[0].p)
        rejected.append(np.where(np.isnan(p), np.nan, np.array(p) <= 0.05))
    rates = [*(100 * np.mean(rejected, axis=0)).tolist(), float("nan")][:4]
    return [text, kind, str(systems), str(segments), *rates]


HEADERS = {
    "metric-tests": ["measure", "errors", "systems", "segments", "systems swapped", "inputs", "both", "Williams"]
}
TABLES = {"metric-tests": lambda: (HEADERS["metric-tests"], [rejections(*cell) for cell in CELLS])}


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_swapping_systems_holds_its_size(cell):
    row = rejections(*cell)
    systems, inputs, both, williams = (-1 if np.isnan(rate) else round(rate) for rate in row[4:])
    level = cell[0].split()[0]
    low, high = BEYOND.get(cell, (3, 7))
    assert low <= systems <= high
    assert max(inputs, both) <= REJECTED[level]
    if level == "system":
        assert williams == -1 or 3 <= williams <= 7
    agrees("metric-tests", HEADERS, row)
