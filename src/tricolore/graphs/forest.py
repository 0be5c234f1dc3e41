"""Forest: an acyclic hypergraph whose edges rewrite a node as words and other nodes; every derivation is a text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native
from ..draws import stream
from ..errors import InputError, InputTypeError
from ..features import Features, Layout
from ..parameters import Whole, checked
from .graph import MOST_ASKED, MOST_DRAWN, SCALE, Graph, Path, check_acyclic, check_scores, tuples
from .ngram_table import ORDER, NgramGain, NgramTable

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from .graph import Recognition
    from .lattice import Lattice

#: Limit on the derivations of nodes that `kbest` keeps (about 110 bytes each).
MOST_KEPT = 2**25
#: Limit on the numbers kept by `best_recognised` (8 bytes each): per node, about half the squared reference length.
MOST_CELLS = 2**27
#: Limit on distinct n-grams (about 60 bytes each).
MOST_NGRAMS = 2**23
#: Limit on the edges of a forest after its nodes are split (about 40 bytes each).
MOST_EDGES = 2**24


@dataclass(frozen=True)
class Node:
    """A node on the right-hand side of an edge, where a string is a word."""

    name: Hashable


@dataclass(frozen=True, eq=False, repr=False)
class Forest(Graph):
    """Edges in the order of their heads, nodes in topological order: children before parents, the root last.

    The right-hand side of edge e is items[starts[e]:starts[e + 1]]; an item is the index of a word, or ~n for node n.
    Scores add over the edges of a derivation: higher is better. All nodes are in some derivation of the root.

    >>> forest = Forest.of([("S", ["a", Node("N")], -0.5), ("N", ["cat"], -0.7), ("N", ["dog"], -0.2)], "S")
    >>> len(forest), forest.nodes, forest.words
    (3, 2, ('a', 'cat', 'dog'))
    """

    unit = "edge"

    words: tuple[str, ...]
    heads: NDArray[np.int32]
    starts: NDArray[np.int64]
    items: NDArray[np.int32]
    scores: NDArray[np.float64]
    nodes: int
    place: str = "the forest"  #: where it is from, for messages
    features: Features | None = None  #: one row per edge
    layout: Layout | None = None

    @staticmethod
    def of(
        edges: Iterable[tuple[Hashable, Sequence[str | Node]] | tuple[Hashable, Sequence[str | Node], float]],
        root: Hashable,
        place: str = "the forest",
    ) -> Forest:
        """From edges (head, right-hand side, score), in any order; nodes can be anything hashable.

        Edges and nodes in no derivation of the root are dropped. A cycle, a root without a derivation and scores that
        are not numbers are errors.
        """
        numbers: dict[Hashable, int] = {root: 0}
        vocabulary: dict[str, int] = {}
        heads: list[int] = []
        starts, items, scores = [0], [], []
        for head, right, *score in tuples(edges, place, "edge", "(head, right-hand side, score)", 2):
            if isinstance(right, str):
                raise InputTypeError(
                    f"{place}: edge {len(heads)}: expected a list of words and nodes, got {right!r}; put it in a list"
                )
            heads.append(numbers.setdefault(head, len(numbers)))
            for item in right:
                if isinstance(item, Node):
                    items.append(~numbers.setdefault(item.name, len(numbers)))
                elif isinstance(item, str):
                    items.append(vocabulary.setdefault(item, len(vocabulary)))
                else:
                    raise InputTypeError(f"{place}: edge {len(heads) - 1}: expected a word or a Node, got {item!r}")
            starts.append(len(items))
            scores.append(score[0] if score else 0.0)
        return Forest.build(
            tuple(vocabulary),
            np.array(heads, np.int32),
            np.array(starts, np.int64),
            np.array(items, np.int32),
            np.array(scores, np.float64),
            nodes=len(numbers),
            root=0,
            place=place,
            names=[*map(str, numbers)],
        )

    @staticmethod
    def build(
        words: tuple[str, ...],
        heads: NDArray[np.int32],
        starts: NDArray[np.int64],
        items: NDArray[np.int32],
        scores: NDArray[np.float64],
        *,
        nodes: int,
        root: int,
        place: str = "the forest",
        names: list[str] | None = None,
        features: Features | None = None,
        layout: Layout | None = None,
    ) -> Forest:
        """From arrays in any order; `names` are those of the nodes in messages."""
        check_scores("edge", scores, place)
        possible = np.flatnonzero(scores > -np.inf)  # impossible edges are dropped
        starts, items = _rows(starts, items, possible)
        heads, scores = heads[possible], scores[possible]
        numbers, size, cycle = _native.order_forest(heads, starts, items, nodes, root)
        check_acyclic(cycle, names, place, "nodes", "forest")
        if not size:
            raise InputError(f"{place}: the root has no derivation")
        # An edge is kept if its head and all nodes of its right-hand side are.
        is_node = items < 0
        known = np.ones(len(items), dtype=bool)
        known[is_node] = numbers[~items[is_node]] >= 0
        complete = np.ones(len(heads), dtype=bool)
        complete[np.repeat(np.arange(len(heads)), np.diff(starts))[~known]] = False
        kept = np.flatnonzero((numbers[heads] >= 0) & complete)
        kept = kept[np.argsort(numbers[heads[kept]], kind="stable")]
        starts, items = _rows(starts, items, kept)
        items[items < 0] = ~numbers[~items[items < 0]]
        return Forest(
            words,
            numbers[heads[kept]],
            starts,
            items,
            np.ascontiguousarray(scores[kept]),
            size,
            place,
            None if features is None else features.take(possible[kept]),
            layout,
        )

    @staticmethod
    def of_lattice(lattice: Lattice) -> Forest:
        """The same texts and scores: a node for every state, and a root for the final states.

        Features are kept, too, unless final states have scores, which are not features.

        >>> from tricolore.graphs import Lattice
        >>> lattice = Lattice.of([("s", "m", "a"), ("m", "e", "cat"), ("m", "e", "dog", 0.5)], "s", ["e"])
        >>> Forest.of_lattice(lattice).best().text
        'a dog'
        """
        (ends,) = np.nonzero(lattice.finals > -np.inf)
        keep = lattice.features if not lattice.finals[ends].any() else None
        # An edge without items for the start, one for each arc, one for each end.
        spoken = lattice.labels >= 0
        sizes = np.concatenate([[0], 1 + spoken, np.ones(len(ends), np.int64)])
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        items = np.empty(starts[-1], np.int32)
        first = starts[1:-1]
        items[first] = ~np.concatenate([lattice.sources, ends]).astype(np.int32)
        items[first[: len(lattice)][spoken] + 1] = lattice.labels[spoken]
        origins = np.concatenate([[-1], np.arange(len(lattice)), np.full(len(ends), -1)])
        return Forest.build(
            lattice.words,
            np.concatenate([[0], lattice.targets, np.full(len(ends), lattice.states)]).astype(np.int32),
            starts,
            items,
            np.concatenate([[0.0], lattice.scores, lattice.finals[ends]]),
            nodes=lattice.states + 1,
            root=lattice.states,
            place=lattice.place,
            features=_taken(keep, origins),
            layout=None if keep is None else lattice.layout,
        )

    def __len__(self) -> int:
        return len(self.heads)

    def __repr__(self) -> str:
        return f"Forest(nodes={self.nodes}, edges={len(self)}, place={self.place!r})"

    @cached_property
    def edge_starts(self) -> NDArray[np.int64]:
        """The first edge of every node, followed by the number of edges."""
        return np.searchsorted(self.heads, np.arange(self.nodes + 1)).astype(np.int64)

    def right_hand_sides(self) -> Iterator[list[int]]:
        """The items of every edge."""
        items = self.items.tolist()
        return (items[first:last] for first, last in pairwise(self.starts.tolist()))

    # Derivations ---------------------------------------------------------------------------------------------

    def count(self) -> int:
        """The number of derivations, exactly.

        >>> Forest.of([("S", [Node("N")] * 3), ("N", ["a"]), ("N", ["b"])], "S").count()
        8
        """
        self.check_countable("derivations")
        is_node = self.items < 0
        last = np.zeros(self.nodes, np.int64)  # the last node that each node is part of
        last[~self.items[is_node]] = np.repeat(self.heads, np.diff(self.starts))[is_node]
        last_uses, edges = last.tolist(), [*self.right_hand_sides()]
        counts: dict[int, int] = {}
        for node, (start, end) in enumerate(pairwise(self.edge_starts.tolist())):
            tails = [[~item for item in right if item < 0] for right in edges[start:end]]
            counts[node] = sum(math.prod(counts[tail] for tail in edge) for edge in tails)
            for tail in {tail for edge in tails for tail in edge if last_uses[tail] == node}:
                del counts[tail]  # large numbers are dropped once used
        return counts[self.nodes - 1]

    def best(self) -> Path:
        """The derivation with the highest score.

        Scores are added from the top: an edge's own, then those of the nodes below it from left to right. Ties between
        the edges of a node go to the first.

        >>> forest = Forest.of([("S", ["a", Node("N")], -0.5), ("N", ["cat"], -0.75), ("N", ["dog"], -0.25)], "S")
        >>> path = forest.best()
        >>> path.text, path.score, path.arcs.tolist()
        ('a dog', -0.75, [2, 1])
        """
        with self.refusing():
            return self._paths(*self.native.best())[0]

    def kbest(self, k: int, *, distinct: bool = True, limit: int = MOST_KEPT) -> list[Path]:
        """The k best texts, each with its best derivation; or, unless `distinct`, the k best derivations. Best first.

        There are fewer than k where the forest has fewer. The first is `best()`; the order of ties is always the same.

        The search is exact and lazy (Huang & Chiang 2005, "Better k-best parsing", algorithm 3). Every node keeps the
        best derivation of each of its best texts, so the number of derivations with the same text does not matter.
        `limit` is the number of derivations of nodes that may be kept.

        >>> forest = Forest.of([("S", [Node("N")] * 2), ("N", ["ha"]), ("N", ["ha", "ha"], 0.5)], "S")
        >>> [(path.text, path.score) for path in forest.kbest(10)]
        [('ha ha ha ha', 1.0), ('ha ha ha', 0.5), ('ha ha', 0.0)]
        """
        checked("k", k, Whole(0, MOST_ASKED))
        checked("limit", limit, Whole(1, 2**62))
        with self.refusing():
            return self._paths(*self.native.kbest(k, distinct, limit))

    def paths(self, limit: int = 10_000) -> list[Path]:
        checked("limit", limit, Whole(1, MOST_ASKED))
        with self.refusing():
            starts, edges = self.native.all(limit)
            if len(starts) == 1:
                raise InputError(
                    f"{self.place}: there are more than {limit:,} derivations; expected fewer, or a higher limit"
                )
            return self._paths(starts, edges)

    def sample(self, number: int, *, seed: int, scale: float = 1.0) -> list[Path]:
        r"""Independent random derivations, :math:`P(d) \propto \exp(scale \cdot score(d))`.

        From the root down and from left to right, at each node with several edges the next number of
        ``numpy.random.default_rng(seed).random()`` chooses one, compared with their probabilities in their order.

        >>> forest = Forest.of([("S", ["heads"]), ("S", ["tails"])], "S")
        >>> [path.text for path in forest.sample(4, seed=1)]
        ['tails', 'tails', 'heads', 'tails']
        """
        checked("number", number, Whole(0, MOST_DRAWN))
        checked("scale", scale, SCALE)
        draws = stream(seed)
        with self.refusing():
            return self._paths(*self.native.sample(scale, number, draws))

    def _paths(self, starts: NDArray[np.int64], edges: NDArray[np.int32]) -> list[Path]:
        """Derivations, given their edges one after another."""
        scores, word_starts, indices = self.native.read(starts, edges)
        words = [self.words[i] for i in indices.tolist()]
        spans = zip(pairwise(word_starts.tolist()), scores.tolist(), pairwise(starts.tolist()), strict=True)
        return [Path(tuple(words[a:b]), score, edges[first:last].copy()) for (a, b), score, (first, last) in spans]

    # Sums over all derivations -------------------------------------------------------------------------------

    def total(self, scale: float = 1.0) -> float:
        r"""The logarithm of :math:`\sum_d \exp(scale \cdot score(d))`.

        >>> forest = Forest.of([("S", ["a"], -1e4), ("S", ["b"], -1e4)], "S")
        >>> round(forest.total() + 1e4, 6)
        0.693147
        """
        return self._branching(scale)[0]

    def posteriors(self, scale: float = 1.0) -> NDArray[np.float64]:
        r"""The expected count of each edge in a derivation; :math:`P(d) \propto \exp(scale \cdot score(d))`.

        That is the probability that it is used, unless there are derivations that use it several times. Inside-outside;
        all are sums of positive numbers, so small ones are accurate, too.

        >>> Forest.of([("S", ["a", Node("N")]), ("N", ["cat"]), ("N", ["dog"])], "S").posteriors().tolist()
        [0.5, 0.5, 1.0]
        """
        _, probabilities, uses = self._branching(scale)
        return probabilities * uses[self.heads]

    def _branching(self, scale: float) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        """The total, the probability of each edge among those of its node, and the expected count of each node."""
        checked("scale", scale, SCALE)
        with self.refusing():
            return self.native.branching(scale)

    def expected_ngrams(self, order: int = 4, scale: float = 1.0, *, limit: int = MOST_NGRAMS) -> NgramTable:
        r"""The expected count of each n-gram of up to `order` words in a derivation's text.

        .. math:: E[\#_g] = \sum_d P(d) \cdot \#_g(d), \quad P(d) \propto \exp(scale \cdot score(d))

        Given the edge, what stands on both sides of a boundary on a right-hand side is independent; so it is enough to
        know how each node begins and how it ends. `limit` is the number of distinct n-grams that may be kept.

        >>> forest = Forest.of([("S", ["a", Node("N")]), ("N", ["a"]), ("N", ["b"])], "S")
        >>> dict(forest.expected_ngrams(order=2))
        {('a',): 1.5, ('b',): 0.5, ('a', 'a'): 0.5, ('a', 'b'): 0.5}
        """
        return self._ngrams(order, scale, limit, once=False)

    def ngram_posteriors(self, order: int = 4, scale: float = 1.0, *, limit: int = MOST_NGRAMS) -> NgramTable:
        r"""The probability that each n-gram of up to `order` words is in a derivation's text at least once.

        .. math:: p(g) = \sum_{d \ni g} P(d), \quad P(d) \propto \exp(scale \cdot score(d))

        Minimum Bayes risk with a linear gain needs these (Tromble et al. 2008; for forests, Kumar et al. 2009), not
        expected counts. Exact; `limit` as for `expected_ngrams`.

        >>> forest = Forest.of([("S", ["a", Node("N")]), ("N", ["a"]), ("N", ["b"])], "S")
        >>> dict(forest.ngram_posteriors(order=1))
        {('a',): 1.0, ('b',): 0.5}
        """
        return self._ngrams(order, scale, limit, once=True)

    def _ngrams(self, order: int, scale: float, limit: int, *, once: bool) -> NgramTable:
        checked("order", order, ORDER)
        checked("limit", limit, Whole(1, 2**30))
        checked("scale", scale, SCALE)
        with self.refusing():
            words, values = self.native.ngrams(order, scale, limit, once)
        keys = [of_order.reshape(-1, n) for n, of_order in enumerate(words, 1)]
        rows = [np.lexsort(of_order.T[::-1]) for of_order in keys]
        in_order = tuple(map(np.ndarray.__getitem__, keys, rows)), tuple(map(np.ndarray.__getitem__, values, rows))
        return NgramTable(self.words, *in_order)

    # Other scores --------------------------------------------------------------------------------------------

    def rescored(self, gain: NgramGain, *, model: float = 0.0, limit: int = MOST_EDGES) -> Forest:
        """A forest with the same derivations and scores gain(words) + model·(score before).

        Nodes are split by how their texts begin and end, as far as the n-grams of the gain need: as in the intersection
        with a language model, but a beginning is only as long as an n-gram could run into it, and an end as long as one
        could continue after it. Edges with more than two nodes are cut into edges with two, so a derivation may have
        more edges. N-grams with words that the forest does not have are ignored. `limit` is the number of edges that
        the new forest may have.

        >>> edges = [("S", [Node("D"), Node("N")]), ("D", ["a"]), ("D", ["the"], 0.5), ("N", ["cat"]), ("N", ["dog"])]
        >>> gain = NgramGain(NgramTable.of({("a",): 1.0, ("a", "cat"): 0.5}), word=-0.25)
        >>> [(path.text, path.score) for path in Forest.of(edges, "S").rescored(gain).kbest(2)]
        [('a cat', 1.0), ('a dog', 0.5)]
        """
        checked("limit", limit, Whole(1, 2**31 - 1))
        checked("model", model, SCALE)
        ngrams = gain.indexed(self.words)
        with self.refusing():
            heads, starts, items, scores, nodes, origins = self.native.rescored(gain.word, *ngrams, model, limit)
        if not np.isfinite(scores).all():
            raise InputError(f"{self.place}: scores overflow; expected smaller gains, or a lower weight of the model")
        features = _taken(self.features, origins)  # new edges, whose origin is -1, have none
        return Forest(self.words, heads, starts, items, scores, nodes, self.place, features, self.layout)

    def part(self, kept: NDArray[np.bool_]) -> Forest:
        scores = np.where(kept, self.scores, -np.inf)  # impossible edges are dropped
        arrays = (self.heads, self.starts, self.items, scores)
        return Forest.build(self.words, *arrays, nodes=self.nodes, root=self.nodes - 1, place=self.place)

    def _recognised(self, given: Recognition) -> tuple[float, Path]:
        with self.refusing():
            value, starts, edges = self.native.best_recognised(*given, MOST_CELLS)
            return value, self._paths(starts, edges)[0]

    @cached_property
    def native(self) -> _native.ForestArrays:
        """The forest of the native core."""
        return _native.ForestArrays(self.heads, self.starts, self.items, self.scores, self.nodes)


def _rows(
    starts: NDArray[np.int64], items: NDArray[np.int32], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Some rows of a table whose rows have unequal lengths, in the order asked for."""
    sizes = np.diff(starts)[rows]
    new = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return new, items[np.repeat(starts[:-1][rows] - new[:-1], sizes) + np.arange(new[-1])]


def _taken(features: Features | None, rows: NDArray[Any]) -> Features | None:
    """Some rows in the order asked for; an empty one for -1."""
    if features is None:
        return None
    padded = Features(np.append(features.begins, features.begins[-1]), features.columns, features.values)
    return padded.take(np.where(rows < 0, len(features), rows).astype(np.int64))
