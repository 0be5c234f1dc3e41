"""Join human ratings and scores of metrics: the same systems, the same segments, in tables of scores."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ...compression import without_suffix
from ...errors import InputError
from ..score_table import Column, ScoreTable
from .rankings import Rankings, signature_of_rankings
from .ratings import Ratings, signature_of_ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..score_table import Floats
    from .metric_scores import MetricScores
    from .options import JoinOptions

#: Notes that are told; of more it is only told how many there are.
MOST_NOTES = 8


@dataclass(frozen=True, eq=False)
class ScoredSystems:
    """Scores of metrics: one column each, of systems x segments; and scores of whole systems, where they were given."""

    path: str  #: where the scores come from, for messages
    systems: tuple[str, ...]
    segments: tuple[str, ...]  #: one that is called "" where there are scores of whole systems only
    columns: tuple[Column, ...]
    given: Mapping[str, Floats] = field(default_factory=dict)  #: by metric, in the order of the systems

    @classmethod
    def of_metrics(cls, scores: Sequence[MetricScores]) -> ScoredSystems:
        """Scores from files, with all systems and segments that are in any of them."""
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
        return cls(", ".join(dict.fromkeys(one.path for one in scores)), systems, segments, tuple(columns), given)

    @property
    def of_systems(self) -> bool:
        """Whether there are scores of whole systems only."""
        return self.segments == ("",)

    def take(self, systems: Sequence[str], segments: Sequence[int]) -> ScoredSystems:
        """Some systems, by name, and segments, by number, in the order given."""
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
        """The same, with some systems called otherwise."""
        return replace(self, systems=tuple(names.get(name, name) for name in self.systems))

    def with_metrics(self, others: ScoredSystems) -> ScoredSystems:
        """These metrics and others, of the systems and segments that are here."""
        others = others.renamed(same_names(others.systems, self.systems))
        twice = {one.name for one in self.columns} & {one.name for one in others.columns}
        if twice:
            raise InputError(f"{others.path}: {min(twice)} is also a metric of {self.path}; expected another name")
        missing = [name for name in self.systems if name not in others.systems]
        if missing:
            raise InputError(
                f"names differ: {others.path} has no scores of {_few(missing)} (it has {_few(others.systems)})"
            )
        at = {name: i for i, name in enumerate(others.segments)}
        chosen = others.take(self.systems, range(len(others.segments)))
        here = [j for j, name in enumerate(self.segments) if name in at]
        there = [at[self.segments[j]] for j in here]
        columns = []
        for column in chosen.columns:
            values = np.full((len(self.systems), len(self.segments)), math.nan)
            values[:, here] = column.segments[:, there]
            columns.append(_column(column, values))
        return replace(self, columns=(*self.columns, *columns), given={**self.given, **chosen.given})


@dataclass(frozen=True, eq=False)
class JoinedScores:
    """Tables of ratings and scores, one for each group; a level that nothing is known of has none."""

    systems: tuple[ScoreTable, ...]  #: for system level
    segments: tuple[ScoreTable, ...]  #: for segment level
    human: str  #: the signature of the ratings
    rankings: tuple[Rankings, ...] = ()  #: of the segment-level tables, where annotators ranked
    straw_men: tuple[str, ...] = ()  #: systems that are none; they are the last of each table
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(column.name for column in self.systems[0].metrics)

    @property
    def most_systems(self) -> int:
        """How many systems there are to compare, at most."""
        return max(len(table.systems) for table in self.systems)

    def tables(self, level: str) -> tuple[ScoreTable, ...]:
        """The tables for a level."""
        return self.systems if level == "system" else self.segments

    def without_straw_men(self) -> JoinedScores:
        """The same, of real systems only."""
        if not self.straw_men:
            return self
        return replace(self, systems=self._real(self.systems), segments=self._real(self.segments), straw_men=())

    def _real(self, tables: Sequence[ScoreTable]) -> tuple[ScoreTable, ...]:
        real = [
            table.take([i for i, name in enumerate(table.systems) if name not in self.straw_men]) for table in tables
        ]
        if not self.rankings:
            return tuple(real)
        # Expected wins must be counted anew: wins over straw men are none.
        pairs = zip(real, self.rankings, strict=True)
        return tuple(replace(table, human=ranked.column(table.systems, table.segments)) for table, ranked in pairs)


def join(
    ratings: Mapping[str, Ratings | Rankings],
    scores: Mapping[str, ScoredSystems],
    options: JoinOptions,
    *,
    means: bool = False,
    notes: Sequence[str] = (),
    straw_men: Sequence[str] = (),
) -> JoinedScores:
    """Join ratings and scores, group by group; scores of the nameless group serve every group.

    With `means`, systems are scored by the means of their segments, even if their scores were given.
    """
    said: dict[str, list[str]] = {}  # the groups of each note
    systems, segments, ranked = [], [], []
    for name, one in ratings.items():
        scored = scores.get(name, scores.get(""))
        if scored is None:
            raise InputError(f"{one.path}: there are no scores for {name} (there are some for {', '.join(scores)})")
        if name and name not in scores:
            scored = _of_group(one, scored)
        whole, parts, rated, more = join_group(one, scored, options, means=means, name=name)
        systems.append(whole)
        segments += [] if parts is None else [parts]
        ranked += [rated] if isinstance(rated, Rankings) else []
        for note in more:
            said.setdefault(note, []).append(name)
    _check_same_metrics(systems)
    signature = _signature([*ratings.values()]) + ("|noise:dropped" if options.without_noise else "")
    every = (*notes, *_brief(said))
    return JoinedScores(tuple(systems), tuple(segments), signature, tuple(ranked), tuple(straw_men), every)


def join_group(
    ratings: Ratings | Rankings, scored: ScoredSystems, options: JoinOptions, *, means: bool = False, name: str = ""
) -> tuple[ScoreTable, ScoreTable | None, Ratings | Rankings, list[str]]:
    """Tables for system and segment level, of the systems that are rated and scored, on the scored segments.

    The scores of whole systems are the metrics' own, where they were given. Segments that nobody rated count in a
    metric's score of a system. `options` may say otherwise. Also return the ratings as their systems are called in the
    tables, and notes; where there is no segment level, one says why.
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
    """The scores of systems as a column of one segment, which stands for all."""
    rows = column.rows.sum(axis=1, keepdims=True)
    return replace(column, segments=column.score(rows), rows=rows)


