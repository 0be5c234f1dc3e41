"""Intervals and paired tests for `score`, as in sacreBLEU: the first system is the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..score_table import Column
from .comparison import Settings
from .intervals import Confidence, confidence_of
from .system_tests import Criterion, Runs, compare_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...metrics.base import Metric, Progress
    from ...scores import ScoreTests
    from ...stats import Stats

LEVEL = 0.95


@dataclass(frozen=True)
class Tested:
    """The interval and p-value of a score, and the items that they add to the signature."""

    confidence: Confidence | None
    p_value: float | None  #: None for the baseline
    items: Mapping[str, Any]


def tested(
    metric: Metric, counted: Mapping[str, Stats], how: ScoreTests, progress: Progress | None = None
) -> dict[str, Tested]:
    """Compute intervals and p-values for every system from its rows of statistics."""
    given: dict[str, Any] = {"resamples": how.resamples, "seed": how.seed, "compat": how.compat, "progress": progress}
    intervals = {name: confidence_of(metric, rows, **given) for name, rows in counted.items()} if how.intervals else {}
    p_values, exact = _p_values(metric, counted, how) if how.test else ({}, False)
    items = _items(how, exact)
    return {name: Tested(intervals.get(name), p_values.get(name), items) for name in counted}


def _p_values(metric: Metric, counted: Mapping[str, Stats], how: ScoreTests) -> tuple[dict[str, float], bool]:
    """The p-values of all systems except the baseline, and whether all assignments were enumerated."""
    names = list(counted)
    rows = np.stack([metric.values_of(counted[name]) for name in names])
    column = Column(metric.spec, np.asarray(metric.score(rows)), rows, metric.score)  # type: ignore[arg-type]
    settings = Settings(how.test or "ar", how.trials, how.resamples, LEVEL, how.seed, names[0], how.compat)
    criterion = Criterion(column, metric.title, metric=metric)
    found = compare_columns([criterion], Runs.single(names), settings).judgements[0]
    return {pair.first: pair.p for pair in found.pairs}, found.exact


def _items(how: ScoreTests, exact: bool) -> dict[str, Any]:
    """The signature's items for intervals and tests, under sacreBLEU's names if it has them."""
    items: dict[str, Any] = {"test": "bs"} if how.test == "bs" else {}
    if how.intervals:
        items["bs"] = how.resamples
    if how.test == "ar":
        items["ar"] = "exact" if exact else how.trials
    items["seed"] = how.seed
    if how.compat:
        items["compat"] = how.compat
    elif how.intervals:
        items["level"] = LEVEL
    return items
