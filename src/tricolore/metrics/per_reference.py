"""Metrics that compare a hypothesis with one reference at a time, and then combine several references."""

from __future__ import annotations

import sys

from ..elementwise import Column
from ..errors import InputError, SegmentError
from .text_metric import TextMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from ..types import Array, Counted
    from .pairwise import Group


#: So few segments are counted without NumPy, unless it has been loaded: that takes longer.
FEW = 4096


class OneReference:
    """How to combine the references of a segment that has one: leave the columns as they are."""

    def best(self, columns: Sequence[Any], *keys: Any) -> Sequence[Any]:
        """The columns of the best reference; see `SeveralReferences`."""
        return columns

    least = most = mean = total = staticmethod(lambda column: column)


class SeveralReferences:
    """How to combine the references of each segment; `ends` says where the pairs of each segment end."""

    def __init__(self, ends: NDArray[np.int64]):
        import numpy as np

        self._counts = np.diff(ends, prepend=0)
        self._starts = ends - self._counts
        self._numpy = np

    def best(self, columns: Sequence[Any], *keys: Any) -> Sequence[Any]:
        """The columns of the reference with the smallest first key; ties go to the next key, then to the first."""
        np = self._numpy
        segment = np.repeat(np.arange(len(self._counts)), self._counts)
        order = np.lexsort((*reversed([np.broadcast_to(key, segment.shape) for key in keys]), segment))
        chosen = order[self._starts]
        return [column[chosen] if getattr(column, "ndim", 0) else column for column in columns]

    def least(self, column: Any) -> Any:
        """The minimum over references."""
        return self._numpy.minimum.reduceat(column, self._starts)

    def most(self, column: Any) -> Any:
        """The maximum over references."""
        return self._numpy.maximum.reduceat(column, self._starts)

    def total(self, column: Any) -> Any:
        """The sum over references."""
        return self._numpy.add.reduceat(column, self._starts)

    def mean(self, column: Any) -> Any:
        """The mean over references."""
        return self.total(column) / self._counts


def nearest_length(c: Any, r: Any, pair: Sequence[Any]) -> tuple[Any, ...]:
    """Sort keys for equally good references, so that their order does not matter.

    The one nearest in length to the hypothesis comes first, then the shorter; then the counts themselves decide.
    """
    return abs(r - c), r, *pair


def check_counted(column: Any, why_not: str) -> None:
    """Reject segments that were too much work for the core, which returns nan for them."""
    missing = column != column
    if missing is True or (missing is not False and missing.any()):
        raise UncountableError(why_not)


class UncountableError(InputError):
    """A segment that was too much work for the core."""


class PerReferenceMetric(TextMetric):
    """A metric that compares a hypothesis with one reference at a time.

    The core counts every pair of a hypothesis and a reference; `row` turns the pairs of a segment into its statistics.
    The counter has two more methods: `pairs` counts every pair of a batch and returns where those of each segment end,
    `each` counts every hypothesis with every reference. `batch` returns no sums if a segment has several references.
    """

    #: Whether the core's counts are the statistics of a segment with one reference.
    pairs_are_rows = False

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        """Turn the columns of a segment's pairs into its statistics; `over` combines its references."""
        raise NotImplementedError

    def count(self, hyps: Sequence[Any], refs: Sequence[Any], rows: Array | None, threads: int) -> Counted:
        if self.changes_text:
            hyps, refs = [*map(self.prepared, hyps)], [*map(self.prepared, refs)]
        if self.pairs_are_rows:
            sums, fewest, most = self.counter.batch(hyps, refs, rows, threads)
            if sums is not None:
                return sums, fewest, most
        if self.plain_counts and rows is None and 0 < len(hyps) <= FEW and "numpy" not in sys.modules:
            found = self.count_few(hyps, refs, threads)
            if found is not None:
                return found
        pairs, ends = self.counter.pairs(hyps, refs, threads)
        return self.rows_of_pairs(pairs, ends, rows)

    #: How many numbers the core counts for a pair, if `row` only adds, multiplies and divides them; otherwise 0.
    plain_counts = 0

    def count_few(self, hyps: Sequence[Any], refs: Sequence[Any], threads: int) -> Counted | None:
        """Count segments with one reference each, without NumPy; None if one has several."""
        shape = len(hyps), self.plain_counts
        pairs: Any = memoryview(bytearray(8 * shape[0] * shape[1])).cast("d", shape)
        sums, fewest, most = self.counter.batch(hyps, refs, pairs, threads)
        if sums is None:
            return None
        cells = pairs.cast("B").cast("d").tolist()
        counts = [Column(cells[c :: shape[1]]) for c in range(shape[1])]
        columns = self.row(counts, OneReference())
        return [one.total() if type(one) is Column else one * len(hyps) for one in columns], fewest, most

    def core_rows(self, references: int) -> bool:
        return self.pairs_are_rows and references == 1

    #: Whether the core compares with each reference alone, even if there are several.
    counts_pairs = True

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        if not self.counts_pairs:
            return super().pair_columns(groups, threads)
        pairs = self.core_columns(groups, threads)
        return pairs if self.pairs_are_rows else (self.row(pair, OneReference()) for pair in pairs)

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        """The core's counts for every pair of texts."""
        from .pairwise import prepared, table_columns

        for group in groups:
            ready = prepared(self, group)
            yield table_columns(self.counter.each(ready.hyps, ready.refs, threads), group)

    def rows_of_pairs(self, pairs: Array, ends: NDArray[np.int64], rows: Array | None) -> Counted:
        """Turn the counts of pairs into the statistics of segments."""
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
        super().explain_text(hyps, entries, first)
        for i, (hyp, entry) in enumerate(zip(hyps, entries, strict=True), first):
            try:
                self.count_one(hyp, entry)
            except UncountableError as error:
                raise SegmentError("segment", i, str(error)) from None
            except InputError:
                return  # the error is not about a single segment

    def count_one(self, hyp: str, refs: Any) -> tuple[list[float], int]:
        if self.changes_text:
            hyp, refs = self.prepared(hyp), self.prepared(refs)
        return self.row_of_one(self.counter.segment(hyp, refs))

    def row_of_one(self, pairs: list[list[float]]) -> tuple[list[float], int]:
        """Turn the counts of pairs into the statistics of one segment; return them and the number of pairs."""
        if len(pairs) == 1:  # without NumPy
            return pairs[0] if self.pairs_are_rows else [*self.row(pairs[0], OneReference())], 1
        import numpy as np

        columns = self.row([*np.array(pairs).T], SeveralReferences(np.array([len(pairs)])))
        return [float(np.asarray(column).reshape(-1)[0]) for column in columns], len(pairs)
