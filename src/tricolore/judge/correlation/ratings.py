"""Human ratings in their various forms, turned into one number per system and segment; higher is better.

- scores: one or several numbers per system and segment;
- MQM: one line per error with its category and severity, or error counts by severity;
- direct assessments: one number per annotator, raw or standardised.

Rankings, which give pairs rather than numbers, are in `rankings`.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from ...errors import InputError, SpecError, nearest
from ...readers.score_files import ScoreFile
from ...readers.tables import Table, number_of
from ..score_table import Column
from .mqm import MQM_WEIGHTS, known_severities, mqm_weight, settings_of, severity_of
from .options import FORMS
from .rating_noise import Cell, noise_of_means

#: Names of the columns of a table, the usual ones first.
SYSTEM = ("system", "system_id", "systemId", "system_name", "sys")
SEGMENT = ("segment", "seg", "globalSegId", "seg_id", "segment_id", "segmentId", "segId", "srcIndex")
ANNOTATOR = ("rater", "annotator", "judge", "rater_id", "annotator_id", "judgeId", "user", "worker")
HUMAN = ("human", "human_score", "score", "rating", "mqm", "mqm_avg_score", "da", "z", "raw")

#: The option for ratings for which lower is better; the note that suggests it is dropped when it is set.
LOWER = "human_lower_is_better"


@dataclass(frozen=True)
class Ratings:
    """Human ratings: one number per rated system and segment, higher is better.

    >>> human = Ratings("made-up", ("A", "B"), ("1", "2"), {("A", "1"): 70.0, ("A", "2"): 90.0, ("B", "2"): 40.0})
    >>> human.array(human.systems, human.segments)
    array([[70., 90.],
           [nan, 40.]])
    """

    path: str  #: the file, for messages
    systems: tuple[str, ...]
    segments: tuple[str, ...]  #: ("",) if whole systems are rated
    cells: Mapping[Cell, float]  #: missing ones are absent
    form: str = "scores"
    settings: str = ""  #: how the numbers were computed, as in a signature
    number: int = 0  #: the number of ratings
    annotators: frozenset[str] = frozenset()  #: if they are named
    notes: tuple[str, ...] = ()  #: what a reader should know
    noise: Mapping[Cell, float] = field(default_factory=dict)  #: see `noise_of_means`

    @property
    def signature(self) -> str:
        """How the numbers were computed."""
        return self.signature_of([self])

    @staticmethod
    def signature_of(groups: Sequence[Ratings]) -> str:
        """The signature of several groups of one form."""
        first, number = groups[0], sum(one.number for one in groups)
        return "|".join(filter(None, [f"human:{first.form}", first.settings, f"ratings:{number}", *sizes(groups)]))

    @property
    def of_systems(self) -> bool:
        """Whether whole systems were rated, not segments."""
        return self.segments == ("",)

    def array(self, systems: Sequence[str], segments: Sequence[str]) -> Any:
        """The numbers as an array, systems x segments; nan where a rating is missing."""
        return _array(self.cells, systems, segments, math.nan)

    def column(self, systems: Sequence[str], segments: Sequence[str]) -> Column:
        """The numbers as a column of a table of scores, with the noise of repeated ratings."""
        column = Column.of_scores("human", self.array(systems, segments), signature=self.signature)
        return replace(column, noise=_array(self.noise, systems, segments, 0.0)) if self.noise else column

    def renamed(self, names: Mapping[str, str]) -> Ratings:
        """The same with new names for some systems."""
        systems = tuple(names.get(system, system) for system in self.systems)
        cells, noise = (
            {(names.get(system, system), segment): value for (system, segment), value in one.items()}
            for one in (self.cells, self.noise)
        )
        return replace(self, systems=systems, cells=cells, noise=noise)

    def turned(self) -> Ratings:
        """The same, negated."""
        cells = {cell: 0.0 - value for cell, value in self.cells.items()}
        notes = tuple(note for note in self.notes if LOWER not in note)
        return replace(self, cells=cells, settings="|".join(filter(None, [self.settings, "negated"])), notes=notes)


def _array(cells: Mapping[Cell, float], systems: Sequence[str], segments: Sequence[str], missing: float) -> Any:
    values = [[cells.get((system, segment), missing) for segment in segments] for system in systems]
    return np.array(values, dtype=np.float64)


def sizes(groups: Sequence[Any]) -> list[str]:
    """The numbers of annotators and of groups, as entries of a signature."""
    annotators = len(frozenset[str]().union(*(one.annotators for one in groups)))
    raters = [f"raters:{annotators}"] if annotators else []
    return [*raters, f"tables:{len(groups)}"] if len(groups) > 1 else raters


def read_ratings(
    table: Table,
    form: str = "scores",
    *,
    column: str | None = None,
    weights: Mapping[str, float] | None = None,
    keep_repeats: bool = False,
    system: str | None = None,
) -> Ratings:
    """Read a table of ratings.

    `column` names the column of scores, if its name is not a usual one; `weights` are those of MQM. Two ratings of one
    output by one annotator are an error, unless `keep_repeats`: then scores are averaged, and all errors counted.
    `system` is the name of the only system, for a table that names none.
    """
    rows = _Rows(table, keep_repeats=keep_repeats, system=system)
    if form == "mqm":
        return _mqm_errors(rows, MQM_WEIGHTS if weights is None else weights)
    if form == "mqm-counts":
        return _mqm_counts(rows, MQM_WEIGHTS if weights is None else weights)
    if form == "da-z":
        return _standardised(rows, column)
    if form in ("scores", "da"):
        return _scores(rows, form, column)
    raise SpecError(f"unknown form of ratings {form!r}{nearest(form, FORMS)} (there are {', '.join(FORMS[:-1])})")


def ratings_of_score_file(file: ScoreFile, system: str | None = None) -> Ratings:
    """Ratings from a file in WMT's form, its segments numbered from 1; `system` is the name of one without a name."""
    scores = {name or system or name: values for name, values in file.scores.items()}
    if "" in scores:
        raise InputError(f"{file.path}: names no system; expected SYSTEM<tab>SCORE, as there are several systems")
    return ratings_of_values(file.path, scores, None if file.of_systems and len(scores) > 1 else 1)


