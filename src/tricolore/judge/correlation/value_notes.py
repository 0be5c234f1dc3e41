"""Notes on values: which are undefined and why, and which say less than they seem to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..score_table import ScoreTable
    from .agreement import Agreement
    from .join_scores import JoinedScores
    from .measures import Measure

#: Why a metric has no value, or one that means nothing.
CONSTANT = "its scores are all the same"


def notes_on(joined: JoinedScores, agreements: Sequence[Agreement]) -> tuple[str, ...]:
    """Everything a reader should know of these values."""
    return (
        *_undefined(joined, agreements),
        *_constant(joined, agreements),
        *_two_systems(joined, agreements),
        *_all_tied(joined, agreements),
        *_unequal(agreements),
    )


def _undefined(joined: JoinedScores, agreements: Sequence[Agreement]) -> list[str]:
    """Which values are missing, and why."""
    return [
        f"{one.metric}: {one.measure} has no value: {_reason(joined, one)}"
        for one in agreements
        if math.isnan(one.value)
    ]


def _constant(joined: JoinedScores, agreements: Sequence[Agreement]) -> list[str]:
    """Which values come from ties alone: a metric that cannot tell anything apart has a value where pairs count."""
    return [
        f"{one.metric}: {one.measure} says nothing of it: {CONSTANT}, and every pair is a tie"
        for one in agreements
        if one.measure.how.adds_pairs and not math.isnan(one.value) and _reason(joined, one) == CONSTANT
    ]


def _two_systems(joined: JoinedScores, agreements: Sequence[Agreement]) -> list[str]:
    """What a correlation of two points is worth."""
    if len(joined.systems) > 1 or joined.most_systems != 2 or all(one.measure.level == "segment" for one in agreements):
        return []
    return [
        "there are only two systems, so that a correlation of systems is 1 or -1: all it says is whether a metric "
        "prefers the same one as the annotators do"
    ]


def _all_tied(joined: JoinedScores, agreements: Sequence[Agreement]) -> list[str]:
    """Which metrics do best by accuracy with ties if they call everything a tie: they know nothing of use here."""
    found: dict[Measure, list[str]] = {}
    for one in agreements:
        if not math.isnan(one.epsilon) and one.epsilon >= _spread(joined.segments[0], one) * (1 - 1e-12):
            found.setdefault(one.measure, []).append(one.metric)
    return [
        f"{measure}: the best for {', '.join(names)} is to call everything a tie; the value is how often annotators tie"
        for measure, names in found.items()
    ]


def _spread(table: ScoreTable, one: Agreement) -> float:
    """The largest difference between two scores of a metric that are compared."""
    scores = np.where(np.isnan(table.human.segments), np.nan, table.metric(one.metric).segments)
    scores = {"segment": scores.T, "system": scores}.get(one.measure.by, scores.reshape(1, -1))
    there = scores[(~np.isnan(scores)).any(axis=1)]
    return float((np.nanmax(there, axis=1) - np.nanmin(there, axis=1)).max()) if len(there) else math.nan


def _unequal(agreements: Sequence[Agreement]) -> list[str]:
    """Where metrics are judged on different data, so that their values cannot be compared."""
    notes = []
    for level, what in (("system", "systems"), ("segment", "outputs")):
        points = {one.metric: one.points for one in agreements if one.measure.level == level}
        if len(set(points.values())) > 1:
            numbers = ", ".join(f"{number:,} for {metric}" for metric, number in points.items())
            notes.append(
                f"scores are missing, so metrics are judged on different {what} ({numbers}); the option 'common' uses "
                "what all score"
            )
    return notes


def _reason(joined: JoinedScores, one: Agreement) -> str:
    """Why an agreement has no value."""
    tables = joined.tables(one.measure.level)
    sides = []
    for table in tables:
        for who, column in (("human", table.human), (one.metric, table.metric(one.metric))):
            values = column.systems() if one.measure.level == "system" else column.segments
            present = values[~np.isnan(values)]
            sides.append((who, len(present), len(np.unique(present))))
    for who in ("human", one.metric):
        own = [(points, different) for name, points, different in sides if name == who]
        if all(points == 0 for points, _ in own):
            return "there are no ratings" if who == "human" else "it has no score"
        if all(different <= 1 and points > 1 for points, different in own):
            return "all ratings are the same" if who == "human" else CONSTANT
    if all(len(table.systems) < 2 for table in tables) and one.measure.by not in ("system", "pooled"):
        return "there is only one system"
    if all(points < 2 for _, points, _ in sides):
        return "there is only one score"
    return "too few scores that differ, or no pair that annotators do not tie"
