"""Resamples of the segments and systems of a table of scores, and the table without each of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...draws import draws
from ..resampling import resampled_sums
from ..score_table import Column, Floats, ScoreTable

#: The most segments or systems that the jackknife leaves out, one at a time.
MOST_LEFT_OUT = 200


class Resamples:
    """Resamples of the segments and systems of a table, drawn when they are first needed."""

    def __init__(self, table: ScoreTable, samples: int, seed: int, over: str):
        self.table = table
        self.samples = samples
        self.seed = seed
        self.over = over
        self.human_confidence: list[Floats] = []  # that systems are better than others, in each resample
        self._scores: dict[int, tuple[Column, Floats]] = {}

    @cached_property
    def segments(self) -> NDArray[np.int64] | None:
        """Segments, one resample per row; None if they are not resampled."""
        return draws(len(self.table.segments), self.samples, self.seed) if self.over != "systems" else None

    @cached_property
    def systems(self) -> NDArray[np.int64] | None:
        """Systems, one resample per row; None if they are not resampled."""
        if self.over == "segments":
            return None
        number = len(self.table.systems)
        return np.random.default_rng((self.seed, 1)).integers(0, number, size=(self.samples, number))

    def left_out(self) -> Iterator[LeftOut]:
        """The table without each of its segments, or systems, for the jackknife."""
        for over in ("segments", "systems") if self.over == "both" else (self.over,):
            yield LeftOut(self.table, self.seed, over)

    @cached_property
    def times(self) -> tuple[Floats, Floats]:
        """How often each system, and each segment, is in each resample."""
        numbers = [np.ones((self.samples, len(names))) for names in (self.table.systems, self.table.segments)]
        for i, drawn in enumerate((self.systems, self.segments)):
            if drawn is not None:
                numbers[i] = np.stack([np.bincount(one, minlength=numbers[i].shape[1]) for one in drawn]).astype(float)
        return numbers[0], numbers[1]

    def system_scores(self, column: Column) -> Floats:
        """Scores of the resampled systems on the resampled segments, higher is better."""
        scores = self.all_system_scores(column)
        return scores if self.systems is None else np.take_along_axis(scores, self.systems, axis=1)

    def all_system_scores(self, column: Column) -> Floats:
        """Scores of all systems on the resampled segments."""
        if id(column) not in self._scores:  # which holds the column, so that no other object gets its id
            if self.over == "systems":
                scores = np.broadcast_to(column.system_scores(), (self.samples, len(column.rows)))
            else:
                scores = column.system_scores(self.sums_by_system(column.rows))
            self._scores[id(column)] = column, scores
        return self._scores[id(column)][1]

    def sums_by_system(self, rows: Floats) -> Floats:
        """Sums of rows (systems x segments x statistics) over the resampled segments, for all systems."""
        systems, segments, statistics = rows.shape
        if self.over == "systems":
            return np.broadcast_to(rows.sum(axis=1), (self.samples, systems, statistics))
        flat = np.ascontiguousarray(rows.transpose(1, 0, 2)).reshape(segments, systems * statistics)
        return self._sums(flat).reshape(self.samples, systems, statistics)

    def _sums(self, rows: Floats) -> Floats:
        """Sums of the rows of the segments in each resample."""
        return resampled_sums(rows, self.samples, self.seed)


class LeftOut(Resamples):
    """A table without one segment, or one system, for each of them, or for some if there are many."""

    def __init__(self, table: ScoreTable, seed: int, over: str):
        self.of = len(table.segments if over == "segments" else table.systems)
        self.out = np.unique(np.linspace(0, self.of - 1, min(self.of, MOST_LEFT_OUT)).round().astype(np.int64))
        super().__init__(table, len(self.out), seed, over)

    @cached_property
    def segments(self) -> NDArray[np.int64] | None:
        return self._others if self.over == "segments" else None

    @cached_property
    def systems(self) -> NDArray[np.int64] | None:
        return self._others if self.over == "systems" else None

    @property
    def _others(self) -> NDArray[np.int64]:
        """The indices of all but one."""
        others = np.arange(self.of - 1)
        return others + (others >= self.out[:, None])

    def _sums(self, rows: Floats) -> Floats:
        found: Floats = rows.sum(axis=0) - rows[self.out]
        return found
