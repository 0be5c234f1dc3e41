"""Confusion networks as Moses reads them: a column a line, an empty line after each network.

    a 0.8 the 0.2
    small 0.6 *EPS* 0.4
    cat 1.0

A column is words and their probabilities; `*EPS*` is no word. Lattices of another shape cannot be written so.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...errors import InputError
from ..lattice import Lattice
from .arcs import ArcList, check_words, is_spaced, one_end
from .lines import number, quoted
from .scales import ROUNDING, logarithms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lines import Lines
    from .reading import Reading

EPSILON = ("*EPS*",)


def read(lines: Lines, how: Reading) -> Iterator[Lattice]:
    """Read network by network; an empty one would leave no trace but a second empty line, and is refused."""
    arcs: ArcList | None = None
    columns, empty = 0, 0
    places: list[int] = []
    for line in lines:
        fields = line.split()
        if not fields:
            empty += 1
            if arcs is not None:
                yield _network(arcs, columns, places, lines.name, how)
                arcs = None
            continue
        if arcs is None:
            if empty > 1 or (empty and lines.number == empty + 1):
                raise InputError(
                    f"{lines.name}: line {lines.number - 1}: an empty network; expected one empty line between networks"
                )
            arcs, columns, places = ArcList(lines.where, (*EPSILON, *how.epsilon)), 0, []
        empty = 0
        if len(fields) % 2:
            lines.fail(f"expected words, each with its probability, found {quoted(line)}")
        for word, value in zip(fields[::2], fields[1::2], strict=True):
            arcs.add(columns, columns + 1, word, number(value, lines.where, "a probability"))
            places.append(lines.number)
        columns += 1
    if arcs is not None:
        yield _network(arcs, columns, places, lines.name, how)


def _network(arcs: ArcList, columns: int, places: list[int], name: str, how: Reading) -> Lattice:
    scores = logarithms(arcs.values, how.scale or "prob", lambda i: f"{name}: line {places[i]}")
    return how.weighted(arcs.lattice(0, {columns: 0.0}, scores))


def write(lattice: Lattice) -> str:
    """Write columns, if the lattice has any: all arcs of a state lead to the same next one."""
    check_words(lattice.words, lattice.place, "a confusion network", is_spaced, EPSILON)
    columns = one_end(lattice) or [[(1, None, 0.0)]]
    lines = []
    for source, arcs in enumerate(columns):
        for target, word, score in arcs:
            if target != source + 1:
                what = EPSILON[0] if word is None else word
                raise InputError(
                    f"{lattice.place}: is no confusion network ({quoted(what)} leads from state {source} to {target}); "
                    "expected columns of words, one after another"
                )
            if score > ROUNDING:
                raise InputError(f"{lattice.place}: a score is {score:g}, above 0, which is no probability")
            if math.exp(score) == 0:
                raise InputError(f"{lattice.place}: a score is {score:g}, of which the probability is too small")
        lines.append(" ".join(f"{EPSILON[0] if word is None else word} {math.exp(score)!r}" for _, word, score in arcs))
    return "".join(f"{line}\n" for line in lines)
