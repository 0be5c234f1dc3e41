"""Tables of scores for the tests of judging."""

import math

import numpy as np

from tricolore.judge.correlation.measures import STATISTICS, Measure
from tricolore.judge.score_table import Column, ScoreTable

NAN = math.nan
GROUPINGS = ("segment", "system", "pooled")
ALL = [
    *(Measure("system", name) for name in STATISTICS),
    *(Measure("segment", name, by) for name in STATISTICS if name != "soft-accuracy" for by in GROUPINGS),
]


def table_of(human, *metrics, name=""):
    """A table of arrays (systems x segments); metrics are called a, b, ..."""
    human = np.asarray(human, dtype=float)
    columns = tuple(
        one if isinstance(one, Column) else Column.of_scores(chr(ord("a") + i), one) for i, one in enumerate(metrics)
    )
    systems = tuple(f"s{i}" for i in range(human.shape[0]))
    segments = tuple(str(i + 1) for i in range(human.shape[1]))
    return ScoreTable(systems, segments, Column.of_scores("human", human), columns, name)


def random_table(seed, systems=4, segments=6, missing=0.1, name=""):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, segments))
    human, a, b = (np.round(quality + rng.normal(size=quality.shape), 1) for _ in range(3))
    for side in (human, a, b):
        side[rng.random(side.shape) < missing] = NAN
    return table_of(human, a, b, name=name)
