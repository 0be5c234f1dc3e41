"""Segments on which two systems differ most, with both outputs aligned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...alignment import Alignment, align
from ...alignment_picture import MarkedLine, page_of
from ...errors import InputError, unknown
from ...results import Page, Result, decimal
from ...system_alignments import segment_lines
from ...types import Record

if TYPE_CHECKING:
    from .comparison import Comparison


@dataclass(frozen=True)
class Example:
    """A segment of two systems."""

    segment: int  #: from 1
    scores: tuple[float, float]  #: of the first and the second system, as printed
    alignments: tuple[Alignment, Alignment]  #: with the reference that is closest to each

    @property
    def difference(self) -> float:
        """The first minus the second."""
        return self.scores[0] - self.scores[1]


@dataclass(frozen=True, repr=False)
class Examples(Result):
    """Segments on which two systems differ most by a metric, the largest difference first."""

    systems: tuple[str, str]
    metric: str  #: its title
    found: tuple[Example, ...]
    digits: int = 1  #: decimal places as printed
    columns: int | None = None  #: columns of a line of the pictures

    def __len__(self) -> int:
        return len(self.found)

    def __repr__(self) -> str:
        return f"<Examples: {len(self)} segments on which {' and '.join(self.systems)} differ most by {self.metric}>"

    def to_dict(self) -> dict[str, Any]:
        return {"systems": [*self.systems], "metric": self.metric, "examples": [*self.facts()["examples"]]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        records = []
        for one in self.found:
            first, second = one.alignments
            texts = {"first_output": " ".join(first.hypothesis), "second_output": " ".join(second.hypothesis)}
            scores = {"first_score": one.scores[0], "second_score": one.scores[1], "difference": one.difference}
            records.append({"segment": one.segment, **scores, **texts})
        return {"examples": records}

    def page(self, width: int | None = None) -> Page:
        digits = self.digits if width is None else width
        lines = [MarkedLine(f"Segments on which {self.systems[0]} and {self.systems[1]} differ most by {self.metric}:")]
        for one in self.found:
            first, second = (decimal(score, digits) for score in one.scores)
            heading = f"segment {one.segment}: {first} and {second} ({decimal(one.difference, digits, '+')})"
            aligned = dict(zip(self.systems, one.alignments, strict=True))
            lines += [MarkedLine(""), *segment_lines(heading, aligned, self.columns)]
        return page_of(lines)


def examples_of(
    comparison: Comparison,
    number: int = 5,
    first: str | None = None,
    second: str | None = None,
    metric: str | None = None,
) -> Examples:
    """The segments on which two systems differ most; see `Comparison.examples`."""
    made_of = comparison.compared
    if made_of is None or not made_of.outputs or made_of.references is None or comparison.has_runs:
        raise InputError(
            "examples need the texts of one output per system; this comparison has scores, or several runs"
        )
    judgement = comparison.judgements[0] if metric is None else comparison[metric]
    ranked = [one.name for one in judgement.systems]
    first = first or next(name for name in ranked if name != second)
    second = second or next(name for name in ranked if name != first)
    for name in (first, second):
        if name not in comparison.names:
            raise unknown("system", name, [*comparison.names])
    place = comparison.judgements.index(judgement)
    if place >= len(made_of.criteria):
        raise InputError(f"{judgement.title}: has scores of whole systems only, and no examples")
    column = made_of.criteria[place].column
    numbers = made_of.segments(comparison.segments)
    a, b = (comparison.names.index(name) for name in (first, second))
    scores = column.segments * column.scale
    differences = np.abs(scores[a] - scores[b])
    order = np.argsort(-differences, kind="stable")
    chosen = [int(i) for i in order if differences[i] > 0][:number]
    found = []
    for i in chosen:
        entry = made_of.references.entries[numbers[i]]
        both = (_closest(made_of.outputs[k][numbers[i]], entry) for k in (a, b))
        found.append(Example(numbers[i] + 1, (float(scores[a, i]), float(scores[b, i])), (*both,)))  # type: ignore[arg-type]
    return Examples((first, second), judgement.title, tuple(found), judgement.digits)


def _closest(output: str, entry: Any) -> Alignment:
    """The alignment with the reference that takes the fewest edits."""
    references = [entry] if isinstance(entry, str) else [text for text in entry if text is not None]
    return min((align(output, text) for text in references), key=lambda one: one.edits)
