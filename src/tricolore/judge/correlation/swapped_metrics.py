"""Two metrics whose scores are swapped at random, and how well each then agrees with human ratings.

Where whole systems are swapped, a pair of systems has one of four states in a segment: either system has the first
metric's score or the second's. All states are compared with the ratings once; the statistics of a shuffle are sums over
them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...parameters import DRAWS, SEED, checked
from ...processors import worker_count
from ..score_table import Column, Floats, ScoreTable, without_noise
from . import statistics as correlation
from .agreement import ordered
from .measures import Measure, summaries
from .rankings import RankedPairs
from .resampled_groups import at_once, grouped
from .soft_accuracy import SWAPS, Swaps, agreement_of_confidence, superiority

Masks = NDArray[np.bool_]

#: The columns of `swapped_statistics` of the core with the sums of values over groups; the number of them is beside.
SUMS = {"pearson": 5, "spearman": 7, "kendall-b": 9, "kendall-c": 11}

#: The most systems whose pairs the core counts in tables.
MOST_SYSTEMS = 1024


class Shuffles:
    """Random shuffles: those of the k-th table, from 0, are NumPy's `default_rng(seed + k)`."""

    def __init__(self, number: int, seed: int):
        self.number = checked("shuffles", number, DRAWS)
        self.seed = checked("seed", seed, SEED)
        self._of_systems: dict[tuple[int, int], Masks] = {}

    def masks(self, shape: tuple[int, int], k: int) -> Iterator[Masks]:
        """What is swapped of systems x segments in the k-th table, shuffle by shuffle."""
        rng = np.random.default_rng(self.seed + k)
        for _ in range(self.number):  # one draw per shuffle, however many are made at a time
            yield rng.integers(2, size=shape, dtype=bool)

    def of_systems(self, systems: int, k: int) -> Masks:
        """The masks of whole systems, all at once; they are kept for other metrics."""
        if (systems, k) not in self._of_systems:
            self._of_systems[systems, k] = np.stack([*self.masks((systems, 1), k)])
        return self._of_systems[systems, k]


