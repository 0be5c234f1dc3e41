"""What may be said about how files are to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...tune.weights import Weights
    from ..forest import Forest
    from ..lattice import Lattice
    from .symbols import Symbols

#: Which labels of a finite-state machine are its words: the only ones, or those of one side of a transducer.
LABELS = ("acceptor", "input", "output")


@dataclass(frozen=True)
class Reading:
    """How to read: `None` is the format's own way."""

    scale: str | None = None  #: one of SCALES
    symbols: Symbols | None = None  #: the words of labels that are numbers
    numerals: bool = False  #: whether labels are words even where all are numbers
    labels: str | None = None  #: one of LABELS
    epsilon: tuple[str, ...] = ()  #: words that say nothing, beside those of the format
    weights: Weights | None = None

    def weighted(self, lattice: Lattice) -> Lattice:
        """The lattice with scores by the weights, if there are any."""
        return lattice if self.weights is None else lattice.weighted(self.weights)

    def weighted_forest(self, forest: Forest) -> Forest:
        """The forest with scores by the weights, if there are any."""
        return forest if self.weights is None else forest.weighted(self.weights)
