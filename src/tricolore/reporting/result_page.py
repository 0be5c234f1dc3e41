"""Results other than comparisons as pages in the same frame: their pictures, then the tables that they print."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import spec
from .._version import __version__
from ..judge.audit.result import Audit
from ..judge.correlation.result import Correlation
from ..judge.correlation.search import Search
from ..judge.orange.results import Orange
from ..judge.significance.comparison import Comparison
from ..rendering import cell
from ..results import Page, Result, Table
from ..tuning.tuning_result import Tuning
from . import figures
from .audit_pictures import audit_pictures
from .html_page import check_templates, page, page_target, write_page
from .report import report_of_comparison

#: Title, explanation and picture.
Figure = tuple[str, str, str]

#: Tables with more rows than this show the first and last; the result's `to_pandas()` has all.
MOST_ROWS = 2000


def write_result(result: Result, path: str | os.PathLike[str], *, title: str | None = None, **how: Any) -> Any:
    """Write a result as one HTML file, and return where it is; a comparison gives a whole report."""
    check_templates()
    if isinstance(result, Comparison):
        return report_of_comparison(result, path, title=title, **how)
    target = page_target(path)
    made = result.page()
    values = {
        "title": title or type(result).__name__,
        "about": cell(repr(result).strip("<>")),
        "version": __version__,
        "views": (),
        "headline": "Pictures and tables",
        "lines": [*map(cell, made.lines)],
        "made": [("Versions", f"tricolore {__version__}, NumPy {np.__version__}, Python {sys.version.split()[0]}")],
        "figures": [_figure(*one) for one in figures_of(result)],
        **_tables(made),
    }
    write_page(target, page("result.html", values, script="static.js", data={}))
    return target


def _figure(title: str, about: str, svg: str) -> dict[str, Any]:
    from markupsafe import Markup

    return {"title": title, "about": about, "svg": Markup(svg)}


def _tables(made: Page) -> dict[str, Any]:
    tables = [
        Table([*map(cell, one.header)], _shown(one), cell(one.heading), one.best, one.left) for one in made.tables
    ]
    notes, signatures = ([*map(cell, lines)] for lines in (made.notes, made.signatures))
    return {"tables": tables, "table_notes": notes, "table_signatures": signatures}


def _shown(table: Table) -> list[list[str]]:
    rows = [[*map(cell, row)] for row in table.rows]
    if len(rows) <= MOST_ROWS:
        return rows
    half, left_out = MOST_ROWS // 2, len(rows) - MOST_ROWS
    return [*rows[:half], [f"… {left_out:,} more", *[""] * (len(table.header) - 1)], *rows[-half:]]


def figures_of(result: Result) -> list[Figure]:
    """The pictures of a result."""
    return next((draw(result) for kind, draw in DRAWN.items() if isinstance(result, kind)), [])


# ORANGE ------------------------------------------------------------------------------------------------------------


def _orange(found: Orange) -> list[Figure]:
    """The curve over the length of the lists, if there is one, and the spread of ranks."""
    best_first = sorted(found, key=lambda one: one.orange)
    drawn: list[Figure] = []
    curves = {found.title(one): one.curve for one in best_first if one.curve is not None}
    if curves:
        series = {
            name: [(float(n), 100 * float(y)) for n, y in zip(curve.n, curve.orange, strict=True)]
            for name, curve in curves.items()
        }
        titles = "candidates of each source, N", "ORANGE, %"
        about = "ORANGE if only the first N candidates of each list are used; lower is better."
        svg = figures.line_chart(series, titles, "ORANGE", zero=True)
        drawn.append(("Curve over the length of the lists", about, svg))
    svg = figures.dot_chart({found.title(one): [100 * one.orange] for one in best_first}, "ORANGE", "ORANGE, %")
    return [*drawn, ("ORANGE of the metrics", "In percent; lower is better.", svg)]


# Search ------------------------------------------------------------------------------------------------------------


def _search(found: Search) -> list[Figure]:
    """The grid: a heat map over the first two parameters, or a curve over one, for every measure."""
    names = found.grid.parameters
    drawn = []
    for measure in found.measures:
        sets = [*found.dev]
        value = {one: found.average(sets, one, measure) for one in found.grid.metrics}
        best = found.choices[found.measures.index(measure)].best if found.groups == ("",) else None
        title = f"{measure}, mean over {len(sets)} dev set{'s' * (len(sets) > 1)}"
        about = f"Chosen: {best.spec}. " if best is not None else ""
        if len(names) == 1:
            drawn.append((str(measure), about, _over_one(found, value, names[0], title)))
            continue
        about += "" if len(names) == 2 else f"Of each cell the best over {', '.join(names[2:])}."
        drawn.append((str(measure), about.strip(), _over_two(found, value, title)))
    return drawn


def _over_one(found: Search, value: dict[Any, float], name: str, title: str) -> str:
    tried = [(getattr(one, name), value[one]) for one in found.grid.metrics]
    labels = [spec.write(at) for at, _ in tried]
    series = {title: [(float(k), score) for k, (_, score) in enumerate(tried)]}
    return figures.line_chart(series, (name, "agreement"), title, labels=labels)


def _over_two(found: Search, value: dict[Any, float], title: str) -> str:
    first, second = found.grid.parameters[:2]
    rows, columns = ([*dict.fromkeys(getattr(one, name) for one in found.grid.metrics)] for name in (first, second))
    cells: list[list[float | None]] = [[None] * len(columns) for _ in rows]
    for one, score in value.items():
        i, j = rows.index(getattr(one, first)), columns.index(getattr(one, second))
        known = cells[i][j]
        if not math.isnan(score) and (known is None or score > known):
            cells[i][j] = score
    down, across = ([f"{name}={spec.write(x)}" for x in of] for name, of in ((first, rows), (second, columns)))
    return figures.heat_map(down, across, cells, title, digits=3)


# Tuning ------------------------------------------------------------------------------------------------------------


def _tuning(found: Tuning) -> list[Figure]:
    """Learning curves of every method, with the held-out score, and weights with their deviation over runs."""
    drawn: list[Figure] = []
    scale = found.reported.display_scale * (1 if found.reported.higher_is_better else -1)
    for method in found.methods:
        series: dict[str, list[tuple[float, float]]] = {}
        runs = found.runs[method.name]
        for number, run in enumerate(runs, 1):
            name = f"run {number}" if len(runs) > 1 else "tuned on"
            if run.steps:
                series[name] = [(float(step.number), step.score * scale) for step in run.steps]
            held_out = [(float(one.number), one.held_out * scale) for one in run.steps if one.held_out is not None]
            if held_out:
                series[f"{name}, held out" if len(runs) > 1 else "held out"] = held_out
        if series:
            dashed = {name for name in series if name.endswith("held out")}
            title, axes = f"{method.name}: learning curves", ("step", found.reported.title)
            svg = figures.line_chart(series, axes, title, follows=dashed)
            drawn.append((f"{method.name}: learning curves", "The score of each step of the tuner.", svg))
        drawn.append(_weights(found, method.name))
    return [*drawn, *_rounds(found)]


def _weights(found: Tuning, method: str) -> Figure:
    runs = [run.weights.normalised(found.norm).values for run in found.runs[method]]
    rows = {
        f"{name} {k + 1}" if len(values) > 1 else str(name): [float(one[name][k]) for one in runs]
        for name, values in runs[0].items()
        for k in range(len(values))
    }
    about = "Every dot is a run; the bar is the mean and its standard deviation." if len(runs) > 1 else ""
    return f"{method}: weights", about, figures.dot_chart(rows, f"{method}: weights", "weight")


def _rounds(found: Tuning) -> list[Figure]:
    """With a decoder: its score in every round."""
    series: dict[str, list[tuple[float, float]]] = {}
    sign = 1 if found.reported.higher_is_better else -1
    for number, outcome in enumerate(found.rounds, 1):
        name = f"run {number}" if len(found.rounds) > 1 else "decoded"
        points = [(float(one.number), sign * one.decoded * found.reported.display_scale) for one in outcome.rounds]
        series[name] = points
    titles = "round", found.reported.title
    return [("Rounds", "The score of the decoder.", figures.line_chart(series, titles, "Rounds"))] if series else []


# Correlation -------------------------------------------------------------------------------------------------------


def _correlation(found: Correlation) -> list[Figure]:
    """Metrics x measures as a heat map, and every metric against people, by system."""
    values = [[found[metric, str(measure)].value for measure in found.measures] for metric in found.metrics]
    names = [str(measure) for measure in found.measures]
    svg = figures.heat_map([*found.metrics], names, values, "agreement with human ratings", span=(-1.0, 1.0))
    drawn: list[Figure] = [("Agreement with human ratings", "1 is perfect agreement.", svg)]
    for table in found.joined.systems:
        if not 1 < len(table.systems) <= 40 or len(found.joined.systems) > 4:
            continue
        human = table.human.systems()
        for column in table.metrics:
            axes = f"{column.name}{'' if column.higher_is_better else ' ↓'}", "Human"
            svg = figures.system_scatter(
                (column.systems() * column.scale).tolist(), human.tolist(), table.systems, axes
            )
            title = f"{column.name} and human ratings{f', {table.name}' if table.name else ''}"
            drawn.append((title, "Every point is a system.", svg))
    return drawn


def _audit(found: Audit) -> list[Figure]:
    return [(title, about, svg) for _, title, about, svg in audit_pictures(found)]


#: How the results of each kind are drawn.
DRAWN: dict[type, Callable[[Any], list[Figure]]] = {
    Orange: _orange,
    Search: _search,
    Tuning: _tuning,
    Correlation: _correlation,
    Audit: _audit,
}
