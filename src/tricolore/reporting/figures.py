"""The pictures of reports: intervals, p-values, ranks, heat maps, scatter plots, buckets, curves; as SVG."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from ..judge.significance.comparison import Judgement
from ..results import decimal
from .svg import COLOURS, Scale, axis_below, axis_left, element, line, picture, text, wide

ROW = 24  #: the height of a row
BEYOND = "#1c2430"  #: of cells beyond the scale


def interval_chart(judgement: Judgement, level: float, *, alone: bool = False) -> str:
    """Systems from best to worst, each a point with its confidence interval; bands are clusters."""
    scale_by = judgement.scale
    left = 16 + max(wide(one.name) for one in judgement.systems)
    right, top = left + 360, 30
    ends = [x * scale_by for one in judgement.systems for x in (one.score, one.interval.low, one.interval.high)]
    scale = Scale.of(ends, left, right)
    bottom = top + ROW * len(judgement.systems)
    parts = [text(f"{judgement.title}{'' if judgement.higher_is_better else ' ↓'}", left, 18, "heading")]
    for i, one in enumerate(judgement.systems):
        if one.cluster and one.cluster % 2:
            parts.append(element("rect", x=0, y=top + ROW * i, width=right + 60, height=ROW, class_="band"))
    parts.append(axis_below(scale, top, bottom, f"score, {100 * level:g} % interval"))
    for i, one in enumerate(judgement.systems):
        y = top + ROW * i + ROW / 2
        parts.append(text(one.name, left - 8, y + 4, "end strong" if one.cluster == 1 else "end"))
        if not math.isnan(one.interval.low):
            low, high = (scale(x * scale_by) for x in (one.interval.low, one.interval.high))
            parts.append(line(low, y, high, y, "bar", stroke=COLOURS[0]))
        parts.append(element("circle", cx=scale(one.score * scale_by), cy=y, r=4, fill=COLOURS[0]))
        parts.append(text(judgement.shown(one.score), right + 8, y + 4, "strong" if one.cluster == 1 else ""))
    title = f"{judgement.title}: scores with {100 * level:g} % intervals"
    return picture(right + 64, bottom + 44, title, *parts, alone=alone)


def p_value_matrix(judgement: Judgement, alpha: float, *, alone: bool = False) -> str:
    """A cell for each pair of systems: the p-value (Holm), dark where the difference is significant."""
    names = [one.name for one in judgement.systems]
    cell, left = 46, 16 + max(map(wide, names))
    top = 30 + 0.72 * max(map(wide, names))
    parts = [text(f"{judgement.title}: p (Holm)", 8, 18, "heading")]
    for i, name in enumerate(names):
        x, y = left + cell * i + cell / 2, top + ROW * i + ROW / 2
        parts.append(text(name, left - 8, y + 4, "end"))
        parts.append(text(name, x, top - 6, "", transform=f"rotate(-45 {x:g} {top - 6:g})"))
    for pair in judgement.pairs:
        i, j = names.index(pair.first), names.index(pair.second)
        certain = pair.p_adjusted < alpha
        for row, column in ((i, j), (j, i)):
            fill = (COLOURS[0] if row < column else COLOURS[1]) if certain else "#8a93a0"
            box = {"x": left + cell * column + 1, "y": top + ROW * row + 1, "width": cell - 2, "height": ROW - 2}
            parts.append(element("rect", **box, rx=3, fill=fill, fill_opacity=0.85 if certain else 0.15))
            look = "small middle light" if certain else "small middle"
            parts.append(text(f"{pair.p_adjusted:.3f}", box["x"] + cell / 2 - 1, box["y"] + 15, look))
    size = _width_of_grid(left, cell, names), top + ROW * len(names) + 12
    return picture(*size, f"{judgement.title}: p-values of all pairs, corrected by Holm", *parts, alone=alone)


def heat_map(
    rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[float | None]], title: str, *,
    digits: int = 2, span: tuple[float, float] | None = None, unknown: str = "–", infinite: str = "∞",
    alone: bool = False,
) -> str:  # fmt: skip
    """Numbers in cells, the higher the darker blue; those below the middle of a span around zero are red.

    What is infinite is black and says `infinite`; a cell without a number is an outline and says `unknown`.
    """
    there = [value for row in values for value in row if value is not None and math.isfinite(value)]
    low, high = span or (min(there, default=0.0), max(there, default=1.0))
    cell = max(54.0, 8 + 7 * (digits + 3))
    left, top = 16 + max(map(wide, rows)), 34 + 0.72 * max(map(wide, columns))
    parts = [text(title, 8, 18, "heading")]
    for j, name in enumerate(columns):
        x = left + cell * j + cell / 2
        parts.append(text(name, x, top - 6, "", transform=f"rotate(-45 {x:g} {top - 6:g})"))
    for i, name in enumerate(rows):
        parts.append(text(name, left - 8, top + ROW * i + ROW / 2 + 4, "end"))
        for j, given in enumerate(values[i]):
            value = math.nan if given is None else given
            box = {"x": left + cell * j + 1, "y": top + ROW * i + 1, "width": cell - 2, "height": ROW - 2}
            shown = unknown if math.isnan(value) else decimal(value, digits) if math.isfinite(value) else infinite
            if math.isnan(value):
                parts.append(element("rect", **box, rx=3, class_="grid", fill="none", stroke_dasharray="3 3"))
                parts.append(text(shown, box["x"] + cell / 2 - 1, box["y"] + 15, "small middle"))
                continue
            colour, strength = COLOURS[0], (value - low) / ((high - low) or 1)
            if low < 0 < high:
                colour, strength = COLOURS[value < 0], abs(value) / max(-low, high)
            if math.isinf(value):
                colour, strength = BEYOND, 1.0
            parts.append(element("rect", **box, rx=3, fill=colour, fill_opacity=0.06 + 0.84 * max(0.0, strength)))
            look = "small middle light" if strength > 0.55 else "small middle"
            parts.append(text(shown, box["x"] + cell / 2 - 1, box["y"] + 15, look))
    size = _width_of_grid(left, cell, columns), top + ROW * len(rows) + 12
    return picture(*size, title, *parts, alone=alone)


def _width_of_grid(left: float, cell: float, columns: Sequence[str]) -> float:
    """How wide a grid of cells is, with the names of its columns, which rise to the right by 45 degrees."""
    ends = (left + cell * (j + 0.5) + 0.72 * wide(name) + 12 for j, name in enumerate(columns))
    return max(left + cell * len(columns) + 90, *ends)


def bump_chart(titles: Sequence[str], ranks: Mapping[str, Sequence[int | None]], *, alone: bool = False) -> str:
    """The rank of every system by every metric, its ranks joined by a line."""
    left = 16 + max(map(wide, ranks))
    gap = max(84.0, 16 + max(map(wide, titles)))
    width, bottom = left + gap * (len(titles) - 1) + 16 + max(map(wide, ranks)) + 24, 44 + ROW * len(ranks)
    parts = [text(title, left + 12 + gap * j, 22, "strong middle small") for j, title in enumerate(titles)]
    for k, (name, own) in enumerate(ranks.items()):
        colour = COLOURS[k % len(COLOURS)]
        points = [(left + 12 + gap * j, 24 + ROW * rank) for j, rank in enumerate(own) if rank is not None]
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        parts.append(element("polyline", points=path, class_="line", stroke=colour, stroke_opacity=0.75))
        for x, y in points:
            parts.append(element("circle", cx=x, cy=y, r=9, fill=colour))
            parts.append(text(str(round((y - 24) / ROW)), x, y + 4, "small middle light"))
        if own[0] is not None:
            parts.append(text(name, left - 6, points[0][1] + 4, "end"))
        if own[-1] is not None:
            parts.append(text(name, points[-1][0] + 18, points[-1][1] + 4))
    return picture(width, bottom, "Ranks of systems by metric", *parts, alone=alone)


def system_scatter(
    x: Sequence[float], y: Sequence[float], names: Sequence[str], titles: tuple[str, str], *, alone: bool = False
) -> str:
    """Systems by two criteria, with their names."""
    width, height, left = 470.0, 320.0, 58.0
    across, up = Scale.of(x, left, width - 20, margin=0.1), Scale.of(y, height - 44, 14, margin=0.1)
    parts = [axis_below(across, 14, height - 44, titles[0]), axis_left(up, left, width - 20, titles[1])]
    taken: list[tuple[float, float, float]] = []
    for a, b, name in sorted(zip(x, y, names, strict=True), key=lambda point: -point[1]):
        if not (math.isfinite(a) and math.isfinite(b)):
            continue
        at, height_at, size = across(a), up(b), wide(name, 5.6)
        parts.append(element("circle", cx=at, cy=height_at, r=4.5, fill=COLOURS[0], fill_opacity=0.8))
        to_left = at + 8 + size > width
        start, lowered = at - 8 - size if to_left else at + 8, height_at + 4
        while any(start < end and begin < start + size and abs(lowered - other) < 11 for begin, end, other in taken):
            lowered += 11  # below a name that is in the way
        taken.append((start, start + size, lowered))
        parts.append(text(name, at - 8 if to_left else at + 8, lowered, "small end" if to_left else "small"))
    return picture(width, height, f"Systems by {titles[0]} and {titles[1]}", *parts, alone=alone)


def segment_scatter(
    x: Sequence[float], y: Sequence[float], names: tuple[str, str], title: str, *, alone: bool = False
) -> str:
    """The scores of every segment by two systems; the diagonal is where they are equal."""
    size, left = 380.0, 58.0
    both = [*x, *y]
    across, up = Scale.of(both, left, size - 16), Scale.of(both, size - 44, 14)
    parts = [axis_below(across, 14, size - 44, names[0]), axis_left(up, left, size - 16, names[1])]
    parts.append(line(across(across.low), up(up.low), across(across.high), up(up.high), "zero"))
    for a, b in zip(x, y, strict=True):
        if math.isfinite(a) and math.isfinite(b):
            parts.append(element("circle", cx=across(a), cy=up(b), r=2.6, fill=COLOURS[a < b], fill_opacity=0.5))
    return picture(size, size, title, *parts, alone=alone)


def histogram(differences: Sequence[float], title: str, label: str, *, alone: bool = False) -> str:
    """How often differences of segment scores are how large; zero is marked."""
    width, height, left, bins = 470.0, 260.0, 52.0, 31
    there = [value for value in differences if math.isfinite(value)]
    most = max(map(abs, there), default=1.0) or 1.0
    counts = [0] * bins
    for value in there:
        counts[min(bins - 1, int((value / most + 1) / 2 * bins))] += 1
    across, up = Scale(-most, most, left, width - 14), Scale.of([*counts], height - 44, 14, zero=True)
    parts = [axis_below(across, 14, height - 44, label), axis_left(up, left, width - 14, "segments")]
    step = (width - 14 - left) / bins
    for k, count in enumerate(counts):
        box = {"x": left + step * k + 1, "y": up(count), "width": step - 2, "height": up(0) - up(count)}
        parts.append(element("rect", **box, fill=COLOURS[k < bins // 2], fill_opacity=0.75))
    parts.append(line(across(0), 14, across(0), height - 44, "zero"))
    return picture(width, height, title, *parts, alone=alone)


def line_chart(
    series: Mapping[str, Sequence[tuple[float, float]]], titles: tuple[str, str], title: str, *,
    intervals: Mapping[str, Sequence[tuple[float, float]]] | None = None, labels: Sequence[str] = (),
    zero: bool = False, follows: Collection[str] = (), alone: bool = False,
) -> str:  # fmt: skip
    """Curves with a legend; `intervals` are low and high at each point, `labels` names of the places across.

    Those that `follows` names are dashed, in the colour of the one before.
    """
    plot, height, left = 520.0, 300.0, 60.0
    legend = 20 + max(map(wide, series), default=0)
    bounds = [y for own in (intervals or {}).values() for pair in own for y in pair]
    across = Scale.of([x for own in series.values() for x, _ in own], left, plot - 10, margin=0.03)
    up = Scale.of([*(y for own in series.values() for _, y in own), *bounds], height - 46, 14, zero=zero)
    parts = [axis_left(up, left, plot - 10, titles[1])]
    if labels:
        parts += [text(name, across(k), height - 30, "small quiet middle") for k, name in enumerate(labels)]
        parts.append(text(titles[0], (left + plot) / 2, height - 12, "small middle"))
    else:
        parts.append(axis_below(across, 14, height - 46, titles[0]))
    number, dotted = -1, max(map(len, series.values()), default=0) <= 40
    for k, (name, own) in enumerate(series.items()):
        number += name not in follows
        colour = COLOURS[number % len(COLOURS)]
        dashes = "5 4" if name in follows else ("", "8 3 2 3", "2 3")[number // len(COLOURS) % 3]
        shift = (k - (len(series) - 1) / 2) * 3 if intervals else 0.0
        known = [(across(x) + shift, up(y)) for x, y in own if math.isfinite(y)]
        for (x, _), (low, high) in zip(own, (intervals or {}).get(name, ()), strict=False):
            if math.isfinite(low):
                parts.append(line(across(x) + shift, up(low), across(x) + shift, up(high), "axis", stroke=colour))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in known)
        dashed = {"stroke_dasharray": dashes} if dashes else {}
        parts.append(element("polyline", points=path, class_="line", stroke=colour, **dashed))
        if dotted:
            parts += [element("circle", cx=x, cy=y, r=3, fill=colour) for x, y in known]
        y = 20.0 + 17 * k
        parts += [
            line(plot + 4, y, plot + 20, y, "line", stroke=colour, **dashed),
            text(name, plot + 26, y + 4, "small"),
        ]
    return picture(plot + 20 + legend, max(height, 30 + 17 * len(series)), title, *parts, alone=alone)


def dot_chart(rows: Mapping[str, Sequence[float]], title: str, label: str, *, alone: bool = False) -> str:
    """A row of dots per name, such as a weight in every run; the bar is the mean and its standard deviation."""
    left = 16 + max(map(wide, rows))
    right, top = left + 360, 30
    bottom = top + ROW * len(rows)
    spreads = {name: _mean_and_deviation(own) for name, own in rows.items()}
    ends = [x for mean, spread in spreads.values() for x in (mean - spread, mean + spread)]
    scale = Scale.of([*ends, *(value for own in rows.values() for value in own)], left, right)
    parts = [text(title, left, 18, "heading"), axis_below(scale, top, bottom, label)]
    if scale.low < 0 < scale.high:
        parts.append(line(scale(0), top, scale(0), bottom, "zero"))
    for k, (name, own) in enumerate(rows.items()):
        y, (mean, spread) = top + ROW * k + ROW / 2, spreads[name]
        parts.append(text(name, left - 8, y + 4, "end"))
        parts.append(line(scale(mean - spread), y, scale(mean + spread), y, "bar", stroke=COLOURS[0]))
        parts += [element("circle", cx=scale(x), cy=y, r=3, fill=COLOURS[0], fill_opacity=0.6) for x in own]
        shown = f"{mean:.4g}" + (f" ± {spread:.2g}" if len(own) > 1 else "")
        parts.append(text(shown, right + 8, y + 4, "small"))
    return picture(right + 110, bottom + 44, title, *parts, alone=alone)


def _mean_and_deviation(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((x - mean) ** 2 for x in values) / (len(values) - 1)) if len(values) > 1 else 0.0
