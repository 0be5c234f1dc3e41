"""Metrics that compare a hypothesis with one reference at a time, and then say what several references amount to."""

from __future__ import annotations

from ..errors import InputError, SegmentError
from .text_metric import TextMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Protocol

    import numpy as np
    from numpy.typing import NDArray

    from .base import Counted
    from .pairwise import Group

    #: Takes a column of the pairs, gives a column of the segments: the entry of the reference that was chosen.
    Chosen = Callable[[Any], Any]

    class PairCounter(Protocol):
        """What the core offers for a metric that compares pairs: one row for each hypothesis and reference."""

        def batch(
            self, hypotheses: list[Any], references: list[Any], rows: NDArray[np.float64] | None, threads: int
        ) -> tuple[list[float] | None, int, int]:
            """Count segments of one reference each; no sums if one has several."""

        def pairs(
            self, hypotheses: list[Any], references: list[Any], threads: int
        ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
            """Count every pair, and say where the pairs of each segment end."""

        def each(self, hypotheses: list[Any], references: list[Any], threads: int) -> NDArray[np.float64]:
            """Count every hypothesis with every reference."""

        def segment(self, hypothesis: Any, references: Any) -> list[list[float]]:
            """Count the pairs of one segment."""


class OneReference:
    """What several references amount to where there is one: itself."""

    def first(self, *keys: Any) -> Chosen:
        """Choose the reference whose keys come first in order."""
        return _same

    least = most = mean = total = staticmethod(lambda column: column)


class SeveralReferences:
    """What the pairs of a segment amount to; `ends` says where those of each segment end."""

    def __init__(self, ends: NDArray[np.int64]):
        import numpy as np

        self._counts = np.diff(ends, prepend=0)
        self._starts = ends - self._counts
        self._numpy = np

    def first(self, *keys: Any) -> Chosen:
        """Choose the reference whose keys come first in order: the least first key, ties by the next, then by place."""
        np = self._numpy
        segment = np.repeat(np.arange(len(self._counts)), self._counts)
        order = np.lexsort((*reversed([np.broadcast_to(key, segment.shape) for key in keys]), segment))
        chosen = order[self._starts]
        return lambda column: column[chosen] if getattr(column, "ndim", 0) else column

    def least(self, column: Any) -> Any:
        """The least over references."""
        return self._numpy.minimum.reduceat(column, self._starts)

    def most(self, column: Any) -> Any:
        """The most over references."""
        return self._numpy.maximum.reduceat(column, self._starts)

    def total(self, column: Any) -> Any:
        """The sum over references."""
        return self._numpy.add.reduceat(column, self._starts)

    def mean(self, column: Any) -> Any:
        """The mean over references."""
        return self.total(column) / self._counts


def nearest_length(c: Any, r: Any, pair: Sequence[Any]) -> tuple[Any, ...]:
    """Keys for references that are equally good, so that their order does not matter.

    The one nearest in length to the hypothesis is first, then the shorter; then the counts themselves decide.
    """
    return abs(r - c), r, *pair


def _same(column: Any) -> Any:
    return column


def check_counted(column: Any, why_not: str) -> None:
    """Refuse segments that the core has given up on, for which it has no number."""
    missing = column != column
    if missing is True or (missing is not False and missing.any()):
        raise UncountableError(why_not)


class UncountableError(InputError):
    """A segment that the core has given up on."""


class PerReferenceMetric(TextMetric):
    """A metric that compares a hypothesis with one reference at a time.

    The core counts every pair of a hypothesis and a reference; `row` makes a segment's statistics of its pairs.
    """

    #: Whether the statistics of a segment with one reference are the core's counts as they are.
    pairs_are_rows = False

    @property
    def counter(self) -> PairCounter:  # type: ignore[override]
        raise NotImplementedError

    def row(self, pair: Sequence[Any], over: Any) -> Sequence[Any]:
        """Make a segment's statistics of the columns of its pairs; `over` goes over its references."""
        raise NotImplementedError

    def count(self, hyps: list[str], refs: list[Any], rows: NDArray[np.float64] | None, threads: int) -> Counted:
        if self.changes_text:
            hyps, refs = [*map(self.prepared, hyps)], [*map(self.prepared, refs)]
        if self.pairs_are_rows:
            sums, fewest, most = self.counter.batch(hyps, refs, rows, threads)
            if sums is not None:
                return sums, fewest, most
        return self.rows_of_pairs(*self.counter.pairs(hyps, refs, threads), rows)

    #: Whether the core compares with each reference alone, however many there are.
    counts_pairs = True

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        """The statistics of every pair, as of so many segments with one reference."""
        if not self.counts_pairs:
            return super().pair_columns(groups, threads)
        pairs = self.core_columns(groups, threads)
        return pairs if self.pairs_are_rows else (self.row(pair, OneReference()) for pair in pairs)

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        """What the core counts of every pair of texts."""
        from .pairwise import prepared, table_columns

        for group in groups:
            ready = prepared(self, group)
            yield table_columns(self.counter.each(ready.hyps, ready.refs, threads), group)

    def rows_of_pairs(
        self, pairs: NDArray[np.float64], ends: NDArray[np.int64], rows: NDArray[np.float64] | None
    ) -> Counted:
        """Make the statistics of segments of the counts of their pairs."""
        import numpy as np

        if rows is None:
            rows = np.empty((len(ends), len(self.columns)))
        if not len(ends):
            return [0.0] * len(self.columns), 0, 0
        over = OneReference() if len(pairs) == len(ends) else SeveralReferences(ends)
        for c, column in enumerate(self.row([*pairs.T], over)):
            rows[:, c] = column
        numbers = np.diff(ends, prepend=0)
        return rows.sum(axis=0).tolist(), int(numbers.min()), int(numbers.max())

    def explain_text(self, hyps: Sequence[Any], entries: Sequence[Any], first: int) -> None:
        """Say which segment has a text that cannot be read, or cannot be counted."""
        super().explain_text(hyps, entries, first)
        for i, (hyp, entry) in enumerate(zip(hyps, entries, strict=True), first):
            try:
                self.count_one(hyp, entry)
            except UncountableError as error:
                raise SegmentError("segment", i, str(error)) from None
            except InputError:
                return  # not about this segment

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        """Count one segment; with one reference, without NumPy."""
        if self.changes_text:
            hyp, refs = self.prepared(hyp), self.prepared(refs)
        return self.row_of_one(self.counter.segment(hyp, refs))

    def row_of_one(self, pairs: list[list[float]]) -> tuple[list[float], int]:
        """Make the statistics of one segment of the counts of its pairs, and say how many these are."""
        if len(pairs) == 1:
            return [*self.row(pairs[0], OneReference())], 1
        import numpy as np

        columns = self.row([*np.array(pairs).T], SeveralReferences(np.array([len(pairs)])))
        return [float(np.asarray(column).reshape(-1)[0]) for column in columns], len(pairs)