def ratings_of_values(path: str, values: Mapping[str, Sequence[float]], first: int | None) -> Ratings:
    """Ratings by system; segments are numbered from `first`, unless there is one rating per system (None)."""
    length = len(next(iter(values.values())))
    segments = ("",) if first is None else tuple(str(number) for number in range(first, first + length))
    cells = {
        (name, segment): float(value)
        for name, own in values.items()
        for segment, value in zip(segments, own, strict=True)
        if not math.isnan(value)
    }
    return Ratings(path, tuple(values), segments, cells, number=len(cells))


def cells_of(table: Table, system: str | None = None) -> list[Cell]:
    """The system and segment of each row; `system` is the name of the only system, if the table names none."""
    if system is not None and table.find(*SYSTEM) is None:
        systems = [system] * len(table)
    else:
        systems = table.texts(table.need(*SYSTEM))
    segment = table.find(*SEGMENT)
    return [*zip(systems, table.texts(segment) if segment else [""] * len(table), strict=True)]


def name_of(cell: Cell) -> str:
    """A system and its segment, for messages."""
    return f"{cell[0]} on segment {cell[1]}" if cell[1] else cell[0]


class _Rows:
    """A table of ratings: the system, segment and annotator of each row."""

    def __init__(self, table: Table, *, keep_repeats: bool, system: str | None):
        self.table = table
        self.keep_repeats = keep_repeats
        self.cells = cells_of(table, system)
        found = table.find(*ANNOTATOR)
        self.annotators = table.texts(found) if found else None
        self.who = self.annotators or [""] * len(table)

    def by_annotator(self, values: Sequence[float]) -> dict[Cell, dict[str, list[float]]]:
        """The values of each cell by annotator; repeated ratings by one annotator are an error, unless kept."""
        found: dict[Cell, dict[str, list[float]]] = defaultdict(dict)
        first: dict[tuple[Cell, str], int] = {}
        for row, (cell, annotator, value) in enumerate(zip(self.cells, self.who, values, strict=True)):
            if self.annotators and (cell, annotator) in first and not self.keep_repeats:
                raise InputError(
                    f"{self.table.where(row)}: {annotator} rated {name_of(cell)} already on "
                    f"{self.table.what} {self.table.lines[first[cell, annotator]]} (keep_repeats=True takes the mean)"
                )
            first.setdefault((cell, annotator), row)
            if not math.isnan(value):
                found[cell].setdefault(annotator, []).append(value)
        return found

    def repeated(self, values: Sequence[float]) -> dict[Cell, dict[str, float]]:
        """The ratings of each cell: one per annotator, their mean; or all by number, if annotators are not named."""
        found = self.by_annotator(values)
        if self.annotators:
            return {cell: {name: _mean(said) for name, said in by.items()} for cell, by in found.items()}
        return {cell: _numbered(by[""]) for cell, by in found.items()}

    def ratings(
        self, repeated: Mapping[Cell, Mapping[str, float]], form: str, settings: str, number: int, *notes: str
    ) -> Ratings:
        """The mean of the ratings of each cell."""
        systems = tuple(dict.fromkeys(system for system, _ in self.cells))
        segments = tuple(dict.fromkeys(segment for _, segment in self.cells))
        annotators = frozenset(self.annotators or ())
        cells = {cell: _mean([*said.values()]) for cell, said in repeated.items()}
        about = self.table.path, systems, segments, cells, form, settings, number, annotators, notes
        return Ratings(*about, noise_of_means(repeated, named=self.annotators is not None))


