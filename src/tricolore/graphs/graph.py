"""Graph: what lattices and forests have in common; and Path, a single path or derivation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from numbers import Real as Number
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from ..errors import InputError, InputTypeError
from ..parameters import Real, Whole, checked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from ..features import Features, Layout
    from ..metrics.base import Metric
    from ..types import SegmentReferences
    from ..weights import Weights
    from .mbr import Choice
    from .ngram_table import NgramGain, NgramTable
    from .oracles import Oracle

    #: Where the tokens of each word start, their ids, those of the reference; order, alpha and beta.
    Recognition = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], int, float, float]

EPSILON = -1  #: the label of an arc without a word

#: Limit on the absolute value of scores, so that no sum of them becomes infinite.
MOST_SCORE = 1e300
#: Limits on the number of paths in a sample (about 350 bytes each) and in a list.
MOST_DRAWN, MOST_ASKED = 10_000_000, 100_000_000
#: Limits on the bits of a number of paths, and of all sums and products on the way to it.
MOST_BITS, MOST_BITS_IN_ALL = 2**24, 2**37

SCALE = Real()


@dataclass(frozen=True)
class Path:
    """The words of a path, its score and its arcs; in a forest its edges, each before those below it."""

    words: tuple[str, ...]
    score: float
    arcs: NDArray[np.int32] = field(repr=False)

    @property
    def text(self) -> str:
        """The words, separated by spaces."""
        return " ".join(self.words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Path):
            return NotImplemented
        return (self.words, self.score) == (other.words, other.score) and np.array_equal(self.arcs, other.arcs)

    def __hash__(self) -> int:
        return hash((self.words, self.score))

    def __str__(self) -> str:
        return self.text


def check_scores(what: str, scores: NDArray[np.float64], place: str) -> None:
    """Reject scores that are not numbers, or too large."""
    wrong = np.flatnonzero(~(np.abs(scores) <= MOST_SCORE) & (scores != -np.inf))
    if len(wrong):
        raise InputError(
            f"{place}: the score of {what} {wrong[0]} is {scores[wrong[0]]}; expected a number within ±{MOST_SCORE:g}, "
            "or minus infinity for impossible"
        )


class Graph(ABC):
    """A lattice or a forest: many texts, each with a score, stored compactly.

    A path leads from the start of a lattice to a final state, or is a derivation of the root of a forest; its score is
    the sum of the scores of its arcs or edges. Where paths have a probability, it is proportional to e^(scale·score).
    """

    unit: ClassVar[str]  #: "arc" or "edge"

    words: tuple[str, ...]
    scores: NDArray[np.float64]
    place: str
    features: Features | None
    layout: Layout | None

    @abstractmethod
    def __len__(self) -> int:
        """The number of arcs or edges."""

    @abstractmethod
    def best(self) -> Path:
        """The path with the highest score; ties go to the first."""

    @abstractmethod
    def kbest(self, k: int, *, distinct: bool = True) -> list[Path]:
        """The k best texts, each with its best path; or, unless `distinct`, the k best paths."""

    @abstractmethod
    def count(self) -> int:
        """The number of paths."""

    @abstractmethod
    def paths(self, limit: int = 10_000) -> list[Path]:
        """All paths in the order of their arcs or edges; an error if there are more than `limit`."""

    @abstractmethod
    def sample(self, number: int, *, seed: int, scale: float = 1.0) -> list[Path]:
        """Independent random paths, drawn by their probability."""

    @abstractmethod
    def total(self, scale: float = 1.0) -> float:
        """Log Σ e^(scale·score) over all paths."""

    @abstractmethod
    def posteriors(self, scale: float = 1.0) -> NDArray[np.float64]:
        """The probability of every arc or edge; an edge that a derivation uses twice counts twice."""

    @abstractmethod
    def expected_ngrams(self, order: int = 4, scale: float = 1.0) -> NgramTable:
        """Expected counts of n-grams in a path."""

    @abstractmethod
    def ngram_posteriors(self, order: int = 4, scale: float = 1.0) -> NgramTable:
        """The probability of each n-gram to occur in a path at least once."""

    @abstractmethod
    def rescored(self, gain: NgramGain, *, model: float = 0.0) -> Self:
        """A graph of the same texts with scores gain(words) + model·(score before)."""

    @abstractmethod
    def part(self, kept: NDArray[np.bool_]) -> Self:
        """The graph of some of the arcs or edges, those on complete paths; without features."""

    @abstractmethod
    def _recognised(self, given: Recognition) -> tuple[float, Path]: ...

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

        over all edit scripts that turn the words of the path into the reference (Chiang et al. 2008, section 4: the
        automaton of the reference, intersected with the graph). With order 1, α = 1 and β = 0 it is the length of the
        reference minus the edit distance: the oracle of WER. Ties go to the path with the best score.

        The tokens of word w of the graph are token_ids[token_starts[w]:token_starts[w + 1]]: one token, several in a
        row, or none. The reference uses the same token ids. `oracle` does all this for a metric.

        >>> from tricolore.graphs import Lattice
        >>> lattice = Lattice.of([(0, 1, "a"), (1, 2, "cat"), (1, 2, "dog"), (2, 3, "sat")], 0, [3])
        >>> one_each = np.arange(5), np.arange(4)
        >>> worth, path = lattice.best_recognised(*one_each, np.array([0, 2, 3]))  # a dog sat
        >>> worth, path.text
        (6.0, 'a dog sat')
        """
        checked("order", order, Whole(1, 2**62))
        checked("alpha", alpha, SCALE)
        checked("beta", beta, SCALE)
        if len(token_starts) != len(self.words) + 1:
            raise InputError(f"tokens of {len(token_starts) - 1} words; expected those of {len(self.words)}")
        for ids in (token_ids, reference_ids):
            if len(ids) and not (np.min(ids) >= 0 and np.max(ids) < 2**31):
                raise InputError("token ids must be whole numbers from 0 to 2^31 - 1")
        # The core reserves memory up to the highest id, so ids are renumbered without gaps.
        ids = np.unique(np.concatenate([token_ids, reference_ids]), return_inverse=True)[1].astype(np.int32)
        starts, reference = np.ascontiguousarray(token_starts, np.int64), ids[len(token_ids) :]
        # No match is longer than the reference, so a higher order gains nothing.
        return self._recognised((starts, ids[: len(token_ids)], reference, min(order, len(reference) + 1), alpha, beta))

    @contextmanager
    def refusing(self, what: str = "") -> Iterator[None]:
        """Report what is too large for the core as an error in this graph."""
        try:
            yield
        except OverflowError as error:
            raise InputError(f"{self.place}: {what}{error}") from None

    def check_countable(self, paths: str) -> None:
        """Reject a graph with so many paths that an exact count would take very long."""
        bits = self.total(0.0) / np.log(2)
        if bits > MOST_BITS or bits * len(self) > MOST_BITS_IN_ALL:
            raise InputError(f"{self.place}: there are about 2^{bits:,.0f} {paths}, too many to count exactly")

    @property
    def seems_probable(self) -> bool:
        """Whether all scores are between 0 and 1, as probabilities are and their logarithms are not."""
        return bool(len(self.scores) and self.scores.min() >= 0 and 0 < self.scores.max() <= 1)

    @property
    def has_scores(self) -> bool:
        """Whether there are scores; features without weights are not."""
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
        """The text that scores best against references: exact for wer, wrr and grr, otherwise an approximation.

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
        from .drawing import LARGEST, draw

        return draw(self) if len(self) <= LARGEST else None  # type: ignore[arg-type]


def tuples(rows: Iterable[Any], place: str, what: str, form: str, least: int) -> Iterator[tuple[Any, ...]]:
    """Arcs or edges, each a tuple of `least` fields and, optionally, a score."""
    for i, row in enumerate(rows):
        if not isinstance(row, tuple | list) or not least <= len(row) <= least + 1:
            raise InputTypeError(f"{place}: {what} {i}: expected {form}, got {row!r}")
        if len(row) > least and not isinstance(row[-1], Number):
            raise InputTypeError(f"{place}: {what} {i}: expected a score, a number, got {row[-1]!r}")
        yield tuple(row)


def check_acyclic(cycle: NDArray[np.int32], names: list[str] | None, place: str, what: str, kind: str) -> None:
    """Reject a cycle of states or nodes."""
    if len(cycle):
        shown = " -> ".join(str(i) if names is None else names[i] for i in [*cycle[:8].tolist(), int(cycle[0])])
        raise InputError(f"{place}: {what} form a cycle ({shown}); expected a {kind} without cycles")
