"""Sums of rows by group: all that scores of groups need, however long a table is and wherever its parts are counted.

Rows add, so a group's score is the score of its sum. For intervals and tests a group's rows are summed in buckets,
chosen by a hash of the segment's key. Resampling buckets stands for resampling segments; the same segment of another
group, in another part of the table or on another machine is in the same bucket, so that groups are resampled together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, MissingExtraError, unknown
from ..metrics.base import Metric
from ..stats import Stats, merge_counts

BUCKETS = 1000

#: The values of a group in the columns that tables are grouped by; None where there is none.
Group = tuple[str | None, ...]


@dataclass(eq=False)
class GroupSums:
    """Sums of the rows of some metrics by group and bucket. `a + b` are the sums of two parts of a table.

    >>> from tricolore import WER
    >>> sums = GroupSums([WER()], by=("system",))
    >>> sums.add([WER().stats(["a b", "c"], ["a x", "c"])], [("A",), ("B",)], np.array([0, 1]))
    >>> (sums + sums).stats(("A",), 0).values
    array([[2., 4., 4.]])
    """

    metrics: Sequence[Metric]
    by: tuple[str, ...] = ()  #: the columns that groups are made of
    buckets: int = 1
    key: str = ""  #: what buckets depend on, for signatures
    groups: dict[Group, int] = field(default_factory=dict, repr=False)
    places: list[dict[int, int]] = field(default_factory=list, repr=False)  #: of each group: where a bucket's sums are
    sums: list[NDArray[np.float64]] = field(default_factory=list, repr=False)  #: of each metric: places x columns
    sizes: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)  #: in segments
    nrefs: tuple[int, int] | None = None
    ids: bool = False
    rows: int = 0  #: of the table, so far

    def __post_init__(self) -> None:
        if not self.sums:
            self.sums = [np.zeros((0, len(one.columns))) for one in self.metrics]

    def add(
        self,
        counted: Sequence[Stats],
        groups: Sequence[Group],
        codes: NDArray[np.int64],
        buckets: NDArray[np.int64] | None = None,
    ) -> None:
        """Add the rows of segments by each metric; `codes` says which group each segment is of, `buckets` which bucket.

        Rows are added in their order, batch after batch, so that the same batches always give the same sums.
        """
        numbers = np.array([self.groups.setdefault(group, len(self.groups)) for group in groups], dtype=np.int64)
        cells = numbers[codes] * self.buckets + (0 if buckets is None else buckets)
        if not len(cells):
            return
        order = np.argsort(cells, kind="stable")
        starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
        places = self._places(cells[order][starts])
        self.sizes[places] += np.diff(starts, append=len(cells))
        for sums, stats in zip(self.sums, counted, strict=True):
            sums[places] += np.add.reduceat(stats.values[order], starts, axis=0)
        self.nrefs, self.ids = merge_counts(self.nrefs, counted[0].nrefs), counted[0].ids
        self.rows += len(cells)

    def __add__(self, other: GroupSums) -> GroupSums:
        found = GroupSums(self.metrics, self.by, self.buckets, self.key)
        for part in (self, other):
            found.merge(part)
        return found

    def __radd__(self, other: Any) -> GroupSums:
        return self if other == 0 else NotImplemented  # where sum() begins

    def merge(self, other: GroupSums) -> None:
        """Add the sums of another part of the table."""
        if (self.by, self.buckets, [*self.metrics]) != (other.by, other.buckets, [*other.metrics]):
            raise InputError("sums of groups add if their metrics, columns and buckets are the same")
        if self.rows and other.rows and self.ids != other.ids:
            raise InputError("one part of the table has text, another token ids; expected the same in all")
        numbers = [self.groups.setdefault(group, len(self.groups)) for group in other.groups]
        cells = np.zeros(len(other.sizes), dtype=np.int64)
        for number, places_of in zip(numbers, other.places, strict=True):
            for bucket, place in places_of.items():
                cells[place] = number * self.buckets + bucket
        if len(cells):
            places = self._places(cells)
            self.sizes[places] += other.sizes
            for own, sums in zip(self.sums, other.sums, strict=True):
                own[places] += sums
        self.nrefs, self.ids = merge_counts(self.nrefs, other.nrefs), self.ids or other.ids
        self.rows += other.rows

    def _places(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the sums of cells (group number x buckets + bucket) are; room is made for new ones."""
        self.places += [{} for _ in range(len(self.groups) - len(self.places))]
        total, found = len(self.sizes), []
        for cell in cells.tolist():
            group, bucket = divmod(cell, self.buckets)
            found.append(place := self.places[group].setdefault(bucket, total))
            total += place == total
        if (more := total - len(self.sizes)) > 0:
            self.sizes = np.concatenate([self.sizes, np.zeros(more, dtype=np.int64)])
            self.sums = [np.concatenate([one, np.zeros((more, one.shape[1]))]) for one in self.sums]
        return np.array(found, dtype=np.int64)

    # What is asked of them ---------------------------------------------------------------------------------

    def ordered(self) -> list[Group]:
        """The groups in the order of their names, numbers in them by size; nameless ones last."""
        return sorted(self.groups, key=lambda group: [_sortable(value) for value in group])

    def stats(self, group: Group, metric: int, buckets: Sequence[int] | None = None) -> Stats:
        """The rows of a group by a metric: one for each of these buckets, or for those that have segments."""
        places = self._of(group)
        chosen = [places.get(bucket) for bucket in (sorted(places) if buckets is None else buckets)]
        sums, one = self.sums[metric], self.metrics[metric]
        rows = np.stack([np.zeros(sums.shape[1]) if place is None else sums[place] for place in chosen])
        return Stats(rows, one.columns, self.nrefs, one.counting(self.nrefs, self.ids))

    def filled(self, groups: Iterable[Group]) -> list[int]:
        """The buckets in which some of these groups have segments."""
        return sorted({bucket for group in groups for bucket in self._of(group)})

    def sizes_of(self, group: Group) -> dict[int, int]:
        """How many segments a group has in each bucket."""
        return {bucket: int(self.sizes[place]) for bucket, place in self._of(group).items()}

    def segments(self, group: Group) -> int:
        """How many segments a group has."""
        return int(self.sizes[[*self._of(group).values()]].sum())

    def _of(self, group: Group) -> dict[int, int]:
        if group not in self.groups:
            raise unknown("group", group, [str(one) for one in self.groups])
        return self.places[self.groups[group]]

    # As a table --------------------------------------------------------------------------------------------

    def to_arrow(self) -> Any:
        """The sums as a table of pyarrow, one row per group and bucket; such tables are what machines send each other.

        Its columns are those of the groups, `bucket`, `segments`, `fewest_refs`, `most_refs`, `ids`, and `sum_I_J` for
        column J of metric I.
        """
        pa = _pyarrow()
        cells = [
            (place, group, bucket)
            for group, places in zip(self.groups, self.places, strict=True)
            for bucket, place in places.items()
        ]
        cells.sort(key=lambda cell: cell[0])
        names = [pa.array([group[i] for _, group, _ in cells], pa.string()) for i in range(len(self.by))]
        N, (fewest, most) = len(cells), self.nrefs or (0, 0)
        columns = {"bucket": np.array([bucket for *_, bucket in cells], dtype=np.int32), "segments": self.sizes}
        columns |= {"fewest_refs": np.full(N, fewest, dtype=np.int32), "most_refs": np.full(N, most, dtype=np.int32)}
        columns["ids"] = np.full(N, self.ids)
        for i, sums in enumerate(self.sums):
            columns |= {f"sum_{i}_{j}": sums[:, j] for j in range(sums.shape[1])}
        return pa.table([*names, *map(pa.array, columns.values())], [*self.by, *columns])  # some may be called alike

    @classmethod
    def from_arrow(
        cls, table: Any, metrics: Sequence[Metric], by: tuple[str, ...] = (), buckets: int = 1, key: str = ""
    ) -> GroupSums:
        """The sums that `to_arrow` wrote, or several of its tables added up row by row."""
        found = cls(metrics, by, buckets, key)
        groups = list(zip(*(table.column(i).to_pylist() for i in range(len(by))), strict=True))
        groups = groups if by else [()] * table.num_rows
        codes = np.array([found.groups.setdefault(one, len(found.groups)) for one in groups], dtype=np.int64)
        numbers = {name: table.column(i).to_numpy() for i, name in enumerate(table.column_names) if i >= len(by)}
        if len(codes):
            places = found._places(codes * buckets + numbers["bucket"])
            np.add.at(found.sizes, places, numbers["segments"])
            for i, sums in enumerate(found.sums):
                np.add.at(sums, places, np.stack([numbers[f"sum_{i}_{j}"] for j in range(sums.shape[1])], axis=1))
            found.nrefs = int(numbers["fewest_refs"].min()), int(numbers["most_refs"].max())
            found.ids = bool(numbers["ids"].any())
        found.rows = int(found.sizes.sum())
        return found


def _sortable(value: str | None) -> tuple[Any, ...]:
    """Sorts `doc9` before `doc10`, and what has no name last."""
    if value is None:
        return (1,)
    parts = re.split(r"(\d+)", value)
    return 0, [(part if i % 2 == 0 else "", int(part) if i % 2 else 0) for i, part in enumerate(parts)], value


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("tables need pyarrow; pip install 'tricolore[parquet]'") from None
    return pyarrow
