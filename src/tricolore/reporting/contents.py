"""The data of a report as the page's scripts read it: what is compared, formulas, statistics by column, texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..judge.correlation.agreement import agreement
from ..judge.correlation.measures import Measure
from ..judge.score_table import Column, ScoreTable
from ..judge.significance.comparison import Judgement
from ..judge.significance.system_tests import Criterion
from ..rendering import cell
from ..tokenizers import cut, load
from .evaluation import Evaluation, finite
from .formulas import MEAN, formula_of
from .packing import Arrays

#: Of how metrics agree with each other, what is shown as a heat map.
MAPS = ("system spearman", "system pearson", "segment kendall-b by segment", "segment spearman pooled")


def overview_data(evaluation: Evaluation, arrays: Arrays, *, texts: int, rows: bool) -> dict[str, Any]:
    """Everything but the texts; `texts` is the number of segments whose texts are embedded."""
    how = evaluation.comparison.how
    index = {name: i for i, name in enumerate(evaluation.systems)}
    return {
        "systems": [*map(cell, evaluation.systems)],
        "segments": len(evaluation.segments),
        "names": _names(evaluation.segments),
        "texts": texts,
        "settings": {
            "test": how.test,
            "trials": how.shuffles,
            "resamples": how.resamples,
            "level": how.level,
            "alpha": how.alpha,
            "stream": stream_state(how.seed),
        },
        "metrics": [
            _criterion(one, kind, judgement, index, arrays, rows=rows)
            for one, kind, judgement in zip(
                evaluation.criteria, evaluation.kinds, evaluation.comparison.judgements, strict=True
            )
        ],
        "lengths": _lengths(evaluation, arrays),
        "groups": [_group(name, values, arrays) for name, values in evaluation.groups.items()],
        "arrays": arrays.places,
    }


def _names(segments: Sequence[str]) -> list[str] | None:
    """The names of the segments, or None where they are their numbers from 1."""
    counted = all(name == str(number) for number, name in enumerate(segments, 1))
    return None if counted else [*segments]


def stream_state(seed: int) -> list[str]:
    """The beginning of the random draws: the 128-bit numbers `state` and `inc` of NumPy's generator, in hexadecimal."""
    state: Any = np.random.PCG64(seed).state["state"]
    return [f"{state[name]:032x}" for name in ("state", "inc")]


def _criterion(
    one: Criterion, kind: str, judgement: Judgement, index: Mapping[str, int], arrays: Arrays, *, rows: bool
) -> dict[str, Any]:
    column, metric = one.column, one.metric
    has_segments = column.rows.shape[1] > 1
    return {
        "name": column.name,
        "title": cell(one.title),
        "kind": kind,
        "higher": column.higher_is_better,
        "scale": column.scale,
        "digits": one.digits,
        "signature": judgement.signature,
        "columns": [*metric.columns] if metric else ["value", "number"],
        "formula": formula_of(metric) if metric else MEAN,
        "alone": formula_of(metric.for_segments) if metric else MEAN,
        "rows": _rows(column, arrays) if has_segments and rows else None,
        "scores": [arrays.add(values) for values in column.segments] if has_segments and not rows else None,
        **_judgement(judgement, index),
    }


def _rows(column: Column, arrays: Arrays) -> list[list[int]]:
    """The numbers of the arrays, by system and statistic."""
    return [[arrays.add(rows[:, k]) for k in range(rows.shape[1])] for rows in column.rows]


def _judgement(judgement: Judgement, index: Mapping[str, int]) -> dict[str, Any]:
    """Scores and differences on the metric's own scale; systems by their numbers."""
    return {
        "ranked": [
            [index[one.name], finite(one.score), finite(one.interval.low), finite(one.interval.high), one.cluster]
            for one in judgement.systems
        ],
        "pairs": [
            [
                index[one.first],
                index[one.second],
                *map(finite, (one.difference, one.interval.low, one.interval.high, one.effect, one.p, one.p_adjusted)),
            ]
            for one in judgement.pairs
        ],
    }


def _lengths(evaluation: Evaluation, arrays: Arrays) -> dict[str, int] | None:
    """Words of the references of each segment (the mean, where there are several), and how many references."""
    if evaluation.references is None:
        return None
    universal = load("universal")
    entries = [references_of_segment(entry) for entry in evaluation.references.entries]
    words = [sum(len(cut(text, universal, False, False)) for text in refs) / len(refs) for refs in entries]
    return {"words": arrays.add(words), "references": arrays.add([len(refs) for refs in entries])}


def references_of_segment(entry: Any) -> list[str]:
    """The references of a segment that are there, as a list."""
    return [entry] if isinstance(entry, str) else [text for text in entry if text is not None]


def _group(name: str, values: Sequence[str], arrays: Arrays) -> dict[str, Any]:
    known: dict[str, int] = {}
    codes = [known.setdefault(value, len(known)) for value in values]
    return {"name": cell(name), "values": [*map(cell, known)], "codes": arrays.add(codes)}


def text_data(evaluation: Evaluation, segments: int) -> dict[str, Any]:
    """The texts of the first segments, one segment after another, because texts of a segment resemble each other."""
    references = evaluation.references.entries if evaluation.references else ()
    number = {name: i for i, name in enumerate(evaluation.systems)}
    at = {name: i for i, name in enumerate(evaluation.segments)}
    return {
        "source": [*evaluation.source[:segments]] if evaluation.source else None,
        "references": [references_of_segment(entry) for entry in references[:segments]],
        "outputs": [[output[i] for output in evaluation.outputs] for i in range(segments)],
        "errors": [
            [number[one.system], at[one.segment], *map(cell, (one.annotator, one.category, one.severity)), *one.span]
            for one in evaluation.errors
            if one.segment in at
        ],
    }


def maps_of_agreement(evaluation: Evaluation) -> dict[str, list[list[float | None]]]:
    """How well the columns agree with each other, by measure: a value for each pair of columns."""
    shown = [one for one in evaluation.criteria if one.column.rows.shape[1] > 1]
    if len(shown) < 2:
        return {}
    columns = [one.column for one in shown]
    systems, segments = (tuple(map(str, range(size))) for size in columns[0].segments.shape)
    found = {}
    for text in MAPS:
        measure = Measure.parse(text)
        if len(systems) < (3 if measure.level == "system" else 2) and measure.by != "pooled":
            continue
        values: list[list[float | None]] = [[1.0] * len(columns) for _ in columns]
        for i, one in enumerate(columns):
            table = ScoreTable(systems, segments, one, tuple(columns[i + 1 :]))
            for j, other in enumerate(columns[i + 1 :], i + 1):
                values[i][j] = values[j][i] = finite(agreement(table, other, measure).value)
        found[text] = values
    return found
