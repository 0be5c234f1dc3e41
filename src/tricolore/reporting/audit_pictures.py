"""The pictures of an audit: curves of sacrifices and damage, orders of words, heat maps of damage and agreement."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

from ..judge.audit.biases import Biases
from ..judge.audit.decomposability import Decomposability
from ..judge.audit.permutations import Permutations
from ..judge.audit.result import Audit
from ..judge.audit.sensitivity import Response, Sensitivity
from ..judge.audit.straw_men import StrawMen
from ..writers import writing, writing_folder
from . import figures
from .plots import MOST_LINES, file_name

#: File name, title, what to see, picture.
Picture = tuple[str, str, str, str]


def write_pictures(found: Audit, folder: str | os.PathLike[str]) -> list[str]:
    """Write all pictures to a folder, as SVG; all or none of them appear. Return their paths."""
    target = os.fspath(folder)
    pictures = [*audit_pictures(found, alone=True)]
    with writing_folder(target) as beside:
        for name, _, _, svg in pictures:
            with writing(os.fspath(beside / f"{name}.svg")) as file:
                file.write(svg)
    return [os.path.join(target, f"{name}.svg") for name, *_ in pictures]


def audit_pictures(found: Audit, *, alone: bool = False) -> Iterator[Picture]:
    """The pictures of every section that was computed."""
    for section in found.sections:
        if isinstance(section, Decomposability):
            yield from _sacrifices(section, alone)
        elif isinstance(section, Permutations):
            yield _orders(section, alone)
        elif isinstance(section, Sensitivity) and section.responses:
            yield _least_damage(section, alone)
            yield from _responses(section, alone)
        elif isinstance(section, Biases) and section.agreements:
            yield _agreement(section, alone)
        elif isinstance(section, StrawMen) and section.ranks:
            yield _straw_men(section, alone)


def _sacrifices(section: Decomposability, alone: bool) -> Iterator[Picture]:
    """Of every metric: the score of the systems that gain most, the worst segments emptied one after the other."""
    for metric in dict.fromkeys(one.metric for one in section.sacrifices):
        own = sorted((one for one in section.sacrifices if one.metric == metric), key=lambda one: -one.gain)
        series: dict[str, list[tuple[float, float]]] = {}
        for one in own[: MOST_LINES // 2]:
            series[f"{one.system}, emptied"] = [(100 * share, score) for share, score in one.curve]
            if one.gain > 0:
                series[f"{one.system}, search"] = [(100 * share, score) for share, score in one.path]
        searched = {name for name in series if name.endswith(", search")}
        title = f"{metric}: segments sacrificed"
        about = (
            "The score if the worst segments are emptied, one after the other; dashed, segments made worse that a "
            "search found. A curve that leaves its start in the better direction: the metric rewards it."
        )
        svg = figures.line_chart(series, ("segments made worse, %", metric), title, follows=searched, alone=alone)
        yield f"sacrifices-{file_name(metric)}", title, about, svg


def _orders(section: Permutations, alone: bool) -> Picture:
    """The share of segments that have at least so many orders of words, by powers of ten."""
    series = {}
    for one in section.orders:
        least = [sum(one.histogram[power:]) for power in range(len(one.histogram))]
        series[one.metric] = [(float(power), 100 * number / max(1, least[0])) for power, number in enumerate(least)]
    title = "Orders of words that score the same or better"
    about = "The share of segments with at least so many orders. The further to the right, the less order counts."
    svg = figures.line_chart(series, ("orders, power of ten", "segments, %"), title, zero=True, alone=alone)
    return "permutations", title, about, svg


def _least_damage(section: Sensitivity, alone: bool) -> Picture:
    metrics, kinds, values = section.least()
    tested = {(one.metric, one.damage): one.testable for one in section.responses}
    title = "Least damage detected, % of the words to which it applies"
    about = (
        "The darker, the more damage it takes until a paired test notices; “not”, black: it does not notice at "
        "any share; “?”, outlined: too few segments are damaged to tell."
    )
    missed = {key: math.inf if testable else math.nan for key, testable in tested.items()}
    cells = [
        [missed[name, kind] if math.isnan(x) else 100 * x for x, kind in zip(row, kinds, strict=True)]
        for name, row in zip(metrics, values, strict=True)
    ]
    svg = figures.heat_map(metrics, kinds, cells, title, digits=0, unknown="?", infinite="not", alone=alone)
    return "damage", title, about, svg


def _responses(section: Sensitivity, alone: bool) -> Iterator[Picture]:
    """Of every kind of damage: the score as a share of what it was without damage."""
    for kind in dict.fromkeys(one.damage for one in section.responses):
        own = [one for one in section.responses if one.damage == kind]
        series = {one.metric: _curve(one) for one in own}
        title = f"Damage: {kind}"
        about = "The score in percent of that without damage; error rates rise. A flat line: it goes unnoticed."
        svg = figures.line_chart(series, ("words damaged, %", "score, %"), title, alone=alone)
        yield f"damage-{kind}", title, about, svg


def _curve(one: Response) -> list[tuple[float, float]]:
    scores = (one.score, *one.scores)
    return [
        (100 * share, 100 * score / one.score if one.score else math.nan)
        for share, score in zip((0.0, *one.shares), scores, strict=True)
    ]


def _agreement(section: Biases, alone: bool) -> Picture:
    names, values = section.matrix()
    title = "Agreement of metrics"
    about = "Spearman's correlation of segment scores, mean over systems. Dark: the metrics say the same."
    return "agreement", title, about, figures.heat_map(names, names, values, title, span=(-1.0, 1.0), alone=alone)


def _straw_men(section: StrawMen, alone: bool) -> Picture:
    metrics = [*dict.fromkeys(one.metric for one in section.ranks)]
    kinds = [*dict.fromkeys(one.name for one in section.ranks)]
    ranks = {(one.metric, one.name): float(one.rank) for one in section.ranks}
    title = "Ranks of straw men"
    about = "Rank 1 is the best. Light: a bad system ranks high, and the metric is fooled."
    cells = [[ranks[name, kind] for kind in kinds] for name in metrics]
    svg = figures.heat_map(metrics, kinds, cells, title, digits=0, alone=alone)
    return "straw-men", title, about, svg
