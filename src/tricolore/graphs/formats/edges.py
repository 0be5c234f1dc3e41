"""Edges as a file has them, until they are a forest; and lattices as forests."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...tune.features import Features, Layout
from ..forest import Forest
from ..lattice import Lattice
from .arcs import rows_of
from .feature_rows import SCORE, FeatureRows, scores_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class EdgeList:
    """Gathers edges. Nodes are numbers from 0 on; words of `epsilon` are none."""

    def __init__(self, place: str, epsilon: Iterable[str] = (), features: Sequence[str] = ()):
        self.place = place
        self.epsilon = frozenset(epsilon)
        self.rows = FeatureRows(features)
        self.heads: list[int] = []
        self.starts = [0]
        self.items: list[int] = []
        self.vocabulary: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.heads)

    def add(self, head: int, right: Iterable[str | int], features: Iterable[tuple[str, float]], where: str) -> None:
        """Add an edge, whose right-hand side is words and numbers of nodes."""
        self.heads.append(head)
        for item in right:
            if isinstance(item, int):
                self.items.append(~item)
            elif item not in self.epsilon:
                self.items.append(self.vocabulary.setdefault(item, len(self.vocabulary)))
        self.starts.append(len(self.items))
        self.rows.add(features, where)

    def forest(self, nodes: int, root: int) -> Forest:
        """The forest of these edges, not yet weighted."""
        features, layout = self.rows.made()
        return Forest.build(
            tuple(self.vocabulary),
            np.array(self.heads, np.int32),
            np.array(self.starts, np.int64),
            np.array(self.items, np.int32),
            scores_of(features, layout),
            nodes=nodes,
            root=root,
            place=self.place,
            features=features,
            layout=layout,
        )


def as_forest(lattice: Lattice) -> Forest:
    """A lattice as a forest with the same texts and scores: to a state leads what leads to one before, and a word.

    >>> forest = as_forest(Lattice.of([(0, 1, "a"), (1, 2, "cat"), (1, 2, "dog")], 0, [2]))
    >>> len(forest), forest.nodes
    (5, 4)
    """
    states = lattice.states
    heads, starts, items, scores = [0], [0, 0], [], [0.0]  # the first edge: what leads to the start is nothing
    vocabulary = {word: i for i, word in enumerate(lattice.words)}
    for source, target, word, score in rows_of(lattice):
        heads.append(target)
        items += [~source] if word is None else [~source, vocabulary[word]]
        starts.append(len(items))
        scores.append(score)
    for final in np.flatnonzero(lattice.finals > -np.inf).tolist():
        heads.append(states)
        items.append(~final)
        starts.append(len(items))
        scores.append(float(lattice.finals[final]))
    return Forest.build(
        lattice.words,
        np.array(heads, np.int32),
        np.array(starts, np.int64),
        np.array(items, np.int32),
        np.array(scores),
        nodes=states + 1,
        root=states,
        place=lattice.place,
        features=_widened(lattice, len(heads)),
        layout=lattice.layout if _has_only_features(lattice) else None,
    )


def _has_only_features(lattice: Lattice) -> bool:
    """Whether features say all: final scores have none."""
    finals = lattice.finals[lattice.finals > -np.inf]
    return lattice.features is not None and not finals.any()


def _widened(lattice: Lattice, edges: int) -> Features | None:
    """The features of the arcs for the edges: none for the first, nor for those that end a path."""
    if lattice.features is None or not _has_only_features(lattice):
        return None
    begins = lattice.features.begins
    after = np.full(edges - len(lattice) - 1, begins[-1])
    return Features(
        np.concatenate([[0], begins, after]).astype(np.int64), lattice.features.columns, lattice.features.values
    )


def features_of(forest: Forest) -> tuple[Features, Layout]:
    """The features to write; where there are none, the score is one."""
    if forest.features is not None and forest.layout is not None:
        return forest.features, forest.layout
    rows = FeatureRows((SCORE,))
    for score in forest.scores.tolist():
        rows.add([(SCORE, score)], forest.place)
    return rows.made()


def rights_of(forest: Forest) -> Iterator[list[int]]:
    """The right-hand side of every edge."""
    starts, items = forest.starts.tolist(), forest.items.tolist()
    for first, last in pairwise(starts):
        yield items[first:last]
