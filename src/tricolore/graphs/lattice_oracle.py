"""The path of a lattice that is closest to a reference, exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError, SpecError
from .lattice_paths import path_of
from .path import Path

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .lattice import Lattice

#: How many numbers may be kept (8 bytes each): two for every state of the lattice and of the automaton.
MOST_CELLS = 2**28


def best_recognised(
    lattice: Lattice,
    token_starts: NDArray[np.int64],
    token_ids: NDArray[np.int32],
    reference_ids: NDArray[np.int32],
    order: int,
    alpha: float,
    beta: float,
) -> tuple[float, Path]:
    """The best numerator of n-gram recognition, and its path."""
    if order < 1:
        raise SpecError(f"n-grams of up to {order} words; expected an order from 1 on")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not math.isfinite(value):
            raise SpecError(f"{name} is {value}; expected a finite number")
    states = (len(reference_ids) + 1) * min(order, len(reference_ids) + 1)
    cells = 2 * lattice.states * states
    if cells > MOST_CELLS:
        raise InputError(
            f"{lattice.place}: {lattice.states} states and a reference of {len(reference_ids)} words would need "
            f"{cells} numbers; expected at most {MOST_CELLS}: a smaller lattice, a shorter reference or a lower order"
        )
    worth, arcs = lattice.native().recognise(
        np.ascontiguousarray(token_starts, np.int64),
        _unsigned(token_ids),
        _unsigned(reference_ids),
        min(order, len(reference_ids) + 1),
        alpha,
        beta,
    )
    return worth, path_of(lattice, arcs)


def _unsigned(numbers: NDArray[np.int32]) -> NDArray[np.uint32]:
    if len(numbers) and (numbers.min() < 0 or numbers.max() >= 2**31):
        raise InputError("tokens are numbers from 0 on")
    return np.ascontiguousarray(numbers, np.uint32)
