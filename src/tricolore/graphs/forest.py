"""Forest: an acyclic hypergraph whose edges rewrite a node as words and other nodes; every derivation is a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native
from ..errors import InputError, InputTypeError
from ..features import Features, Layout
from . import forest_ngrams, forest_oracle, forest_paths
from .graph import Graph, check_scale, check_scores, tuples
from .ngram_table import NgramGain, NgramTable
from .path import Path

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from .lattice import Lattice
    from .recognition import Recognition


@dataclass(frozen=True)
class Node:
    """A node on the right-hand side of an edge, where a string is a word."""

    name: Hashable


@dataclass(frozen=True, eq=False, repr=False)
class Forest(Graph):
    """Edges in the order of their heads, nodes in topological order: what a node is made of before it, the root last.

    The right-hand side of edge e is items[starts[e]:starts[e + 1]]; an item is the number of a word, or ~n for node n.
    Scores add over the edges of a derivation: more is better. All nodes are in some derivation of the root.

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
    features: Features | None = None  #: one row an edge
    layout: Layout | None = None

    @staticmethod
    def of(
        edges: Iterable[tuple[Hashable, Sequence[str | Node]] | tuple[Hashable, Sequence[str | Node], float]],
        root: Hashable,
        place: str = "the forest",
    ) -> Forest:
        """From edges (head, right-hand side, score), in any order; nodes may be called anything.

        Edges and nodes in no derivation of the root are left out. A cycle, a root without a derivation and scores that
        are not numbers are refused.
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
        """From arrays in any order; `names` are what messages call the nodes."""
        check_scores("edge", scores, place)
        possible = np.flatnonzero(scores > -np.inf)  # an edge that is impossible is none
        starts, items = _rows(starts, items, possible)
        heads, scores = heads[possible], scores[possible]
        numbers, size, cycle = _native.order_forest(heads, starts, items, nodes, root)
        if len(cycle):
            shown = " -> ".join(str(n) if names is None else names[n] for n in [*cycle[:8].tolist(), int(cycle[0])])
            raise InputError(f"{place}: nodes go round in a cycle ({shown}); expected a forest without cycles")
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
        """The same texts and scores: every state a node made of the ways to it, and a root made of the final states.

        Features are kept, too, unless there are scores of final states, which have none.

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
        """The first edge of every node, and one more: how many edges there are."""
        return np.searchsorted(self.heads, np.arange(self.nodes + 1)).astype(np.int64)

    # Derivations ---------------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many derivations there are, exactly.

        >>> Forest.of([("S", [Node("N")] * 3), ("N", ["a"]), ("N", ["b"])], "S").count()
        8
        """
        return forest_paths.count(self)

    def best(self) -> Path:
        """The derivation with the highest score.

        Scores are added from the top: an edge's own, then those of the nodes below it from left to right. Of edges of a
        node that are equally good, the first is taken.

        >>> forest = Forest.of([("S", ["a", Node("N")], -0.5), ("N", ["cat"], -0.75), ("N", ["dog"], -0.25)], "S")
        >>> path = forest.best()
        >>> path.text, path.score, path.arcs.tolist()
        ('a dog', -0.75, [2, 1])
        """
        return forest_paths.best(self)

    def kbest(self, k: int, *, distinct: bool = True, limit: int = forest_paths.MOST_KEPT) -> list[Path]:
        """The k best texts, each by its best derivation; or, unless they are to be `distinct`, the k best derivations.

        Best first; there are fewer than k where the forest has fewer. The first is `best()`; others that are equally
        good come in an order that is always the same.

        The search is exact and lazy (Huang & Chiang 2005, "Better k-best parsing", algorithm 3). Every node keeps the
        best derivation of each of its best texts, so that it does not matter how many derivations have the same text.
        `limit` is how many derivations of nodes may be kept.

        >>> forest = Forest.of([("S", [Node("N")] * 2), ("N", ["ha"]), ("N", ["ha", "ha"], 0.5)], "S")
        >>> [(path.text, path.score) for path in forest.kbest(10)]
        [('ha ha ha ha', 1.0), ('ha ha ha', 0.5), ('ha ha', 0.0)]
        """
        return forest_paths.kbest(self, k, distinct, limit)

    def paths(self, limit: int = 10_000) -> list[Path]:
        """All derivations, in the order of their edges; refused where there are more than `limit`."""
        return forest_paths.all_paths(self, limit)

    def sample(self, number: int, *, seed: int, scale: float = 1.0) -> list[Path]:
        r"""Independent random derivations, :math:`P(d) \propto \exp(scale \cdot score(d))`.

        From the root down and from left to right, at each node with several edges the next number of
        ``numpy.random.default_rng(seed).random()`` chooses one, against their chances in their order.

        >>> forest = Forest.of([("S", ["heads"]), ("S", ["tails"])], "S")
        >>> [path.text for path in forest.sample(4, seed=1)]
        ['tails', 'tails', 'heads', 'tails']
        """
        return forest_paths.sample(self, number, seed, scale)

    # Sums over all derivations -------------------------------------------------------------------------------

    def total(self, scale: float = 1.0) -> float:
        r"""The logarithm of :math:`\sum_d \exp(scale \cdot score(d))`.

        >>> forest = Forest.of([("S", ["a"], -1e4), ("S", ["b"], -1e4)], "S")
        >>> round(forest.total() + 1e4, 6)
        0.693147
        """
        check_scale(scale)
        with forest_paths.refusing(self):
            return self.native.branching(scale)[0]

    def posteriors(self, scale: float = 1.0) -> NDArray[np.float64]:
        r"""How often each edge is in a derivation, in the mean; :math:`P(d) \propto \exp(scale \cdot score(d))`.

        That is the probability that it is used, unless there are derivations that use it several times. Inside and
        outside; all are sums of positive numbers, so that small ones are right too.

        >>> Forest.of([("S", ["a", Node("N")]), ("N", ["cat"]), ("N", ["dog"])], "S").posteriors().tolist()
        [0.5, 0.5, 1.0]
        """
        check_scale(scale)
        with forest_paths.refusing(self):
            _, chances, uses = self.native.branching(scale)
        return chances * uses[self.heads]

    def expected_ngrams(
        self, order: int = 4, scale: float = 1.0, *, limit: int = forest_ngrams.MOST_NGRAMS
    ) -> NgramTable:
        r"""How often each n-gram of up to `order` words is in a derivation's text, in the mean.

        .. math:: E[\#_g] = \sum_d P(d) \cdot \#_g(d), \quad P(d) \propto \exp(scale \cdot score(d))

        What stands on both sides of a boundary on a right-hand side is independent, given the edge; so it is enough to
        know how each node begins and how it ends. `limit` is how many n-grams may be told apart.

        >>> forest = Forest.of([("S", ["a", Node("N")]), ("N", ["a"]), ("N", ["b"])], "S")
        >>> dict(forest.expected_ngrams(order=2))
        {('a',): 1.5, ('b',): 0.5, ('a', 'a'): 0.5, ('a', 'b'): 0.5}
        """
        return forest_ngrams.table(self, order, scale, limit, once=False)

    def ngram_posteriors(
        self, order: int = 4, scale: float = 1.0, *, limit: int = forest_ngrams.MOST_NGRAMS
    ) -> NgramTable:
        r"""The probability that each n-gram of up to `order` words is in a derivation's text, once or more often.

        .. math:: p(g) = \sum_{d \ni g} P(d), \quad P(d) \propto \exp(scale \cdot score(d))

        It is what minimum Bayes risk with a linear gain needs (Tromble et al. 2008; for forests, Kumar et al. 2009),
        and not the expected count. Exact; `limit` as for `expected_ngrams`.

        >>> forest = Forest.of([("S", ["a", Node("N")]), ("N", ["a"]), ("N", ["b"])], "S")
        >>> dict(forest.ngram_posteriors(order=1))
        {('a',): 1.0, ('b',): 0.5}
        """
        return forest_ngrams.table(self, order, scale, limit, once=True)

    # Other scores --------------------------------------------------------------------------------------------

    def rescored(self, gain: NgramGain, *, model: float = 0.0, limit: int = forest_ngrams.MOST_EDGES) -> Forest:
        """A forest with the same derivations, whose scores are gain(words) + model·(score before).

        Nodes are split by how their texts begin and end, as far as the n-grams of the gain need that: as in the
        intersection with a language model, but a beginning is only as long as an n-gram could run into it, and an end
        as long as one could go on after it. Edges with more than two nodes are cut into edges with two, so that a
        derivation may have more edges. N-grams with words that the forest does not have are ignored. `limit` is how
        many edges the new forest may have.

        >>> edges = [("S", [Node("D"), Node("N")]), ("D", ["a"]), ("D", ["the"], 0.5), ("N", ["cat"]), ("N", ["dog"])]
        >>> gain = NgramGain(NgramTable.of({("a",): 1.0, ("a", "cat"): 0.5}), word=-0.25)
        >>> [(path.text, path.score) for path in Forest.of(edges, "S").rescored(gain).kbest(2)]
        [('a cat', 1.0), ('a dog', 0.5)]
        """
        made = forest_ngrams.split(self, gain, model, limit)
        return Forest(
            self.words,
            made.heads,
            made.starts,
            made.items,
            made.scores,
            made.nodes,
            self.place,
            _taken(self.features, made.origins),
            self.layout,
        )

    def part(self, kept: NDArray[np.bool_]) -> Forest:
        """The forest of some of the edges, those in complete derivations; without features."""
        scores = np.where(kept, self.scores, -np.inf)  # what is impossible is left out
        nodes, root = self.nodes, self.nodes - 1
        return Forest.build(
            self.words, self.heads, self.starts, self.items, scores, nodes=nodes, root=root, place=self.place
        )

    def recognise(self, given: Recognition) -> tuple[float, Path]:
        """The best numerator, and its derivation; of equals always the same one."""
        return forest_oracle.best_recognised(self, given)

    @cached_property
    def native(self) -> _native.ForestArrays:
        """What the core works on."""
        return _native.ForestArrays(self.heads, self.starts, self.items, self.scores, self.nodes)


def _rows(
    starts: NDArray[np.int64], items: NDArray[np.int32], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Some rows of a table whose rows have unequal lengths, in the order asked for."""
    sizes = np.diff(starts)[rows]
    new = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return new, items[np.repeat(starts[:-1][rows] - new[:-1], sizes) + np.arange(new[-1])]


def _taken(features: Features | None, rows: NDArray[Any]) -> Features | None:
    """Some rows in the order asked for; none for -1."""
    if features is None:
        return None
    padded = Features(np.append(features.begins, features.begins[-1]), features.columns, features.values)
    return padded.take(np.where(rows < 0, len(features), rows).astype(np.int64))
