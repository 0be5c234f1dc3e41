"""Forest: an acyclic hypergraph whose edges rewrite a node as words and other nodes; every derivation is a text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .. import _native
from ..errors import InputError, SpecError
from ..judge.resampling import check_number, stream
from ..tune.features import Features, Layout
from .features import Featured
from .path import Path

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from .lattice import Lattice

#: The most derivations of nodes that `kbest` keeps.
MOST_KEPT = 2**25
#: The most bits of a count of derivations, and the most over all sums that make it.
MOST_BITS, MOST_BITS_IN_ALL = 2**24, 2**37


@dataclass(frozen=True)
class Node:
    """A node on the right-hand side of an edge, where a string is a word."""

    name: Hashable


@dataclass(frozen=True, eq=False)
class Forest(Featured):
    """Edges in the order of their heads, nodes in topological order: what a node is made of before it, the root last.

    The right-hand side of edge e is items[starts[e]:starts[e + 1]]; an item is the number of a word, or ~n for node n.
    Scores add over the edges of a derivation: more is better. All nodes are in some derivation of the root.

    >>> forest = Forest.of([("S", ["a", Node("N")], -0.5), ("N", ["cat"], -0.7), ("N", ["dog"], -0.2)], "S")
    >>> len(forest), forest.nodes, forest.words
    (3, 2, ('a', 'cat', 'dog'))
    """

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
        for head, right, *score in edges:
            heads.append(numbers.setdefault(head, len(numbers)))
            for item in right:
                if isinstance(item, Node):
                    items.append(~numbers.setdefault(item.name, len(numbers)))
                else:
                    items.append(vocabulary.setdefault(item, len(vocabulary)))
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
        wrong = np.flatnonzero(np.isnan(scores) | (scores == np.inf))
        if len(wrong):
            found = scores[wrong[0]]
            raise InputError(f"{place}: the score of edge {wrong[0]} is {found}; expected a number below infinity")
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

        >>> from tricolore.graphs import Lattice
        >>> lattice = Lattice.of([("s", "m", "a"), ("m", "e", "cat"), ("m", "e", "dog", 0.5)], "s", ["e"])
        >>> Forest.of_lattice(lattice).best().text
        'a dog'
        """
        (ends,) = np.nonzero(lattice.finals > -np.inf)
        # An edge without items for the start, one for each arc, one for each end.
        spoken = lattice.labels >= 0
        sizes = np.concatenate([[0], 1 + spoken, np.ones(len(ends), np.int64)])
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        items = np.empty(starts[-1], np.int32)
        first = starts[1:-1]
        items[first] = ~np.concatenate([lattice.sources, ends]).astype(np.int32)
        items[first[: len(lattice)][spoken] + 1] = lattice.labels[spoken]
        return Forest.build(
            lattice.words,
            np.concatenate([[0], lattice.targets, np.full(len(ends), lattice.states)]).astype(np.int32),
            starts,
            items,
            np.concatenate([[0.0], lattice.scores, lattice.finals[ends]]),
            nodes=lattice.states + 1,
            root=lattice.states,
            place=lattice.place,
        )

    def __len__(self) -> int:
        return len(self.heads)

    @cached_property
    def edge_starts(self) -> NDArray[np.int64]:
        """The first edge of every node, and one more: how many edges there are."""
        return np.searchsorted(self.heads, np.arange(self.nodes + 1)).astype(np.int64)

    def with_scores(self, scores: NDArray[np.float64]) -> Forest:
        """The same forest with other scores of edges."""
        return replace(self, scores=np.ascontiguousarray(scores, np.float64))

    def best(self) -> Path:
        """The derivation with the highest score; where edges of a node are equally good, by the first.

        >>> forest = Forest.of([("S", ["a", Node("N")], -0.5), ("N", ["cat"], -0.75), ("N", ["dog"], -0.25)], "S")
        >>> print(forest.best(), forest.best().score)
        a dog -0.75
        """
        with self._refusing():
            return self._paths(*self._arrays.best())[0]

    def kbest(self, k: int, *, distinct: bool = True, limit: int = MOST_KEPT) -> list[Path]:
        """The k best texts, best first, each by its best derivation; fewer where there are fewer.

        With `distinct=False`, the k best derivations. Derivations are found lazily (Huang & Chiang 2005, Better k-best
        parsing, algorithm 3); every node keeps the best derivation of each of its best texts, so that many derivations
        of one text do no harm. More than `limit` derivations of nodes to keep are refused.

        >>> forest = Forest.of([("S", [Node("N")] * 2), ("N", ["ha"]), ("N", ["ha", "ha"], 0.5)], "S")
        >>> [(path.text, path.score) for path in forest.kbest(10)]
        [('ha ha ha ha', 1.0), ('ha ha ha', 0.5), ('ha ha', 0.0)]
        """
        check_number("k", k)
        check_number("limit", limit, most=2**62)
        with self._refusing():
            return self._paths(*self._arrays.kbest(k, distinct, limit))

    def paths(self, limit: int = 10_000) -> list[Path]:
        """All derivations, in the order of their edges; more than `limit` are refused."""
        check_number("limit", limit)
        with self._refusing():
            starts, edges = self._arrays.all(limit)
            if len(starts) == 1:
                raise InputError(f"{self.place}: there are more than {limit:,} derivations; expected a smaller forest")
            return self._paths(starts, edges)

    def sample(self, number: int, *, seed: int, scale: float = 1.0) -> list[Path]:
        """Independent draws of derivations, P(d) ∝ exp(scale · score(d)).

        From the root down, left to right: at each node with several edges the next number of
        `np.random.default_rng(seed).random()` chooses one by its probability among all derivations of the node.
        """
        check_number("number", number, least=0)
        draws = stream(seed)
        with self._refusing():
            return self._paths(*self._arrays.sample(self._scale(scale), number, draws))

    def count(self) -> int:
        """How many derivations there are.

        >>> Forest.of([("S", [Node("N")] * 3), ("N", ["a"]), ("N", ["b"])], "S").count()
        8
        """
        with self._refusing():
            bits = self._arrays.branching(0.0)[0] / math.log(2)
        if bits > MOST_BITS or bits * len(self) > MOST_BITS_IN_ALL:
            raise InputError(f"{self.place}: there are about 2^{bits:,.0f} derivations, too many to count exactly")
        last_use = self._last_uses()
        counts: dict[int, int] = {}
        starts, items, ends = self.starts.tolist(), self.items.tolist(), self.edge_starts.tolist()
        for node in range(self.nodes):
            total = 0
            used = set()
            for edge in range(ends[node], ends[node + 1]):
                tails = [~item for item in items[starts[edge] : starts[edge + 1]] if item < 0]
                total += math.prod(counts[tail] for tail in tails)
                used.update(tails)
            counts[node] = total
            for tail in used:
                if last_use[tail] == node:  # counts may be long, and many
                    del counts[tail]
        return counts[self.nodes - 1]

    def total(self, scale: float = 1.0) -> float:
        """The logarithm of the sum Σ exp(scale · score) over all derivations.

        >>> round(Forest.of([("S", ["a"], 1.0), ("S", ["b"], 1.0)], "S").total(), 4)  # 1 + log 2
        1.6931
        """
        with self._refusing():
            return self._arrays.branching(self._scale(scale))[0]

    def posteriors(self, scale: float = 1.0) -> NDArray[np.float64]:
        """How often each edge is expected in a derivation: Σ P(d) · #e(d), P(d) ∝ exp(scale · score(d)).

        That is the probability that it is used, unless there are derivations that use it several times.

        >>> Forest.of([("S", ["a", Node("N")]), ("N", ["cat"]), ("N", ["dog"])], "S").posteriors().tolist()
        [0.5, 0.5, 1.0]
        """
        with self._refusing():
            _, chances, uses = self._arrays.branching(self._scale(scale))
        return chances * uses[self.heads]

    @cached_property
    def _arrays(self) -> _native.ForestArrays:
        return _native.ForestArrays(self.heads, self.starts, self.items, self.scores, self.nodes)

    def _paths(self, starts: NDArray[np.int64], edges: NDArray[np.int32]) -> list[Path]:
        """Derivations, given their edges, as paths."""
        scores, word_starts, numbers = self._arrays.read(starts, edges)
        words = [self.words[i] for i in numbers.tolist()]
        begins, first_words = starts.tolist(), word_starts.tolist()
        return [
            Path(tuple(words[first_words[i] : first_words[i + 1]]), score, np.array(edges[begins[i] : begins[i + 1]]))
            for i, score in enumerate(scores.tolist())
        ]

    def _last_uses(self) -> list[int]:
        """The last node that is made of each node; of the root, none."""
        last = np.full(self.nodes, self.nodes)
        is_node = self.items < 0
        last[~self.items[is_node]] = np.repeat(self.heads, np.diff(self.starts))[is_node]  # the last one stays
        return last.tolist()

    def _scale(self, scale: float) -> float:
        if not math.isfinite(scale):
            raise SpecError(f"scale must be a number; got {scale!r}")
        return float(scale)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """What is too large for the core is the input's fault."""
        try:
            yield
        except OverflowError as error:
            raise InputError(f"{self.place}: {error}") from None


def _rows(
    starts: NDArray[np.int64], items: NDArray[np.int32], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Some rows of a table whose rows have unequal lengths, in the order asked for."""
    sizes = np.diff(starts)[rows]
    new = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return new, items[np.repeat(starts[:-1][rows] - new[:-1], sizes) + np.arange(new[-1])]
