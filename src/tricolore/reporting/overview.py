"""The overview of a report: sentences in plain words, and systems x metrics with intervals drawn as bars."""

from __future__ import annotations

import math
from typing import Any

from ..judge.significance.comparison import Comparison, Judgement, System
from ..rendering import cell
from .html_page import render
from .svg import COLOURS, Scale, element, line
from .verdict import sentences

#: The size of an interval in a cell of the table.
WIDTH, HEIGHT = 92.0, 12.0

#: How it looks where there is no style sheet, as in a notebook.
LINE = {"stroke": COLOURS[0], "stroke_width": 4, "stroke_linecap": "round", "opacity": 0.35}


def overview_values(comparison: Comparison) -> dict[str, Any]:
    """What the template of the overview shows."""
    judgements = comparison.judgements
    first = judgements[0]
    order = [*(one.name for one in first.systems), *(n for n in comparison.names if n not in _named(first))]
    scales = {one.name: _scale(one) for one in judgements}
    how = comparison.how
    test = "paired approximate randomisation" if how.test == "ar" else "the paired bootstrap"
    return {
        "sentences": [cell(one) for one in sentences(comparison)],
        "headline": "What is certain, and what is not",
        "level": f"{100 * how.level:g}",
        "metrics": [
            {"title": cell(_title(comparison, one)), "higher": one.higher_is_better, "signature": cell(one.signature)}
            for one in judgements
        ],
        "arrows": any(not one.higher_is_better for one in judgements),
        "reading": f"Differences are tested by {test}, corrected by Holm for all pairs, at {how.alpha:g}."
        if len(comparison.names) > 1
        else "",
        "rows": [
            {"name": cell(name), "cells": [_cell(one, name, scales[one.name]) for one in judgements]} for name in order
        ],
    }


def _title(comparison: Comparison, judgement: Judgement) -> str:
    """The title of a metric, or its name in full where another has the same title."""
    alike = sum(other.title == judgement.title for other in comparison.judgements)
    return judgement.title if alike == 1 else judgement.name


def _named(judgement: Judgement) -> dict[str, System]:
    return {one.name: one for one in judgement.systems}


def _scale(judgement: Judgement) -> Scale:
    ends = [x for one in judgement.systems for x in (one.score, one.interval.low, one.interval.high)]
    return Scale.of(ends, 5, WIDTH - 5, margin=0.01)


def _cell(judgement: Judgement, name: str, scale: Scale) -> dict[str, Any]:
    """The score of a system, its cluster, and a bar; a system that lacks scores has a dash."""
    system = _named(judgement).get(name)
    if system is None or math.isnan(system.score):
        return {"score": "–", "best": False, "cluster": "", "span": "", "bar": ""}
    several = len(judgement.systems) > 1
    best = several and (system is judgement.systems[0] or system.cluster == 1)
    cluster = system.cluster if several and system.cluster else ""
    span = "" if math.isnan(system.interval.low) else judgement.span(system.interval)
    return {
        "score": judgement.shown(system.score),
        "best": best,
        "cluster": cluster,
        "span": span,
        "bar": _bar(system, scale),
    }


def _bar(system: System, scale: Scale) -> Any:
    """The interval as a line, the score as a dot."""
    from markupsafe import Markup

    low, high, middle = system.interval.low, system.interval.high, HEIGHT / 2
    parts = [] if math.isnan(low) else [line(scale(low), middle, scale(high), middle, "mini-line", **LINE)]
    parts.append(element("circle", cx=scale(system.score), cy=middle, r=3.2, class_="mini-dot", fill=COLOURS[0]))
    box = {"viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}", "width": WIDTH, "height": HEIGHT, "aria-hidden": "true"}
    return Markup(element("svg", *parts, **box))


def overview_html(comparison: Comparison) -> str:
    """The overview alone, for notebooks."""
    return render("overview.html", overview_values(comparison))
