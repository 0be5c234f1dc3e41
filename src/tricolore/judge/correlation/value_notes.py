"""Notes on values: which are undefined and why, and which mean less than they seem to."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..score_table import ScoreTable
from .agreement import Agreement
from .join_scores import JoinedScores
from .measures import Measure

#: Why a metric has no value, or a meaningless one.
CONSTANT = "its scores are all equal"


def notes_on(joined: JoinedScores, agreements: Sequence[Agreement]) -> tuple[str, ...]:
    """What a reader should know about these values."""
    notes = [
        f"{one.metric}: {one.measure} has no value: {_reason(joined, one)}"
        for one in agreements
        if math.isnan(one.value)
    ]
    notes += [
        f"{one.metric}: {one.measure} is meaningless: {CONSTANT}, and every pair is a tie"
        for one in agreements
        if one.measure.how.adds_pairs and not math.isnan(one.value) and _reason(joined, one) == CONSTANT
    ]
    at_systems = any(one.measure.level == "system" for one in agreements)
    if at_systems and len(joined.systems) == 1 and joined.most_systems == 2:
        notes.append(
            "there are only two systems, so a system-level correlation is 1 or -1: it only says whether a metric "
            "prefers the same system as the annotators"
        )
    return (*notes, *_all_tied(joined, agreements), *_unequal(agreements))


def _all_tied(joined: JoinedScores, agreements: Sequence[Agreement]) -> list[str]:
    """Metrics whose accuracy with ties is best if all pairs are tied: their scores carry no information here."""
    found: dict[Measure, list[str]] = {}
    for one in agreements:
        if not math.isnan(one.epsilon) and one.epsilon >= _spread(joined.segments[0], one) * (1 - 1e-12):
            found.setdefault(one.measure, []).append(one.metric)
    return [
        f"{measure}: for {', '.join(names)} it is best to tie all pairs; the value is the share of human ties"
        for measure, names in found.items()
    ]


def _spread(table: ScoreTable, one: Agreement) -> float:
    """The largest difference between two scores of a metric in one group."""
    scores = np.where(np.isnan(table.human.segments), np.nan, table.metric(one.metric).segments)
    scores = {"segment": scores.T, "system": scores}.get(one.measure.by, scores.reshape(1, -1))
    there = scores[(~np.isnan(scores)).any(axis=1)]
    return float((np.nanmax(there, axis=1) - np.nanmin(there, axis=1)).max()) if len(there) else math.nan


def _unequal(agreements: Sequence[Agreement]) -> list[str]:
    """Metrics evaluated on different data, whose values cannot be compared."""
    notes = []
    for level, what in (("system", "systems"), ("segment", "outputs")):
        points = {one.metric: one.points for one in agreements if one.measure.level == level}
        if len(set(points.values())) > 1:
            numbers = ", ".join(f"{number:,} for {metric}" for metric, number in points.items())
            notes.append(
                f"scores are missing, so metrics are evaluated on different {what} ({numbers}); the option 'common' "
                "keeps those that all metrics score"
            )
    return notes


def _reason(joined: JoinedScores, one: Agreement) -> str:
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
            return "all ratings are equal" if who == "human" else CONSTANT
    if all(len(table.systems) < 2 for table in tables) and one.measure.by not in ("system", "pooled"):
        return "there is only one system"
    if all(points < 2 for _, points, _ in sides):
        return "there is only one score"
    return "too few distinct scores, or annotators tie every pair"
