"""Join human ratings and metric scores of the same systems and segments in tables of scores."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...compression import without_suffix
from ...errors import InputError
from ..score_table import Column, Floats, ScoreTable
from .metric_scores import MetricScores
from .options import JoinOptions
from .rankings import Rankings
from .ratings import Ratings, few

#: The most notes that are shown; further ones are only counted.
MOST_NOTES = 8


@dataclass(frozen=True, eq=False)
class ScoredSystems:
    """Metric scores: a column per metric, of systems x segments, and scores of whole systems where they were given."""

    path: str  #: where the scores come from, for messages
    systems: tuple[str, ...]
    segments: tuple[str, ...]  #: ("",) if there are scores of whole systems only
    columns: tuple[Column, ...]
    given: Mapping[str, Floats] = field(default_factory=dict)  #: by metric, in the order of the systems

    @classmethod
    def of_metrics(cls, scores: Sequence[MetricScores]) -> ScoredSystems:
        """Scores from files, with the systems and segments of all of them."""
        systems = tuple(dict.fromkeys(name for one in scores for name in (*one.systems, *(s for s, _ in one.segments))))
        segments = tuple(dict.fromkeys(segment for one in scores for _, segment in one.segments)) or ("",)
        columns, given = [], {}
        for one in scores:
            whole = np.array([one.systems.get(name, math.nan) for name in systems])
            parts = [[one.segments.get((name, s), math.nan) for s in segments] for name in systems]
            columns.append(_column(one, whole[:, None] if segments == ("",) else np.array(parts)))
            if one.systems:
                given[one.name] = whole
        return cls(", ".join(dict.fromkeys(one.path for one in scores)), systems, segments, tuple(columns), given)

    @property
    def of_systems(self) -> bool:
        """Whether there are scores of whole systems only."""
        return self.segments == ("",)

    def take(self, systems: Sequence[str], segments: Sequence[int]) -> ScoredSystems:
        """Some systems, by name, and segments, by index, in the order given."""
        at = {name: i for i, name in enumerate(self.systems)}
        rows = [at[name] for name in systems]
        return replace(
            self,
            systems=tuple(systems),
            segments=tuple(self.segments[i] for i in segments),
            columns=tuple(column.take(rows, segments) for column in self.columns),
            given={name: values[rows] for name, values in self.given.items()},
        )

    def renamed(self, names: Mapping[str, str]) -> ScoredSystems:
        """The same with new names for some systems."""
        return replace(self, systems=tuple(names.get(name, name) for name in self.systems))

    def with_metrics(self, others: ScoredSystems) -> ScoredSystems:
        """Add metrics, for these systems and segments."""
        others = others.renamed(same_names(others.systems, self.systems))
        twice = {one.name for one in self.columns} & {one.name for one in others.columns}
        if twice:
            raise InputError(f"{others.path}: {min(twice)} is also a metric of {self.path}; expected another name")
        missing = [name for name in self.systems if name not in others.systems]
        if missing:
            raise InputError(
                f"names differ: {others.path} has no scores of {few(missing)} (it has {few(others.systems)})"
            )
        at = {name: i for i, name in enumerate(others.segments)}
        chosen = others.take(self.systems, range(len(others.segments)))
        there = [at.get(name, -1) for name in self.segments]  # -1 is a column of missing scores
        padded = [np.pad(one.segments, ((0, 0), (0, 1)), constant_values=math.nan) for one in chosen.columns]
        columns = [_column(one, values[:, there]) for one, values in zip(chosen.columns, padded, strict=True)]
        return replace(self, columns=(*self.columns, *columns), given={**self.given, **chosen.given})


@dataclass(frozen=True, eq=False)
class JoinedScores:
    """Tables of ratings and scores, one per group; a level without scores has none."""

    systems: tuple[ScoreTable, ...]  #: for system level
    segments: tuple[ScoreTable, ...]  #: for segment level
    human: str  #: the signature of the ratings
    rankings: tuple[Rankings, ...] = ()  #: of the segment-level tables, if annotators ranked
    straw_men: tuple[str, ...] = ()  #: artificial systems, the last of each table
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(column.name for column in self.systems[0].metrics)

    @property
    def most_systems(self) -> int:
        """The number of systems of the largest table."""
        return max(len(table.systems) for table in self.systems)

    def tables(self, level: str) -> tuple[ScoreTable, ...]:
        """The tables for a level."""
        return self.systems if level == "system" else self.segments

    def without_straw_men(self) -> JoinedScores:
        """The same without the straw men."""
        if not self.straw_men:
            return self
        tables = []
        for given in (self.systems, self.segments):
            real = [[i for i, name in enumerate(one.systems) if name not in self.straw_men] for one in given]
            taken = [one.take(indices) for one, indices in zip(given, real, strict=True)]
            if self.rankings:  # count expected wins again, without those over straw men
                pairs = zip(taken, self.rankings, strict=True)
                taken = [replace(one, human=ranked.column(one.systems, one.segments)) for one, ranked in pairs]
            tables.append(tuple(taken))
        return replace(self, systems=tables[0], segments=tables[1], straw_men=())


def join(
    ratings: Mapping[str, Ratings | Rankings],
    scores: Mapping[str, ScoredSystems],
    options: JoinOptions,
    *,
    means: bool = False,
    notes: Sequence[str] = (),
    straw_men: Sequence[str] = (),
) -> JoinedScores:
    """Join ratings and scores, group by group; scores without a group are used for every group.

    With `means`, systems are scored by the means of their segment scores, even if their scores were given.
    """
    noted: dict[str, list[str]] = {}  # the groups of each note
    systems, segments, ranked = [], [], []
    for name, one in ratings.items():
        scored = scores.get(name, scores.get(""))
        if scored is None:
            raise InputError(f"{one.path}: there are no scores for {name} (there are some for {', '.join(scores)})")
        if name and name not in scores:
            rated_here = {*(scored.segments if one.of_systems else one.segments)}
            here = [i for i, segment in enumerate(scored.segments) if segment in rated_here]
            scored = scored.take(scored.systems, here) if here else scored
        whole, parts, rated, more = join_group(one, scored, options, means=means, name=name)
        systems.append(whole)
        segments += [] if parts is None else [parts]
        ranked += [rated] if isinstance(rated, Rankings) else []
        for note in more:
            noted.setdefault(note, []).append(name)
    names = [", ".join(column.name for column in table.metrics) for table in systems]
    for other in names:
        if other != names[0]:
            raise InputError(f"groups have different metrics: {names[0] or 'none'}, but also {other or 'none'}")
    groups: list[Any] = [*ratings.values()]
    signature = groups[0].signature_of(groups) + ("|noise:dropped" if options.without_noise else "")
    every = (*notes, *_brief(noted))
    return JoinedScores(tuple(systems), tuple(segments), signature, tuple(ranked), tuple(straw_men), every)


def join_group(
    ratings: Ratings | Rankings, scored: ScoredSystems, options: JoinOptions, *, means: bool = False, name: str = ""
) -> tuple[ScoreTable, ScoreTable | None, Ratings | Rankings, list[str]]:
    """Tables for system and segment level, of the systems that are rated and scored, on the scored segments.

    By default, scores of whole systems are those given, if any, and unrated segments count in a metric's system scores;
    `options` can change that. Also return the ratings, with the names of systems in the tables, and notes; if there is
    no segment level, one says why.
    """
    names = same_names(ratings.systems, scored.systems)
    ratings, scored = ratings.renamed(names), scored.renamed(names)
    notes = [*ratings.notes]
    systems = _systems(ratings, scored, options.ignore_unknown, notes)
    chosen = scored.take(systems, range(len(scored.segments)))
    if ratings.of_systems or scored.of_systems:
        human = collapsed(ratings.column(systems, ratings.segments))
        columns = tuple(_given(column, {} if means else chosen.given) for column in chosen.columns)
        table = ScoreTable(chosen.systems, ("",), human, columns, name)
        who = ratings.path if ratings.of_systems else scored.path
        notes.append(f"{who}: has scores of whole systems only, so there is no segment level")
        return _common(table, options), None, ratings, notes
    _check_segments(ratings, scored, options.ignore_unknown, notes)
    human = ratings.column(chosen.systems, chosen.segments)
    table = _common(ScoreTable(chosen.systems, chosen.segments, human, chosen.columns, name), options)
    table = table.matched() if options.rated_only else table
    table = _signed(table.without_noise(), "noise:dropped") if options.without_noise else table
    if means or options.rated_only or not chosen.given:
        return table, table, ratings, notes
    columns = tuple(_given(column, chosen.given) for column in table.metrics)
    whole = ScoreTable(chosen.systems, ("",), collapsed(human), columns, name)
    return _common(whole, options), table, ratings, notes


def collapsed(column: Column) -> Column:
    """The scores of systems as a column of a single segment."""
    rows = column.rows.sum(axis=1, keepdims=True)
    return replace(column, segments=column.score(rows), rows=rows, noise=None)


def _given(column: Column, given: Mapping[str, Floats]) -> Column:
    return _column(column, given[column.name][:, None]) if column.name in given else collapsed(column)


def _column(metric: MetricScores | Column, values: Floats) -> Column:
    better = metric.higher_is_better is not False
    return Column.of_scores(metric.name, values, higher_is_better=better, signature=metric.signature)


def _common(table: ScoreTable, options: JoinOptions) -> ScoreTable:
    """Drop scores of outputs that not all metrics score."""
    if not options.common:
        return table
    everywhere = np.all([~np.isnan(column.segments) for column in table.metrics], axis=0)
    table = replace(table, metrics=tuple(column.only(everywhere) for column in table.metrics))
    return _signed(table, "missing:common")


def _signed(table: ScoreTable, setting: str) -> ScoreTable:
    """Add a setting to the signatures of a table."""
    human, *metrics = (
        replace(one, signature=f"{one.signature}|{setting}", alone=one.alone and f"{one.alone}|{setting}")
        for one in (table.human, *table.metrics)
    )
    return replace(table, human=human, metrics=tuple(metrics))


def _brief(noted: Mapping[str, Sequence[str]]) -> list[str]:
    """Each note once, with the group or the number of groups that it is about."""
    notes = []
    for note, groups in noted.items():
        where = f"in {len(groups)} tables: " if len(groups) > 1 else f"{groups[0]}: " if groups[0] else ""
        notes.append(where + note)
    more = len(notes) - MOST_NOTES
    return [*notes[:MOST_NOTES], f"and {more} more notes of this kind"] if more > 0 else notes


def same_names(some: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """New names for systems that differ only in the folder or extension of a file: `out/smu.txt` is `smu`.

    An extension begins with a letter, so `GPT-4.1` is not `GPT-4`. Names that would become equal are kept.

    >>> same_names(["out/smu.txt", "GPT-4.1", "a.de", "a.en", "own.txt"], ["smu", "GPT-4", "a", "own.txt"])
    {'out/smu.txt': 'smu'}
    """
    first, second = _by_plain_name(some), _by_plain_name(others)
    differ = [plain for plain in first if first[plain] != second.get(plain, first[plain])]
    return {name: plain for plain in differ for name in (first[plain], second[plain]) if name != plain}


def _by_plain_name(names: Iterable[str]) -> dict[str, str]:
    """Names by their form without folder and extension, if that is unique."""
    plain = {name: re.sub(r"\.[A-Za-z][\w-]*$", "", without_suffix(os.path.basename(name))) for name in names}
    times = Counter(plain.values())
    return {short: name for name, short in plain.items() if times[short] == 1}


def _systems(ratings: Ratings | Rankings, scored: ScoredSystems, ignore: bool, notes: list[str]) -> list[str]:
    """The systems that are rated and scored; others are an error, or dropped with a note."""
    common = [system for system in ratings.systems if system in set(scored.systems)]
    sides = {"rated but not scored": ratings.systems, "scored but not rated": scored.systems}
    found = {what: [name for name in names if name not in common] for what, names in sides.items()}
    others = {what: names for what, names in found.items() if names}
    if others and not (ignore and common):
        differ = "; ".join(f"{what}: {few(names)}" for what, names in others.items()) if common else "none in common"
        raise InputError(
            f"names differ: {ratings.path} rates {few(ratings.systems)}; the systems of "
            f"{scored.path} are {few(scored.systems)} ({differ})"
            + ("; ignore_unknown=True drops them" if common else "")
        )
    notes += [f"dropped, {what}: {few(names, 20)}" for what, names in others.items()]
    return common


def _check_segments(ratings: Ratings | Rankings, scored: ScoredSystems, ignore: bool, notes: list[str]) -> None:
    """A rated segment that is not scored is an error, or dropped with a note.

    Segments numbered from 0 in ratings and from 1 in scores are always an error, as each would match the wrong segment.
    """
    known = set(scored.segments)
    unknown = [segment for segment in ratings.segments if segment not in known]
    from_0 = "0" in unknown and "1" in known
    if len(unknown) == len(ratings.segments) or from_0 or (unknown and not ignore):
        hint = "; segments are numbered from 1, or from 0 with first_segment=0" if from_0 else ""
        more = "" if ignore or len(unknown) == len(ratings.segments) else "; ignore_unknown=True drops them"
        raise InputError(
            f"{ratings.path}: rates segments that are not in {scored.path}: {few(unknown)} "
            f"(there are {few(scored.segments, 3)}){hint or more}"
        )
    if unknown:
        notes.append(f"dropped, {len(unknown)} rated segments without a score: {few(unknown)}")
