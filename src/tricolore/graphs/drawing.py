"""Lattices and forests as pictures in SVG."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, cast
from xml.sax.saxutils import escape

import numpy as np

from ..errors import InputError
from ..parameters import Real, Whole, checked
from .layers import Box, Layers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from .forest import Forest
    from .lattice import Lattice

LARGEST = 300  #: arcs or edges in a readable picture
PATHS = 1000  #: best paths considered for pruning

SIZE, SMALL = 14.0, 10.5  #: font sizes
MARGIN = 16.0
RADIUS = 9.0  #: of states

#: Colours with enough contrast, in light and in dark mode.
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
    """Draw a lattice or a forest as SVG, from left to right; the best path is blue, probable arcs are thick.

    More than 300 arcs are not readable; `prune` keeps this many, those of the best paths. `width` is that of the
    picture (default: as much as it needs).
    """
    size = len(graph)
    if prune is not None and size > checked("prune", prune, Whole(1, 2**62)):
        graph = pruned(graph, prune)
    if width is not None:
        checked("width", width, Real(0, above=True, high=1e6))
    if len(graph) > LARGEST:
        raise InputError(
            f"{graph.place}: has {len(graph):,} {graph.unit}s, too many for a readable picture ({LARGEST}); "
            "prune it, for example with prune=60"
        )
    marked = np.zeros(len(graph), dtype=bool)
    if best:
        marked[graph.best().arcs] = True
    path, *number = graph.place.split(": ", 1)
    place = ": ".join([os.path.basename(path), *number])  # folders are long, and may be private
    part = "" if len(graph) == size else f" of {size:,}, those of the best paths"
    if graph.unit == "arc":  # not by its class, which imports this file
        lattice = cast("Lattice", graph)
        about = f"{lattice.states:,} states, {len(graph):,} arcs{part} ({place})"
        return _lattice(lattice, marked, best).svg(graph, about, best, width)
    forest = cast("Forest", graph)
    about = f"{forest.nodes:,} nodes, {len(graph):,} edges{part} ({place})"
    return _forest(forest, marked).svg(graph, about, best, width)


def draw_one(graphs: Iterable[Lattice | Forest], number: int = 1, *, prune: int | None = None) -> str:
    """Draw one of several graphs, counted from 1; those before it are skipped."""
    found = 0
    for found, graph in enumerate(graphs, 1):
        if found == number:
            return draw(graph, prune=prune)
    raise InputError(f"number: there is no graph {number}; there are {found}")


def pruned(graph: Lattice | Forest, number: int) -> Lattice | Forest:
    """The graph of at most `number` arcs or edges, those of the best paths; the best path is always kept."""
    kept = np.zeros(len(graph), dtype=bool)
    for rank, path in enumerate(graph.kbest(PATHS, distinct=False)):
        with_it = kept.copy()
        with_it[path.arcs] = True
        if rank and with_it.sum() > number:
            break
        kept = with_it
    return graph.part(kept)


@dataclass(frozen=True)
class Label:
    """The text of a box: a line, and a smaller one below."""

    text: str
    below: str = ""
    kind: str = "word"  #: its CSS class

    @property
    def width(self) -> float:
        """Its approximate width."""
        return max(_width(self.text, SIZE), _width(self.below, SMALL)) + 10


class _Picture:
    """Boxes and lines, and how they are drawn."""

    def __init__(self) -> None:
        self.layers = Layers()
        self.lines: list[tuple[list[Box], float, bool, bool]] = []  # boxes, thickness, on the best path, with a tip
        self.labels: list[tuple[Box, Label, bool]] = []
        self.circles: list[tuple[Box, str, bool, bool, str]] = []  # text, on the best path, final, text below

    def label(self, layer: int, label: Label, best: bool) -> Box:
        box = self.layers.add(layer, label.width, 2 * SIZE + 4, stretches=True)
        self.labels.append((box, label, best))
        return box

    def circle(self, layer: int, text: str, best: bool, final: bool = False, below: str = "") -> Box:
        box = self.layers.add(layer, max(2 * RADIUS, _width(text, SMALL) + 8), 2 * RADIUS + (26 if below else 0), 2.0)
        self.circles.append((box, text, best, final, below))
        return box

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
        # The best path is drawn last, on top.
        for boxes, thickness, is_best, tip in sorted(self.lines, key=lambda line: line[2]):
            parts += _drawn_line(boxes, thickness, is_best, tip)
        for box, text, is_best, final, below in self.circles:
            kind = "node best" if is_best else "node"
            parts += [_rounded(kind, box, inset) for inset in ((0.0, 2.5) if final else (0.0,))]
            parts += _drawn_text("pale", box.x, box.y + 3.5, SMALL - 1.5, text)
            parts += _drawn_text("pale", box.x, box.y + RADIUS + 12, SMALL, below)
        for box, label, is_best in self.labels:
            parts += _drawn_text(label.kind + " best" * is_best, box.x, box.y - 5, SIZE, label.text)
            parts += _drawn_text("pale", box.x, box.y + SMALL + 2, SMALL, label.below)
        for i, line in enumerate(filter(None, caption)):
            parts.append(
                f'<text class="pale" x="0" y="{high + 14 + i * 14:.1f}" font-size="{SMALL:g}">'
                f"{_text(line if len(line) <= room else line[: room - 1] + '…')}</text>"
            )
        return "\n".join([*parts, "</g>", "</svg>", ""])


def _drawn_line(boxes: list[Box], thickness: float, best: bool, tip: bool) -> list[str]:
    """A line through boxes, to the left of the last one if it has a tip, else along below it."""
    marked = " best" * best
    first, *middle, last = boxes
    points = [(first.x + first.width / 2, first.y)]
    for box in middle if tip else [*middle, last]:
        points += [(box.x - box.width / 2, box.y), (box.x + box.width / 2, box.y)]
    if tip:
        points.append((last.x - last.width / 2 - 3, last.y))
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x, y), (to_x, to_y) in pairwise(points):
        bend = f"{(x + to_x) / 2:.1f}"
        path += f"C{bend} {y:.1f} {bend} {to_y:.1f} {to_x:.1f} {to_y:.1f}" if y != to_y else f"H{to_x:.1f}"
    drawn = [f'<path class="line{marked}" d="{path}" stroke-width="{thickness:.2f}"/>']
    if tip:
        x, y = points[-1]
        drawn.append(f'<path class="tip{marked}" d="M{x + 3:.1f} {y:.1f}l-7 -3.5v7z"/>')
    return drawn


def _rounded(kind: str, box: Box, inset: float) -> str:
    half, radius = max(RADIUS, box.width / 2) - inset, RADIUS - inset
    corner = f'x="{box.x - half:.1f}" y="{box.y - radius:.1f}"'
    return f'<rect class="{kind}" {corner} width="{2 * half:.1f}" height="{2 * radius:g}" rx="{radius:g}"/>'


def _drawn_text(kind: str, x: float, y: float, size: float, text: str) -> list[str]:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="middle"'
    return [f'<text class="{kind}" {place}>{_text(text)}</text>'] if text else []


def _lattice(lattice: Lattice, marked: NDArray[np.bool_], best: bool) -> _Picture:
    """States in even layers, words in odd ones, next to the states that they leave."""
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
        picture.lines.append((boxes, float(thickness[i]), bool(marked[i]), True))
    return picture


def _forest(forest: Forest, marked: NDArray[np.bool_]) -> _Picture:
    """Nodes in even layers, the root first; right-hand sides of edges in odd ones."""
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
        picture.lines.append((picture.layers.link(nodes[heads[i]], box), *how, False))
        for tail in dict.fromkeys(~item for item in right if item < 0):
            picture.lines.append((picture.layers.link(box, nodes[tail]), *how, True))
    return picture


def _number(value: float) -> str:
    return f"{value + 0.0:.2f}" if abs(value) < 1000 else f"{value:.4g}"


def _text(text: str) -> str:
    """Escape a text for XML; characters that XML cannot hold, such as control characters, become �."""
    return escape(
        "".join(c if c >= " " and c not in "\ufffe\uffff" and not "\ud800" <= c <= "\udfff" else "�" for c in text)
    )


def _width(text: str, size: float) -> float:
    """The approximate width of a text: wide letters count twice, combining marks nothing."""
    units = 0.0
    for letter in text:
        if unicodedata.combining(letter):
            continue
        if unicodedata.east_asian_width(letter) in "WF":
            units += 1.05
        else:
            units += 0.36 if letter in "iljtfrI.,:;'!|()[]-" else 0.92 if letter in "mwMW@%—" else 0.62
    return units * size
