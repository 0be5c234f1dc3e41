"""Scores of single segments: tidy, one row per system, segment and metric."""

from __future__ import annotations

from .errors import InputError
from .results import Page, Result, Table
from .scoring import Score, with_items
from .segments import References

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from .metrics.base import Metric
    from .scored_cells import Cell
    from .scores import Scores
    from .types import Record


class SegmentScores(Result):
    """The scores of every segment by every metric; `scores["system", "bleu"]` is an array, on the metric's own scale.

    Segments are scored by the segment-level variant of a metric (`Metric.for_segments`), and the signature says so.
    """

    __slots__ = ("scores", "with_texts")

    def __init__(self, scores: Scores, with_texts: bool = False):
        self.scores = scores
        self.with_texts = with_texts

    def texts(self) -> SegmentScores:
        """The same, with hypotheses and references in the records."""
        return SegmentScores(self.scores, with_texts=True)

    def __getitem__(self, key: Any) -> Any:
        cell = self.scores.cell(key)
        return cell.score.metric.for_segments.score(cell.rows)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        segments, systems = len(self.scores.references), len(self.scores.systems)
        return f"SegmentScores of {segments} segments, {systems} systems by {', '.join(self.scores.asked)}"

    def each(self) -> Iterator[tuple[str, int, str, Score]]:
        """System, segment (from 1), metric as it was typed, and score; segment by segment within a system."""
        M = len(self.scores.asked)
        cells = self.scores.cells
        numbers = self.scores.references.numbers()
        for first in range(0, len(cells), M):
            of_system = cells[first : first + M]
            rows = [one.rows.values.tolist() for one in of_system]  # type: ignore[union-attr]
            for i, number in enumerate(numbers):
                for name, cell, values in zip(self.scores.asked, of_system, rows, strict=True):
                    alone = cell.score.metric.for_segments
                    yield cell.system, i + 1, name, Score(alone, values[i], (number, number), cell.score.ids)

    def records_of_each(self) -> Iterator[Record]:
        """The records one by one, system by system and metric by metric; points in full precision."""
        M = len(self.scores.asked)
        for number, cell in enumerate(self.scores.cells):
            asked, metric = self.scores.asked[number % M], cell.score.metric
            signature = with_items(metric.for_segments.signature(cell.score.nrefs, cell.score.ids), cell.origin)
            for i, value in enumerate(self[number].tolist() if cell.spooled is None else cell.spooled()):
                yield {
                    "system": cell.system,
                    "segment": i + 1,
                    "metric": asked,
                    "score": value * metric.display_scale,
                    "signature": signature,
                    **(self._texts(cell, i) if self.with_texts else {}),
                }

    def _texts(self, cell: Cell, i: int) -> Record:
        if not isinstance(self.scores.references, References):
            raise InputError("the texts of files are not kept; pass them as lists, or write them with texts=True")
        entry = self.scores.references.entries[i]
        references = [entry] if isinstance(entry, str) else list(entry)
        return {"hypothesis": self.scores.outputs[cell.system][i], "references": references}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        return {"segments": list(self.records_of_each())}

    def to_dict(self) -> dict[str, Any]:
        return dict(self.facts())

    def page(self, width: int | None = None) -> Page:
        scores, digits = self.scores, [one.display_digits if width is None else width for one in self.scores.metrics]
        several = len(scores.systems) > 1
        header = [
            f"{cell.system}: {name}" if several else name
            for cell, name in zip(scores.cells, scores.asked * len(scores.systems), strict=True)
        ]
        columns = [(self[i] * cell.score.metric.display_scale).tolist() for i, cell in enumerate(scores.cells)]
        rows = [
            [str(i), *(f"{value:.{digits[k % len(digits)]}f}" for k, value in enumerate(row))]
            for i, row in enumerate(zip(*columns, strict=True), 1)
        ]
        return Page([Table(["Segment", *header], rows)], signatures=self.signatures())

    def signatures(self) -> list[str]:
        """Each signature once."""
        ready: Sequence[Metric] = [one.for_segments for one in self.scores.metrics]
        first = self.scores.cells[0]
        signatures = [one.signature(first.score.nrefs, first.score.ids) for one in ready]
        return [with_items(one, first.origin) for one in signatures]
