"""Robbing Peter to pay Paul: how far the corpus score rises if single segments are made worse.

A metric that is a mean of segment scores, with weights that do not depend on the system, never gains by it. BLEU does:
its brevity penalty lets a long output make up for one that is empty, and its precisions forget what is left out
(Chiang et al. 2008). An output that is emptied, cut or padded counts as worse if the metric itself scores the segment
no higher than before; that of another system only if it scores lower, as with a tie it may be the better translation.
"""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...types import Progress
from ..score_table import Floats
from .audited_metrics import NOISE, AuditedMetric
from .audited_texts import AuditedTexts
from .row_search import Found, best_choice

KINDS = ("empty", "truncate", "pad", "swap")

#: The fraction of the worst outputs that are emptied for the number in the table (Chiang et al. 2008).
WORST = 0.07

#: Points of the curve.
POINTS = 51


@dataclass(frozen=True)
class Sacrificed:
    """A segment that was made worse, for the good of the whole."""

    segment: int  #: numbered from 1
    kind: str
    before: str
    after: str
    score_before: float
    score_after: float


@dataclass(frozen=True)
class Sacrifice:
    """What a system gains by making segments worse, by one metric."""

    metric: str
    system: str
    score: float
    raised: float  #: the best score found
    gain: float  #: in printed units; positive is better
    share: float  #: of the segments that were made worse
    kinds: dict[str, int]
    offered: int  #: segments of which there is a worse variant
    exact: bool  #: whether every combination was tried
    emptied_gain: float  #: of emptying the worst segments, `WORST` of all; nan if that is none
    curve: tuple[tuple[float, float], ...]  #: share of the worst segments emptied, and the score
    path: tuple[tuple[float, float], ...]  #: share of segments sacrificed by the search, and the score
    examples: tuple[Sacrificed, ...]


@dataclass(frozen=True, eq=False)
class Variants:
    """Worse versions of every output: options x segments, for one system."""

    texts: list[list[str]]
    rows: list[list[Floats]]  #: of every metric and option: segments x statistics


def find_sacrifices(texts: AuditedTexts, examples: int, progress: Progress | None = None) -> list[Sacrifice]:
    """Search for the sacrifices that pay most, for each system and metric."""
    found = []
    for system in range(len(texts.names)):
        variants = _variants(texts, system)
        found += [_searched(texts, number, system, variants, examples) for number in range(len(texts.metrics))]
        if progress is not None:
            progress(system + 1, len(texts.names))
    order = [one.name for one in texts.metrics]
    return sorted(found, key=lambda one: order.index(one.metric))


def _variants(texts: AuditedTexts, system: int) -> Variants:
    """Each output emptied, cut in half, and with its last word repeated."""
    output = texts.output(system)
    made: list[list[str]] = [["" for _ in output], [], []]
    for text in output:
        words = texts.words(text)
        half = max(1, len(words) // 2)
        made[1].append(texts.joined(words[:half]))
        made[2].append(texts.joined([*words, *words[-1:] * half]))
    segments = [*range(len(output))] * len(made)
    counted = texts.counter.rows([text for option in made for text in option], segments)
    return Variants(made, [np.split(rows, len(made)) for rows in counted])


def _searched(texts: AuditedTexts, number: int, system: int, variants: Variants, examples: int) -> Sacrifice:
    metric, rows = texts.metrics[number], texts.rows[number]
    own, alone = rows[system], texts.alone[number]
    options, after = [*variants.rows[number]], [*variants.texts]
    if len(texts.names) > 1:
        swapped, swapped_texts = _worst_candidates(texts, number, system)
        options.append(swapped)
        after.append(swapped_texts)
    offered = np.stack(options)
    changed = np.array([[a != b for a, b in zip(made, texts.output(system), strict=True)] for made in after])
    scores, others = metric.alone(offered), len(variants.texts)
    allowed = changed & (scores <= alone[system])
    allowed[others:] &= scores[others:] < alone[system] - NOISE * np.maximum(1, np.abs(alone[system]))
    changes, total = offered - own, own.sum(axis=0)
    emptied, start = _emptied(metric, total, changes[0], alone[system], allowed[0])
    found = best_choice(metric.score, total, changes, allowed, [start])
    possible = int(allowed.any(axis=0).sum())
    return _told(texts, number, system, found, after, offered, emptied, possible, examples)


def _worst_candidates(texts: AuditedTexts, number: int, system: int) -> tuple[Floats, list[str]]:
    """Of every segment, the output of another system that the metric likes least."""
    others = [i for i in range(len(texts.names)) if i != system]
    worst = texts.alone[number][others].argmin(axis=0)
    chosen = [others[k] for k in worst]
    segments = np.arange(len(texts))
    return texts.rows[number][chosen, segments], [texts.output(k)[i] for i, k in enumerate(chosen)]


def _emptied(
    metric: AuditedMetric, total: Floats, changes: Floats, alone: Floats, allowed: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.int64]]:
    """The score after emptying the worst 0, 1, 2, ... segments; and the best such choice of those that are allowed."""
    order = np.argsort(alone, kind="stable")
    scores = metric.score(np.concatenate([total[None], total + changes[order].cumsum(axis=0)]))
    usable = order[allowed[order]]
    best = int(metric.score(np.concatenate([total[None], total + changes[usable].cumsum(axis=0)])).argmax())
    start = np.full(len(alone), -1, dtype=np.int64)
    start[usable[:best]] = 0
    return scores, start


def _told(
    texts: AuditedTexts,
    number: int,
    system: int,
    found: Found,
    after: Sequence[Sequence[str]],
    offered: Floats,
    emptied: Floats,
    possible: int,
    examples: int,
) -> Sacrifice:
    metric, segments = texts.metrics[number], len(texts)
    score = float(texts.scores[number][system])
    gain = found.score - score
    chosen = found.chosen if gain > NOISE * abs(score) else np.full(segments, -1)
    kinds = Tally(KINDS[k] for k in chosen.tolist() if k >= 0)
    at = round(WORST * segments)
    places = np.unique(np.linspace(0, segments // 2, POINTS).astype(int))
    return Sacrifice(
        metric=metric.name,
        system=texts.names[system],
        score=float(metric.printed(score)),
        raised=float(metric.printed(score if (chosen < 0).all() else found.score)),
        gain=float(metric.points(gain)) if (chosen >= 0).any() else 0.0,
        share=float((chosen >= 0).mean()),
        kinds={kind: kinds[kind] for kind in KINDS},
        offered=possible,
        exact=found.exact,
        emptied_gain=float(metric.points(emptied[at] - emptied[0])) if at else math.nan,
        curve=tuple((float(k / segments), float(metric.printed(emptied[k]))) for k in places),
        path=tuple((k / segments, float(metric.printed(value))) for k, value in found.path),
        examples=_examples(texts, number, system, chosen, after, offered, examples),
    )


def _examples(
    texts: AuditedTexts, number: int, system: int, chosen: Any, after: Any, offered: Floats, examples: int
) -> tuple[Sacrificed, ...]:
    """The sacrificed segments that lost most by the metric's own score."""
    metric, before = texts.metrics[number], texts.alone[number][system]
    where = np.flatnonzero(chosen >= 0)
    scores = metric.alone(offered[chosen[where], where])
    order = np.argsort(scores - before[where], kind="stable")[:examples]
    return tuple(
        Sacrificed(
            int(where[k]) + 1,
            KINDS[chosen[where[k]]],
            texts.output(system)[where[k]],
            after[chosen[where[k]]][where[k]],
            float(metric.printed(before[where[k]])),
            float(metric.printed(scores[k])),
        )
        for k in order.tolist()
    )