def _numbered(said: Sequence[float]) -> dict[str, float]:
    return {str(i): value for i, value in enumerate(said)}


# Scores and direct assessments -----------------------------------------------------------------------------


def _scores(rows: _Rows, form: str, column: str | None) -> Ratings:
    """One number per row; those of one cell are averaged per annotator, then over annotators."""
    name = rows.table.need(*([column] if column else HUMAN), remedy="; human_column names the column of scores")
    said = _numbers(rows.table, name)
    values = [_mean(row) for row in said]
    repeated = rows.repeated(values)
    several = sum(len(own) > 1 for own in repeated.values())
    notes = [f"{rows.table.path}: averaged several ratings of {several} of {len(repeated)} outputs"] if several else []
    if not rows.annotators:  # a list in a cell is several ratings
        lists = zip(rows.cells, said, strict=True)
        repeated |= {cell: _numbered(row) for cell, row in lists if len(repeated.get(cell, ())) == 1}
    if "mqm" in name.lower() and values and min([v for v in values if not math.isnan(v)], default=-1) >= 0:
        notes.append(f"{rows.table.path}: no value of {name} is below 0; if it counts errors, set {LOWER}")
    return rows.ratings(repeated, form, f"column:{name}", sum(map(len, said)), *notes)


def _numbers(table: Table, column: str) -> list[list[float]]:
    """The ratings of each row: several, if the cell is a list, and none, if they are missing."""
    cells = table.columns[column]
    if not any(_is_list(cell) for cell in cells):
        return [[] if math.isnan(value) else [value] for value in table.numbers(column)]
    values = []
    for row, cell in enumerate(cells):
        try:
            found = json.loads(cell) if isinstance(cell, str) else cell
            said = [number_of(one) for one in found]
            if not isinstance(found, list) or any(map(math.isnan, said)):
                raise ValueError
        except (TypeError, ValueError, RecursionError):
            raise InputError(
                f"{table.where(row)}: {column}: expected a list of numbers such as [70, 85], found {cell!r}"
            ) from None
        values.append(said)
    return values


def _is_list(cell: Any) -> bool:
    return isinstance(cell, list) or (isinstance(cell, str) and cell.startswith("["))


def _mean(values: Sequence[float]) -> float:
    """The mean, to the last digit as NumPy computes it, so that the same scores tie as in other tools."""
    return reduce(add, values) / len(values) if values else math.nan


def _standardised(rows: _Rows, column: str | None) -> Ratings:
    r"""Direct assessments as z-scores of each annotator, then averaged.

    .. math:: z = (x - \bar x_a) / s_a

    with the mean and the standard deviation (n - 1) of all ratings by annotator a. Annotators with a single rating, or
    with equal ratings only, have no z-scores: these ratings are dropped with a note.

    Y. Graham, T. Baldwin, A. Moffat, J. Zobel. Continuous Measurement Scales in Human Evaluation of Machine
    Translation. Linguistic Annotation Workshop 2013.
    """
    table = rows.table
    if rows.annotators is None:
        table.need(*ANNOTATOR)
    name = table.need(*([column] if column else HUMAN), remedy="; human_column names the column of scores")
    values = table.numbers(name)
    rows.by_annotator(values)  # rejects repeats
    own: dict[str, list[float]] = defaultdict(list)
    for annotator, value in zip(rows.who, values, strict=True):
        if not math.isnan(value):
            own[annotator].append(value)
    scale = {}
    for annotator, said in own.items():
        mean = _mean(said)
        deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in said) / max(1, len(said) - 1))
        if min(said) < max(said) and deviation > 0:
            scale[annotator] = mean, deviation
    z = [
        (value - scale[annotator][0]) / scale[annotator][1] if annotator in scale else math.nan
        for annotator, value in zip(rows.who, values, strict=True)
    ]
    useless = [annotator for annotator in own if annotator not in scale]
    notes = []
    if useless:
        lost = sum(len(own[annotator]) for annotator in useless)
        notes = [
            f"{table.path}: dropped {lost} ratings of annotators who have no z-scores, as they rated once or always "
            f"the same ({few(useless, 5)})"
        ]
    number = sum(not math.isnan(value) for value in z)
    return rows.ratings(rows.repeated(z), "da-z", f"column:{name}", number, *notes)


