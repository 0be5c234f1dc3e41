"""How often tests between metrics reject at 0.05 if metrics favour systems, but agree equally well with ratings."""

import numpy as np
import pytest
from rated_systems import rated
from tables import documented, markdown

from tricolore.judge.correlation.measures import Measure
from tricolore.judge.correlation.metric_tests import compare_metrics, permutation_test
from tricolore.judge.correlation.value_notes import REJECTED

pytestmark = pytest.mark.slow

#: The standard deviation of what metrics add to the quality of systems, whose own is 0.3.
BIAS = 0.2
REPEATS = 400
CELLS = [("pearson", 8, 50), ("pearson", 15, 50), ("pearson", 30, 50), ("pearson", 8, 500), ("kendall-b", 15, 50)]


def rejections(statistic, systems, segments):
    rng = np.random.default_rng((systems, segments))
    measure, rejected = Measure("system", statistic), []
    for seed in range(REPEATS):
        quality = 0.3 * rng.standard_normal(systems)
        metrics = quality + BIAS * rng.standard_normal((2, systems))
        table = rated(rng, quality, *metrics, segments=segments)
        how = {"shuffles": 100, "seed": seed}
        p = [permutation_test(table, "0", "1", measure, over=over, **how) for over in ("systems", "inputs", "both")]
        if statistic == "pearson":
            p.append(compare_metrics(table, ["0", "1"], measure, test="williams").differences[0].p)
        rejected.append(np.array(p) <= 0.05)
    rates = (100 * np.mean(rejected, axis=0)).tolist()
    return [f"system {statistic}", str(systems), str(segments), *rates, *[float("nan")] * (4 - len(rates))]


def sizes():
    header = ["measure", "systems", "segments", "systems swapped", "inputs", "both", "Williams"]
    return header, [rejections(*cell) for cell in CELLS]


TABLES = {"metric-tests": sizes}


def test_swapping_systems_holds_its_size():
    header, rows = sizes()
    assert all(1 <= round(row[3]) <= 8 for row in rows), rows
    assert all(3 <= round(row[6]) <= 7 for row in rows if not np.isnan(row[6])), rows
    assert round(max(row[5] for row in rows)) <= REJECTED["system"]
    assert markdown(header, rows) == documented("metric-tests")
