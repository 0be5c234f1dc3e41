"""Everything that is known before metrics are judged: tables of scores for both levels, and what to say about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ...errors import InputError
from ...readers.score_files import ScoreFile, read_scores
from .join_scores import AS_THEY_ARE, Measured, Rules, match, measured
from .metric_scores import scores_of_table
from .rankings import Rankings, signature_of_rankings
from .ratings import signature_of_people
from .straw_men import USUAL, ranked_straw_men, rated_straw_men, straw_men

if TYPE_CHECKING:
    from ..score_table import ScoreTable
    from .ratings import Ratings
    from .score_sources import Metrics, People, Rows


@dataclass(frozen=True, eq=False)
class Evidence:
    """Tables of scores, one for each group; a level that nothing is known of has none."""

    systems: tuple[ScoreTable, ...]  #: for the level of systems
    segments: tuple[ScoreTable, ...]  #: for the level of segments
    people: str  #: the signature of the ratings
    rankings: tuple[Rankings, ...] = ()  #: of the tables of segments, where people ranked
    straw_men: tuple[str, ...] = ()  #: systems that are none; they are the last of each table
    notes: tuple[str, ...] = field(default=())

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(column.name for column in self.systems[0].metrics)

    def tables(self, level: str) -> tuple[ScoreTable, ...]:
        """The tables for a level."""
        return self.systems if level == "system" else self.segments

    def without_straw_men(self) -> Evidence:
        """The same, of real systems only."""
        if not self.straw_men:
            return self
        systems, segments = self._real(self.systems), self._real(self.segments)
        return Evidence(systems, segments, self.people, self.rankings, (), self.notes)

    def _real(self, tables: Sequence[ScoreTable]) -> tuple[ScoreTable, ...]:
        real = [
            table.take([i for i, name in enumerate(table.systems) if name not in self.straw_men]) for table in tables
        ]
        if not self.rankings:
            return tuple(real)
        # Expected wins must be counted anew: wins over straw men are none.
        pairs = zip(real, self.rankings, strict=True)
        return tuple(replace(table, human=ranked.column(table.systems, table.segments)) for table, ranked in pairs)


def gathered(
    people: Mapping[str, Ratings | Rankings],
    metrics: Mapping[str, Measured],
    notes: Sequence[str] = (),
    *,
    rules: Rules = AS_THEY_ARE,
    straw: Sequence[str] = (),
) -> Evidence:
    """Match ratings and scores, group by group; scores of the nameless group serve every group."""
    said: dict[str, list[str]] = {}  # who says a note
    found = []
    for name, rated in people.items():
        scored = metrics.get(name, metrics.get(""))
        if scored is None:
            raise InputError(f"{rated.path}: there are no scores for {name} (there are some for {', '.join(metrics)})")
        if name and name not in metrics:
            scored = _of_group(rated, scored)
        one = match(rated, scored, rules, name=name)
        found.append(one)
        for note in one.notes:
            said.setdefault(note, []).append(name)
    _same_metrics([metrics.get(name, metrics.get("")) for name in people])
    ranked = [rated for rated in people.values() if isinstance(rated, Rankings)]
    return Evidence(
        tuple(one.systems for one in found),
        tuple(one.segments for one in found if one.segments is not None),
        _signature([*people.values()], rules),
        tuple(ranked),
        tuple(straw),
        (*notes, *_brief(said)),
    )


def _of_group(rated: Ratings | Rankings, scored: Measured) -> Measured:
    """The segments of scores that a group has ratings of."""
    own = set(scored.segments if rated.of_systems else rated.segments)
    segments = [i for i, name in enumerate(scored.segments) if name in own]
    return scored.take(range(len(scored.systems)), segments) if segments else scored


def _same_metrics(metrics: Sequence[Measured | None]) -> None:
    names = [[column.name for column in one.columns] for one in metrics if one is not None]
    for one in names:
        if one != names[0]:
            raise InputError(
                f"not every group has the same metrics: {', '.join(names[0])}, but also {', '.join(one) or 'none'}"
            )


def _signature(people: Sequence[Ratings | Rankings], rules: Rules) -> str:
    ranked = [one for one in people if isinstance(one, Rankings)]
    rated = [one for one in people if not isinstance(one, Rankings)]
    signature = signature_of_rankings(ranked) if ranked else signature_of_people(rated)
    return signature + ("|noise:dropped" if rules.without_noise else "")


#: Notes that are said; of more it is only said how many there are.
MOST_NOTES = 8


def _brief(said: Mapping[str, Sequence[str]]) -> list[str]:
    """Say once what is true of many groups."""
    notes = []
    for note, groups in said.items():
        if groups == [""]:
            notes.append(note)
        else:
            notes.append(f"{groups[0]}: {note}" if len(groups) == 1 else f"in {len(groups)} tables: {note}")
    more = len(notes) - MOST_NOTES
    return [*notes[:MOST_NOTES], f"and {more} more notes of this kind"] if more > 0 else notes


def own_table(path: str, rows: Rows, people: People, metrics: Metrics, rules: Rules = AS_THEY_ARE) -> Evidence:
    """Read one table that holds ratings and scores."""
    table = read_scores(path)
    if isinstance(table, ScoreFile):
        raise InputError(f"{path}: holds the scores of one metric or person; name the ratings with --human")
    people = replace(people, column=people.column or "human")
    names, notes = metrics.beside_people(table, people, rows)
    rated, scored = {}, {}
    for group, part in rows.groups(table).items():
        rated[group] = people.of_table(part)
        scored[group] = measured(metrics.turned(scores_of_table(part, names)))
    return gathered(rated, scored, notes, rules=rules)


def with_straw_men(
    systems: Mapping[str, list[str]],
    people: Mapping[str, Ratings | Rankings],
    kinds: Sequence[str],
    score: str | float,
    seed: int,
) -> tuple[dict[str, list[str]], dict[str, Ratings | Rankings], tuple[str, ...]]:
    """Add straw men to the outputs and to the ratings of each group; also return their names.

    In rankings they come last, and `score` is not used.
    """
    made = straw_men(systems, kinds or USUAL, seed=seed)
    rated: dict[str, Ratings | Rankings] = {}
    for name, one in people.items():
        more = ranked_straw_men(one, [*made]) if isinstance(one, Rankings) else rated_straw_men(one, [*made], score)
        rated[name] = replace(more, settings=f"{more.settings}|straw_seed:{seed}")
    return {**systems, **made}, rated, tuple(made)
