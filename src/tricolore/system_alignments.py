"""Alignments of several systems with the same references, one below the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .alignment import Alignment, Alignments, align_all
from .alignment_picture import MarkedLine, page_of
from .errors import InputError
from .readers.texts import systems_of
from .results import Page, Result
from .types import Record


@dataclass(frozen=True, repr=False)
class SystemAlignments(Result):
    """The alignments of every system, by name; `align_systems` makes it."""

    systems: Mapping[str, Alignments]
    only_errors: bool = False  #: whether segments that all systems have right are left out
    columns: int | None = None  #: columns of a line of the pictures; see `Alignment.format`

    def __getitem__(self, system: str) -> Alignments:
        return self.systems[system]

    def __repr__(self) -> str:
        return f"<SystemAlignments of {', '.join(self.systems)}>"

    @property
    def shown(self) -> list[int]:
        """The segments that are shown."""
        numbers = [*next(iter(self.systems.values())).segments]
        return [n for n in numbers if not self.only_errors or any(of.segments[n].edits for of in self.systems.values())]

    def to_dict(self) -> dict[str, Any]:
        return {"systems": [{"system": name, **one.to_dict()} for name, one in self.systems.items()]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        found = [{"system": name, **row} for name, one in self.systems.items() for row in one.records()]
        return {"operations": found}

    def page(self, width: int | None = None) -> Page:
        """For every segment, the picture of each system."""
        lines: list[MarkedLine] = []
        for number in self.shown:
            aligned = {name: of.segments[number] for name, of in self.systems.items()}
            lines += [*([MarkedLine("")] if lines else []), *segment_lines(f"segment {number}", aligned, self.columns)]
        return page_of(lines, *(f"{name}: {one.summary}" for name, one in self.systems.items()))


def segment_lines(heading: str, aligned: Mapping[str, Alignment], columns: int | None = None) -> list[MarkedLine]:
    """A heading, then for each system its name, its error rate and its picture."""
    lines = [MarkedLine(heading, ((0, len(heading), "heading"),))]
    for name, one in aligned.items():
        lines += [MarkedLine(f"{name}: {one.score}"), *one.drawing(columns)]
    return lines


def align_systems(
    systems: Any,
    refs: Any,
    *,
    segments: Iterable[int] | None = None,
    only_errors: bool = False,
    chars: bool = False,
    tokenize: str = "none",
    lowercase: bool = False,
    strip_punctuation: bool = False,
) -> SystemAlignments:
    """Align the outputs of several systems, each segment with its one reference.

    `systems` are outputs by name, or a list of files (`pathlib.Path`); the other parameters are those of `align_all`.

    >>> print(align_systems({"A": ["a b d"], "B": ["a c d"]}, ["a b d"], only_errors=True))
    segment 1
    A: WER = 0.00 (edits = 0 hyp_len = 3 ref_len = 3)
    REF: a b d
    HYP: a b d
    B: WER = 33.33 (edits = 1 hyp_len = 3 ref_len = 3)
    REF: a b d
    HYP: a c d
           S
    <BLANKLINE>
    A: WER|nrefs:1|...= 0.00 (edits = 0 ...
    B: WER|nrefs:1|...= 33.33 (edits = 1 ...
    """
    how: dict[str, Any] = {"chars": chars, "tokenize": tokenize, "lowercase": lowercase}
    how |= {"strip_punctuation": strip_punctuation, "segments": None if segments is None else [*segments]}
    found = {}
    for name, output in systems_of(systems).items():
        try:
            found[name] = align_all(output, refs, only_errors=only_errors, **how)
        except InputError as error:
            raise InputError(f"{name}: {error}") from None
    return SystemAlignments(found, only_errors)
