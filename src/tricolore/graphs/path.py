"""Path: one way through a lattice, or one derivation of a forest, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: How many paths a sample may have (some 350 bytes each).
MOST_DRAWN = 10_000_000
#: How many paths may be asked for.
MOST_ASKED = 100_000_000

EPSILON = -1  #: the label of an arc without a word


@dataclass(frozen=True)
class Path:
    """The words of a path, its score, and its arcs; of a forest, its edges, each before those below it."""

    words: tuple[str, ...]
    score: float
    arcs: NDArray[np.int32] = field(repr=False)

    @property
    def text(self) -> str:
        """The words with a space in between."""
        return " ".join(self.words)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Path)
            and self.words == other.words
            and self.score == other.score
            and self.arcs.tolist() == other.arcs.tolist()
        )

    def __hash__(self) -> int:
        return hash((self.words, self.score))

    def __str__(self) -> str:
        return self.text
