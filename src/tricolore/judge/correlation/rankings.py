"""Relative rankings: annotators order a few translations of one segment; ties are allowed.

A ranking only says which of two ranked systems is better on that segment, so it is split into pairs, which are
evaluated by Kendall's statistics, without human ties.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...readers.tables import Table
from ..score_table import Column, Floats, ScoreTable
from .ratings import ANNOTATOR, SEGMENT, SYSTEM, sizes
from .resamples import Resamples
from .statistics import CONCORDANT, DISCORDANT, METRIC_TIES

#: Columns that identify a ranking, besides segment and annotator, in a table with one row per system.
RANKING = ("ranking", "ranking_id", "rankingId", "task", "hit")

#: How WMT writes a rank that was left blank.
BLANK = -1


class Judgement(NamedTuple):
    """One pair of one ranking."""

    segment: str
    first: str
    second: str
    sign: int  #: 1 if the first is better, -1 if the second is, 0 for a tie


#: The most wins and losses, of every system against every other on every segment, that are kept: a gigabyte.
MOST_NUMBERS = 2**27


@dataclass(frozen=True)
class Rankings:
    """Human judgements of pairs of systems.

    >>> human = Rankings("made-up", ("A", "B"), ("1", "2"), (Judgement("1", "A", "B", 1), Judgement("2", "A", "B", 0)))
    >>> human.column(("A", "B"), ("1", "2")).systems()  # expected wins: ties do not count
    array([1., 0.])
    """

    path: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judgements: tuple[Judgement, ...]
    number: int = 0  #: the number of rankings
    annotators: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    settings: str = ""  #: changes made to them, as in a signature
    made_up: int = 0  #: the number of judgements at the end that are assumed, about straw men

    of_systems = False

    @property
    def signature(self) -> str:
        """The number of rankings, pairs and annotators."""
        return self.signature_of([self])

    @staticmethod
    def signature_of(groups: Sequence[Rankings]) -> str:
        """The signature of several groups."""
        judgements = [one for group in groups for one in group.judgements[: len(group.judgements) - group.made_up]]
        number, ties = sum(one.number for one in groups), sum(one.sign == 0 for one in judgements)
        counts = f"human:rr|rankings:{number}|pairs:{len(judgements)}|ties:{ties}"
        return "|".join(filter(None, [counts, *sizes(groups), groups[0].settings]))

    def renamed(self, names: Mapping[str, str]) -> Rankings:
        """The same with new names for some systems."""
        judgements = [
            one._replace(first=names.get(one.first, one.first), second=names.get(one.second, one.second))
            for one in self.judgements
        ]
        systems = tuple(names.get(system, system) for system in self.systems)
        return replace(self, systems=systems, judgements=tuple(judgements))

    def pairs(self, systems: Sequence[str], segments: Sequence[str]) -> NDArray[np.int64]:
        """The pairs of these systems on these segments, without ties: indices of segment, better and worse system."""
        at = {name: i for i, name in enumerate(systems)}
        where = {name: i for i, name in enumerate(segments)}
        rows = [
            (where[one.segment], *((at[one.first], at[one.second])[:: one.sign]))
            for one in self.judgements
            if one.sign and one.segment in where and one.first in at and one.second in at
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, 3)

    def column(self, systems: Sequence[str], segments: Sequence[str]) -> Column:
        """Expected wins as scores; a row of statistics holds the wins against each system, then the losses."""
        size = len(systems)
        if 2 * size * size * len(segments) > MOST_NUMBERS:
            raise InputError(
                f"{self.path}: {size:,} systems on {len(segments):,} segments are more pairs than memory should hold; "
                "compare fewer systems or segments at a time (within=..., where=...)"
            )
        rows = np.zeros((size, len(segments), 2 * size))
        segment, better, worse = self.pairs(systems, segments).T
        np.add.at(rows, (better, segment, worse), 1.0)
        np.add.at(rows, (worse, segment, size + better), 1.0)
        return Column("human", expected_wins(rows), rows, expected_wins, signature=self.signature)


def expected_wins(rows: Floats) -> Floats:
    r"""Score systems by their share of wins against another system, averaged over all they were compared with.

    .. math:: s_i = \frac{1}{n} \sum_{j \ne i} \frac{\mathrm{win}(i, j)}{\mathrm{win}(i, j) + \mathrm{win}(j, i)}

    Ties do not count; a system without wins and losses has no score (nan).

    P. Koehn. Simulating Human Judgment in Machine Translation Evaluation Campaigns. IWSLT 2012.
    O. Bojar et al. Findings of the 2013 Workshop on Statistical Machine Translation. WMT 2013, section 3.
    """
    half = rows.shape[-1] // 2
    wins, losses = rows[..., :half], rows[..., half:]
    met = wins + losses > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = np.where(met, wins / (wins + losses), 0.0)
        scores: Floats = ratios.sum(axis=-1) / np.where(met.any(axis=-1), met.sum(axis=-1), np.nan)
    return scores


# Reading ---------------------------------------------------------------------------------------------------


#: A system in a ranking, its rank, and its row in the table.
_Ranked = tuple[str, float, int]


def read_rankings(table: Table) -> Rankings:
    """Read rankings: one per row, as in WMT's files (`system1Id, ..., system1rank, ...`), or one system per row.

    Lower ranks are better. A blank rank (-1, or an empty cell) is not a judgement.
    """
    wide = _wide_columns(table)
    rankings = _wide(table, wide) if wide else _long(table)
    judgements = tuple(one for segment, ranked in rankings for one in _judgements(table, segment, ranked))
    if not any(one.sign for one in judgements):
        raise InputError(f"{table.path}: no ranking prefers one system to another")
    systems = tuple(dict.fromkeys(system for _, ranked in rankings for system, _, _ in ranked))
    segments = tuple(dict.fromkeys(segment for segment, _ in rankings))
    column = table.find(*ANNOTATOR)
    annotators = frozenset(table.texts(column)) if column else frozenset[str]()
    return Rankings(table.path, systems, segments, judgements, len(rankings), annotators)


def _judgements(table: Table, segment: str, ranked: Sequence[_Ranked]) -> Iterator[Judgement]:
    seen: dict[str, int] = {}
    for system, _, row in ranked:
        if system in seen:
            raise InputError(
                f"{table.where(row)}: {system} is twice in one ranking of segment {segment}"
                + (f" (also on {table.what} {table.lines[seen[system]]})" if seen[system] != row else "")
                + "; expected each system once"
            )
        seen[system] = row
    given = [(system, rank) for system, rank, _ in ranked if not math.isnan(rank)]
    for (first, rank), (second, other) in itertools.combinations(given, 2):
        yield Judgement(segment, first, second, (other > rank) - (other < rank))


def _wide_columns(table: Table) -> list[tuple[str, str]]:
    """The columns of systems and their ranks, if a row is a whole ranking."""
    found = []
    for number in range(1, len(table.columns)):
        system = table.find(f"system{number}Id", f"system{number}", f"system{number}Name")
        if system is None:
            break
        found.append((system, table.need(f"system{number}rank", f"rank{number}")))
    return found


def _wide(table: Table, columns: Sequence[tuple[str, str]]) -> list[tuple[str, list[_Ranked]]]:
    segments = table.texts(table.need("srcIndex", *SEGMENT))
    names = [table.texts(system) for system, _ in columns]
    ranks = [_ranks(table, rank) for _, rank in columns]
    return [
        (segment, [(name[row], rank[row], row) for name, rank in zip(names, ranks, strict=True)])
        for row, segment in enumerate(segments)
    ]


def _long(table: Table) -> list[tuple[str, list[_Ranked]]]:
    systems = table.texts(table.need(*SYSTEM))
    segments = table.texts(table.need(*SEGMENT))
    ranks = _ranks(table, table.need("rank"))
    together = [column for column in (table.find(*ANNOTATOR), table.find(*RANKING)) if column]
    keys = [*zip(segments, *(table.texts(column) for column in together), strict=True)]
    rankings: dict[tuple[str, ...], list[_Ranked]] = defaultdict(list)
    for row, key in enumerate(keys):
        rankings[key].append((systems[row], ranks[row], row))
    return [(key[0], ranked) for key, ranked in rankings.items()]


def _ranks(table: Table, column: str) -> list[float]:
    """Ranks; nan for blank ones."""
    ranks = []
    for row, cell in enumerate(table.columns[column]):
        text = "" if cell is None else str(cell).strip()
        if text in ("", str(BLANK), "None"):
            ranks.append(math.nan)
        elif not re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
            raise InputError(
                f"{table.where(row)}: {column}: expected a rank such as 1 or 2, or {BLANK} for none, found {cell!r}"
            )
        else:
            ranks.append(float(text))
    return ranks


# Agreement -------------------------------------------------------------------------------------------------


class RankedPairs:
    """The pairs that annotators ordered in one table, to compare metrics with."""

    def __init__(self, table: ScoreTable, rankings: Rankings):
        self.table = table
        self.segment, self.better, self.worse = rankings.pairs(table.systems, table.segments).T

    def signs(self, values: Floats) -> Floats:
        """Compare oriented scores (..., systems, segments) with pairs: 1 agree, -1 disagree, 0 tie, nan missing."""
        return np.sign(values[..., self.better, self.segment] - values[..., self.worse, self.segment])

    def tallies(self, metric: Column) -> Floats:
        """Counts of pairs, one row per segment, with the columns of `correlation.pair_counts`."""
        counts = np.zeros((len(self.table.segments), 8))
        signs = self.signs(metric.segment_scores())
        for sign, column in COLUMNS:
            np.add.at(counts[:, column], self.segment[signs == sign], 1.0)
        return counts

    def counts(self, scores: Floats) -> Floats:
        """Counts of all pairs for each of several sets of oriented scores."""
        counts = np.zeros((len(scores), 8))
        signs = self.signs(scores)
        for sign, column in COLUMNS:
            counts[:, column] = (signs == sign).sum(axis=1)
        return counts

    def resampled(self, metric: Column, plan: Resamples) -> Floats:
        """Counts of pairs in each resample; a system drawn twice is in twice as many pairs."""
        copies, times = plan.times
        if plan.systems is None:
            return np.asarray(times @ self.tallies(metric))
        signs = self.signs(metric.segment_scores())
        counts = np.zeros((plan.samples, 8))
        for i in range(plan.samples):
            weights = times[i, self.segment] * copies[i, self.better] * copies[i, self.worse]
            for sign, column in COLUMNS:
                counts[i, column] = weights[signs == sign].sum()
        return counts


#: The columns in which pairs that agree, disagree and tie are counted.
COLUMNS = ((1, CONCORDANT), (-1, DISCORDANT), (0, METRIC_TIES))
