"""Lattice: an acyclic graph whose arcs are words; every path from the start to a final state is a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native
from ..errors import InputError, InputTypeError
from ..features import Features, Layout
from ..parameters import SEED, Whole, checked
from .graph import EPSILON, MOST_ASKED, MOST_DRAWN, MOST_SCORE, SCALE, Graph, Path, check_acyclic, check_scores, tuples
from .ngram_table import ORDER, NgramGain, NgramTable

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    from .graph import Recognition

#: Limit on the beginnings of paths that `kbest` keeps (24 bytes each).
MOST_STEPS = 2**24
#: Limit on the total number of arcs of several paths (12 bytes each, words included).
MOST_WRITTEN = 2**27
#: Random numbers drawn at a time.
DRAWS_AT_ONCE = 2**20
#: Limit on the numbers kept by `best_recognised` (8 bytes each): two per state of the lattice and of the automaton.
MOST_CELLS = 2**28
#: Limit on n-grams, counted once per pair of start and end states (24 bytes each).
MOST_NGRAMS = 2**25
#: Limit on the arcs of a lattice after its states are split (36 bytes each).
MOST_ARCS = 2**25


@dataclass(frozen=True, eq=False, repr=False)
class Lattice(Graph):
    """Arcs in the order of their sources, states in topological order; state 0 is the start.

    Scores are logarithms, or anything else that adds along a path: higher is better. A path may end in any state whose
    final score is not minus infinity; that score is added. All states are on a path from the start to a final state.

    >>> lattice = Lattice.of([("s", "m", "a", -0.1), ("m", "e", "cat", -0.7), ("m", "e", "dog", -0.2)], "s", ["e"])
    >>> len(lattice), lattice.states, lattice.words
    (3, 3, ('a', 'cat', 'dog'))
    """

    unit = "arc"

    words: tuple[str, ...]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    labels: NDArray[np.int32]  #: indices of words, or EPSILON
    scores: NDArray[np.float64]
    finals: NDArray[np.float64]  #: one per state
    place: str = "the lattice"  #: where it is from, for messages
    features: Features | None = None  #: one row per arc
    layout: Layout | None = None

    @staticmethod
    def of(
        arcs: Iterable[tuple[Hashable, Hashable, str | None] | tuple[Hashable, Hashable, str | None, float]],
        start: Hashable,
        finals: Iterable[Hashable] | Mapping[Hashable, float],
        place: str = "the lattice",
    ) -> Lattice:
        """From arcs (source, target, word or None, score) in any order; states can be anything hashable.

        States on no complete path are dropped. A cycle, a lattice without a path and scores that are not numbers are
        errors.
        """
        added = ArcList(place)
        added.state(start)
        for source, target, word, *score in tuples(arcs, place, "arc", "(from, to, word or None, score)", 3):
            if not isinstance(word, str | None):
                raise InputTypeError(f"{place}: arc {len(added)}: expected a word or None, got {word!r}")
            added.add(source, target, word, score[0] if score else 0.0)
        if isinstance(finals, str) or not isinstance(finals, Iterable):
            raise InputTypeError(f"{place}: expected a list of final states, got {finals!r}; put it in a list")
        return added.lattice(start, finals if isinstance(finals, Mapping) else dict.fromkeys(finals, 0.0))

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
        """From arrays in any order; `names` are those of the states in messages."""
        check_scores("arc", scores, place)
        check_scores("final state", finals, place)
        possible = scores > -np.inf  # impossible arcs are dropped
        numbers, states, cycle = _native.order_lattice(
            sources[possible], targets[possible], start, (finals > -np.inf).astype(np.uint8)
        )
        check_acyclic(cycle, names, place, "states", "lattice")
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
        """The number of states."""
        return len(self.finals)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first arc of every state, followed by the number of arcs."""
        return np.searchsorted(self.sources, np.arange(self.states + 1)).astype(np.int64)

    # Paths ---------------------------------------------------------------------------------------------------

    def count(self) -> int:
        """The number of paths, exactly.

        >>> Lattice.of([(i, i + 1, word) for i in range(200) for word in "ab"], 0, [200]).count() == 2**200
        True
        """
        self.check_countable("paths")
        ways: list[int] = [1] + [0] * (self.states - 1)
        targets, starts = self.targets.tolist(), self.starts.tolist()
        paths = 0
        for state, is_final in enumerate((self.finals > -np.inf).tolist()):
            here, ways[state] = ways[state], 0  # large numbers are dropped once used
            paths += here * is_final
            for target in targets[starts[state] : starts[state + 1]]:
                ways[target] += here
        return paths

    def best(self) -> Path:
        """The path with the highest score.

        Scores are added from the end backwards. Among continuations with the same score the first is taken: to end
        here, then the arcs in their order.

        >>> lattice = Lattice.of([(0, 1, "a", -0.5), (1, 2, "cat", -0.75), (1, 2, "dog", -0.25)], 0, [2])
        >>> path = lattice.best()
        >>> path.text, path.score, path.arcs.tolist()
        ('a dog', -0.75, [0, 2])
        """
        _, arcs, scores = self.native().best()
        return self._path(arcs, float(scores[0]))

    def kbest(self, k: int, *, distinct: bool = True, limit: int = MOST_STEPS) -> list[Path]:
        """The k best texts, each with its best path; or, unless `distinct`, the k best paths. Best first.

        Texts are distinct if their words are; arcs without a word make no difference. There are fewer than k where the
        lattice has fewer. The first is `best()`; the order of ties is always the same.

        The search is exact: best first over beginnings of texts, each with all states it may lead to (Mohri & Riley
        2002, "An efficient algorithm for the n-best-strings problem"). The number of paths with the same text does not
        matter. `limit` is the number of beginnings of paths that may be kept.

        >>> lattice = Lattice.of([(0, 1, "a", -0.5), (0, 1, "a", -1.0), (1, 2, "cat", -0.75), (1, 2, "dog")], 0, [2])
        >>> [(path.text, path.score) for path in lattice.kbest(3)]
        [('a dog', -0.5), ('a cat', -1.25)]
        >>> [(path.text, path.score) for path in lattice.kbest(3, distinct=False)]
        [('a dog', -0.5), ('a dog', -1.0), ('a cat', -1.25)]
        """
        checked("k", k, Whole(0, MOST_ASKED))
        checked("limit", limit, Whole(1, 2**62))
        with self.refusing(f"the {k} best: "):
            starts, arcs, scores = self.native().kbest(k, distinct, limit, MOST_WRITTEN)
        spans = zip(pairwise(starts.tolist()), scores.tolist(), strict=True)
        return [self._path(arcs[first:last], score) for (first, last), score in spans]

    def paths(self, limit: int = 10_000) -> list[Path]:
        checked("limit", limit, Whole(1, MOST_ASKED))
        if self.count() > limit:
            raise InputError(f"{self.place}: there are more than {limit} paths; expected fewer, or a higher limit")
        ends = (self.finals > -np.inf).tolist()
        targets, starts = self.targets.tolist(), self.starts.tolist()
        found = [self._path(np.array([], np.int32))] if ends[0] else []
        arcs: list[int] = []  # of the current path
        waiting = [(0, arc) for arc in reversed(range(starts[1]))]  # the number of arcs before it, an arc
        written = 0
        while waiting:
            size, arc = waiting.pop()
            arcs[size:] = [arc]
            state = targets[arc]
            if ends[state]:
                found.append(self._path(np.array(arcs, np.int32)))
                written += len(arcs)
                self._check_written(len(found), written)
            waiting += [(size + 1, following) for following in reversed(range(starts[state], starts[state + 1]))]
        return found

    def sample(self, number: int, *, seed: int, scale: float = 1.0) -> list[Path]:
        r"""Independent random paths, :math:`P(path) \propto \exp(scale \cdot score)`.

        Path i is made of row i of ``numpy.random.default_rng(seed).random((number, longest + 1))``, where the longest
        path has `longest` arcs: one number per state on the path, compared with the probabilities of ending there and
        of following each arc, in their order.

        >>> lattice = Lattice.of([(0, 1, "heads"), (0, 1, "tails")], 0, [1])
        >>> [path.text for path in lattice.sample(4, seed=1)]
        ['tails', 'heads', 'heads', 'tails']
        """
        checked("number", number, Whole(0, MOST_DRAWN))
        draws = np.random.Generator(np.random.PCG64(checked("seed", seed, SEED)))
        native = self.scaled(scale)
        columns = native.longest() + 1
        rows = max(1, DRAWS_AT_ONCE // columns)
        found: list[Path] = []
        written = 0
        while len(found) < number:
            starts, arcs, _ = native.drawn(draws.random((min(rows, number - len(found)), columns)))
            found += [self._path(arcs[first:last]) for first, last in pairwise(starts.tolist())]
            written += len(arcs)
            self._check_written(len(found), written)
        return found

    def _check_written(self, paths: int, arcs: int) -> None:
        """Reject paths that would fill all memory; a single one never does."""
        if paths > 1 and arcs > MOST_WRITTEN:
            raise InputError(
                f"{self.place}: paths of more than {MOST_WRITTEN} arcs in all would have to be written down; "
                "expected fewer paths"
            )

    def _path(self, arcs: NDArray[np.int32], score: float | None = None) -> Path:
        """A path of its arcs; its score is added from the end backwards."""
        words = tuple(self.words[label] for label in self.labels[arcs].tolist() if label >= 0)
        if score is None:
            score = float(self.finals[self.targets[arcs[-1]] if len(arcs) else 0])
            for step in reversed(self.scores[arcs].tolist()):
                score = step + score
        return Path(words, score, arcs)

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

    def expected_ngrams(self, order: int = 4, scale: float = 1.0, *, limit: int = MOST_NGRAMS) -> NgramTable:
        r"""The expected count of each n-gram of up to `order` words in a path.

        .. math:: E[\#_g] = \sum_{path} P(path) \cdot \#_g(path), \quad P(path) \propto \exp(scale \cdot score)

        Arcs without a word are skipped. `limit` is the number of n-grams, counted once per pair of start and end
        states, that may be kept.

        >>> lattice = Lattice.of([(0, 1, "a"), (1, 2, "a"), (1, 2, "b")], 0, [2])
        >>> dict(lattice.expected_ngrams(order=2))
        {('a',): 1.5, ('b',): 0.5, ('a', 'a'): 0.5, ('a', 'b'): 0.5}
        """
        return self._ngrams(_native.Lattice.expected_ngrams, order, scale, limit)

    def ngram_posteriors(self, order: int = 4, scale: float = 1.0, *, limit: int = MOST_NGRAMS) -> NgramTable:
        r"""The probability that each n-gram of up to `order` words is in a path at least once.

        .. math:: p(g) = \sum_{path \ni g} P(path), \quad P(path) \propto \exp(scale \cdot score)

        Lattice minimum Bayes risk needs these (Tromble et al. 2008), not expected counts: each path counts at its first
        occurrence of the n-gram. Exact; `limit` as for `expected_ngrams`.

        >>> lattice = Lattice.of([(0, 1, "a"), (1, 2, "a"), (1, 2, "b")], 0, [2])
        >>> dict(lattice.ngram_posteriors(order=1))
        {('a',): 1.0, ('b',): 0.5}
        """
        return self._ngrams(_native.Lattice.ngram_posteriors, order, scale, limit)

    def _ngrams(self, values: Callable[..., Any], order: int, scale: float, limit: int) -> NgramTable:
        checked("order", order, ORDER)
        checked("limit", limit, Whole(1, 2**62))
        with self.refusing(f"n-grams of up to {order} words would take "):
            tables = values(self.scaled(scale), order, limit)
        keys = tuple(keys.reshape(-1, n) for n, (keys, _) in enumerate(tables, 1))
        return NgramTable(self.words, keys, tuple(values for _, values in tables))

    # Other scores --------------------------------------------------------------------------------------------

    def rescored(self, gain: NgramGain, *, model: float = 0.0, limit: int = MOST_ARCS) -> Lattice:
        """A lattice with the same paths and scores gain(words) + model·(score before).

        States are split by as much of the words before them as the n-grams of the gain need: the longest suffix that
        begins an n-gram (Aho & Corasick 1975). N-grams with words that the lattice does not have are ignored. `limit`
        is the number of arcs that the new lattice may have.

        >>> lattice = Lattice.of([(0, 1, "a", -0.5), (0, 1, "the"), (1, 2, "cat", -0.75), (1, 2, "dog")], 0, [2])
        >>> gain = NgramGain(NgramTable.of({("a",): 1.0, ("a", "cat"): 0.5}), word=-0.25)
        >>> [(path.text, path.score) for path in lattice.rescored(gain).kbest(2)]
        [('a cat', 1.0), ('a dog', 0.5)]
        """
        checked("limit", limit, Whole(1, 2**31 - 1))
        ngrams = gain.indexed(self.words)
        try:
            sources, targets, arcs, states, worth = self.native().split(*ngrams, gain.word, limit)
        except OverflowError:
            raise InputError(
                f"{self.place}: {len(ngrams[-1])} n-grams would split it into more than {limit} arcs; expected a "
                "smaller lattice, shorter n-grams or a higher limit"
            ) from None
        finals = self.finals[states]
        finals[finals > -np.inf] *= model
        scores = worth + model * self.scores[arcs]
        check_scores("arc", scores, self.place)
        check_scores("final state", finals, self.place)
        features = None if self.features is None else self.features.take(arcs.astype(np.int64))
        labels = self.labels[arcs]
        return Lattice(self.words, sources, targets, labels, scores, finals, self.place, features, self.layout)

    def part(self, kept: NDArray[np.bool_]) -> Lattice:
        scores = np.where(kept, self.scores, -np.inf)  # impossible arcs are dropped
        return Lattice.build(self.words, self.sources, self.targets, self.labels, scores, self.finals, place=self.place)

    def _recognised(self, given: Recognition) -> tuple[float, Path]:
        token_starts, token_ids, reference, order, alpha, beta = given
        cells = 2 * self.states * (len(reference) + 1) * order
        if cells > MOST_CELLS:
            raise InputError(
                f"{self.place}: {self.states} states and a reference of {len(reference)} words would need {cells} "
                f"numbers; expected at most {MOST_CELLS}: a smaller lattice, a shorter reference or a lower order"
            )
        ids = token_ids.astype(np.uint32), reference.astype(np.uint32)
        worth, arcs = self.native().recognise(token_starts, *ids, order, alpha, beta)
        return worth, self._path(arcs)

    def native(self) -> _native.Lattice:
        """The lattice of the native core."""
        return _native.Lattice(self.sources, self.targets, self.labels, self.scores, self.finals)

    def scaled(self, scale: float) -> _native.Lattice:
        """The lattice of the native core, with all scores multiplied by `scale`."""
        checked("scale", scale, SCALE)
        ends = np.where(self.finals > -np.inf, self.finals, 0.0)
        largest = max(float(np.abs(self.scores).max(initial=0.0)), float(np.abs(ends).max()))
        if not abs(float(scale) * largest) <= MOST_SCORE:
            raise InputError(f"{self.place}: scores times a scale of {scale} are too large; expected finite numbers")
        finals = np.where(self.finals > -np.inf, scale * ends, -np.inf)
        return _native.Lattice(self.sources, self.targets, self.labels, scale * self.scores, finals)


class ArcList:
    """Collects the arcs of a lattice. States can be anything hashable; words in `epsilon` are treated as epsilon."""

    def __init__(self, place: str, epsilon: Iterable[str] = ()):
        self.place = place
        self.states: dict[Hashable, int] = {}
        self.words: list[str] = []
        self.sources: list[int] = []
        self.targets: list[int] = []
        self.labels: list[int] = []
        self.values: list[float] = []
        self._labels: dict[str | None, int] = dict.fromkeys([None, *epsilon], EPSILON)

    def __len__(self) -> int:
        return len(self.sources)

    def state(self, name: Hashable) -> int:
        """The index of a state."""
        return self.states.setdefault(name, len(self.states))

    def label(self, word: str | None) -> int:
        """The index of a word."""
        label = self._labels.get(word)
        if label is None:
            label = self._labels[word] = len(self.words)
            self.words.append(word or "")
        return label

    def add(self, source: Hashable, target: Hashable, word: str | None, value: float) -> None:
        """Add an arc with its score, or with the number in a file that stands for it."""
        self.sources.append(self.state(source))
        self.targets.append(self.state(target))
        self.labels.append(self.label(word))
        self.values.append(value)

    def lattice(
        self,
        start: Hashable,
        finals: Mapping[Any, float],
        scores: NDArray[np.float64] | None = None,
        features: Features | None = None,
        layout: Layout | None = None,
    ) -> Lattice:
        """The lattice of these arcs; without `scores`, the values are scores."""
        first = self.state(start)
        ends = [self.state(final) for final in finals]
        final_scores = np.full(len(self.states), -np.inf)
        final_scores[ends] = [*finals.values()]
        return Lattice.build(
            tuple(self.words),
            np.array(self.sources, np.int32),
            np.array(self.targets, np.int32),
            np.array(self.labels, np.int32),
            np.array(self.values, np.float64) if scores is None else scores,
            final_scores,
            start=first,
            place=self.place,
            names=[*map(str, self.states)],
            features=features,
            layout=layout,
        )
