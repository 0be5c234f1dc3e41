"""Human ratings and metric scores of the same systems on the same segments.

A column holds statistics: a row of numbers per system and segment, and a function that scores any sum of rows. Human
ratings, and scores computed elsewhere, are rows of value and count, scored by their mean. So all columns are resampled
in the same way, and a corpus metric is recomputed from its counts, not averaged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, SegmentError
from ..metrics.base import Metric
from ..readers.tables import LARGEST
from ..scoring import with_items
from ..segments import References, as_list, pair
from ..stats import Stats
from ..types import Progress, SegmentReferences

#: Numbers, in an array of any shape.
Floats = NDArray[np.float64]


def too_large(values: Floats) -> tuple[int, ...] | None:
    """The index of the first score that is infinite, or would overflow when squared; None if there is none.

    >>> import numpy as np
    >>> too_large(np.array([[1.0, np.nan], [-1e308, np.inf]])), too_large(np.array([1.0]))
    ((1, 0), None)
    """
    found = np.argwhere(np.abs(values) > LARGEST)
    return tuple(found[0].tolist()) if len(found) else None


def without_noise(scores: Floats, axis: int | None = None) -> Floats:
    """Round scores, so that those that differ by rounding errors only become equal.

    BLEU of two perfect translations, or the mean of the same ratings in another order, can differ in the sixteenth
    digit. Scores are rounded to a grid of 40 bits (12 digits) of the largest score, of all or along an axis; on a grid
    equal differences stay equal, too.

    >>> import numpy as np
    >>> kept = without_noise(np.array([0.1 + 0.2, 0.3, 0.3 + 1e-9]))
    >>> (kept[1:] == kept[0]).tolist()
    [True, False]
    """
    finite = np.where(np.isfinite(scores), np.abs(scores), 0.0)
    largest = finite.max(axis=axis, keepdims=True, initial=0.0)
    unit = np.where(largest > 0, np.maximum(np.ldexp(1.0, np.frexp(largest)[1] - 40), 2.0**-1022), 1.0)
    with np.errstate(over="ignore"):
        kept = np.rint(scores / unit) * unit
    return np.where(np.isinf(kept), scores, kept)


@dataclass(frozen=True, eq=False)
class Column:
    """The scores of every system on every segment, by one metric or by annotators.

    >>> import numpy as np
    >>> human = Column.of_scores("annotators", np.array([[70.0, 80.0, np.nan], [60.0, 50.0, 90.0]]))
    >>> human.systems()  # the mean of the scores present
    array([75.        , 66.66666667])
    """

    name: str
    segments: Floats  #: systems x segments; nan where there is none
    rows: Floats  #: systems x segments x statistics; sums of rows are scored
    score: Callable[[Floats], Floats]  #: scores rows, over the last axis
    higher_is_better: bool = True
    signature: str = ""
    scale: float = 1.0  #: factor for printing
    alone: str = ""  #: the signature of segment scores, if they are computed by another variant of the metric
    noise: Floats | None = None  #: of repeated ratings: the variance of each segment score that is due to them

    @classmethod
    def of_scores(
        cls, name: str, segments: Any, *, higher_is_better: bool = True, signature: str = "", scale: float = 1.0
    ) -> Column:
        """Scores of segments as they are; systems are scored by their means."""
        values = np.asarray(segments, dtype=np.float64)
        present = ~np.isnan(values)
        rows = np.stack([np.where(present, values, 0.0), present.astype(np.float64)], axis=-1)
        return cls(name, values, rows, mean, higher_is_better, signature, scale)

    @classmethod
    def of_texts(
        cls,
        metric: Metric,
        outputs: Sequence[Sequence[str]],
        refs: Sequence[SegmentReferences] | References,
        *,
        name: str | None = None,
        systems: Sequence[str] | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Column:
        """Count the outputs of all systems; `systems` are their names, for messages about single segments."""
        _, references = pair(outputs[0], refs)
        ready = metric.ready_for(references)
        counted = []
        for number, output in enumerate(outputs):
            step = None if progress is None else _part(progress, number, len(outputs))
            try:
                counted.append(ready.stats(list(output), references, threads=threads, progress=step))
            except SegmentError as error:
                if not systems:
                    raise
                raise InputError(f"{systems[number]}: line {error.segment + 1}: {error.reason}") from None
        return cls.of_rows(ready, counted, name)

    @classmethod
    def of_rows(cls, ready: Metric, counted: Sequence[Stats], name: str | None = None) -> Column:
        """The statistics of all systems; single segments are scored by the segment-level variant of the metric."""
        rows = np.stack([one.values for one in counted])
        alone = ready.for_segments
        signature, how_alone = (one.signature(counted[0].nrefs, counted[0].ids) for one in (ready, alone))
        scores, score = np.asarray(alone.score(rows)), cast("Callable[[Floats], Floats]", ready.score)
        about = (ready.higher_is_better, signature, ready.display_scale, "" if alone is ready else how_alone)
        return cls(name or ready.spec, scores, rows, score, *about)

    def signed(self, items: Mapping[str, Any]) -> Column:
        """The same with more items in its signatures."""
        alone = self.alone and with_items(self.alone, items)
        return replace(self, signature=with_items(self.signature, items), alone=alone)

    def systems(self, sums: Floats | None = None) -> Floats:
        """Scores of the systems: on all segments, or from sums of rows (..., systems, statistics)."""
        return self.score(self.rows.sum(axis=1) if sums is None else sums)

    def oriented(self, values: Floats) -> Floats:
        """Negate values if lower is better."""
        return values if self.higher_is_better else -values

    def segment_scores(self) -> Floats:
        """Scores of segments (systems x segments), higher is better."""
        return self.oriented(self.segments)

    def system_scores(self, sums: Floats | None = None) -> Floats:
        """Scores of systems, on all segments or from sums of rows, higher is better."""
        return self.oriented(self.systems(sums))

    def take(self, systems: Sequence[int], segments: Sequence[int] | None = None) -> Column:
        """Return a column of some systems, and some segments, in the order given."""
        chosen = np.arange(self.segments.shape[1]) if segments is None else np.asarray(segments, dtype=int)
        where = np.ix_(np.asarray(systems, dtype=int), chosen)
        noise = None if self.noise is None else self.noise[where]
        return replace(self, segments=self.segments[where], rows=self.rows[where], noise=noise)

    def only(self, where: NDArray[np.bool_]) -> Column:
        """Return the column with only the marked scores (systems x segments); the others become missing."""
        segments, rows = np.where(where, self.segments, np.nan), np.where(where[..., None], self.rows, 0.0)
        return replace(self, segments=segments, rows=rows)


def _part(progress: Progress, number: int, parts: int) -> Progress:
    """The progress of one of several equal parts, reported as progress of the whole."""
    return lambda done, total: progress(number * total + done, parts * total)


def mean(rows: Floats) -> Floats:
    """Score rows of value and count: their mean, or nan where nothing was counted."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(rows[..., 1] > 0, rows[..., 0] / rows[..., 1], np.nan)


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Systems, segments, and the scores that annotators and metrics give them.

    Scores of whole systems, as they were given, are a table with a single segment.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    human: Column
    metrics: tuple[Column, ...] = field(default=())
    name: str = ""  #: the language pair, campaign or domain, if there are several tables

    def __post_init__(self) -> None:
        shape = (len(self.systems), len(self.segments))
        for column in (self.human, *self.metrics):
            if column.segments.shape != shape:
                raise InputError(
                    f"{column.name}: expected scores of {shape[0]} systems on {shape[1]} segments, "
                    f"got an array of shape {column.segments.shape}"
                )

    def metric(self, name: str) -> Column:
        """Return the column of a metric by name."""
        for column in self.metrics:
            if column.name == name:
                return column
        raise InputError(f"there is no metric {name!r} (there are {', '.join(one.name for one in self.metrics)})")

    def take(self, systems: Sequence[int], segments: Sequence[int] | None = None) -> ScoreTable:
        """Return a table of some systems, and some segments, in the order given."""
        chosen = range(len(self.segments)) if segments is None else segments
        names = tuple(self.systems[i] for i in systems), tuple(self.segments[i] for i in chosen)
        human, *metrics = (column.take(systems, segments) for column in (self.human, *self.metrics))
        return ScoreTable(*names, human, tuple(metrics), self.name)

    def matched(self) -> ScoreTable:
        """Return a table with metric scores of rated outputs only."""
        rated = ~np.isnan(self.human.segments)
        return replace(self, metrics=tuple(column.only(rated) for column in self.metrics))

    def without_noise(self) -> ScoreTable:
        """Return a table whose segment scores are rounded, so that rounding errors do not hide ties."""
        human, *metrics = (
            replace(column, segments=without_noise(column.segments)) for column in (self.human, *self.metrics)
        )
        return replace(self, human=human, metrics=tuple(metrics))


def table_of_texts(
    systems: Mapping[str, Sequence[str]],
    refs: Sequence[SegmentReferences] | References,
    human: Any,
    metrics: Sequence[Metric],
    *,
    name: str = "",
    threads: int | None = None,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score the outputs of systems; `human` is an array of systems x segments (nan: missing), or a Column."""
    outputs = [as_list(output, name) for name, output in systems.items()]
    columns = [
        Column.of_texts(metric, outputs, refs, systems=[*systems], threads=threads, progress=progress)
        for metric in metrics
    ]
    ratings = human if isinstance(human, Column) else Column.of_scores("human", human)
    segments = tuple(str(i) for i in range(1, len(outputs[0]) + 1))
    return ScoreTable(tuple(systems), segments, ratings, tuple(columns), name)
