"""Sums of rows by group, from batches of a table: all that scores of groups need, however long the table is.

Rows add, so a group's score is the score of its sum. For intervals each group's rows are summed in buckets, chosen by a
hash of the segment's key: resampling buckets stands for resampling segments, and the same segment of another group, in
another part of the table or on another machine is in the same bucket.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from . import _native
from .columns import in_core
from .errors import InputError, SegmentError
from .metrics.base import Metric
from .metrics.shared_counts import segment_rows
from .segments import References
from .stats import Stats

BUCKETS = 1000

Group = tuple[str | None, ...]


@dataclass(frozen=True)
class Roles:
    """Which columns hold what: hypotheses, references, groups, and the key of a segment."""

    hyp: str
    refs: tuple[str, ...]
    by: tuple[str, ...] = ()
    key: str | None = None

    @property
    def columns(self) -> list[str]:
        """All of them."""
        return list(dict.fromkeys([self.hyp, *self.refs, *self.by, *([self.key] if self.key else [])]))


@dataclass
class GroupSums:
    """Sums of the rows of some metrics by group, in one bucket or several."""

    metrics: Sequence[Metric]
    buckets: int = 1
    groups: dict[Group, int] = field(default_factory=dict)
    sums: list[NDArray[np.float64]] = field(default_factory=list)  #: of each metric: groups x buckets x columns
    segments: list[int] = field(default_factory=list)  #: of each group
    nrefs: tuple[int, int] | None = None
    ids: bool = False
    rows: int = 0  #: all that were added

    def add(self, batch: pa.RecordBatch, roles: Roles, threads: int | None = None) -> list[Stats]:
        """Count a batch, and add it up; also return the rows of its segments, for each metric."""
        counted = count_batch(batch, roles, self.metrics, threads, self.rows)
        places, codes = _coded(batch, roles.by)
        numbers = np.array([self.groups.setdefault(group, len(self.groups)) for group in places], dtype=np.int64)
        cells = numbers[codes] * self.buckets + self._bucket_of(batch, roles.key)
        self._grow()
        for sums, stats in zip(self.sums, counted, strict=True):
            _add_at(sums.reshape(-1, sums.shape[-1]), cells, stats.values)
        for number, size in zip(numbers, np.bincount(codes, minlength=len(numbers)), strict=True):
            self.segments[number] += int(size)
        found = counted[0].nrefs
        self.nrefs = found if self.nrefs is None or found is None else _wider(self.nrefs, found)
        self.ids, self.rows = counted[0].ids, self.rows + batch.num_rows
        return counted

    def merge(self, other: GroupSums) -> None:
        """Add the sums of another part of the table."""
        numbers = [self.groups.setdefault(group, len(self.groups)) for group in other.groups]
        self._grow()
        for own, sums in zip(self.sums, other.sums, strict=True):
            own[numbers] += sums[: len(numbers)]
        for number, size in zip(numbers, other.segments, strict=True):
            self.segments[number] += size
        if other.nrefs is not None:
            self.nrefs = other.nrefs if self.nrefs is None else _wider(self.nrefs, other.nrefs)
        self.ids, self.rows = other.ids or self.ids, self.rows + other.rows

    def stats(self, group: Group, metric: int) -> Stats:
        """The rows of a group by a metric, one for each bucket."""
        one, number = self.metrics[metric], self.groups[group]
        return Stats(self.sums[metric][number], one.columns, self.nrefs, one.counting(self.nrefs, self.ids))

    def _bucket_of(self, batch: pa.RecordBatch, key: str | None) -> NDArray[np.int64] | int:
        if self.buckets == 1:
            return 0
        if key is None:  # the number of the row
            return (mixed(np.arange(self.rows, self.rows + batch.num_rows, dtype=np.uint64)) % self.buckets).astype(int)
        column = in_core(as_text(batch.column(key)))
        if column is None or (row := column.first_null()) is not None:
            raise InputError(f"row {self.rows + (row or 0)}: key {key!r} is missing")
        return (np.asarray(column.hashes()) % self.buckets).astype(int)

    def _grow(self) -> None:
        """Make room for new groups."""
        while len(self.segments) < len(self.groups):
            self.segments.append(0)
        sizes = [len(one.columns) for one in self.metrics]
        if not self.sums:
            self.sums = [np.zeros((0, self.buckets, size)) for size in sizes]
        if (room := len(self.sums[0])) < len(self.groups):
            more = max(len(self.groups), 2 * room) - room
            self.sums = [np.concatenate([one, np.zeros((more, *one.shape[1:]))]) for one in self.sums]


def count_batch(
    batch: pa.RecordBatch, roles: Roles, metrics: Sequence[Metric], threads: int | None, first: int
) -> list[Stats]:
    """Count the segments of a batch, whose first row has the number `first` in the table."""
    hyps = _column(batch, roles.hyp, first)
    several = [_column(batch, name, first, missing=len(roles.refs) > 1) for name in roles.refs]
    refs = References.unchecked(several[0] if len(several) == 1 else _native.Columns(several))
    try:
        return segment_rows(metrics, hyps, refs, threads=threads)
    except SegmentError as error:
        raise SegmentError(error.what, error.segment + first, error.reason) from None


def _column(batch: pa.RecordBatch, name: str, first: int, missing: bool = False) -> _native.Column:
    column = in_core(batch.column(name))
    if column is None:
        raise InputError(f"column {name!r}: expected text, lists of texts or token ids, got {batch.column(name).type}")
    row = column.first_null()
    if row is not None and not missing:
        raise InputError(f"column {name!r}: row {first + row} is missing")
    return column


def as_text(column: pa.Array) -> pa.Array:
    """A column as text."""
    return column if pa.types.is_string(column.type) else pc.cast(column, pa.string())


def _coded(batch: pa.RecordBatch, by: Sequence[str]) -> tuple[list[Group], NDArray[np.int64]]:
    """The groups of a batch, in the order in which they begin, and which of them each row belongs to."""
    codes, groups = np.zeros(batch.num_rows, dtype=np.int64), [()]  # type: NDArray[np.int64], list[Group]
    for name in by:
        encoded = as_text(batch.column(name)).dictionary_encode(null_encoding="encode")
        values = encoded.dictionary.to_pylist()
        both = codes * len(values) + encoded.indices.to_numpy(zero_copy_only=False)
        found, first, codes = np.unique(both, return_index=True, return_inverse=True)
        order = np.argsort(first)
        groups = [(*groups[cell // len(values)], values[cell % len(values)]) for cell in found[order].tolist()]
        codes = np.argsort(order)[codes]
    return groups, codes


def _add_at(sums: NDArray[np.float64], cells: NDArray[np.int64] | int, rows: NDArray[np.float64]) -> None:
    """Add each row to the sum of its cell."""
    if isinstance(cells, int) or len(rows) == 0:
        sums[cells] += rows.sum(axis=0)
        return
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    sums[ordered[starts]] += np.add.reduceat(rows[order], starts, axis=0)


def _wider(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return min(one[0], other[0]), max(one[1], other[1])


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers spread evenly over 64 bits: splitmix64 (Steele, Lea and Flood, OOPSLA 2014).

    >>> mixed(np.array([0, 1], dtype=np.uint64)) % 1000
    array([535, 465], dtype=uint64)
    """
    with np.errstate(over="ignore"):
        z = numbers + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        found: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return found


def sums_of(
    batches: Iterable[pa.RecordBatch],
    roles: Roles,
    metrics: Sequence[Metric],
    *,
    buckets: int = 1,
    threads: int | None = None,
    each: Any = None,
) -> GroupSums:
    """Add up all batches; `each` is called with every batch, its rows by metric, and the sums so far."""
    found = GroupSums(metrics, buckets)
    for batch in batches:
        counted = found.add(batch, roles, threads)
        if each is not None:
            each(batch, counted, found)
    return found