class SwappedMetrics:
    """Two metrics on one table, whose scores are swapped; `ranked` holds the pairs that annotators ordered, if any."""

    def __init__(
        self,
        table: ScoreTable,
        first: Column,
        second: Column,
        over: str,
        shuffles: Shuffles,
        place: int = 0,
        ranked: RankedPairs | None = None,
    ):
        self.human = table.human
        self.metrics = first, second
        self.over = over
        self.shuffles = shuffles
        self.place = place  # of the table among all
        self.ranked = ranked
        self._scores: dict[str, _Exchanged] = {}

    def observed(self, measure: Measure) -> tuple[Floats, Floats]:
        """Summaries of both metrics as they are."""
        if self._by_state(measure):
            first, second = self._of_states(measure)
            return first[:1], second[:1]
        scores = self._exchanged(measure)
        return self._summaries(measure, scores, scores.first[None]), self._summaries(
            measure, scores, scores.second[None]
        )

    def shuffled(self, measure: Measure) -> tuple[Floats, Floats]:
        """Summaries of both metrics in each shuffle."""
        if self._by_state(measure):
            first, second = self._of_states(measure)
            return first[1:], second[1:]
        scores, parts = self._exchanged(measure), []
        for masks in self._masks(*scores.first.shape):
            swapped = scores.first + masks * scores.change, scores.second - masks * scores.change
            parts.append([self._summaries(measure, scores, side) for side in swapped])
        return np.concatenate([first for first, _ in parts]), np.concatenate([second for _, second in parts])

    def _masks(self, systems: int, segments: int) -> Iterator[Masks]:
        """What is swapped, in parts that fit into memory: shuffles x systems x segments, or 1 for all of them."""
        parts = at_once(self.shuffles.number, systems * segments)
        if self.over == "systems":
            yield from (self.shuffles.of_systems(systems, self.place)[some] for some in parts)
            return
        drawn = self.shuffles.masks((systems if self.over == "both" else 1, segments), self.place)
        for some in parts:
            yield np.stack([*itertools.islice(drawn, some.stop - some.start)])

    def _exchanged(self, measure: Measure) -> _Exchanged:
        """The scores that are swapped for a measure, made once: of segments, or of whole systems."""
        whole = measure.level == "system" and self.over == "systems" and measure.statistic != "soft-accuracy"
        key = "whole systems" if whole else measure.level
        if key not in self._scores:
            self._scores[key] = _Exchanged.of(self.human, *self.metrics, measure.level, whole)
        return self._scores[key]

    def _summaries(self, measure: Measure, given: _Exchanged, scores: Floats) -> Floats:
        """Summaries of a metric in each shuffle; scores are shuffles x systems x segments."""
        if self.ranked is not None and measure.level == "segment":
            return self.ranked.counts(scores)
        if measure.statistic == "soft-accuracy":
            columns = (Column.of_scores("", one) for one in scores)
            metrics = (superiority(column, self._swaps) for column in columns)
            return np.array([[agreement_of_confidence(self._human_confidence, metric)] for metric in metrics])
        if measure.level == "system":
            human = ordered(measure, self.human.system_scores())[None]
            number = given.present.sum(axis=1)
            sums = np.where(given.present, scores, 0.0).sum(axis=2)
            metric = without_noise(np.where(number > 0, sums / np.maximum(number, 1), np.nan))
        else:
            human = grouped(self.human.segment_scores(), measure.by)
            metric = grouped(scores, measure.by).reshape(-1, human.shape[1])
        if measure.statistic == "accuracy-ties":
            return correlation.calibrated(human, metric)[:, :1]
        return summaries(measure, measure.how.tally(human, metric).reshape(len(scores), len(human), -1))

    @property
    def _swaps(self) -> Swaps:
        return Swaps(SWAPS, self.shuffles.seed + self.place)

    @cached_property
    def _human_confidence(self) -> Floats:
        return superiority(self.human, self._swaps)

    # Pairs of systems by their states ------------------------------------------------------------------------

    def _by_state(self, measure: Measure) -> bool:
        """Whether pairs of systems can be counted by their states, with the same result."""
        systems, segments = self.human.segments.shape
        many = 4 * segments * (systems * (systems - 1) // 2) > correlation.MOST_PAIRS
        if self.over != "systems" or self.ranked is not None or systems > MOST_SYSTEMS:
            return False
        if many and measure.statistic == "accuracy-ties":
            return False
        of_groups = measure.level == "segment" and measure.by == "segment"
        return (of_groups or measure.statistic == "soft-accuracy") and self._exchanged(measure).exact

    def _of_states(self, measure: Measure) -> tuple[Floats, Floats]:
        """Summaries of both metrics, first as they are, then in each shuffle."""
        if measure.statistic == "soft-accuracy":
            found = self._soft_accuracies
        elif measure.statistic == "accuracy-ties":
            found = self._tie_accuracies
        elif measure.how.adds_pairs:
            found = np.pad(self._statistics[:, :5], ((0, 0), (0, 3)))
        else:
            sums, number = (self._statistics[:, [SUMS[measure.statistic] + k]] for k in (0, 1))
            found = np.where(number > 0, sums / np.maximum(number, 1), np.nan)
        return found[: len(found) // 2], found[len(found) // 2 :]

    @cached_property
    def _states(self) -> NDArray[np.uint8]:
        """Which metric's score each system has: for the first metric and then the second, as they are and shuffled."""
        shuffled = self.shuffles.of_systems(len(self.human.segments), self.place)
        masks = np.concatenate([np.zeros_like(shuffled[:1]), shuffled])
        return np.concatenate([masks, ~masks])[..., 0].astype(np.uint8)

    def _groups(self) -> tuple[Floats, Floats, Floats]:
        """Scores of annotators and both metrics, one segment per row."""
        scores = self._scores["segment"]
        human, first, second = self.human.segment_scores(), scores.first, scores.second
        return np.ascontiguousarray(human.T), np.ascontiguousarray(first.T), np.ascontiguousarray(second.T)

    @cached_property
    def _statistics(self) -> Floats:
        found = np.empty((len(self._states), 13))
        human, first, second = self._groups()
        _native.swapped_statistics(human, first, second, self._states, found, worker_count(None))
        return found

    @cached_property
    def _tie_accuracies(self) -> Floats:
        found = np.empty((len(self._states), 1))
        human, first, second = self._groups()
        _native.swapped_ties(human, first, second, self._states, found)
        return found

    @cached_property
    def _soft_accuracies(self) -> Floats:
        scores = self._scores["system"]
        systems = len(scores.first)
        column = Column.of_scores("", np.concatenate([scores.first, scores.second]))
        first, second = np.triu_indices(2 * systems, 1)
        p = np.full((2 * systems, 2 * systems), np.nan)
        p[first, second] = superiority(column, self._swaps)
        p[second, first] = 1 - p[first, second]
        total, number = np.zeros(len(self._states)), 0
        states = self._states.astype(np.int64) * systems
        for human, i, j in zip(self._human_confidence, *np.triu_indices(systems, 1), strict=True):
            differences = np.abs(human - p[states[:, i] + i, states[:, j] + j])
            if not np.isnan(differences[0]):
                total, number = total + differences, number + 1
        return (1 - total / number if number else np.full(len(total), np.nan))[:, None]


class _Exchanged(NamedTuple):
    """Standardised scores of two metrics, what a swap changes, and where there are any (systems x segments)."""

    first: Floats
    second: Floats
    change: Floats
    present: Masks
    exact: bool  #: whether a swapped score is the other metric's to the last bit

    @classmethod
    def of(cls, human: Column, first: Column, second: Column, level: str, whole: bool) -> _Exchanged:
        """Those of segments, or of whole systems, that both metrics score, at segment level if they are rated."""
        given = [column.segment_scores() for column in (first, second)]
        missing = np.isnan(given[0]) | np.isnan(given[1])
        if level == "segment":
            missing |= np.isnan(human.segments)
        elif whole:
            given = [column.only(~missing).system_scores()[:, None] for column in (first, second)]
            missing = np.isnan(given[0]) | np.isnan(given[1])
        x, y = (_standardised(np.where(missing, np.nan, one)) for one in given)
        change = np.where(missing, 0.0, y - x)
        exact = bool((missing | ((x + change == y) & (y - change == x))).all())
        return cls(x, y, change, ~missing, exact)


def _standardised(scores: Floats) -> Floats:
    """z-scores over all scores present, so that the scale of a metric does not matter; nan if they are constant."""
    present = scores[~np.isnan(scores)]
    if not len(present) or present.min() == present.max():
        return np.full(scores.shape, np.nan)
    return without_noise((scores - present.mean()) / present.std())
