"""Statistics of segment scores in resamples: of whole groups of points, or of the points within groups.

Pairs are sorted once, and counted as often as their points are drawn. Sums of real numbers keep the order of the draws,
so that they do not depend on how many resamples are computed at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..score_table import Floats
from . import statistics as correlation
from .measures import Measure, mean_defined, summaries
from .resamples import Resamples

#: How many scores are resampled or swapped at a time, to bound memory.
CELLS = 2_000_000

#: Of these, how many correlations go over at a time: as many as stay in the processor's cache.
CELLS_IN_CACHE = 130_000


def grouped(values: Floats, by: str) -> Floats:
    """Scores of systems x segments, perhaps after other axes, with one group per row."""
    if by == "pooled":
        return values.reshape(*values.shape[:-2], 1, -1)
    return values if by == "system" else values.swapaxes(-1, -2)


def at_once(number: int, cells: int) -> Iterator[slice]:
    """Cut a number of resamples, of `cells` scores each, into parts that fit into memory."""
    size = max(1, CELLS // max(1, cells))
    for first in range(0, number, size):
        yield slice(first, min(first + size, number))


def in_cache(some: slice, cells: int) -> Iterator[slice]:
    """Cut resamples further, into parts that fit into the cache; none has one resample unless all of them do.

    NumPy adds up the numbers of a single row in another order.
    """
    size = max(2, CELLS_IN_CACHE // max(1, cells))
    first = some.start
    while first < some.stop:
        last = some.stop if some.stop - first <= size + 1 else first + size
        yield slice(first, last)
        first = last


class ResampledGroups:
    """Segment scores of annotators and a metric (systems x segments); counts of pairs are shared by statistics."""

    def __init__(self, human: Floats, metric: Floats):
        self.sides = human, metric
        self._counts: dict[tuple[str, int], tuple[Resamples, Floats]] = {}
        self._whole_groups: dict[str, Floats] = {}

    def summaries(self, measure: Measure, plan: Resamples) -> Floats:
        """Summaries of a statistic (but accuracy with ties), one resample per row."""
        drawn = {"segment": plan.segments, "system": plan.systems}.get(measure.by)
        within = {"segment": plan.systems, "system": plan.segments}.get(measure.by)
        if drawn is not None and within is None:
            return self._of_whole_groups(measure, plan)
        if measure.how.tally is correlation.pair_counts:
            return self._of_counts(measure, plan)
        cells = self.sides[0].size
        parts = [part for some in at_once(plan.samples, cells) for part in in_cache(some, cells)]
        return np.concatenate([self._of_points(measure, plan, part) for part in parts])

    def tie_accuracies(self, measure: Measure, plan: Resamples) -> Floats:
        """Calibrate ties in each resample; copies of one point are not paired."""
        systems, segments = plan.times
        drawn = (segments, systems) if measure.by == "segment" else (systems, segments)
        if measure.by == "pooled":
            points = np.einsum("bs,bg->bsg", systems, segments).reshape(plan.samples, -1)
            drawn = np.ones((plan.samples, 1)), points
        human, metric = (grouped(side, measure.by) for side in self.sides)
        return correlation.calibrated_resamples(human, metric, *drawn)[:, :1]

    def _of_whole_groups(self, measure: Measure, plan: Resamples) -> Floats:
        """Whole groups are resampled, so each is tallied only once."""
        counts = measure.how.tally is correlation.pair_counts
        if not counts or measure.by not in self._whole_groups:
            tallies = measure.how.tally(*(grouped(side, measure.by) for side in self.sides))
            if counts:
                self._whole_groups[measure.by] = tallies
        else:
            tallies = self._whole_groups[measure.by]
        if measure.how.adds_pairs:
            return np.asarray(plan.times[1 if measure.by == "segment" else 0] @ tallies)
        drawn = plan.segments if measure.by == "segment" else plan.systems
        values = measure.how.value(tallies)
        parts = [mean_defined(values[np.asarray(drawn)[some]], axis=-1) for some in at_once(plan.samples, tallies.size)]
        return np.concatenate(parts)[:, None]

    def _of_counts(self, measure: Measure, plan: Resamples) -> Floats:
        """Statistics of pairs; counts are kept for others of the same groups, unless there are many."""
        key = measure.by, id(plan)  # the plan is kept, too, so that no other object gets its id
        if key not in self._counts:
            groups = len(grouped(self.sides[0], measure.by))
            both = measure.by == "pooled" and plan.systems is not None and plan.segments is not None
            cells = self.sides[0].size if both else 8 * groups
            parts = (self._counts_of(measure.by, plan, some) for some in at_once(plan.samples, cells))
            if 8 * groups * plan.samples > CELLS:
                return np.concatenate([summaries(measure, part) for part in parts])
            self._counts[key] = plan, np.concatenate([*parts])
        return summaries(measure, self._counts[key][1])

    def _counts_of(self, by: str, plan: Resamples, some: slice) -> Floats:
        """Counts of pairs: resamples x groups x columns."""
        (systems, segments), drawn = self.sides[0].shape, None
        of_systems, of_segments = (times[some] for times in plan.times)
        if by == "segment":
            places, times, drawn = np.arange(systems), of_systems, plan.segments
        elif by == "system":
            places, times, drawn = np.arange(segments), of_segments, plan.systems
        elif plan.systems is None:
            places, times = np.tile(np.arange(segments), systems), of_segments
        elif plan.segments is None:
            places, times = np.repeat(np.arange(systems), segments), of_systems
        else:
            both = of_systems[:, :, None] * of_segments[:, None, :]
            places, times = np.arange(systems * segments), both.reshape(len(both), -1)
        human, metric = (grouped(side, by) for side in self.sides)
        counts = correlation.resampled_pair_counts(human, metric, places, times)
        return counts if drawn is None else np.take_along_axis(counts, drawn[some, :, None], axis=1)

    def _of_points(self, measure: Measure, plan: Resamples, some: slice) -> Floats:
        """Correlations in some of the resamples, whose groups have other points than those of the table."""
        if plan.systems is None and plan.segments is not None:
            chosen = [side.take(plan.segments[some], axis=1).swapaxes(0, 1) for side in self.sides]
        else:
            systems, segments = (np.arange(number)[None] for number in self.sides[0].shape)
            systems = systems if plan.systems is None else plan.systems[some]
            segments = segments if plan.segments is None else plan.segments[some]
            chosen = [side[systems[:, :, None], segments[:, None, :]] for side in self.sides]
        x, y = (grouped(side, measure.by) for side in chosen)
        tallies = measure.how.tally(*(side.reshape(-1, side.shape[-1]) for side in (x, y)))
        return summaries(measure, tallies.reshape(*x.shape[:2], -1))
