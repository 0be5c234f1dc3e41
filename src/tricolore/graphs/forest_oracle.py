"""The derivation of a forest that is closest to a reference, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .forest_paths import paths_of, refusing
from .path import Path

if TYPE_CHECKING:
    from .forest import Forest
    from .recognition import Recognition

#: How many numbers may be kept (8 bytes each): for every node, about half the square of the reference's length.
MOST_CELLS = 2**27


def best_recognised(forest: Forest, what: Recognition) -> tuple[float, Path]:
    """The best numerator of n-gram recognition, and its derivation."""
    with refusing(forest):
        value, starts, edges = forest.native.best_recognised(
            what.token_starts, what.token_ids, what.reference, what.order, what.alpha, what.beta, MOST_CELLS
        )
        return value, paths_of(forest, starts, edges)[0]
