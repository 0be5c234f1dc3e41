"""External scores beside systems whose texts are there: the same systems, the same segments, one array per metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InputError
from ..external_options import ExternalOptions
from ..metrics.external import ExternalMetric
from ..stats import Stats
from .correlation.join_scores import same_names
from .correlation.metric_scores import MetricScores, scores_by_group
from .correlation.options import JoinOptions, ScoreOptions
from .correlation.rating_noise import Cell
from .correlation.ratings import few
from .score_table import Column, Floats

#: Scores of systems that differ from the means of their segments by more are told.
ROUNDED = 2e-4


@dataclass(frozen=True, eq=False)
class ExternalScores:
    """The scores of all systems by one external metric."""

    metric: ExternalMetric
    path: str  #: the file, for messages
    segments: Floats | None  #: systems x segments; None if there are scores of whole systems only
    systems: Floats  #: the means of segments, or as given

    def rows(self, system: int) -> Stats | None:
        """The rows of the segments of a system, (score, 1), if there are any."""
        if self.segments is None:
            return None
        values = self.segments[system]
        rows = np.stack([values, np.ones(len(values))], axis=-1)
        return Stats(rows, self.metric.columns, None, self.metric.counting(None, False))

    def column(self) -> Column:
        """The scores of segments as a column."""
        one = self.metric
        how: dict[str, Any] = {"higher_is_better": one.higher_is_better, "signature": one.signature()}
        return Column.of_scores(one.name, self.segments, **how)

    def take(self, segments: Sequence[int]) -> ExternalScores:
        """Some segments alone."""
        if self.segments is None:
            return self
        kept = self.segments[:, segments]
        return replace(self, segments=kept, systems=kept.mean(axis=1))


def external_scores(
    given: Any,
    systems: Sequence[str],
    segments: int,
    how: ExternalOptions,
    *,
    of_segments: bool = False,
    beside: Sequence[str] = (),
) -> tuple[list[ExternalScores], list[str]]:
    """Read external scores of these systems on so many segments, and notes.

    A score that is missing is an error, or with `missing='drop'` nan. With `of_segments`, there must be scores of
    segments. `beside` are the names of metrics that are computed, which these must not have.
    """
    options = ScoreOptions(lower_is_better=how.lower_is_better, higher_is_better=how.higher_is_better)
    scores, notes = scores_by_group(given, options, JoinOptions(), systems)
    names = [str(number) for number in range(1, segments + 1)]
    found = []
    for one in fitted(scores.get("", ()), systems, names, how.ignore_unknown):
        if one.name in beside:
            raise InputError(f"{one.path}: {one.name} is also a metric of the texts; expected another name, NAME=FILE")
        whole = np.array([one.systems.get(system, math.nan) for system in systems])
        if not one.segments:
            if of_segments:
                raise InputError(f"{one.path}: has {one.name} of whole systems only; expected scores of segments")
            _check_complete(one, whole[:, None], systems, [""], missing="refuse")
            found.append(ExternalScores(one.external, one.path, None, whole))
            continue
        values = np.array([[one.segments.get((system, name), math.nan) for name in names] for system in systems])
        _check_complete(one, values, systems, names, how.missing)
        means = values.mean(axis=1)
        if np.any(np.abs(whole - means) > ROUNDED * np.maximum(1, np.abs(means))):
            notes.append(f"{one.path}: its scores of systems are not the means of segments; {one.name} is the mean.")
        found.append(ExternalScores(one.external, one.path, values, means))
    return found, notes


def fitted(
    scores: Sequence[MetricScores], systems: Sequence[str], segments: Sequence[str], ignore_unknown: bool = False
) -> list[MetricScores]:
    """Scores by the names of these systems and segments; systems that differ are an error, and so are segments.

    Segments may be numbered from 0 or from 1. Those without a score are left to the caller.
    """
    return [_with_segments(_with_systems(one, systems, ignore_unknown), segments) for one in scores]


def _with_systems(one: MetricScores, systems: Sequence[str], ignore_unknown: bool) -> MetricScores:
    theirs = [*dict.fromkeys([*one.systems, *(system for system, _ in one.segments)])]
    short = same_names(theirs, systems)
    ours = {short.get(name, name): name for name in systems}
    names = {name: ours.get(short.get(name, name), name) for name in theirs}
    lacking = [name for name in systems if name not in names.values()]
    unknown = [name for name in theirs if names[name] not in systems]
    if lacking or (unknown and not ignore_unknown):
        what = f"has no {one.name} of {few(lacking)}" if lacking else f"has {one.name} of {few(unknown)}, too"
        remedy = "" if lacking else "; ignore_unknown=True drops them"
        raise InputError(f"{one.path}: {what}; expected the systems {few(systems)} (found {few(theirs)}){remedy}")
    kept = {name: new for name, new in names.items() if new in systems}
    return replace(
        one,
        systems={kept[name]: value for name, value in one.systems.items() if name in kept},
        segments=_renamed(one.segments, kept),
        gaps=_renamed(one.gaps, kept),
    )


def _renamed(cells: Mapping[Cell, Any], names: Mapping[str, str]) -> dict[Cell, Any]:
    return {(names[system], segment): value for (system, segment), value in cells.items() if system in names}


def _with_segments(one: MetricScores, segments: Sequence[str]) -> MetricScores:
    """Scores by the names of segments, whether they are numbered from 0 or from 1."""
    there = dict.fromkeys(segment for _, segment in one.segments)
    if one.in_order and there and len(there) != len(segments):
        expected = f"expected {len(segments):,}, as the texts have"
        raise InputError(f"{one.path}: has {one.name} of {len(there):,} segments; {expected}")
    known = {*segments}
    unknown = [name for name in there if name not in known]
    if not unknown:
        return one
    for first in (0, 1):
        numbers = {str(first + i): name for i, name in enumerate(segments)}
        if numbers.keys() == there.keys():
            return replace(one, segments=_numbered(one.segments, numbers), gaps=_numbered(one.gaps, numbers))
    raise InputError(
        f"{one.path}: has {one.name} of segments that are not there: {few(unknown)}; "
        f"expected {segments[0]} to {segments[-1]}"
    )


def _numbered(cells: Mapping[Cell, Any], numbers: Mapping[str, str]) -> dict[Cell, Any]:
    return {(system, numbers[segment]): value for (system, segment), value in cells.items()}


def _check_complete(
    one: MetricScores, values: Floats, systems: Sequence[str], segments: Sequence[str], missing: str
) -> None:
    """Refuse missing scores, and say where the first is."""
    gaps = np.argwhere(np.isnan(values))
    if not len(gaps) or missing == "drop":
        return
    system, segment = systems[gaps[0][0]], segments[gaps[0][1]]
    where = one.gaps.get((system, segment), one.path)
    more = f" ({len(gaps) - 1:,} more are missing)" if len(gaps) > 1 else ""
    what = f"segment {segment} of {system}" if segment else system
    raise InputError(
        f"{where}: {what} has no {one.name}{more}; expected a score of every " + ("segment" if segment else "system")
    )
