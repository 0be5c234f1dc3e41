"""All that a report shows: systems, their texts, scores by metrics and annotators, tests, and columns to group by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..columns import listed
from ..errors import InputError, InputTypeError
from ..external_options import ExternalOptions
from ..judge.correlation.correlate import agreements_of
from ..judge.correlation.join_scores import JoinedScores, same_names
from ..judge.correlation.measures import measures_for
from ..judge.correlation.options import CorrelateOptions, JoinOptions, RatingOptions
from ..judge.correlation.rankings import Rankings
from ..judge.correlation.rating_files import ratings_by_group
from ..judge.correlation.ratings import Ratings, few
from ..judge.correlation.result import Correlation
from ..judge.external_scores import external_scores
from ..judge.score_table import Column, ScoreTable
from ..judge.significance.compare import scores_column
from ..judge.significance.comparison import Comparison, Judgement, Settings
from ..judge.significance.system_tests import Criterion, Runs, compare_columns
from ..readers.files import read_columns
from ..readers.texts import is_path
from ..segments import References
from ..types import Stage
from .error_spans import ErrorSpan

#: Digits after the point of ratings.
HUMAN_DIGITS = 2


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a report is about."""

    comparison: Comparison  #: of all systems, by every criterion that all of them have
    criteria: Sequence[Criterion]  #: in the order of the judgements
    kinds: Sequence[str]  #: of the criteria: metric, scores (from elsewhere) or human
    segments: Sequence[str]  #: their names
    outputs: Sequence[Sequence[str]] = ()  #: by system; none for scores without texts
    references: References | None = None
    source: Sequence[str] = ()
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)  #: a value per segment, such as its document
    errors: Sequence[ErrorSpan] = ()  #: that annotators marked
    correlation: Correlation | None = None
    notes: Sequence[str] = ()

    @property
    def systems(self) -> Sequence[str]:
        """The names of the systems."""
        return self.comparison.names


def external_criteria(
    sources: Any, systems: Sequence[str], segments: int, options: ExternalOptions, beside: Sequence[str]
) -> tuple[list[Criterion], list[str]]:
    """Scores of the same systems and segments from elsewhere, and notes; missing ones are nan."""
    found, notes = external_scores(sources, systems, segments, options, of_segments=True, beside=beside)
    return [Criterion(one.column(), one.metric.name) for one in found], notes


def given_criteria(extra: Mapping[str, Any], systems: Sequence[str], segments: int) -> list[Criterion]:
    """Scores given as arrays by name: systems x segments, in the order of the systems, or lists by system."""
    criteria = []
    for name, given in extra.items():
        rows = [given[system] for system in systems] if isinstance(given, Mapping) else given
        try:
            values = np.array(rows, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputTypeError(f"scores: {name}: expected numbers, a list per system") from None
        if values.shape != (len(systems), segments):
            raise InputError(
                f"scores: {name}: expected {len(systems)} systems x {segments} segments, got an array of shape "
                f"{values.shape}"
            )
        criteria.append(Criterion(scores_column(name, values), name))
    return criteria


def human_ratings(human: Any, systems: Sequence[str], options: RatingOptions, ignore: bool) -> Ratings | Rankings:
    """Ratings with the names of the systems; systems that are not rated, or not given, are an error unless ignored."""
    ratings = ratings_by_group(human, options, JoinOptions(), [*systems])[""]
    names = same_names(ratings.systems, systems)
    ratings = ratings.renamed({rated: name for rated, name in names.items() if name in systems})
    sides = {
        "rated but not given": [name for name in ratings.systems if name not in systems],
        "given but not rated": [name for name in systems if name not in ratings.systems],
    }
    for what, found in sides.items():
        if found and not (ignore and len(found) < len(systems)):
            raise InputError(f"{ratings.path}: systems {what}: {few(found)}; ignore_unknown=True drops them")
    return ratings


def human_criterion(ratings: Ratings | Rankings, systems: Sequence[str], segments: Sequence[str]) -> Criterion:
    """Ratings as a column; whole systems that were rated have a single segment."""
    names = ratings.segments if ratings.of_systems else segments
    unknown = [name for name in ratings.segments if name not in {*names}]
    if unknown:
        raise InputError(f"{ratings.path}: rates segments that the texts do not have: {few(unknown)}")
    return Criterion(ratings.column(systems, names), "Human", HUMAN_DIGITS)


def grouped(given: Any, name: str, segments: int) -> list[str]:
    """Values to group segments by: a list or column, or a file with one per line (the first of several cells)."""
    if is_path(given):
        values = [line.split("\t")[0].strip() for line in read_columns(str(given))]
    else:
        values = [str(value) for value in listed(given, name)]
    if len(values) != segments:
        where = f"{given}: " if is_path(given) else f"{name}: "
        raise InputError(f"{where}has {len(values):,} values, but there are {segments:,} segments")
    return values


def judged(
    criteria: Sequence[Criterion], systems: Sequence[str], how: Settings, progress: Stage | None = None
) -> Comparison:
    """Compare systems by every criterion; by one that some systems lack, only the others are compared."""
    judgements: list[Judgement] = []
    for one in criteria:
        there = [i for i in range(len(systems)) if not np.isnan(one.column.segments[i]).all()]
        some = replace(one, column=one.column.take(there)) if len(there) < len(systems) else one
        compared = compare_columns([some], Runs.single([systems[i] for i in there]), how, progress)
        judgements += compared.judgements
    segments = max(one.column.rows.shape[1] for one in criteria)
    return Comparison(tuple(judgements), tuple(systems), segments, how)


def correlated(
    criteria: Sequence[Criterion],
    human: Criterion,
    systems: Sequence[str],
    segments: Sequence[str],
    how: Settings,
    rankings: tuple[Rankings, ...] = (),
    progress: Stage | None = None,
) -> Correlation:
    """How well the metrics agree with the ratings, as `correlate` measures it."""
    rated = [i for i in range(len(systems)) if not np.isnan(human.column.segments[i]).all()]
    names = tuple(systems[i] for i in rated)
    taken = [one.column.take(rated) for one in (human, *criteria)]
    table = ScoreTable(names, tuple(segments), taken[0], tuple(taken[1:]))
    joined = JoinedScores((table,), (table,), human.column.signature, rankings)
    options = CorrelateOptions(seed=how.seed, level=how.level, samples=min(how.resamples or 1000, 1000))
    measures = measures_for(joined, options)
    whole, parts = ([one for one in measures if one.level == level] for level in ("system", "segment"))
    step = progress("correlating") if progress else _silent
    # Resampling pairs of segments takes longer than all else; `correlate` has these intervals.
    plain = replace(options, intervals=False)
    found = {(one.metric, one.measure): one for one in agreements_of(joined, options, whole, step)}
    found |= {(one.metric, one.measure): one for one in agreements_of(joined, plain, parts, step)}
    agreements = [found[metric, measure] for metric in joined.metrics for measure in measures]
    return Correlation(joined, tuple(agreements), options)


def _silent(done: int, total: int) -> None:
    """Say nothing about progress."""


def missing_scores(column: Column) -> int:
    """How many scores are missing."""
    return int(np.isnan(column.segments).sum())


def finite(value: float, scale: float = 1.0) -> float | None:
    """A number for JSON: None where it is undefined."""
    return None if value is None or not math.isfinite(value) else float(value) * scale
