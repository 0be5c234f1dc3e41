"""The derivation of a forest that is closest to a reference, exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError, SpecError
from ..judge.resampling import check_number
from .forest_paths import paths_of, refusing
from .path import Path

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .forest import Forest

#: How many numbers may be kept (8 bytes each): for every node, about half the square of the reference's length.
MOST_CELLS = 2**27


def best_recognised(
    forest: Forest,
    token_starts: NDArray[np.int64],
    token_ids: NDArray[np.int32],
    reference_ids: NDArray[np.int32],
    order: int,
    alpha: float,
    beta: float,
) -> tuple[float, Path]:
    """The best numerator of n-gram recognition, and its derivation."""
    check_number("order", order)
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not math.isfinite(value):
            raise SpecError(f"{name} must be a number; got {value!r}")
    if len(token_starts) != len(forest.words) + 1:
        raise InputError(f"tokens of {len(token_starts) - 1} words; expected those of {len(forest.words)}")
    with refusing(forest):
        value, starts, edges = forest.native.best_recognised(
            np.ascontiguousarray(token_starts, np.int64),
            np.ascontiguousarray(token_ids, np.int32),
            np.ascontiguousarray(reference_ids, np.int32),
            min(order, len(reference_ids) + 1),  # no run is longer
            alpha,
            beta,
            MOST_CELLS,
        )
        return value, paths_of(forest, starts, edges)[0]
