"""What Spark's Python workers do: count the batches of a partition, or add scores to them.

What is sent to a worker is a function that needs nothing but pyarrow to arrive there. It then looks for the package, so
that a worker without it can say so in one line.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from .._version import __version__
from ..errors import InputError, TricoloreError
from ..metrics.base import Metric
from ..readers.batches import Batch
from ..tables.batch_counts import Roles, count_batch
from ..tables.group_sums import GroupSums
from ..tables.score_table import count_into
from ..tables.segment_columns import SegmentColumns

Batches = Iterable[pa.RecordBatch]


@dataclass(frozen=True)
class Count:
    """Sum the rows of a partition by group and bucket, and yield the sums once, at its end.

    What is wrong with the data is a row, too: its column `error` says what. A task that fails would be tried again,
    and the message would arrive below a stack trace of Java's.
    """

    metrics: Sequence[Metric]
    roles: Roles
    buckets: int
    threads: int

    @property
    def schema(self) -> pa.Schema:
        """The columns of the rows: group_0, group_1, ..., those of the sums, and `error`."""
        table = self._table(self._sums())
        return table.schema.append(pa.field("error", pa.string()))

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        sums, first = self._sums(), 1
        try:
            for batch in batches:
                if batch.num_rows:
                    rows = range(first, first + batch.num_rows)
                    count_into(sums, Batch(batch, rows), self.roles, threads=self.threads)
                    first = rows.stop
        except TricoloreError as error:
            yield pa.RecordBatch.from_pylist([{"error": _of_partition(str(error))}], schema=self.schema)
            return
        table = self._table(sums)
        table = table.append_column("error", pa.nulls(table.num_rows, pa.string()))
        yield from table.to_batches(max_chunksize=10_000)

    def _sums(self) -> GroupSums:
        return GroupSums(self.metrics, self.roles.by, self.buckets)

    def _table(self, sums: GroupSums) -> pa.Table:
        table, groups = sums.to_arrow(), len(self.roles.by)
        return table.rename_columns([*group_names(groups), *table.column_names[groups:]])


@dataclass(frozen=True)
class Score:
    """Add a column of segment scores for each metric to the batches of a partition."""

    names: Sequence[str]
    metrics: Sequence[Metric]
    roles: Roles
    threads: int

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        columns, first = SegmentColumns([*self.names], [*self.metrics]), 1
        for batch in batches:
            rows = range(first, first + batch.num_rows)
            try:
                counted = count_batch(batch, self.roles, self.metrics, rows, threads=self.threads)
            except TricoloreError as error:
                raise InputError(_of_partition(str(error))) from None
            yield columns.scored(batch, counted)
            first = rows.stop


def group_names(number: int) -> list[str]:
    """What the columns of groups are called among sums, whatever they are called in the table."""
    return [f"group_{i}" for i in range(number)]


def shipped(
    task: Count | Score, columns: Sequence[str], errors: pa.Schema | None = None
) -> Callable[[Any], Iterator[Any]]:
    """The function for `mapInArrow`; `columns` are the names of what it is given, which Spark has replaced.

    A worker without the package yields a row with an `error`, where `errors` says what rows are, or else fails.

    The function is nested, and pickled by value for that reason; the task is bytes until the package has been found.
    """
    payload, names, version = pickle.dumps(task), [*columns], __version__

    def run(batches: Any) -> Iterator[Any]:
        import pickle
        import platform
        import sys

        import pyarrow

        where = f"the Python of Spark's workers ({sys.executable} on {platform.node()})"
        try:
            from tricolore._version import __version__ as found

            problem = "" if found == version else f"{where} has tricolore {found}, the driver {version}"
            task = pickle.loads(payload) if not problem else None
        except (ImportError, AttributeError) as error:
            problem = f"{where} cannot load tricolore: {error}"
        if not problem:
            yield from task(batch.rename_columns(names) for batch in batches)  # type: ignore[misc]
            return
        problem += "; install it there, or name another Python by PYSPARK_PYTHON "
        problem += '(see "What workers need" in the documentation)'
        if errors is None:
            raise RuntimeError(problem)
        yield pyarrow.RecordBatch.from_pylist([{"error": problem}], schema=errors)

    return run


def _of_partition(message: str) -> str:
    """A message about a row of this partition."""
    from pyspark import TaskContext

    task = TaskContext.get()
    return f"partition {task.partitionId()}, {message}" if task and message.startswith("row ") else message
