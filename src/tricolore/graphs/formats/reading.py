"""What may be said about how files are to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import InputError
from ..lattice import Lattice
from .edges import EdgeList

if TYPE_CHECKING:
    from ...weights import Weights
    from ..forest import Forest
    from .symbols import Symbols

#: Which labels of a finite-state machine are its words: the only ones, or those of one side of a transducer.
LABELS = ("acceptor", "input", "output")

#: What to do where there is nothing instead of a graph, as where a recogniser found no words.
EMPTY = ("accept", "refuse")


@dataclass(frozen=True)
class Reading:
    """How to read: `None` is the format's own way."""

    scale: str | None = None  #: one of SCALES
    symbols: Symbols | None = None  #: the words of labels that are numbers
    numerals: bool = False  #: whether labels are words even where all are numbers
    labels: str | None = None  #: one of LABELS
    epsilon: tuple[str, ...] = ()  #: words treated as epsilon, besides those of the format
    weights: Weights | None = None
    empty: str = "accept"  #: one of EMPTY

    def empty_lattice(self, place: str, found: str, score: float = 0.0) -> Lattice:
        """The lattice of the empty text, for what was found instead of any other."""
        self._check_empty(place, f"an empty lattice ({found})")
        return Lattice.of([], 0, {0: score}, place)

    def empty_forest(self, place: str, found: str) -> Forest:
        """The forest of the empty text, for what was found instead of any other."""
        self._check_empty(place, f"an empty forest ({found})")
        edges = EdgeList(place)
        edges.add(0, [], [], place)
        return edges.forest(1, 0)

    def _check_empty(self, place: str, what: str) -> None:
        if self.empty == "refuse":
            raise InputError(f"{place}: {what}; expected words (empty='accept' accepts it)")

    def weighted(self, lattice: Lattice) -> Lattice:
        """The lattice with scores by the weights, if there are any."""
        return lattice if self.weights is None else lattice.weighted(self.weights)

    def weighted_forest(self, forest: Forest) -> Forest:
        """The forest with scores by the weights, if there are any."""
        return forest if self.weights is None else forest.weighted(self.weights)
