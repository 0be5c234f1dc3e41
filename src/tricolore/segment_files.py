"""Files of segment scores, written whole or not at all; scores that come block by block wait on disk."""

from __future__ import annotations

import os
from contextlib import contextmanager

from .parameters import FileName, checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from .metrics.base import Metric
    from .scores import Scores
    from .stats import Stats


@contextmanager
def writing_segments(asked: Any, *inputs: Any) -> Iterator[SegmentFile | None]:
    """Open a file for scores of segments, if this is the name of one; it appears when all is written."""
    if isinstance(asked, bool):
        yield None
        return
    from .writers import check_kept, writing_records

    path = checked("segments", asked, FileName("a file, or true or false"))
    check_kept("segments", path, *inputs)
    with writing_records(path) as write:
        target = SegmentFile(os.path.dirname(path) or os.curdir, write)
        try:
            yield target
        finally:
            target.close()


class SegmentFile:
    """A file to which scores of segments are written, one record per system, segment and metric."""

    def __init__(self, folder: str, write: Callable[..., None]):
        self._folder, self._write = folder, write
        self._spooled: SpooledScores | None = None

    def spool(self, metrics: Sequence[Metric]) -> SpooledScores:
        """Where scores wait until all blocks are counted; records go system by system, metric by metric."""
        self._spooled = SpooledScores(metrics, self._folder)
        return self._spooled

    def write(self, scores: Scores, texts: bool) -> None:
        """Write the records."""
        from .segment_scores import SegmentScores

        self._write(SegmentScores(scores, with_texts=texts).records_of_each())

    def close(self) -> None:
        """Let go of the disk."""
        if self._spooled is not None:
            self._spooled.close()


class SpooledScores:
    """Scores of segments on disk, block by block, to be read again cell by cell: those of one system by one metric."""

    def __init__(self, metrics: Sequence[Metric], folder: str):
        import tempfile

        self._metrics = metrics
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with the scores
        self._blocks: list[tuple[int, int]] = []  # where each begins, and the segments in it

    def add(self, rows: list[list[Stats]]) -> None:
        """Score the segments of a block."""
        import numpy as np

        self._blocks.append((self._file.tell(), len(rows[0][0])))
        for of_system in rows:
            for metric, stats in zip(self._metrics, of_system, strict=True):
                values = np.asarray(metric.for_segments.score(stats), dtype=np.float64)
                self._file.write(values.tobytes())

    def values(self, cell: int) -> Iterator[float]:
        """The scores of all segments in a cell, one by one."""
        from array import array

        for begin, size in self._blocks:
            self._file.seek(begin + 8 * size * cell)
            yield from array("d", self._file.read(8 * size))

    def close(self) -> None:
        """Let go of the disk."""
        self._file.close()
