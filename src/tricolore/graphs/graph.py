"""Graph: what lattices and forests have in common, the verbs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from ..errors import InputError, InputTypeError, SpecError
from .recognition import Recognition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from ..features import Features, Layout
    from ..metrics.base import Metric
    from ..segments import SegmentReferences
    from ..weights import Weights
    from .mbr import Choice
    from .ngram_table import NgramGain, NgramTable
    from .oracles import Oracle
    from .path import Path


#: Scores beyond this are refused, so that no sum of them becomes infinite.
MOST_SCORE = 1e300


def check_scores(what: str, scores: NDArray[np.float64], place: str) -> None:
    """Refuse scores that are no numbers, or too large."""
    wrong = np.flatnonzero(~(np.abs(scores) <= MOST_SCORE) & (scores != -np.inf))
    if len(wrong):
        raise InputError(
            f"{place}: the score of {what} {wrong[0]} is {scores[wrong[0]]}; expected a number within ±{MOST_SCORE:g}, "
            "or minus infinity for never"
        )


def check_scale(scale: Any) -> None:
    """Refuse a scale that is no number."""
    if not isinstance(scale, Real):
        raise InputTypeError(f"scale must be a number; got {scale!r}")
    if not math.isfinite(scale):
        raise SpecError(f"scale must be a number; got {scale!r}")


class Graph(ABC):
    """A lattice or a forest: many texts, each with a score, in little room.

    What is called a path is a way from the start of a lattice to an end of it, or a derivation of the root of a forest;
    its score is the sum of those of its arcs or edges. Where paths have a probability, it is proportional to
    e^(scale·score).
    """

    unit: ClassVar[str]  #: what the parts of it are called that have scores

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
    def part(self, kept: NDArray[np.bool_]) -> Self:
        """The graph of some of the arcs or edges, those of complete paths."""

    @abstractmethod
    def recognise(self, given: Recognition) -> tuple[float, Path]:
        """What `best_recognised` finds, for what has been checked."""

    def best_recognised(
        self,
        token_starts: NDArray[np.int64],
        token_ids: NDArray[np.int32],
        reference_ids: NDArray[np.int32],
        order: int = 4,
        alpha: float = 1.0,
        beta: float = 0.0,
    ) -> tuple[float, Path]:
        r"""The exact oracle by n-gram recognition for one reference: the best numerator, and the path that has it.

        .. math:: \max_{path} \max_{script} \Big( \sum_{k \le order} M_k - \alpha I - \beta D \Big)

        over all edit scripts that make the reference of the path's words (Chiang et al. 2008, section 4: the automaton
        of the reference, intersected with the graph). With order 1, α = 1 and β = 0 it is the words of the reference
        less the edit distance: the oracle of WER. Of paths that are equally good it is one with the best score.

        What the metric reads for word w of the graph is token_ids[token_starts[w]:token_starts[w + 1]]: one token,
        several in a row, or none. Reference_ids are of the same numbering. `oracle` does all this for a metric.

        >>> from tricolore.graphs import Lattice
        >>> lattice = Lattice.of([(0, 1, "a"), (1, 2, "cat"), (1, 2, "dog"), (2, 3, "sat")], 0, [3])
        >>> one_each = np.arange(5), np.arange(4)
        >>> worth, path = lattice.best_recognised(*one_each, np.array([0, 2, 3]))  # a dog sat
        >>> worth, path.text
        (6.0, 'a dog sat')
        """
        return self.recognise(Recognition.checked(self, token_starts, token_ids, reference_ids, order, alpha, beta))

    @property
    def seems_probable(self) -> bool:
        """Whether all scores are from 0 to 1, as probabilities are and logarithms of them are not."""
        return bool(len(self.scores) and self.scores.min() >= 0 and 0 < self.scores.max() <= 1)

    @property
    def has_scores(self) -> bool:
        """Whether there are scores: not features that are still without weights."""
        return self.features is None or bool(self.scores.any()) or not self.features.values.any()

    def with_scores(self, scores: NDArray[np.float64]) -> Self:
        """The same graph with other scores of its arcs or edges, all of them finite."""
        scores = np.ascontiguousarray(scores, np.float64)
        if scores.shape != self.scores.shape:
            raise InputError(f"{self.place}: {len(scores)} scores for {len(self)} {self.unit}s; expected one each")
        wrong = np.flatnonzero(~(np.abs(scores) <= MOST_SCORE))
        if len(wrong):
            raise InputError(
                f"{self.place}: the score of {self.unit} {wrong[0]} is {scores[wrong[0]]}; expected a finite number"
            )
        return replace(self, scores=scores)  # type: ignore[type-var]

    def weighted(self, weights: Weights | Mapping[str, float]) -> Self:
        """The same graph, every arc or edge scored by the sum of its features times their weights.

        Weights are a dictionary, or come from a file with `tricolore.weights.read_weights`. A feature without a
        weight counts nothing. A graph without arcs stays as it is.
        """
        if not len(self):
            return self
        if self.features is None or self.layout is None:
            raise InputError(f"{self.place}: there are no features to weigh; expected a file with named features")
        from ..weights import as_weights

        vector, _ = as_weights(weights).vector(self.layout)
        return self.with_scores(self.features.dot(vector))

    def oracle(self, references: SegmentReferences, metric: Metric | str = "wer") -> Oracle:
        """The text that scores best against references: exact for wer, wrr and grr, else by approximation.

        >>> from tricolore.graphs import Lattice
        >>> lattice = Lattice.of([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat"), (1, 2, "dog")], 0, [2])
        >>> print(lattice.oracle("the dog", "grr"))
        the dog
        """
        from .approximate_oracle import best_text

        return best_text(self, references, metric)

    def mbr(
        self, *, precision: float = 0.85, ratio: float = 0.72, order: int = 4, scale: float = 1.0, least: float = 0.0
    ) -> Choice:
        """The text with the least Bayes risk by a gain linear in n-grams; see `tricolore.graphs.mbr`."""
        from .mbr import LinearGain, choose

        return choose(self, LinearGain(precision, ratio, order), scale=scale, least=least)

    def _repr_svg_(self) -> str | None:
        """What notebooks show: the picture, unless it has more arcs than a person can read."""
        from .drawing import LARGEST, draw

        return draw(self) if len(self) <= LARGEST else None  # type: ignore[arg-type]


def tuples(rows: Iterable[Any], place: str, what: str, form: str, least: int) -> Iterator[tuple[Any, ...]]:
    """Arcs or edges, each a tuple of `least` fields or one more, a number."""
    for i, row in enumerate(rows):
        if not isinstance(row, tuple | list) or not least <= len(row) <= least + 1:
            raise InputTypeError(f"{place}: {what} {i}: expected {form}, got {row!r}")
        if len(row) > least and not isinstance(row[-1], Real):
            raise InputTypeError(f"{place}: {what} {i}: expected a score, a number, got {row[-1]!r}")
        yield tuple(row)
