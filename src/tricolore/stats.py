"""Rows of statistics with named columns. Rows add; that is all a corpus, a resample or a cluster needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Stats:
    """Statistics of segments (two axes) or of their sum (one axis).

    >>> from tricolore import BLEU
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
    """

    __slots__ = ("columns", "ids", "nrefs", "values")

    def __init__(
        self,
        values: NDArray[np.float64],
        columns: tuple[str, ...],
        nrefs: tuple[int, int] | None = None,
        ids: bool = False,
    ):
        if values.shape[-1] != len(columns):
            raise InputError(f"expected {len(columns)} columns ({', '.join(columns)}), got {values.shape[-1]}")
        self.values = values
        self.columns = columns
        self.nrefs = nrefs
        self.ids = ids  #: whether token numbers were counted, not text

    def sum(self) -> Stats:
        """Add up all rows."""
        total = self.values.reshape(-1, len(self.columns)).sum(axis=0)
        return Stats(total, self.columns, self.nrefs, self.ids)

    def __add__(self, other: Stats) -> Stats:
        if not isinstance(other, Stats):
            return NotImplemented
        if self.columns != other.columns:
            raise InputError(
                f"statistics of different metrics do not add: {', '.join(self.columns)} and {', '.join(other.columns)}"
            )
        return Stats(
            self.values + other.values, self.columns, merge_counts(self.nrefs, other.nrefs), self.ids or other.ids
        )

    def __radd__(self, other: Any) -> Stats:
        return self if other == 0 else NotImplemented  # so that sum() works

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.columns:
                raise KeyError(f"no column {key!r}; the columns are {', '.join(self.columns)}")
            return self.values[..., self.columns.index(key)]
        values = self.values[key]
        return Stats(values, self.columns, self.nrefs, self.ids) if getattr(values, "ndim", 0) else values

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.float64]:
        import numpy as np

        return np.array(self.values, dtype=dtype, copy=copy) if copy else np.asarray(self.values, dtype=dtype)

    def __repr__(self) -> str:
        return f"Stats({self.values!r}, columns={self.columns!r})"


def merge_counts(a: tuple[int, int] | None, b: tuple[int, int] | None) -> tuple[int, int] | None:
    """Fewest and most references of two corpora together.

    >>> merge_counts((1, 2), (4, 4)), merge_counts(None, (1, 1))
    ((1, 4), (1, 1))
    """
    if a is None or b is None:
        return a or b
    return min(a[0], b[0]), max(a[1], b[1])
