"""Which pictures a report has: those of its view of metrics, and those that are written to a folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..judge.resampling import resampled_sums
from ..judge.score_table import Column, Floats
from ..judge.significance.percentiles import interval_of
from ..judge.significance.system_tests import Criterion
from ..rendering import cell
from . import figures
from .contents import references_of_segment
from .evaluation import Evaluation

#: At most this many systems are drawn as lines; the best of them by each metric.
MOST_LINES = 10

#: Buckets of segments by the number of words of the reference: the first length beyond each.
LENGTHS = (10, 20, 30, 40, 50, 60)


def agreement_figures(evaluation: Evaluation, maps: Mapping[str, Any]) -> dict[str, Any]:
    """What the view of metrics shows: heat maps, ranks, metrics against people, and the table of `correlate`."""
    from markupsafe import Markup

    shown = [
        {"title": title, "about": about, "svg": Markup(svg), "choice": choice}
        for _, title, about, svg, choice in _agreement(evaluation, maps, alone=False)
    ]
    found: dict[str, Any] = {"figures": shown, "tables": [], "table_notes": [], "table_signatures": []}
    if evaluation.correlation is not None:
        made = evaluation.correlation.page()
        found["tables"] = [*made.tables]
        found["table_notes"], found["table_signatures"] = [*map(cell, made.notes)], [*map(cell, made.signatures)]
    return found


def plots(evaluation: Evaluation, maps: Mapping[str, Any]) -> dict[str, str]:
    """All pictures as files of their own, by name."""
    found = {}
    for one, criterion in zip(evaluation.comparison.judgements, evaluation.criteria, strict=True):
        how, name = evaluation.comparison.how, file_name(one.name)
        found[f"intervals-{name}"] = figures.interval_chart(one, how.level, alone=True)
        if one.pairs:
            found[f"p-values-{name}"] = figures.p_value_matrix(one, how.alpha, alone=True)
            found |= {f"{kind}-{name}": svg for kind, svg in _best_pair(evaluation, criterion, one.systems).items()}
        if evaluation.references is not None and criterion.column.rows.shape[1] > 1:
            found[f"lengths-{name}"] = _by_length(evaluation, criterion, [system.name for system in one.systems])
    return found | {file: svg for file, _, _, svg, _ in _agreement(evaluation, maps, alone=True)}


def file_name(name: str) -> str:
    """A name that every system of files takes.

    >>> file_name("chrf(word_order=2)")
    'chrf-word_order-2'
    """
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "scores"


def _agreement(evaluation: Evaluation, maps: Mapping[str, Any], *, alone: bool) -> list[tuple[str, str, str, str, str]]:
    """File name, title, explanation, picture, and what it is one of several to choose from."""
    shown = [one for one in evaluation.criteria if one.column.rows.shape[1] > 1]
    titles = [cell(one.title) for one in shown]
    found = []
    for measure, values in maps.items():
        about = "How alike two columns order the systems, or segments; 1 is the same order, 0 none in common."
        svg = figures.heat_map(titles, titles, values, measure, span=(-1.0, 1.0), alone=alone)
        found.append((f"agreement-{file_name(measure)}", "Agreement of metrics", about, svg, measure))
    if len(evaluation.systems) > 1 and len(shown) > 1:
        ranks = _ranks(evaluation)
        about = "The place of every system by every column, 1 is the best. Lines that cross: the columns disagree."
        svg = figures.bump_chart([cell(one.title) for one in evaluation.comparison.judgements], ranks, alone=alone)
        found.append(("ranks", "Ranks of systems", about, svg, ""))
    if "human" in evaluation.kinds and len(evaluation.systems) > 1:
        people = evaluation.criteria[evaluation.kinds.index("human")]
        about = "Every point is a system: its score, and the mean of its ratings (higher is better)."
        for one in shown:
            if one is not people:
                x, y = (each.column.systems() * each.column.scale for each in (one, people))
                axes = f"{one.title}{'' if one.column.higher_is_better else ' ↓'}", "Human"
                svg = figures.system_scatter(x.tolist(), y.tolist(), [*evaluation.systems], axes, alone=alone)
                name = f"human-{file_name(one.column.name)}"
                found.append((name, f"{one.title} and human ratings", about, svg, f"human: {one.title}"))
    return found


def _ranks(evaluation: Evaluation) -> dict[str, list[int | None]]:
    """The place of every system by every column; a system without scores has none."""
    ranks: dict[str, list[int | None]] = {}
    for name in (one.name for one in evaluation.comparison.judgements[0].systems):
        ranks[name] = []
        for judgement in evaluation.comparison.judgements:
            order = [one.name for one in judgement.systems]
            ranks[name].append(order.index(name) + 1 if name in order else None)
    return ranks


def _best_pair(evaluation: Evaluation, criterion: Criterion, ranked: Sequence[Any]) -> dict[str, str]:
    """The two best systems: their scores of every segment against each other, and the differences."""
    a, b = (evaluation.systems.index(one.name) for one in ranked[:2])
    scores = criterion.column.segments * criterion.column.scale
    if scores.shape[1] < 2:
        return {}
    names = evaluation.systems[a], evaluation.systems[b]
    title = f"{criterion.title} of segments: {names[0]} and {names[1]}"
    label = f"{names[0]} − {names[1]}"
    first, second = scores[a].tolist(), scores[b].tolist()
    return {
        "segments": figures.segment_scatter(first, second, names, title, alone=True),
        "differences": figures.histogram((scores[a] - scores[b]).tolist(), title, label, alone=True),
    }


def _by_length(evaluation: Evaluation, criterion: Criterion, names: Sequence[str]) -> str:
    """Scores by the length of the reference, with intervals."""
    lengths, how = reference_lengths(evaluation), evaluation.comparison.how
    buckets = length_buckets(lengths)
    shown = [*names[:MOST_LINES]]
    series: dict[str, list[tuple[float, float]]] = {name: [] for name in shown}
    spans: dict[str, list[tuple[float, float]]] = {name: [] for name in shown}
    for place, chosen in enumerate(buckets.values()):
        systems = [evaluation.systems.index(name) for name in shown]
        scores, low, high = bucket_scores(criterion.column, systems, chosen, how.resamples or 1000, how.level, how.seed)
        scale = criterion.column.scale
        for k, name in enumerate(shown):
            series[name].append((float(place), float(scores[k]) * scale))
            spans[name].append((float(low[k]) * scale, float(high[k]) * scale))
    titles = "words of the reference", criterion.title
    about = f"{criterion.title} by the length of the reference"
    return figures.line_chart(series, titles, about, intervals=spans, labels=[*buckets], alone=True)


def reference_lengths(evaluation: Evaluation) -> Floats:
    """Words of the references of each segment, the mean where there are several."""
    from ..tokenizers import cut, load

    assert evaluation.references is not None
    universal = load("universal")
    entries = (references_of_segment(entry) for entry in evaluation.references.entries)
    return np.array([sum(len(cut(text, universal, False, False)) for text in refs) / len(refs) for refs in entries])


def length_buckets(lengths: Floats) -> dict[str, Any]:
    """The segments of each bucket that has any, by its name."""
    edges = [0, *LENGTHS, np.inf]
    buckets = {}
    for low, high in pairwise(edges):
        chosen = np.flatnonzero((lengths >= low) & (lengths < high))
        if len(chosen):
            buckets[f"{low}+" if high == np.inf else f"{low}–{high - 1}"] = chosen
    return buckets


def bucket_scores(
    column: Column, systems: Sequence[int], segments: Any, resamples: int, level: float, seed: int
) -> tuple[Floats, Floats, Floats]:
    """Scores of systems on some segments, and the ends of their bootstrap intervals."""
    part = column.take(systems, segments)
    scores = part.systems()
    if len(segments) < 2:
        return scores, np.full(len(systems), np.nan), np.full(len(systems), np.nan)
    resampled = part.score(resampled_sums(part.rows.transpose(1, 0, 2), resamples, seed))
    spans = [interval_of(resampled[:, k][~np.isnan(resampled[:, k])], level) for k in range(len(systems))]
    return scores, np.array([one.low for one in spans]), np.array([one.high for one in spans])
