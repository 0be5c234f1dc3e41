"""Do segment scores add up? Reversed orders, choices between two systems, and the influence of single segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from .audited_metrics import NOISE
from .audited_texts import AuditedTexts
from .row_search import best_choice

#: Segments of the small test sets on which one system is at least as good on every segment.
SIZES = (2, 5, 20)

#: Choices are made between any two of this many systems, the best by each metric.
BEST = 6

#: The most influential segments that are listed.
INFLUENTIAL = 10


@dataclass(frozen=True)
class Reversal:
    """A test set on which one system is at least as good on every segment, yet scores lower."""

    metric: str
    better: str  #: on every segment
    preferred: str  #: by the corpus score
    better_score: float
    preferred_score: float
    gap: float  #: in printed units
    segments: tuple[int, ...]  #: numbered from 1; at most the first 20


@dataclass(frozen=True)
class Reversals:
    """How often the corpus score contradicts all segment scores."""

    metric: str
    tried: int  #: test sets
    reversed: int
    tied: int  #: test sets on which both have the same score
    worst: Reversal | None

    @property
    def share(self) -> float:
        """The fraction of test sets with the opposite order."""
        return self.reversed / self.tried if self.tried else 0.0


@dataclass(frozen=True)
class Choice:
    """The better of two outputs of every segment: by segment scores, and by search for the best corpus score."""

    metric: str
    systems: tuple[str, str]
    by_segment: float
    by_corpus: float
    gap: float  #: what the search gains over the segment scores, in printed units
    differ: int  #: segments that are chosen otherwise
    distinct: int  #: segments on which the statistics of the two outputs differ
    exact: bool


@dataclass(frozen=True)
class Influence:
    """What a segment adds to the corpus score: the score minus the score without it, in printed units."""

    metric: str
    system: str
    segment: int  #: numbered from 1
    influence: float
    score: float  #: of the segment alone
    text: str


def reversals(texts: AuditedTexts, number: int, seed: int) -> Reversals:
    """Look for reversed orders in random test sets of a few segments, on which one system dominates another."""
    draw = np.random.default_rng(seed)
    tried = turned = tied = 0
    worst: Reversal | None = None
    for a, b in permutations(range(len(texts.names)), 2):
        for chosen in _dominated(texts, number, a, b, draw):
            first, second = (texts.metrics[number].score(texts.rows[number][k][chosen].sum(axis=1)) for k in (a, b))
            gaps = second - first
            noise = NOISE * np.maximum(np.abs(first), np.abs(second))
            wrong = gaps > noise
            tried += len(chosen)
            turned += int(wrong.sum())
            tied += int(((np.abs(gaps) <= noise) | (first == second)).sum())
            at = int(np.argmax(np.where(wrong, gaps, -np.inf)))
            metric = texts.metrics[number]
            if wrong[at] and (worst is None or metric.points(gaps[at]) > worst.gap):
                high, low = (float(metric.printed(one[at])) for one in (first, second))
                gap, segments = float(metric.points(gaps[at])), tuple(int(i) + 1 for i in chosen[at][:20])
                worst = Reversal(metric.name, texts.names[a], texts.names[b], high, low, gap, segments)
    return Reversals(texts.metrics[number].name, tried, turned, tied, worst)


def _dominated(
    texts: AuditedTexts, number: int, a: int, b: int, draw: np.random.Generator
) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    """Test sets (sets x segments) on which system a is at least as good as b on every segment, and better on one."""
    first, second = texts.alone[number][a], texts.alone[number][b]
    strictly = first > second
    where = draw.permutation(np.flatnonzero(first >= second))
    for size in (*SIZES, len(where)):
        sets = where[: len(where) // max(size, 1) * size].reshape(-1, size) if size else where[None][:0]
        sets = sets[strictly[sets].any(axis=1)]
        if len(sets):
            yield sets


def choices(texts: AuditedTexts, number: int) -> list[Choice]:
    """Choose between any two of the best systems, segment by segment."""
    best = np.argsort(-texts.scores[number], kind="stable")[:BEST]
    return [_chosen(texts, number, int(a), int(b)) for a, b in combinations(best, 2)]


def _chosen(texts: AuditedTexts, number: int, a: int, b: int) -> Choice:
    metric, rows, alone = texts.metrics[number], texts.rows[number], texts.alone[number]
    changes = (rows[b] - rows[a])[None]
    allowed = (changes != 0).any(axis=2)
    by_segment = np.where((alone[b] > alone[a]) & allowed[0], 0, -1).astype(np.int64)
    total = rows[a].sum(axis=0)
    score = float(metric.score((total + changes[0][by_segment >= 0].sum(axis=0))[None])[0])
    all_second = np.where(allowed[0], 0, -1).astype(np.int64)
    found = best_choice(metric.score, total, changes, allowed, [by_segment, all_second])
    gap, differ = found.score - score, int((found.chosen != by_segment).sum())
    if gap <= NOISE * abs(score):
        gap, differ = 0.0, 0
    names, values = (texts.names[a], texts.names[b]), metric.printed(np.array([score, score + gap]))
    about = float(values[0]), float(values[1]), float(metric.points(gap)), differ, int(allowed.sum())
    return Choice(metric.name, names, *about, found.exact)


def influences(texts: AuditedTexts, number: int) -> list[Influence]:
    """The segments that change the score of their system most when they are left out."""
    metric, rows = texts.metrics[number], texts.rows[number]
    if rows.shape[1] < 2:
        return []
    without = metric.score(rows.sum(axis=1)[:, None] - rows)
    values = texts.scores[number][:, None] - without
    order = np.argsort(-np.abs(values), axis=None, kind="stable")[:INFLUENTIAL]
    listed = []
    for system, segment in zip(*np.unravel_index(order, values.shape), strict=True):
        value, alone = float(values[system, segment]), float(texts.alone[number][system, segment])
        text = texts.output(int(system))[int(segment)]
        about = float(metric.printed(value)), float(metric.printed(alone))
        listed.append(Influence(metric.name, texts.names[int(system)], int(segment) + 1, *about, text))
    return listed