def _given(column: Column, given: Mapping[str, Floats]) -> Column:
    return _column(column, given[column.name][:, None]) if column.name in given else collapsed(column)


def _column(metric: MetricScores | Column, values: Floats) -> Column:
    """A column of scores in the name of a metric."""
    return Column.of_scores(metric.name, values, higher_is_better=metric.higher_is_better, signature=metric.signature)


def _common(table: ScoreTable, options: JoinOptions) -> ScoreTable:
    """Leave to each metric only what all metrics score."""
    if not options.common:
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


def _of_group(ratings: Ratings | Rankings, scored: ScoredSystems) -> ScoredSystems:
    """The segments of scores that a group has ratings of."""
    own = set(scored.segments if ratings.of_systems else ratings.segments)
    segments = [i for i, name in enumerate(scored.segments) if name in own]
    return scored.take(scored.systems, segments) if segments else scored


def _check_same_metrics(tables: Sequence[ScoreTable]) -> None:
    names = [[column.name for column in table.metrics] for table in tables]
    for one in names:
        if one != names[0]:
            raise InputError(
                f"not every group has the same metrics: {', '.join(names[0])}, but also {', '.join(one) or 'none'}"
            )


def _signature(ratings: Sequence[Ratings | Rankings]) -> str:
    ranked = [one for one in ratings if isinstance(one, Rankings)]
    scores = [one for one in ratings if isinstance(one, Ratings)]
    return signature_of_rankings(ranked) if ranked else signature_of_ratings(scores)


