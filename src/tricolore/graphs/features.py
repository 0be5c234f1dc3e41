"""Graphs whose arcs or edges have features: weights make them scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

from ..errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..tune.features import Features, Layout
    from ..tune.weights import Weights


class Featured(ABC):
    """A lattice or a forest, as far as features are concerned."""

    place: str
    features: Features | None
    layout: Layout | None

    @abstractmethod
    def with_scores(self, scores: NDArray[np.float64]) -> Self:
        """The same graph with other scores."""

    def weighted(self, weights: Weights) -> Self:
        """The same graph, every arc or edge scored by the sum of its features times their weights."""
        if self.features is None or self.layout is None:
            raise InputError(f"{self.place}: there are no features to weigh; expected a file with named features")
        vector, _ = weights.vector(self.layout)
        return self.with_scores(self.features.dot(vector))
