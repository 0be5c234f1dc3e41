"""Bring together what people and metrics say: the same systems, the same segments, in tables of scores."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ...compression import without_suffix
from ...errors import InputError
from ..score_table import Column, ScoreTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from .metric_scores import Scores
    from .rankings import Rankings
    from .ratings import Ratings


@dataclass(frozen=True, eq=False)
class Measured:
    """What metrics say: a column each, of systems and segments; and scores of whole systems, where they were given."""

    path: str  #: where the scores come from, for messages
    systems: tuple[str, ...]
    segments: tuple[str, ...]  #: one that is called "" where there are scores of whole systems only
    columns: tuple[Column, ...]
    given: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)  #: by metric, in the order of the systems

    @property
    def of_systems(self) -> bool:
        """Whether there are scores of whole systems only."""
        return self.segments == ("",)

    def take(self, systems: Sequence[int], segments: Sequence[int]) -> Measured:
        """Some systems and segments, in the order given."""
        return Measured(
            self.path,
            tuple(self.systems[i] for i in systems),
            tuple(self.segments[i] for i in segments),
            tuple(column.take(systems, segments) for column in self.columns),
            {name: values[list(systems)] for name, values in self.given.items()},
        )

    def joined(self, others: Measured) -> Measured:
        """These metrics and others, of the systems and segments that are here."""
        systems = {name: i for i, name in enumerate(others.systems)}
        segments = {name: i for i, name in enumerate(others.segments)}
        twice = {one.name for one in self.columns} & {one.name for one in others.columns}
        if twice:
            raise InputError(f"{others.path}: {min(twice)} is also a metric of {self.path}; expected another name")
        missing = [name for name in self.systems if name not in systems]
        if missing:
            raise InputError(f"{others.path}: has no scores of {_few(missing)} (it has {_few(others.systems)})")
        columns = []
        for column in others.columns:
            values = np.full((len(self.systems), len(self.segments)), math.nan)
            for i, system in enumerate(self.systems):
                for j, segment in enumerate(self.segments):
                    if segment in segments:
                        values[i, j] = column.segments[systems[system], segments[segment]]
            columns.append(_column(column, values))
        given = {name: values[[systems[name] for name in self.systems]] for name, values in others.given.items()}
        return replace(self, columns=(*self.columns, *columns), given={**self.given, **given})


def measured(scores: Sequence[Scores]) -> Measured:
    """Scores from files, as columns of all systems and segments that are in any of them."""
    systems = tuple(dict.fromkeys(name for one in scores for name in (*one.systems, *(s for s, _ in one.segments))))
    segments = tuple(dict.fromkeys(segment for one in scores for _, segment in one.segments)) or ("",)
    columns, given = [], {}
    for one in scores:
        whole = np.array([one.systems.get(name, math.nan) for name in systems])
        if one.segments:
            values = np.array([[one.segments.get((name, s), math.nan) for s in segments] for name in systems])
        elif segments == ("",):
            values = whole[:, None]
        else:
            values = np.full((len(systems), len(segments)), math.nan)
        columns.append(_column(one, values))
        if one.systems:
            given[one.name] = whole
    paths = dict.fromkeys(one.path for one in scores)
    return Measured(", ".join(paths), systems, segments, tuple(columns), given)


@dataclass(frozen=True)
class Rules:
    """What becomes of what does not match."""

    ignore_unknown: bool = False  #: leave out systems and segments that one side does not know, and say so
    only_rated: bool = False  #: metrics score systems only where people did
    common: bool = False  #: where one metric has no score, the others count as having none
    without_noise: bool = False  #: scores of segments that are equal in twelve digits are ties
    means: bool = False  #: systems are scored by the means of their segments, even if they were given scores


AS_THEY_ARE = Rules()


@dataclass(frozen=True, eq=False)
class Matched:
    """Tables for both levels; where there is none of segments, a note says why."""

    systems: ScoreTable
    segments: ScoreTable | None
    notes: tuple[str, ...] = ()


def match(people: Ratings | Rankings, metrics: Measured, rules: Rules = AS_THEY_ARE, *, name: str = "") -> Matched:
    """Make tables of the systems that people and metrics know, on the segments of the metrics.

    The scores of whole systems are the metrics' own, where they were given. Segments that nobody rated count in a
    metric's score of a system. `rules` may say otherwise.
    """
    notes = [*people.notes]
    systems = _systems(people, metrics, rules.ignore_unknown, notes)
    if people.of_systems or metrics.of_systems:
        table = _whole(people, metrics, systems, name, rules.means)
        return Matched(_common(table, rules), None, (*notes, _why_no_segments(people, metrics)))
    _check_segments(people, metrics, rules.ignore_unknown, notes)
    at = {system: i for i, system in enumerate(metrics.systems)}
    chosen = metrics.take([at[system] for system in systems], range(len(metrics.segments)))
    human = people.column(chosen.systems, chosen.segments)
    table = _common(ScoreTable(chosen.systems, chosen.segments, human, chosen.columns, name), rules)
    table = table.matched() if rules.only_rated else table
    table = _signed(table.without_noise(), "noise:dropped") if rules.without_noise else table
    given = {} if rules.means or rules.only_rated else chosen.given
    if not given:
        return Matched(table, table, tuple(notes))
    columns = [_given(column, given) for column in table.metrics]
    whole = ScoreTable(chosen.systems, ("",), collapsed(human), tuple(columns), name)
    return Matched(_common(whole, rules), table, tuple(notes))


def _common(table: ScoreTable, rules: Rules) -> ScoreTable:
    """Leave to each metric only what all metrics score."""
    if not rules.common:
        return table
    everywhere = np.all([~np.isnan(column.segments) for column in table.metrics], axis=0)
    table = replace(table, metrics=tuple(column.only(everywhere) for column in table.metrics))
    return _signed(table, "missing:common")


def _signed(table: ScoreTable, setting: str) -> ScoreTable:
    """Add to the signatures of a table how its scores were changed."""
    human, *metrics = (
        replace(one, signature=f"{one.signature}|{setting}", alone=one.alone and f"{one.alone}|{setting}")
        for one in (table.human, *table.metrics)
    )
    return replace(table, human=human, metrics=tuple(metrics))


def collapsed(column: Column) -> Column:
    """The scores of systems as a column of one segment, which stands for all."""
    rows = column.rows.sum(axis=1, keepdims=True)
    return replace(column, segments=column.score(rows), rows=rows)


def _given(column: Column, given: Mapping[str, NDArray[np.float64]]) -> Column:
    if column.name not in given:
        return collapsed(column)
    return _column(column, given[column.name][:, None])


def _column(metric: Scores | Column, values: NDArray[np.float64]) -> Column:
    """A column of scores in the name of a metric."""
    return Column.of_scores(metric.name, values, higher_is_better=metric.higher_is_better, signature=metric.signature)


def _whole(people: Ratings | Rankings, metrics: Measured, systems: Sequence[str], name: str, means: bool) -> ScoreTable:
    """A table of whole systems."""
    at = {system: i for i, system in enumerate(metrics.systems)}
    chosen = metrics.take([at[system] for system in systems], range(len(metrics.segments)))
    human = collapsed(people.column(systems, people.segments))
    columns = tuple(_given(column, {} if means else chosen.given) for column in chosen.columns)
    return ScoreTable(tuple(systems), ("",), human, columns, name)


def _why_no_segments(people: Ratings | Rankings, metrics: Measured) -> str:
    who = people.path if people.of_systems else metrics.path
    return f"{who}: has scores of whole systems only, so there is no segment level"


def _systems(people: Ratings | Rankings, metrics: Measured, ignore: bool, notes: list[str]) -> list[str]:
    """The systems that both know; others are an error, or left out aloud."""
    rated, scored = set(people.systems), set(metrics.systems)
    common = [system for system in people.systems if system in scored]
    unscored = [system for system in people.systems if system not in scored]
    unrated = [system for system in metrics.systems if system not in rated]
    if not common:
        raise InputError(
            f"{people.path} and {metrics.path} have no system in common: rated are {_few(people.systems)}, "
            f"scored are {_few(metrics.systems)}"
        )
    if (unscored or unrated) and not ignore:
        parts = [f"rated but not scored: {_few(unscored)}"] if unscored else []
        parts += [f"scored but not rated: {_few(unrated)}"] if unrated else []
        raise InputError(
            f"{people.path} and {metrics.path} name different systems ({'; '.join(parts)}; in both: {_few(common)}); "
            "--ignore-unknown leaves them out"
        )
    if unscored:
        notes.append(f"left out, rated but not scored: {_few(unscored, 20)}")
    if unrated:
        notes.append(f"left out, scored but not rated: {_few(unrated, 20)}")
    return common


def _check_segments(people: Ratings | Rankings, metrics: Measured, ignore: bool, notes: list[str]) -> None:
    """A rated segment that the metrics do not know is an error, or left out aloud.

    Ratings that count from 0 where scores count from 1 would all be of the segment before; that is never left out.
    """
    known = set(metrics.segments)
    unknown = [segment for segment in people.segments if segment not in known]
    from_0 = "0" in unknown and "1" in known
    if len(unknown) == len(people.segments) or from_0 or (unknown and not ignore):
        hint = "; segments are counted from 1, or from 0 with --first-segment 0" if from_0 else ""
        more = "" if ignore or len(unknown) == len(people.segments) else "; --ignore-unknown leaves them out"
        raise InputError(
            f"{people.path}: rates segments that are not in {metrics.path}: {_few(unknown)} "
            f"(there are {_few(metrics.segments, 3)}){hint or more}"
        )
    if unknown:
        notes.append(f"left out, {len(unknown)} rated segments without a score: {_few(unknown)}")


def _few(names: Iterable[str], most: int = 8) -> str:
    names = [*names]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def system_names(paths: Sequence[str], known: Iterable[str]) -> list[str]:
    """Name systems by their files: the name that people know, or the file's without folder and ending.

    >>> system_names(["out/A.txt", "out/B.v2.txt.gz", "C.de"], ["A", "C.de"])
    ['A', 'B.v2', 'C.de']
    """
    rated = set(known)
    names = []
    for path in paths:
        base = os.path.basename(path)
        plain = without_suffix(base)
        stem = os.path.splitext(plain)[0]
        names.append(next((name for name in (base, plain, stem) if name in rated), stem))
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InputError(f"{paths[names.index(name)]} and {paths[i]} are both called {name}; expected other names")
    return names


def named_as_rated(scores: Scores, known: Iterable[str]) -> Scores:
    """Call systems as people do, where `tricolore score --segments` wrote the scores and called them as their files."""
    if "|version:tricolore-" not in scores.signature:
        return scores
    systems = [*dict.fromkeys((*scores.systems, *(system for system, _ in scores.segments)))]
    rated = {*known}
    names = {
        path: name if name in rated else path for path, name in zip(systems, system_names(systems, rated), strict=True)
    }
    return replace(
        scores,
        systems={names[system]: score for system, score in scores.systems.items()},
        segments={(names[system], segment): score for (system, segment), score in scores.segments.items()},
    )