def few(names: Iterable[str], most: int = 8) -> str:
    """Name the first few of many.

    >>> few("ABC", 2)
    'A, B and 1 more'
    """
    names = [*names]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


# MQM -------------------------------------------------------------------------------------------------------


def _mqm_errors(rows: _Rows, weights: Mapping[str, float]) -> Ratings:
    r"""One line per error: minus the sum of an annotator's error weights, averaged over annotators.

    .. math:: h(s, i) = -\frac{1}{|R|} \sum_{r \in R} \sum_{e \in E_r} w(e)

    A line without an error counts 0, and its annotator is one of R.
    """
    table = rows.table
    severities = table.texts(table.need("severity"))
    categories = table.columns[table.need("category")]
    _no_line_twice(rows, severities)
    errors: dict[Cell, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row, (severity, category) in enumerate(zip(severities, categories, strict=True)):
        weight = mqm_weight(weights, severity, category or "")
        if weight is None:
            raise InputError(
                f"{table.where(row)}: severity {severity!r} has no weight "
                f"(there are {', '.join(known_severities(weights))}); give one, such as "
                f"mqm_weights='{severity_of(severity)}=10'"
            )
        errors[rows.cells[row]][rows.who[row]].append(weight)
    repeated = {cell: {who: 0.0 - reduce(add, some) for who, some in by.items()} for cell, by in errors.items()}
    no_names = f"{table.path}: names no annotators; all errors of a segment count as those of one annotator"
    notes = [] if rows.annotators else [no_names]
    return rows.ratings(repeated, "mqm", settings_of(weights), len(table), *notes)


def _no_line_twice(rows: _Rows, severities: Sequence[str]) -> None:
    """Reject repeated lines: twice without error by one annotator, or an error that is the same in all columns.

    In a table with only category and severity, different errors may look the same, and are kept.
    """
    table = rows.table
    if rows.keep_repeats:
        return
    known = (table.find(*names) for names in (SYSTEM, SEGMENT, ANNOTATOR, ["category"], ["severity"]))
    tell_apart = set(table.columns) - set(known)
    seen: dict[tuple[Any, ...], int] = {}
    for row, line in enumerate(zip(*(map(repr, cells) for cells in table.columns.values()), strict=True)):
        clean = rows.annotators is not None and severity_of(severities[row]) == "no-error"
        if line in seen and (tell_apart or clean):
            who = f", {rows.who[row]}" if rows.annotators else ""
            raise InputError(
                f"{table.where(row)}: the same as {table.what} {table.lines[seen[line]]} "
                f"({name_of(rows.cells[row])}{who}); expected every error once (keep_repeats=True counts each)"
            )
        seen.setdefault(line, row)


def _mqm_counts(rows: _Rows, weights: Mapping[str, float]) -> Ratings:
    """Error counts in columns such as `n_minor` and `num_major`: minus their weighted sum, averaged over annotators."""
    table = rows.table
    known = {*known_severities(weights), "neutral", "minor", "major", "critical"}
    columns = {name: re.sub("^(n|num)[_-]", "", severity_of(name)) for name in table.columns}
    counted = {name: level for name, level in columns.items() if level in known}
    if not counted:
        raise InputError(
            f"{table.path}: expected columns with numbers of errors, such as n_minor and n_major "
            f"(found {', '.join(table.columns)})"
        )
    sums = [0.0] * len(table)
    for name, level in counted.items():
        for row, count in enumerate(table.numbers(name)):
            if count < 0 or (not math.isnan(count) and count % 1):
                raise InputError(f"{table.where(row)}: {name}: expected a number of errors, found {count:g}")
            if count > 0 and level not in weights:
                raise InputError(
                    f"{table.where(row)}: {name}: severity {level!r} has no weight; give one, such as "
                    f"mqm_weights='{level}=10'"
                )
            sums[row] -= count * weights.get(level, 0.0)  # a missing count makes the sum missing
    number = sum(not math.isnan(value) for value in sums)
    return rows.ratings(rows.repeated(sums), "mqm-counts", settings_of(weights), number)
