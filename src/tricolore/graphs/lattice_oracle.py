"""The path of a lattice that is closest to a reference, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from .lattice_paths import path_of
from .path import Path

if TYPE_CHECKING:
    from .lattice import Lattice
    from .recognition import Recognition

#: How many numbers may be kept (8 bytes each): two for every state of the lattice and of the automaton.
MOST_CELLS = 2**28


def best_recognised(lattice: Lattice, what: Recognition) -> tuple[float, Path]:
    """The best numerator of n-gram recognition, and its path."""
    cells = 2 * lattice.states * (len(what.reference) + 1) * what.order
    if cells > MOST_CELLS:
        raise InputError(
            f"{lattice.place}: {lattice.states} states and a reference of {len(what.reference)} words would need "
            f"{cells} numbers; expected at most {MOST_CELLS}: a smaller lattice, a shorter reference or a lower order"
        )
    ids, reference = what.token_ids.astype(np.uint32), what.reference.astype(np.uint32)
    worth, arcs = lattice.native().recognise(what.token_starts, ids, reference, what.order, what.alpha, what.beta)
    return worth, path_of(lattice, arcs)
