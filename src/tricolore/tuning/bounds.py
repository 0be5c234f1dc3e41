"""Bounds of feature weights; a fixed weight has the same bound twice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import SpecError, nearest
from ..features import Floats, Layout
from ..numbers import real_or_infinite


@dataclass(frozen=True, eq=False)
class Bounds:
    """A lower and an upper bound for each weight.

    >>> bounds = Bounds(np.array([0.0, -1.0]), np.array([np.inf, -1.0]))
    >>> bounds.project(np.array([-2.0, 3.0]))
    array([ 0., -1.])
    >>> bounds.free
    array([ True, False])
    >>> bounds.reach(np.array([1.0, -1.0]), np.array([-2.0, 0.0]))
    (-inf, 0.5)
    """

    lower: Floats
    upper: Floats

    @staticmethod
    def none(size: int) -> Bounds:
        """No bounds at all."""
        return Bounds(np.full(size, -np.inf), np.full(size, np.inf))

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which weights may move."""
        return self.lower < self.upper

    @property
    def bounded(self) -> bool:
        """Whether any weight has a bound."""
        return bool(np.isfinite(self.lower).any() or np.isfinite(self.upper).any())

    def project(self, weights: Floats) -> Floats:
        """The nearest weights within the bounds."""
        return np.minimum(np.maximum(weights, self.lower), self.upper)

    def reach(self, weights: Floats, direction: Floats) -> tuple[float, float]:
        """The smallest and largest γ for which weights + γ direction is within the bounds, as `weights` are."""
        moves = direction != 0
        with np.errstate(invalid="ignore", divide="ignore"):
            ends = (np.stack([self.lower, self.upper]) - weights)[:, moves] / direction[moves]
        least, most = ends.min(axis=0).max(initial=-math.inf), ends.max(axis=0).min(initial=math.inf)
        return float(min(least, 0.0)), float(max(most, 0.0))


def make_bounds(layout: Layout, start: Floats, fix: Sequence[str], bounds: Sequence[str]) -> tuple[Bounds, Floats]:
    """Bounds from texts such as `lm=0:1` or `tm=0:` (bounds), `w` or `w=-1` (fix), and the start moved within them.

    A name stands for all of its weights, `tm[2]` for one of them.
    """
    lower, upper, start = np.full(layout.size, -np.inf), np.full(layout.size, np.inf), start.copy()
    bounded, fixed = set(), set()  # type: tuple[set[int], set[int]]
    for text in bounds:
        name, _, span = text.rpartition("=")
        low, colon, high = span.partition(":")
        if not name or not colon:
            raise SpecError(f"bounds: expected NAME=LOW:HIGH, such as lm=0:1 or lm=0:, got {text!r}")
        columns = columns_of(name, layout)
        if bounded.intersection(columns):
            raise SpecError(f"bounds: {text!r}: {name!r} has bounds already; write both as NAME=LOW:HIGH")
        bounded.update(columns)
        lower[columns] = _number(low, f"bounds: {text!r}") if low else -np.inf
        upper[columns] = _number(high, f"bounds: {text!r}") if high else np.inf
        if (lower[columns] > upper[columns]).any():
            raise SpecError(f"bounds: {text!r}: the lower bound is above the upper")
        if (lower[columns] == np.inf).any() or (upper[columns] == -np.inf).any():
            raise SpecError(f"bounds: {text!r}: no finite number is within them")
    for text in fix:
        name, equals, value = text.rpartition("=") if "=" in text else (text, "", "")
        columns = columns_of(name, layout)
        if equals:
            start[columns] = _number(value, f"fix: {text!r}", finite=True)
        if fixed.intersection(columns):
            raise SpecError(f"fix: {text!r}: {name!r} is fixed already")
        fixed.update(columns)
        if (start[columns] < lower[columns]).any() or (start[columns] > upper[columns]).any():
            raise SpecError(f"fix: {text!r}: the weight would stay outside its bounds")
        lower[columns] = upper[columns] = start[columns]
    made = Bounds(lower, upper)
    if layout.size and not made.free.any():
        raise SpecError("all features are fixed; there is nothing to tune")
    return made, made.project(start)


def columns_of(name: str, layout: Layout) -> list[int]:
    """The columns of a name."""
    if name in layout.by_name:
        return list(layout.by_name[name].columns)
    if name in layout.labels:
        return [layout.labels.index(name)]
    raise SpecError(f"no feature {name!r} in the lists{nearest(name, [*layout.by_name])}")


def _number(text: str, whole: str, *, finite: bool = False) -> float:
    try:
        value = real_or_infinite(text)
    except ValueError:
        value = math.nan
    if math.isnan(value) or (finite and math.isinf(value)):
        raise SpecError(f"{whole}: expected a {'finite ' if finite else ''}number, got {text!r}")
    return value
