"""Scores of segments as columns of the table itself: in memory, in a Parquet file, or in a folder of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from ..errors import InputError, SpecError
from ..metrics.base import Metric
from ..parameters import FileName, checked
from ..readers.batches import Part, Table
from ..stats import Stats
from ..writers import check_kept, writing_bytes

Write = Callable[[pa.RecordBatch, Sequence[Stats]], None]


def segment_columns(
    asked: bool | str | os.PathLike[str], source: Table, names: Sequence[str], metrics: Sequence[Metric]
) -> SegmentColumns:
    """What becomes of scores of segments: nothing, a table in memory, a file, or a folder."""
    if asked is False:
        return SegmentColumns([], [])
    if taken := [name for name in names if name in source.names]:
        raise InputError(
            f"segments: there is a column {taken[0]!r} already; rename it, or write the metric another way"
        )
    names, metrics, columns = [*names], [*metrics], [*source.names]
    if asked is True:
        return InMemory(names, metrics, columns)
    path = checked("segments", asked, FileName("a file or folder, or true or false"))
    files = [part.path for part in source.parts if part.path is not None]
    check_kept("segments", path, *files)
    ending = os.path.splitext(path)[1]
    if ending == ".parquet" and len(source.parts) == 1:
        return InFile(names, metrics, columns, path)
    if ending or not files:
        expected = "a file that ends in .parquet" if len(source.parts) == 1 else f"a folder, for {len(files)} files"
        raise SpecError(f"segments: expected the name of {expected}; got {path!r}")
    return InFolder(names, metrics, columns, path)


@dataclass
class SegmentColumns:
    """Scores of segments are not kept; those that are derive from it."""

    names: list[str]
    metrics: list[Metric]
    columns: list[str] = field(default_factory=list)  #: those to be read, if not only the ones that are counted

    @contextmanager
    def of(self, part: Part) -> Iterator[Write]:
        """Take what is counted of a part."""
        yield lambda batch, counted: None

    def found(self, given: Any) -> Any:
        """What the result says of them; `given` is the table as the user has it."""
        return None

    def scored(self, batch: pa.RecordBatch, counted: Sequence[Stats]) -> pa.RecordBatch:
        """A batch with the scores of its segments, in points."""
        for name, metric, rows in zip(self.names, self.metrics, counted, strict=True):
            points = metric.for_segments.score(rows.values) * metric.display_scale
            batch = batch.append_column(name, pa.array(points, pa.float64()))
        return batch


@dataclass
class InMemory(SegmentColumns):
    """Keeps the table, with scores."""

    batches: list[pa.RecordBatch] = field(default_factory=list)

    @contextmanager
    def of(self, part: Part) -> Iterator[Write]:
        yield lambda batch, counted: self.batches.append(self.scored(batch, counted))

    def found(self, given: Any) -> Any:
        table = pa.Table.from_batches(self.batches)
        library = type(given).__module__.partition(".")[0]
        if library == "pandas":
            return table.to_pandas()
        if library == "polars":
            import polars

            return polars.from_arrow(table)
        return table


@dataclass
class InFile(SegmentColumns):
    """Writes the table, with scores, to a Parquet file, which appears when all is written."""

    path: str = ""

    def of(self, part: Part) -> Any:
        return self.writing(self.path)

    @contextmanager
    def writing(self, path: str) -> Iterator[Write]:
        """Write to a file."""
        from pyarrow.parquet import ParquetWriter

        with ExitStack() as files:
            writer: Any = None

            def write(batch: pa.RecordBatch, counted: Sequence[Stats]) -> None:
                nonlocal writer
                scored = self.scored(batch, counted)
                if writer is None:  # a part without rows makes no file
                    writer = files.enter_context(ParquetWriter(files.enter_context(writing_bytes(path)), scored.schema))
                writer.write_batch(scored)

            yield write

    def found(self, given: Any) -> Any:
        return self.path


@dataclass
class InFolder(InFile):
    """Writes a file for each file of the table, under the same name."""

    def of(self, part: Part) -> Any:
        path = os.path.join(self.path, f"{part.name}.parquet")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return self.writing(path)
