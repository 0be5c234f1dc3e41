"""Lattices and forests as pictures: small SVG files that a person can read."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, cast
from xml.sax.saxutils import escape

import numpy as np

from ..errors import InputError, SpecError
from .layers import Box, Layers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .forest import Forest
    from .lattice import Lattice

LARGEST = 300  #: arcs or edges that a person can still read
PATHS = 1000  #: best paths among which those to keep are sought

SIZE = 14.0  #: of letters
SMALL = 10.5
MARGIN = 16.0
RADIUS = 9.0  #: of states

#: Colours that are told apart in any light; those in the dark take their place where a reader prefers it.
STYLE = """
.paper{fill:#fff}.line{fill:none;stroke:#9aa4af}.tip{fill:#9aa4af}.word{fill:#1f2328}.pale{fill:#6e7781}
.node{fill:#eef2f6;stroke:#6e7781}.none{fill:#6e7781;font-style:italic}
.best.line,.best.node{stroke:#0b5cad}.tip.best{fill:#0b5cad}.best.word{fill:#0b5cad;font-weight:600}
@media (prefers-color-scheme:dark){
.paper{fill:#0d1117}.line{stroke:#545d68}.tip{fill:#545d68}.word{fill:#e6edf3}.pale{fill:#8b949e}
.node{fill:#21262d;stroke:#8b949e}.none{fill:#8b949e}
.best.line,.best.node{stroke:#6cb2ff}.tip.best{fill:#6cb2ff}.best.word{fill:#6cb2ff}}
"""


def draw(graph: Lattice | Forest, *, best: bool = True, prune: int | None = None, width: float | None = None) -> str:
    """Draw a lattice or a forest as SVG, from left to right; the best path is in blue, thick lines are probable.

    More than 300 arcs nobody can read; `prune` keeps so many, those of the best paths. `width` is that of the picture,
    which is as large as it needs to be without.
    """
    if prune is not None and prune < 1:
        raise SpecError(f"prune must be 1 or more; got {prune}")
    if width is not None and not 0 < width < 1e6:
        raise SpecError(f"width must be above 0; got {width}")
    all_of_it = len(graph)
    if prune is not None and all_of_it > prune:
        graph = pruned(graph, prune)
    if len(graph) > LARGEST:
        raise InputError(
            f"{graph.place}: has {len(graph):,} {graph.unit}s, more than anybody can read ({LARGEST}); "
            "prune it, for example with prune=60"
        )
    marked = _best_arcs(graph) if best else np.zeros(len(graph), dtype=bool)
    about = _about(graph, all_of_it)
    if graph.unit == "arc":  # not by its class, which imports this file
        return _lattice(cast("Lattice", graph), marked, best).svg(graph, about, best, width)
    return _forest(cast("Forest", graph), marked).svg(graph, about, best, width)


def pruned(graph: Lattice | Forest, number: int) -> Lattice | Forest:
    """The graph of no more than `number` arcs or edges: those of the best paths, as many as there is room for.

    The best path is kept whole, whatever its length.
    """
    kept = np.zeros(len(graph), dtype=bool)
    for rank, path in enumerate(graph.kbest(PATHS, distinct=False)):
        with_it = kept.copy()
        with_it[path.arcs] = True
        if rank and with_it.sum() > number:
            break
        kept = with_it
    return graph.part(kept)


def _best_arcs(graph: Lattice | Forest) -> NDArray[np.bool_]:
    marked = np.zeros(len(graph), dtype=bool)
    marked[graph.best().arcs] = True
    return marked


def _about(graph: Lattice | Forest, all_of_it: int) -> str:
    """What it is, in words."""
    part = "" if len(graph) == all_of_it else f" of {all_of_it:,}, those of the best paths"
    path, *number = graph.place.split(": ", 1)
    place = ": ".join([os.path.basename(path), *number])  # folders are long, and nobody's business on a slide
    if hasattr(graph, "states"):
        return f"{graph.states:,} states, {len(graph):,} arcs{part} ({place})"
    return f"{graph.nodes:,} nodes, {len(graph):,} edges{part} ({place})"


@dataclass(frozen=True)
class Label:
    """What a box says: a line, and a smaller one below."""

    text: str
    below: str = ""
    kind: str = "word"  #: its class of style

    @property
    def width(self) -> float:
        """How wide it is, about."""
        return max(_width(self.text, SIZE), _width(self.below, SMALL)) + 10


class _Picture:
    """Boxes with their places, and what is drawn of them."""

    def __init__(self) -> None:
        self.layers = Layers()
        self.lines: list[tuple[list[Box], float, bool, bool]] = []  # boxes, thickness, of the best path, with a tip
        self.labels: list[tuple[Box, Label, bool]] = []
        self.circles: list[tuple[Box, str, bool, bool, str]] = []  # text, of the best path, final, what is below

    def label(self, layer: int, label: Label, best: bool) -> Box:
        box = self.layers.add(layer, label.width, 2 * SIZE + 4, stretches=True)
        self.labels.append((box, label, best))
        return box

    def circle(self, layer: int, text: str, best: bool, final: bool = False, below: str = "") -> Box:
        box = self.layers.add(layer, max(2 * RADIUS, _width(text, SMALL) + 8), 2 * RADIUS + (26 if below else 0), 2.0)
        self.circles.append((box, text, best, final, below))
        return box

    def line(self, boxes: list[Box], thickness: float, best: bool, tip: bool) -> None:
        self.lines.append((boxes, thickness, best, tip))

    def svg(self, graph: Lattice | Forest, about: str, best: bool, width: float | None) -> str:
        wide, high = self.layers.place()
        title = graph.best().text if best else ""
        caption = [about, f"best: {title or 'ε'}" if best else ""]
        full_width = max(wide, 240.0) + 2 * MARGIN
        full_height = high + 2 * MARGIN + 22 * 1.2
        room = int((full_width - 2 * MARGIN) / (SMALL * 0.62))
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {full_width:.0f} {full_height:.0f}" '
            f'width="{width or full_width:.0f}" height="{full_height * (width or full_width) / full_width:.0f}" '
            "font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\">",
            f"<title>{_text(title or graph.place)}</title>",
            f"<desc>{_text(about)}</desc>",
            f"<style>{STYLE}</style>",
            f'<rect class="paper" width="{full_width:.0f}" height="{full_height:.0f}"/>',
            f'<g transform="translate({MARGIN:g} {MARGIN:g})">',
        ]
        # What is on the best path lies above the rest.
        for boxes, thickness, is_best, tip in sorted(self.lines, key=lambda line: line[2]):
            parts += self.drawn_line(boxes, thickness, is_best, tip)
        for box, text, is_best, final, below in self.circles:
            parts += _drawn_circle(box, text, is_best, final, below)
        for box, label, is_best in self.labels:
            parts += _drawn_label(box, label, is_best)
        for i, line in enumerate(filter(None, caption)):
            parts.append(
                f'<text class="pale" x="0" y="{high + 14 + i * 14:.1f}" font-size="{SMALL:g}">'
                f"{_text(line if len(line) <= room else line[: room - 1] + '…')}</text>"
            )
        return "\n".join([*parts, "</g>", "</svg>", ""])

    def drawn_line(self, boxes: list[Box], thickness: float, best: bool, tip: bool) -> list[str]:
        named = ' class="line best"' if best else ' class="line"'
        points: list[tuple[float, float]] = [(boxes[0].x + boxes[0].width / 2, boxes[0].y)]
        for box in boxes[1:-1]:
            points += [(box.x - box.width / 2, box.y), (box.x + box.width / 2, box.y)]
        last = boxes[-1]
        # To the left of a state, where the tip is; or along below a label, to where further lines begin.
        end = (last.x - last.width / 2 - 3, last.y) if tip else (last.x + last.width / 2, last.y)
        points += [end] if tip else [(last.x - last.width / 2, last.y), end]
        path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
        for (x, y), (to_x, to_y) in pairwise(points):
            middle = (x + to_x) / 2
            path += (
                f"C{middle:.1f} {y:.1f} {middle:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}" if y != to_y else f"H{to_x:.1f}"
            )
        drawn = [f'<path{named} d="{path}" stroke-width="{thickness:.2f}"/>']
        if tip:
            x, y = end
            kind = "tip best" if best else "tip"
            drawn.append(f'<path class="{kind}" d="M{x + 3:.1f} {y:.1f}l-7 -3.5v7z"/>')
        return drawn


def _drawn_circle(box: Box, text: str, best: bool, final: bool, below: str) -> list[str]:
    kind = "node best" if best else "node"
    half = max(RADIUS, box.width / 2)
    y = box.y
    drawn = [
        f'<rect class="{kind}" x="{box.x - half:.1f}" y="{y - RADIUS:.1f}" width="{2 * half:.1f}" '
        f'height="{2 * RADIUS:g}" rx="{RADIUS:g}"/>'
    ]
    if final:
        drawn.append(
            f'<rect class="{kind}" x="{box.x - half + 2.5:.1f}" y="{y - RADIUS + 2.5:.1f}" '
            f'width="{2 * half - 5:.1f}" height="{2 * RADIUS - 5:g}" rx="{RADIUS - 2.5:g}"/>'
        )
    drawn.append(
        f'<text class="pale" x="{box.x:.1f}" y="{y + 3.5:.1f}" font-size="{SMALL - 1.5:g}" text-anchor="middle">'
        f"{_text(text)}</text>"
    )
    if below:
        drawn.append(
            f'<text class="pale" x="{box.x:.1f}" y="{y + RADIUS + 12:.1f}" font-size="{SMALL:g}" text-anchor="middle">'
            f"{_text(below)}</text>"
        )
    return drawn


def _drawn_label(box: Box, label: Label, best: bool) -> list[str]:
    """One text above the line, the smaller one, if there is any, below."""
    drawn = [
        f'<text class="{label.kind}{" best" if best else ""}" x="{box.x:.1f}" y="{box.y - 5:.1f}" '
        f'font-size="{SIZE:g}" text-anchor="middle">{_text(label.text)}</text>'
    ]
    if label.below:
        drawn.append(
            f'<text class="pale" x="{box.x:.1f}" y="{box.y + SMALL + 2:.1f}" font-size="{SMALL:g}" '
            f'text-anchor="middle">{_text(label.below)}</text>'
        )
    return drawn


def _lattice(lattice: Lattice, marked: NDArray[np.bool_], best: bool) -> _Picture:
    """States in even layers, words in odd ones; a word right behind the state that it leaves."""
    picture = _Picture()
    depths = [0] * lattice.states
    sources, targets = lattice.sources.tolist(), lattice.targets.tolist()
    for source, target in zip(sources, targets, strict=True):  # in topological order
        depths[target] = max(depths[target], depths[source] + 1)
    on_best = {0, *(targets[i] for i in np.flatnonzero(marked))} if best else set()
    states = []
    for state in range(lattice.states):
        final = float(lattice.finals[state])
        below = _number(final) if final not in (0.0, -np.inf) else ""
        states.append(picture.circle(2 * depths[state], str(state), state in on_best, final > -np.inf, below))
    thickness = 1 + 3 * np.clip(lattice.posteriors(), 0, 1)
    has_scores = bool(lattice.scores.any())
    for i, (source, target) in enumerate(zip(sources, targets, strict=True)):
        label = lattice.labels[i]
        score = _number(float(lattice.scores[i])) if has_scores else ""
        said = Label("ε", score, "none") if label < 0 else Label(lattice.words[label], score)
        box = picture.label(2 * depths[source] + 1, said, bool(marked[i]))
        boxes = [*picture.layers.link(states[source], box), *picture.layers.link(box, states[target])[1:]]
        picture.line(boxes, float(thickness[i]), bool(marked[i]), tip=True)
    return picture


def _forest(forest: Forest, marked: NDArray[np.bool_]) -> _Picture:
    """Nodes in even layers, the root first; what edges make of them in odd ones."""
    picture = _Picture()
    depths = [0] * forest.nodes
    heads, starts = forest.heads.tolist(), forest.starts.tolist()
    items = forest.items.tolist()
    for i in reversed(range(len(forest))):  # from the root down
        for item in items[starts[i] : starts[i + 1]]:
            if item < 0:
                depths[~item] = max(depths[~item], depths[heads[i]] + 1)
    on_best = {heads[i] for i in np.flatnonzero(marked)}
    nodes = [picture.circle(2 * depths[n], str(n), n in on_best, n == forest.nodes - 1) for n in range(forest.nodes)]
    thickness = 1 + 3 * np.clip(forest.posteriors(), 0, 1)
    has_scores = bool(forest.scores.any())
    for i in reversed(range(len(forest))):
        right = items[starts[i] : starts[i + 1]]
        text = " ".join(f"[{~item}]" if item < 0 else forest.words[item] for item in right)
        score = _number(float(forest.scores[i])) if has_scores else ""
        label = Label(text, score) if text else Label("ε", score, "none")
        box = picture.label(2 * depths[heads[i]] + 1, label, bool(marked[i]))
        how = (float(thickness[i]), bool(marked[i]))
        picture.line(picture.layers.link(nodes[heads[i]], box), *how, tip=False)
        for tail in dict.fromkeys(~item for item in right if item < 0):
            picture.line(picture.layers.link(box, nodes[tail]), *how, tip=True)
    return picture


def _number(value: float) -> str:
    return f"{value + 0.0:.2f}" if abs(value) < 1000 else f"{value:.4g}"


def _text(text: str) -> str:
    """Text that XML can hold: what it cannot, such as control characters, is shown as �."""
    return escape(
        "".join(c if c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff" else "�" for c in text)
    )


def _width(text: str, size: float) -> float:
    """How wide a text is, about: wide letters count twice, marks on letters nothing."""
    units = 0.0
    for letter in text:
        if unicodedata.combining(letter):
            continue
        if unicodedata.east_asian_width(letter) in "WF":
            units += 1.05
        else:
            units += 0.36 if letter in "iljtfrI.,:;'!|()[]-" else 0.92 if letter in "mwMW@%—" else 0.62
    return units * size
