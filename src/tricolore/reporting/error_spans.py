"""Errors that annotators marked in outputs (MQM): category, severity, annotator, and where in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..judge.correlation.join_scores import same_names
from ..judge.correlation.mqm import severity_of
from ..judge.correlation.rating_files import opened
from ..judge.correlation.ratings import ANNOTATOR, cells_of
from ..readers.tables import Table

#: Columns that hold the output with the error between marks.
MARKED = ("target_with_span", "target", "marked_target")
SPAN = re.compile(r"<v>(.*?)</v>", re.DOTALL)


@dataclass(frozen=True)
class ErrorSpan:
    """One error in the output of a system for a segment."""

    system: str
    segment: str
    annotator: str
    category: str
    severity: str
    start: int  #: in characters of the output; -1 where the text is not marked
    end: int

    @property
    def span(self) -> tuple[int, int]:
        """Where it is."""
        return self.start, self.end


def error_spans(human: Any) -> list[ErrorSpan]:
    """The errors of a table of MQM ratings, one line per error; lines without an error are left out.

    >>> table = {"system": ["A"], "segment": ["1"], "rater": ["r"], "category": ["Accuracy"], "severity": ["Major"]}
    >>> error_spans(table | {"target_with_span": ["a <v>cat</v> sat"]})[0]
    ErrorSpan(system='A', segment='1', annotator='r', category='Accuracy', severity='Major', start=2, end=5)
    """
    table = opened(human, "human")
    if not isinstance(table, Table) or table.find("severity") is None:
        return []
    severities, categories = (table.texts(name) for name in (table.need("severity"), table.need("category")))
    annotator, marked = table.find(*ANNOTATOR), table.find(*MARKED)
    who = table.texts(annotator) if annotator else [""] * len(table)
    texts = table.texts(marked) if marked else [""] * len(table)
    found = []
    for row, (system, segment) in enumerate(cells_of(table)):
        if severity_of(severities[row]) in ("no-error", "hotw-test"):
            continue
        start, end = span_of(texts[row])
        found.append(ErrorSpan(system, segment, who[row], categories[row], severities[row], start, end))
    return found


def span_of(marked: str) -> tuple[int, int]:
    """Where the mark is, in the text without marks.

    >>> span_of("a <v>cat</v> sat"), span_of("a cat sat")
    ((2, 5), (-1, -1))
    """
    found = SPAN.search(marked)
    return (-1, -1) if found is None else (found.start(), found.start() + len(found[1]))


def renamed(spans: Sequence[ErrorSpan], systems: Sequence[str]) -> list[ErrorSpan]:
    """The errors of these systems, under their names."""
    names = same_names(dict.fromkeys(one.system for one in spans), systems)
    turned = [replace(one, system=names.get(one.system, one.system)) for one in spans]
    return [one for one in turned if one.system in systems]
