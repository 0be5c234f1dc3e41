"""One output by several metrics where the corpus comes in blocks: counted, added up and forgotten."""

from __future__ import annotations

from ..scoring import Score
from .base import BATCH
from .shared_counts import counted_alike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..segments import References
    from ..stats import Stats
    from ..types import Array
    from .base import Metric


class BlockCounts:
    """Sums of the counts of segments, equal to those of the whole corpus counted at once; rows only where asked for.

    `most` is the most references that a segment may have.
    """

    def __init__(self, metrics: Sequence[Metric], most: int):
        self.metrics = metrics
        self.nrefs: tuple[int, int] | None = None
        self._groups = counted_alike(metrics, (most, most), ids=False)
        self._sums: list[Any] = [None] * len(self._groups)
        self._kept: list[list[Any]] = [[] for _ in self._groups]
        #: Whether `keep` can be called: the core writes the rows of whole blocks.
        self.plain = all(one.core_rows(most) and one.batch_size >= BATCH for one, _ in self._groups)

    def add(self, hyps: Any, references: References, threads: int | None) -> None:
        """Count a block."""
        for g, (counted, _) in enumerate(self._groups):
            self._sums[g], nrefs = counted.count_all(hyps, references, None, threads, None, self._sums[g])
            self._note(nrefs)

    def keep(self, hyps: Any, references: References, threads: int | None) -> None:
        """Count a block and keep its rows, without NumPy."""
        for g, (counted, _) in enumerate(self._groups):
            shape = len(hyps), len(counted.columns)
            rows: Any = memoryview(bytearray(8 * shape[0] * shape[1])).cast("d", shape)
            self._sums[g], nrefs = counted.count_all(hyps, references, rows, threads, None, self._sums[g])
            self._note(nrefs)
            self._kept[g].append(rows)

    def add_rows(self, hyps: Any, references: References, threads: int | None, *, keep: bool) -> list[Stats]:
        """Count a block and return its rows; `keep` them for `rows` as well."""
        import numpy as np

        found: list[Any] = [None] * len(self.metrics)
        for g, (counted, members) in enumerate(self._groups):
            rows = np.zeros((len(hyps), len(counted.columns)))
            self._sums[g], nrefs = counted.count_all(hyps, references, rows, threads, None, self._sums[g])
            self._note(nrefs)
            if keep:
                self._kept[g].append(rows)
            for i, columns in members:
                found[i] = self._stats(i, rows, columns)
        return found

    def _note(self, nrefs: tuple[int, int] | None) -> None:
        if nrefs is not None:
            fewest, most = nrefs if self.nrefs is None else self.nrefs
            self.nrefs = min(fewest, nrefs[0]), max(most, nrefs[1])

    def _stats(self, i: int, rows: Array, columns: list[int]) -> Stats:
        from ..stats import Stats

        metric = self.metrics[i]
        return Stats(rows[:, columns], metric.columns, self.nrefs, metric.counting(self.nrefs, False))

    def scores(self) -> list[Score]:
        """The scores of all blocks by each metric."""
        found: dict[int, Score] = {}
        for (_, members), row in zip(self._groups, self._sums, strict=True):
            for i, columns in members:
                found[i] = Score(self.metrics[i], [row[column] for column in columns], self.nrefs, False)
        return [found[i] for i in range(len(self.metrics))]

    def kept(self) -> list[tuple[Any, list[tuple[int, list[int]]]]]:
        """Rows that were kept without NumPy, and the metrics they serve: the number of each, and its columns."""
        found = []
        for (counted, members), blocks in zip(self._groups, self._kept, strict=True):
            shape = sum(map(len, blocks)), len(counted.columns)
            rows = blocks[0] if len(blocks) == 1 else memoryview(b"".join(blocks)).cast("d", shape)
            found.append((rows, members))
        return found

    def rows(self) -> list[Stats]:
        """The rows of all blocks for each metric, if they were kept."""
        import numpy as np

        found: dict[int, Stats] = {}
        for g, (_, members) in enumerate(self._groups):
            rows, self._kept[g] = np.concatenate(self._kept[g]), []
            for i, columns in members:
                found[i] = self._stats(i, rows, columns)
        return [found[i] for i in range(len(self.metrics))]