def _brief(said: Mapping[str, Sequence[str]]) -> list[str]:
    """Tell once what is true of many groups."""
    notes = []
    for note, groups in said.items():
        if groups == [""]:
            notes.append(note)
        else:
            notes.append(f"{groups[0]}: {note}" if len(groups) == 1 else f"in {len(groups)} tables: {note}")
    more = len(notes) - MOST_NOTES
    return [*notes[:MOST_NOTES], f"and {more} more notes of this kind"] if more > 0 else notes


# The same systems and segments -----------------------------------------------------------------------------


def same_names(some: Iterable[str], others: Iterable[str]) -> dict[str, str]:
    """New names for systems that are the same but for a file's folder or ending: `out/smu.txt` is `smu`.

    An ending begins with a letter, so that `GPT-4.1` is not `GPT-4`. Names that would become the same stay.

    >>> same_names(["out/smu.txt", "GPT-4.1", "a.de", "a.en", "own.txt"], ["smu", "GPT-4", "a", "own.txt"])
    {'out/smu.txt': 'smu'}
    """
    first, second = _by_plain_name(some), _by_plain_name(others)
    differ = [plain for plain in first if first[plain] != second.get(plain, first[plain])]
    return {name: plain for plain in differ for name in (first[plain], second[plain]) if name != plain}


def _by_plain_name(names: Iterable[str]) -> dict[str, str]:
    """Names by what they are without folder and ending, where that is unique."""
    plain = {name: re.sub(r"\.[A-Za-z][\w-]*$", "", without_suffix(os.path.basename(name))) for name in names}
    times = Counter(plain.values())
    return {short: name for name, short in plain.items() if times[short] == 1}


def _systems(ratings: Ratings | Rankings, scored: ScoredSystems, ignore: bool, notes: list[str]) -> list[str]:
    """The systems on both sides; others are an error, or dropped with a note."""
    common = [system for system in ratings.systems if system in set(scored.systems)]
    unscored = [system for system in ratings.systems if system not in common]
    unrated = [system for system in scored.systems if system not in common]
    if (unscored or unrated) and not (ignore and common):
        parts = [f"rated but not scored: {_few(unscored)}"] if unscored else []
        parts += [f"scored but not rated: {_few(unrated)}"] if unrated else []
        differ = "; ".join(parts) if common else "none in common"
        raise InputError(
            f"names differ: {ratings.path} rates {_few(ratings.systems)}; {scored.path} scores "
            f"{_few(scored.systems)} ({differ})" + ("; ignore_unknown=True drops them" if common else "")
        )
    for what, names in (("rated but not scored", unscored), ("scored but not rated", unrated)):
        if names:
            notes.append(f"dropped, {what}: {_few(names, 20)}")
    return common


def _check_segments(ratings: Ratings | Rankings, scored: ScoredSystems, ignore: bool, notes: list[str]) -> None:
    """A rated segment that is not scored is an error, or dropped with a note.

    Ratings that count from 0 where scores count from 1 would all be of the segment before; these are never dropped.
    """
    known = set(scored.segments)
    unknown = [segment for segment in ratings.segments if segment not in known]
    from_0 = "0" in unknown and "1" in known
    if len(unknown) == len(ratings.segments) or from_0 or (unknown and not ignore):
        hint = "; segments are counted from 1, or from 0 with first_segment=0" if from_0 else ""
        more = "" if ignore or len(unknown) == len(ratings.segments) else "; ignore_unknown=True drops them"
        raise InputError(
            f"{ratings.path}: rates segments that are not in {scored.path}: {_few(unknown)} "
            f"(there are {_few(scored.segments, 3)}){hint or more}"
        )
    if unknown:
        notes.append(f"dropped, {len(unknown)} rated segments without a score: {_few(unknown)}")


def _few(names: Iterable[str], most: int = 8) -> str:
    names = [*names]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
