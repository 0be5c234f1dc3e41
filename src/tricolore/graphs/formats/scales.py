"""How files write scores: as logarithms, as probabilities, or as costs, which are minus logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

SCALES = ("log", "prob", "cost")

#: How far above 1 a probability may be by the rounding of whoever wrote it.
ROUNDING = 1e-6


def logarithms(values: Sequence[float], scale: str, where: Callable[[int], str]) -> NDArray[np.float64]:
    """Scores, of which more is better, from numbers as a file has them; `where` names the place of one.

    >>> logarithms([0.5, 1.0, 0.0], "prob", str)
    array([-0.69314718,  0.        ,        -inf])
    >>> logarithms([0.5, float("inf")], "cost", str)
    array([-0.5, -inf])
    """
    found = np.array(values, np.float64)
    if scale == "prob":
        wrong = np.flatnonzero(~((found >= 0) & (found <= 1 + ROUNDING)))
        if len(wrong):
            first = int(wrong[0])
            raise InputError(f"{where(first)}: expected a probability, from 0 to 1, found {values[first]:g}")
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(found))
    if scale == "cost":
        found = 0.0 - found  # of which minus zero is zero
    wrong = np.flatnonzero(~(found < np.inf))
    if len(wrong):
        first = int(wrong[0])
        infinity = "minus infinity" if scale == "cost" else "infinity"
        raise InputError(f"{where(first)}: the {_NAMES[scale]} is {values[first]:g}; expected a number, not {infinity}")
    return found


_NAMES = {"log": "score", "cost": "cost"}
