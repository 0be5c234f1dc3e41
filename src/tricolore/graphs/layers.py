"""Layered drawing, from left to right, with few crossings and without overlaps.

Sugiyama, Tagawa & Toda (1981): lines over several layers get a bend in each that they pass; layers are ordered by the
mean positions of neighbours, back and forth; then every box moves as close to its neighbours in other layers as the
boxes of its own layer allow (by isotonic regression).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

GAP = 10.0  #: between boxes of a layer
SPACE = 14.0  #: between layers, at least; more where lines would be steep
SWEEPS = 16  #: back and forth


@dataclass
class Box:
    """A box of a layer; x and y are its centre."""

    layer: int
    width: float
    height: float
    weight: float = 1.0  #: of its wish to be level with its neighbours
    stretches: bool = False  #: to the width of its layer, so that lines are level within layers
    x: float = 0.0
    y: float = 0.0
    before: list[Box] = field(default_factory=list, repr=False)
    after: list[Box] = field(default_factory=list, repr=False)


class Layers:
    """Boxes and the lines between them."""

    def __init__(self) -> None:
        self.rows: list[list[Box]] = []

    def add(self, layer: int, width: float, height: float, weight: float = 1.0, *, stretches: bool = False) -> Box:
        """Add a box."""
        while len(self.rows) <= layer:
            self.rows.append([])
        box = Box(layer, width, height, weight, stretches)
        self.rows[layer].append(box)
        return box

    def link(self, first: Box, last: Box) -> list[Box]:
        """Add a line to a box of a later layer; its bends are boxes, too."""
        between = range(first.layer + 1, last.layer)
        chain = [first, *(self.add(layer, 0.0, 2.0, weight=4.0, stretches=True) for layer in between), last]
        for one, other in pairwise(chain):
            one.after.append(other)
            other.before.append(one)
        return chain

    def place(self) -> tuple[float, float]:
        """Give every box its place; return the width and height of the drawing."""
        self._order()
        self._level()
        x = 0.0
        for row in self.rows:
            widest = max((box.width for box in row), default=0.0)
            for box in row:
                box.x = x + widest / 2
                box.width = widest if box.stretches else box.width
            steepest = max((abs(box.y - other.y) for box in row for other in box.after), default=0.0)
            space = min(max(SPACE, steepest / 4), 3 * SPACE)
            x += widest + space
        top = min(box.y - box.height / 2 for row in self.rows for box in row)
        for row in self.rows:
            for box in row:
                box.y -= top
        return x - space, max(box.y + box.height / 2 for row in self.rows for box in row)

    def _order(self) -> None:
        """Sort each layer by the mean positions of neighbours; keep the order with the fewest crossings."""
        best, fewest = [[*row] for row in self.rows], self._crossings()
        for sweep in range(SWEEPS):
            rows = self.rows[1:] if sweep % 2 == 0 else self.rows[-2::-1]
            places = {id(box): float(i) for row in self.rows for i, box in enumerate(row)}
            for row in rows:
                wishes = {
                    id(box): sum(places[id(other)] for other in near) / len(near)
                    for box in row
                    if (near := box.before if sweep % 2 == 0 else box.after)
                }
                row.sort(key=lambda box: wishes.get(id(box), places[id(box)]))
                places |= {id(box): float(i) for i, box in enumerate(row)}
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [[*row] for row in self.rows], crossings
        self.rows = best

    def _crossings(self) -> int:
        """The number of pairs of lines that cross."""
        total = 0
        for row, following in zip(self.rows[:-1], self.rows[1:], strict=True):
            places = {id(box): i for i, box in enumerate(following)}
            ends = [place for box in row for place in sorted(places[id(other)] for other in box.after)]
            total += _inversions(ends)
        return total

    def _level(self) -> None:
        """Move boxes level with their neighbours, as far as there is room."""
        for row in self.rows:
            y = 0.0
            for box in row:
                box.y = y + box.height / 2
                y += box.height + GAP
        for sweep in range(SWEEPS):
            for row in self.rows if sweep % 2 == 0 else self.rows[::-1]:
                wishes = [_wish(box, sweep) for box in row]
                for box, y in zip(row, _spread(row, wishes), strict=True):
                    box.y = y


def _wish(box: Box, sweep: int) -> float:
    near = (box.before or box.after) if sweep % 2 == 0 else (box.after or box.before)
    if sweep >= SWEEPS - 2:
        near = box.before + box.after
    total = sum(other.weight for other in near)
    return sum(other.weight * other.y for other in near) / total if near else box.y


def _spread(row: list[Box], wishes: list[float]) -> list[float]:
    """The positions closest to the wishes where boxes do not touch: pool adjacent violators."""
    gaps = ((one.height + other.height) / 2 + GAP for one, other in pairwise(row))
    offsets = [*accumulate(gaps, initial=0.0)][: len(row)]
    pools: list[list[float]] = []  # sum of weighted wishes, weight, how many
    for box, wish, offset in zip(row, wishes, offsets, strict=True):
        pools.append([(wish - offset) * box.weight, box.weight, 1])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    levels = [total / weight for total, weight, number in pools for _ in range(int(number))]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]


def _inversions(ends: list[int]) -> int:
    """The number of pairs in the wrong order."""
    seen: list[int] = []
    total = 0
    for end in ends:
        place = bisect_right(seen, end)
        total += len(seen) - place
        seen.insert(place, end)
    return total
