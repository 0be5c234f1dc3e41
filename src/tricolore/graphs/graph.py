"""Graph: what lattices and forests have in common, the verbs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

from ..errors import InputError, SpecError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..metrics.base import Metric
    from ..segments import SegmentReferences
    from ..tune.features import Features, Layout
    from ..tune.weights import Weights
    from .mbr import Choice
    from .ngram_table import NgramGain, NgramTable
    from .oracles import Oracle
    from .path import Path


def check_scale(scale: float) -> None:
    """Refuse a scale that is no number."""
    if not math.isfinite(scale):
        raise SpecError(f"scale must be a number; got {scale!r}")


class Graph(ABC):
    """A lattice or a forest: many texts, each with a score, in little room.

    What is called a path is a way from the start of a lattice to an end of it, or a derivation of the root of a forest;
    its score is the sum of those of its arcs or edges. Where paths have a probability, it is proportional to
    e^(scale·score).
    """

    words: tuple[str, ...]
    scores: NDArray[np.float64]
    place: str
    features: Features | None
    layout: Layout | None

    @abstractmethod
    def __len__(self) -> int:
        """How many arcs or edges there are."""

    @abstractmethod
    def best(self) -> Path:
        """The path with the highest score, the first of equals."""

    @abstractmethod
    def kbest(self, k: int, *, distinct: bool = True) -> list[Path]:
        """The best texts, each once and with its best path; or the best paths, whatever they say."""

    @abstractmethod
    def count(self) -> int:
        """How many paths there are."""

    @abstractmethod
    def paths(self, limit: int = 10_000) -> list[Path]:
        """All paths, if they are no more than `limit`."""

    @abstractmethod
    def sample(self, number: int, *, seed: int, scale: float = 1.0) -> list[Path]:
        """Paths drawn by their probability, independently of each other."""

    @abstractmethod
    def total(self, scale: float = 1.0) -> float:
        """Log Σ e^(scale·score) over all paths."""

    @abstractmethod
    def posteriors(self, scale: float = 1.0) -> NDArray[np.float64]:
        """The probability of every arc or edge; an edge that a derivation uses twice counts twice."""

    @abstractmethod
    def expected_ngrams(self, order: int = 4, scale: float = 1.0) -> NgramTable:
        """How often n-grams are in a path on average."""

    @abstractmethod
    def ngram_posteriors(self, order: int = 4, scale: float = 1.0) -> NgramTable:
        """The probability of n-grams to be in a path at least once."""

    @abstractmethod
    def rescored(self, gain: NgramGain, *, model: float = 0.0) -> Self:
        """A graph of the same texts, scored by a gain and, times `model`, by the scores of now."""

    @abstractmethod
    def best_recognised(
        self,
        token_starts: NDArray[np.int64],
        token_ids: NDArray[np.int32],
        reference: NDArray[np.int32],
        order: int = 4,
        alpha: float = 1.0,
        beta: float = 0.0,
    ) -> tuple[float, Path]:
        """The best numerator of N-GRR against a reference, and the path that has it; see `oracle`."""

    @abstractmethod
    def with_scores(self, scores: NDArray[np.float64]) -> Self:
        """The same graph with other scores of its arcs or edges."""

    def weighted(self, weights: Weights) -> Self:
        """The same graph, every arc or edge scored by the sum of its features times their weights."""
        if self.features is None or self.layout is None:
            raise InputError(f"{self.place}: there are no features to weigh; expected a file with named features")
        vector, _ = weights.vector(self.layout)
        return self.with_scores(self.features.dot(vector))

    def oracle(self, references: SegmentReferences, metric: Metric | str = "wer") -> Oracle:
        """The text that scores best against references: exact for wer, wrr and grr, else by approximation.

        >>> from tricolore.graphs import Lattice
        >>> lattice = Lattice.of([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat"), (1, 2, "dog")], 0, [2])
        >>> print(lattice.oracle("the dog", "grr"))
        the dog
        """
        from .oracles import best_text

        return best_text(self, references, metric)

    def mbr(self, *, precision: float = 0.85, ratio: float = 0.72, order: int = 4, scale: float = 1.0) -> Choice:
        """The path with the least Bayes risk by a gain linear in n-grams; see `tricolore.graphs.mbr`."""
        from .mbr import LinearGain, choose

        return choose(self, LinearGain(precision, ratio, order), scale=scale)
