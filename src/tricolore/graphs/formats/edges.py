"""Edges as a file has them, until they are a forest."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...features import Features, Layout
from ..forest import Forest
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
