"""Forest: an acyclic hypergraph whose edges rewrite a node as words and other nodes; every derivation is a text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .. import _native
from ..errors import InputError
from ..tune.features import Features, Layout
from .graph import Graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Node:
    """A node on the right-hand side of an edge, where a string is a word."""

    name: Hashable


@dataclass(frozen=True, eq=False)
class Forest(Graph):
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

    def __len__(self) -> int:
        return len(self.heads)

    @cached_property
    def edge_starts(self) -> NDArray[np.int64]:
        """The first edge of every node, and one more: how many edges there are."""
        return np.searchsorted(self.heads, np.arange(self.nodes + 1)).astype(np.int64)

    def with_scores(self, scores: NDArray[np.float64]) -> Forest:
        """The same forest with other scores of edges."""
        return replace(self, scores=np.ascontiguousarray(scores, np.float64))


def _rows(
    starts: NDArray[np.int64], items: NDArray[np.int32], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Some rows of a table whose rows have unequal lengths, in the order asked for."""
    sizes = np.diff(starts)[rows]
    new = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return new, items[np.repeat(starts[:-1][rows] - new[:-1], sizes) + np.arange(new[-1])]
