"""Lattice: an acyclic graph whose arcs are words; every way from the start to an end is a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .. import _native
from ..errors import InputError, InputTypeError
from ..features import Features, Layout
from . import lattice_ngrams, lattice_oracle, lattice_paths
from .graph import MOST_SCORE, Graph, check_scale, check_scores, tuples
from .ngram_table import NgramGain, NgramTable
from .path import EPSILON, Path

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from .recognition import Recognition


@dataclass(frozen=True, eq=False, repr=False)
class Lattice(Graph):
    """Arcs in the order of their sources, states in topological order; state 0 is the start.

    Scores are logarithms or whatever adds along a path: more is better. A path may end in any state whose final score
    is not minus infinity; that score is added. All states are on a path from the start to an end.

    >>> lattice = Lattice.of([("s", "m", "a", -0.1), ("m", "e", "cat", -0.7), ("m", "e", "dog", -0.2)], "s", ["e"])
    >>> len(lattice), lattice.states, lattice.words
    (3, 3, ('a', 'cat', 'dog'))
    """

    unit = "arc"

    words: tuple[str, ...]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    labels: NDArray[np.int32]  #: numbers of words; EPSILON for none
    scores: NDArray[np.float64]
    finals: NDArray[np.float64]  #: one a state
    place: str = "the lattice"  #: where it is from, for messages
    features: Features | None = None  #: one row an arc
    layout: Layout | None = None

    @staticmethod
    def of(
        arcs: Iterable[tuple[Hashable, Hashable, str | None] | tuple[Hashable, Hashable, str | None, float]],
        start: Hashable,
        finals: Iterable[Hashable] | Mapping[Hashable, float],
        place: str = "the lattice",
    ) -> Lattice:
        """From arcs (source, target, word or None, score), in any order; states may be called anything.

        States on no complete path are left out. A cycle, a lattice without a path and scores that are not numbers are
        refused.
        """
        numbers: dict[Hashable, int] = {start: 0}
        vocabulary: dict[str, int] = {}
        columns: tuple[list[int], list[int], list[int], list[float]] = ([], [], [], [])
        for source, target, word, *score in tuples(arcs, place, "arc", "(from, to, word or None, score)", 3):
            if not isinstance(word, str | None):
                raise InputTypeError(f"{place}: arc {len(columns[0])}: expected a word or None, got {word!r}")
            columns[0].append(numbers.setdefault(source, len(numbers)))
            columns[1].append(numbers.setdefault(target, len(numbers)))
            columns[2].append(EPSILON if word is None else vocabulary.setdefault(word, len(vocabulary)))
            columns[3].append(score[0] if score else 0.0)
        if isinstance(finals, str) or not isinstance(finals, Iterable):
            raise InputTypeError(f"{place}: expected a list of final states, got {finals!r}; put it in a list")
        ends = finals if isinstance(finals, Mapping) else dict.fromkeys(finals, 0.0)
        for end in ends:
            numbers.setdefault(end, len(numbers))
        final_scores = np.full(len(numbers), -np.inf)
        final_scores[[numbers[end] for end in ends]] = [*ends.values()]
        return Lattice.build(
            tuple(vocabulary),
            np.array(columns[0], np.int32),
            np.array(columns[1], np.int32),
            np.array(columns[2], np.int32),
            np.array(columns[3], np.float64),
            final_scores,
            place=place,
            names=[*map(str, numbers)],
        )

    @staticmethod
    def build(
        words: tuple[str, ...],
        sources: NDArray[np.int32],
        targets: NDArray[np.int32],
        labels: NDArray[np.int32],
        scores: NDArray[np.float64],
        finals: NDArray[np.float64],
        *,
        start: int = 0,
        place: str = "the lattice",
        names: list[str] | None = None,
        features: Features | None = None,
        layout: Layout | None = None,
    ) -> Lattice:
        """From arrays in any order; `names` are what messages call the states."""
        check_scores("arc", scores, place)
        check_scores("final state", finals, place)
        possible = scores > -np.inf  # an arc that is impossible is none
        numbers, states, cycle = _native.order_lattice(
            sources[possible], targets[possible], start, (finals > -np.inf).astype(np.uint8)
        )
        if len(cycle):
            shown = " -> ".join(str(s) if names is None else names[s] for s in [*cycle[:8].tolist(), int(cycle[0])])
            raise InputError(f"{place}: states go round in a cycle ({shown}); expected a lattice without cycles")
        if not states:
            raise InputError(f"{place}: no path leads from the start to a final state")
        kept = np.flatnonzero(possible & (numbers[sources] >= 0) & (numbers[targets] >= 0))
        kept = kept[np.argsort(numbers[sources[kept]], kind="stable")]
        new_finals = np.full(states, -np.inf)
        new_finals[numbers[numbers >= 0]] = finals[numbers >= 0]
        return Lattice(
            words,
            numbers[sources[kept]],
            numbers[targets[kept]],
            np.ascontiguousarray(labels[kept]),
            np.ascontiguousarray(scores[kept]),
            new_finals,
            place,
            None if features is None else features.take(kept),
            layout,
        )

    def __len__(self) -> int:
        return len(self.sources)

    def __repr__(self) -> str:
        return f"Lattice(states={self.states}, arcs={len(self)}, place={self.place!r})"

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.finals)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first arc of every state, and one more: how many arcs there are."""
        return np.searchsorted(self.sources, np.arange(self.states + 1)).astype(np.int64)

    # Paths ---------------------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many paths there are, exactly.

        >>> Lattice.of([(i, i + 1, word) for i in range(200) for word in "ab"], 0, [200]).count() == 2**200
        True
        """
        return lattice_paths.count(self)

    def best(self) -> Path:
        """The path with the highest score.

        Scores are added up from the end backwards. Of ways on that are equally good a path takes the first: to end
        where it is, then the arcs in their order.

        >>> lattice = Lattice.of([(0, 1, "a", -0.5), (1, 2, "cat", -0.75), (1, 2, "dog", -0.25)], 0, [2])
        >>> path = lattice.best()
        >>> path.text, path.score, path.arcs.tolist()
        ('a dog', -0.75, [0, 2])
        """
        return lattice_paths.best(self)

    def kbest(self, k: int, *, distinct: bool = True, limit: int = lattice_paths.MOST_STEPS) -> list[Path]:
        """The k best texts, each by its best path; or, unless they are to be `distinct`, the k best paths. Best first.

        Texts are distinct if their words are; arcs without a word make no difference. There are fewer than k where the
        lattice has fewer. The first is `best()`; others that are equally good come in an order that is always the same.

        The search is exact: best first over beginnings of texts, each with all states it may lead to (Mohri & Riley
        2002, "An efficient algorithm for the n-best-strings problem"). How many paths have the same text does not
        matter. `limit` is how many beginnings of paths may be kept.

        >>> lattice = Lattice.of([(0, 1, "a", -0.5), (0, 1, "a", -1.0), (1, 2, "cat", -0.75), (1, 2, "dog")], 0, [2])
        >>> [(path.text, path.score) for path in lattice.kbest(3)]
        [('a dog', -0.5), ('a cat', -1.25)]
        >>> [(path.text, path.score) for path in lattice.kbest(3, distinct=False)]
        [('a dog', -0.5), ('a dog', -1.0), ('a cat', -1.25)]
        """
        return lattice_paths.kbest(self, k, distinct, limit)

    def paths(self, limit: int = 10_000) -> list[Path]:
        """All paths, in the order of their arcs; refused where there are more than `limit`."""
        return lattice_paths.all_paths(self, limit)

    def sample(self, number: int, *, seed: int, scale: float = 1.0) -> list[Path]:
        r"""Independent random paths, :math:`P(path) \propto \exp(scale \cdot score)`.

        Path i is made of row i of ``numpy.random.default_rng(seed).random((number, longest + 1))``, where the longest
        path has `longest` arcs: one number for each state that the path comes to, against the chances to end there and
        to go on by each arc, in their order.

        >>> lattice = Lattice.of([(0, 1, "heads"), (0, 1, "tails")], 0, [1])
        >>> [path.text for path in lattice.sample(4, seed=1)]
        ['tails', 'heads', 'heads', 'tails']
        """
        return lattice_paths.sample(self, number, seed, scale)

    # Sums over all paths -------------------------------------------------------------------------------------

    def total(self, scale: float = 1.0) -> float:
        r"""The logarithm of :math:`\sum_{paths} \exp(scale \cdot score)`.

        >>> lattice = Lattice.of([(0, 1, "a", -1e4), (0, 1, "b", -1e4)], 0, [1])
        >>> round(lattice.total() + 1e4, 6)
        0.693147
        """
        return self.scaled(scale).posteriors()[0]

    def posteriors(self, scale: float = 1.0) -> NDArray[np.float64]:
        r"""The probability of each arc: that a path with :math:`P(path) \propto \exp(scale \cdot score)` takes it.

        Forward-backward; those of the arcs across any cut of the lattice, and of ends before it, add up to 1.
        """
        return self.scaled(scale).posteriors()[1]

    def expected_ngrams(
        self, order: int = 4, scale: float = 1.0, *, limit: int = lattice_ngrams.MOST_NGRAMS
    ) -> NgramTable:
        r"""How often each n-gram of up to `order` words is in a path, in the mean.

        .. math:: E[\#_g] = \sum_{path} P(path) \cdot \#_g(path), \quad P(path) \propto \exp(scale \cdot score)

        Arcs without a word are passed over. `limit` is how many n-grams, told apart by where they begin and end, may be
        made on the way.

        >>> lattice = Lattice.of([(0, 1, "a"), (1, 2, "a"), (1, 2, "b")], 0, [2])
        >>> dict(lattice.expected_ngrams(order=2))
        {('a',): 1.5, ('b',): 0.5, ('a', 'a'): 0.5, ('a', 'b'): 0.5}
        """
        return lattice_ngrams.expected(self, order, scale, limit)

    def ngram_posteriors(
        self, order: int = 4, scale: float = 1.0, *, limit: int = lattice_ngrams.MOST_NGRAMS
    ) -> NgramTable:
        r"""The probability that each n-gram of up to `order` words is in a path, once or more often.

        .. math:: p(g) = \sum_{path \ni g} P(path), \quad P(path) \propto \exp(scale \cdot score)

        It is what lattice minimum Bayes risk needs (Tromble et al. 2008), and not the expected count: each path counts
        at its first occurrence of the n-gram. Exact; `limit` as for `expected_ngrams`.

        >>> lattice = Lattice.of([(0, 1, "a"), (1, 2, "a"), (1, 2, "b")], 0, [2])
        >>> dict(lattice.ngram_posteriors(order=1))
        {('a',): 1.0, ('b',): 0.5}
        """
        return lattice_ngrams.posteriors(self, order, scale, limit)

    # Other scores --------------------------------------------------------------------------------------------

    def rescored(self, gain: NgramGain, *, model: float = 0.0, limit: int = lattice_ngrams.MOST_ARCS) -> Lattice:
        """A lattice with the same paths, whose scores are gain(words) + model·(score before).

        States are split by as much of the words before them as the n-grams of the gain need: the longest end of them
        that begins an n-gram (Aho & Corasick 1975). N-grams with words that the lattice does not have are ignored.
        `limit` is how many arcs the new lattice may have.

        >>> lattice = Lattice.of([(0, 1, "a", -0.5), (0, 1, "the"), (1, 2, "cat", -0.75), (1, 2, "dog")], 0, [2])
        >>> gain = NgramGain(NgramTable.of({("a",): 1.0, ("a", "cat"): 0.5}), word=-0.25)
        >>> [(path.text, path.score) for path in lattice.rescored(gain).kbest(2)]
        [('a cat', 1.0), ('a dog', 0.5)]
        """
        split = lattice_ngrams.split(self, gain, limit)
        ends = np.full(len(split.state_of), -np.inf)
        final = self.finals[split.state_of] > -np.inf
        ends[final] = model * self.finals[split.state_of][final]
        scores = split.worth + model * self.scores[split.arc_of]
        check_scores("arc", scores, self.place)
        check_scores("final state", ends, self.place)
        return Lattice(
            self.words,
            split.sources,
            split.targets,
            self.labels[split.arc_of],
            scores,
            ends,
            self.place,
            None if self.features is None else self.features.take(split.arc_of.astype(np.int64)),
            self.layout,
        )

    def part(self, kept: NDArray[np.bool_]) -> Lattice:
        """The lattice of some of the arcs, those on complete paths; without features."""
        scores = np.where(kept, self.scores, -np.inf)  # what is impossible is left out
        return Lattice.build(self.words, self.sources, self.targets, self.labels, scores, self.finals, place=self.place)

    def recognise(self, given: Recognition) -> tuple[float, Path]:
        """The best numerator, and its path; of equals the one whose arcs come first."""
        return lattice_oracle.best_recognised(self, given)

    def native(self) -> _native.Lattice:
        """What the core works on."""
        return _native.Lattice(self.sources, self.targets, self.labels, self.scores, self.finals)

    def scaled(self, scale: float) -> _native.Lattice:
        """The same, with all scores times a number."""
        check_scale(scale)
        ends = np.where(self.finals > -np.inf, self.finals, 0.0)
        largest = max(float(np.abs(self.scores).max(initial=0.0)), float(np.abs(ends).max()))
        if not abs(float(scale) * largest) <= MOST_SCORE:
            raise InputError(f"{self.place}: scores times a scale of {scale} are too large; expected finite numbers")
        finals = np.where(self.finals > -np.inf, scale * ends, -np.inf)
        return _native.Lattice(self.sources, self.targets, self.labels, scale * self.scores, finals)
