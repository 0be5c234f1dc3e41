"""Features of hypotheses: names and columns, and a sparse matrix with one row per hypothesis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _native

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """The columns of one name: `tm= -2.5 -1.7` has two."""

    name: str
    first: int
    width: int

    @property
    def columns(self) -> range:
        """The columns of its values."""
        return range(self.first, self.first + self.width)


@dataclass(frozen=True)
class Layout:
    """Which columns belong to which name.

    >>> layout = Layout((Group("lm", 0, 1), Group("tm", 1, 2)))
    >>> layout.size, layout.labels
    (3, ('lm', 'tm[0]', 'tm[1]'))
    """

    groups: tuple[Group, ...]

    @property
    def size(self) -> int:
        """The number of columns."""
        return self.groups[-1].first + self.groups[-1].width if self.groups else 0

    @cached_property
    def by_name(self) -> dict[str, Group]:
        """The groups by name."""
        return {group.name: group for group in self.groups}

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the columns in messages."""
        return tuple(
            group.name if group.width == 1 else f"{group.name}[{i}]"
            for group in self.groups
            for i in range(group.width)
        )


@dataclass(frozen=True, eq=False)
class Features:
    """A sparse matrix: the nonzero features of row i are entries begins[i] to begins[i + 1]."""

    begins: Indices
    columns: NDArray[np.int32]  #: ascending within a row
    values: Floats

    def __len__(self) -> int:
        return len(self.begins) - 1

    @property
    def arrays(self) -> tuple[Indices, NDArray[np.int32], Floats]:
        """The three arrays, as the native functions take them."""
        return self.begins, self.columns, self.values

    def dot(self, weights: Floats) -> Floats:
        """The score of every row: the sum of its features times their weights."""
        return _native.sparse_dot(*self.arrays, weights)

    def weighted_sum(self, factors: Floats, size: int) -> Floats:
        """The sum of all rows, each times its factor, as a vector of `size` columns.

        >>> Features.of(np.array([[1.0, 0.0], [2.0, 3.0]])).weighted_sum(np.array([1.0, -1.0]), 2)
        array([-1., -3.])
        """
        return _native.sparse_sum(*self.arrays, factors, size)

    def row(self, i: int) -> tuple[NDArray[np.int32], Floats]:
        """The columns and values of one row."""
        part = slice(int(self.begins[i]), int(self.begins[i + 1]))
        return self.columns[part], self.values[part]

    def part(self, first: int, last: int) -> Features:
        """Rows `first` to `last` (excluded), without copying them."""
        begins = self.begins[first : last + 1]
        part = slice(int(begins[0]), int(begins[-1]))
        return Features(begins - begins[0], self.columns[part], self.values[part])

    def take(self, rows: Indices) -> Features:
        """The rows with these indices, in this order."""
        entries = spans(self.begins, rows)
        return Features(starts_of(np.diff(self.begins)[rows]), self.columns[entries], self.values[entries])

    def toarray(self, size: int) -> Floats:
        """As a dense matrix of `size` columns."""
        dense = np.zeros((len(self), size))
        dense[np.repeat(np.arange(len(self)), np.diff(self.begins)), self.columns] = self.values
        return dense

    @staticmethod
    def of(dense: Floats) -> Features:
        """From a dense matrix."""
        dense = np.asarray(dense, dtype=np.float64)
        rows, columns = np.nonzero(dense)
        begins = np.searchsorted(rows, np.arange(len(dense) + 1)).astype(np.int64)
        return Features(begins, columns.astype(np.int32), np.ascontiguousarray(dense[rows, columns]))

    @staticmethod
    def joined(parts: list[Features]) -> Features:
        """The rows of several matrices, one after another."""
        parts = parts or [Features.of(np.zeros((0, 0)))]
        sizes = np.concatenate([np.diff(part.begins) for part in parts])
        columns = np.concatenate([part.columns for part in parts])
        return Features(starts_of(sizes), columns, np.concatenate([part.values for part in parts]))


def starts_of(sizes: Indices) -> Indices:
    """Where lists of these sizes start, and where the last ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def spans(starts: Indices, chosen: Indices) -> Indices:
    """The indices of all items of the chosen lists, of which list i has items starts[i] to starts[i + 1]."""
    sizes = np.diff(starts)[chosen]
    return np.repeat(starts[:-1][chosen] - starts_of(sizes)[:-1], sizes) + np.arange(sizes.sum())
