"""Rows of statistics with named columns. Rows add; that is all a corpus, a resample or a cluster needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .counting import IDS, INPUT, check_alike
from .errors import InputError, InputTypeError, unknown
from .types import Counting


class Stats:
    """Statistics of segments (two axes) or of their sum (one axis).

    >>> from tricolore import BLEU, WER, PER
    >>> rows = BLEU(order=1, tokenize="none").stats(["a b", "c"], ["a x", "c d"])
    >>> rows.columns
    ('match_1', 'total_1', 'hyp_len', 'ref_len')
    >>> rows["match_1"]
    array([1., 1.])

    Adding is the whole of accumulation:

    >>> total = rows[:1].sum() + rows[1:].sum()  # or sum([...]) of as many as there are
    >>> total.values
    array([2., 3., 3., 4.])
    >>> round(float(BLEU(order=1, tokenize="none").result(total)), 4)
    0.4777

    Rows know how they were counted (`counting`), through sums, slices and pickles. They are scored by every metric that
    counts alike, such as BLEU with another smoothing, and by no other; nor do rows add that were counted differently:

    >>> round(float(BLEU(order=1, smooth=2, tokenize="none").result(total)), 4)
    0.4777
    >>> PER().result(WER().stats(["a b"], ["a x"]).sum())
    Traceback (most recent call last):
        ...
    tricolore.errors.InputError: rows counted by wer cannot be scored by per

    Rows made by hand, `Stats(values, columns)`, do not know how they were counted. Every metric with the same columns
    accepts them; so it does a plain array with as many columns.
    """

    __slots__ = ("columns", "counting", "nrefs", "values")

    def __init__(
        self,
        values: ArrayLike,
        columns: tuple[str, ...],
        nrefs: tuple[int, int] | None = None,
        counting: Counting | None = None,
    ):
        self.values = as_rows(values)
        self.columns = tuple(columns)
        if self.values.shape[-1:] != (len(self.columns),):
            raise InputError(
                f"expected {len(self.columns)} columns ({', '.join(self.columns)}) on the last axis, "
                f"got an array of shape {self.values.shape}"
            )
        self.nrefs = nrefs
        self.counting: Counting = {} if counting is None else counting  #: see `tricolore.counting`

    @property
    def ids(self) -> bool:
        """Whether token ids were counted, not text."""
        return self.counting.get(INPUT) == IDS

    def sum(self) -> Stats:
        """Add up all rows."""
        return self._with(self.values.reshape(-1, len(self.columns)).sum(axis=0))

    @staticmethod
    def joined(parts: Iterable[Stats]) -> Stats:
        """Rows of several parts of a corpus, one part after the other.

        >>> from tricolore import WER
        >>> len(Stats.joined(WER().stats([hyp], [ref]) for hyp, ref in [("a b", "a"), ("b", "b")]))
        2
        """
        found = list(parts)
        if not found:
            raise InputError("expected the rows of at least one part, got none")
        merged = found[0]
        for other in found[1:]:
            merged = merged._merged(other, merged.values)
        return merged._with(np.concatenate([np.atleast_2d(part.values) for part in found]))

    def __add__(self, other: Any) -> Stats:
        if _is_zero(other):  # where sum() begins
            return self
        if not isinstance(other, Stats):
            return NotImplemented
        if self.values.shape != other.values.shape:
            raise InputError(
                f"rows of different shapes do not add: {self.values.shape} and {other.values.shape}; sum() both first"
            )
        return self._merged(other, self.values + other.values)

    __radd__ = __add__

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.columns:
                raise unknown("column", key, self.columns)
            return self.values[..., self.columns.index(key)]
        values = self.values[key]
        return self._with(values) if getattr(values, "ndim", 0) else values

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.float64]:
        return np.array(self.values, dtype=dtype, copy=copy) if copy else np.asarray(self.values, dtype=dtype)

    def __repr__(self) -> str:
        return f"Stats({self.values!r}, columns={self.columns!r})"

    def _with(self, values: NDArray[np.float64]) -> Stats:
        """Other rows that were counted as these."""
        return Stats(values, self.columns, self.nrefs, self.counting)

    def _merged(self, other: Stats, values: NDArray[np.float64]) -> Stats:
        """Rows made of these and others, which must have been counted alike."""
        check_alike(self.counting, other.counting, "be added to rows counted by")
        if self.columns != other.columns:
            raise InputError(
                f"rows with different columns do not add: {', '.join(self.columns)} and {', '.join(other.columns)}"
            )
        return Stats(values, self.columns, merge_counts(self.nrefs, other.nrefs), {**self.counting, **other.counting})


def as_rows(values: Any) -> NDArray[np.float64]:
    """Statistics as an array of numbers."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputTypeError(f"expected rows of statistics, an array of numbers; got {type(values).__name__}") from None


def merge_counts(a: tuple[int, int] | None, b: tuple[int, int] | None) -> tuple[int, int] | None:
    """Fewest and most references of two corpora together.

    >>> merge_counts((1, 2), (4, 4)), merge_counts(None, (1, 1))
    ((1, 4), (1, 1))
    """
    if a is None or b is None:
        return a or b
    return min(a[0], b[0]), max(a[1], b[1])


def _is_zero(thing: Any) -> bool:
    return isinstance(thing, int | float) and thing == 0
