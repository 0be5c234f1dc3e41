"""Metrics that compare a hypothesis with one reference at a time, and then combine several references."""

from __future__ import annotations

import sys

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


#: So few segments are counted one by one, unless NumPy has been loaded: that takes longer.
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
        if self.same_on_floats and rows is None and len(hyps) <= FEW and "numpy" not in sys.modules:
            given: tuple[Any, Any] = hyps, refs
            texts, others = (one if isinstance(one, list) else one.tolist() for one in given)
            if texts and len(texts) == len(others) and all(type(text) is str for text in (*texts, *others)):
                return self.count_few(texts, others)
        pairs, ends = self.counter.pairs(hyps, refs, threads)
        return self.rows_of_pairs(pairs, ends, rows)

    #: Whether `row` does nothing but add, subtract, multiply and divide, which floats and arrays do alike.
    same_on_floats = False

    def count_few(self, hyps: Sequence[str], refs: Sequence[str]) -> Counted:
        """Count segments with one reference each, without NumPy."""
        total = [0.0] * len(self.columns)
        for hyp, ref in zip(hyps, refs, strict=True):
            row, _ = self.row_of_one(self.counter.segment(hyp, ref))
            total = [a + b for a, b in zip(total, row, strict=True)]
        return total, 1, 1

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
