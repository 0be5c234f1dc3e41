"""Named features and edges, collected while a file is read; and features to write."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from ...errors import InputError
from ...features import Features, Group, Layout
from ..forest import Forest
from .lines import quoted

#: A feature of this name, alone, is the score itself: graphs without features are written with it.
SCORE = "Score"


class FeatureRows:
    """Collects rows of features; columns are in the order of the names, those that are known first."""

    def __init__(self, names: Sequence[str] = ()):
        self.columns: dict[str, int] = {name: i for i, name in enumerate(names)}
        self.begins = [0]
        self.found: list[int] = []
        self.values: list[float] = []

    def add(self, row: Iterable[tuple[str, float]], where: str) -> None:
        """Add a row, in which each name may occur only once."""
        columns = self.columns
        pairs = sorted((columns.setdefault(name, len(columns)), value) for name, value in row)
        for i, (column, value) in enumerate(pairs):
            if i and column == pairs[i - 1][0]:
                raise InputError(f"{where}: feature {quoted([*columns][column])} is given twice; expected it once")
            if not math.isfinite(value):
                raise InputError(f"{where}: feature {quoted([*columns][column])} is {value}; expected a finite number")
            self.found.append(column)
            self.values.append(value)
        self.begins.append(len(self.found))

    def made(self) -> tuple[Features, Layout]:
        """The sparse matrix, and the names of its columns."""
        features = Features(
            np.array(self.begins, np.int64), np.array(self.found, np.int32), np.array(self.values, np.float64)
        )
        return features, Layout(tuple(Group(name, i, 1) for name, i in self.columns.items()))


class EdgeList:
    """Collects the edges of a forest. Nodes are numbers from 0 on; words in `epsilon` are treated as epsilon."""

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
        """The forest of these edges; scores are 0 until there are weights, unless the only feature is the score."""
        features, layout = self.rows.made()
        return Forest.build(
            tuple(self.vocabulary),
            np.array(self.heads, np.int32),
            np.array(self.starts, np.int64),
            np.array(self.items, np.int32),
            features.dot(np.ones(1)) if layout.labels == (SCORE,) else np.zeros(len(features)),
            nodes=nodes,
            root=root,
            place=self.place,
            features=features,
            layout=layout,
        )


def features_of(forest: Forest) -> tuple[tuple[str, ...], list[list[tuple[int, float]]]]:
    """The names of the features to write, and for every edge their indices and values; the score if there are none."""
    if forest.features is None or forest.layout is None:
        return (SCORE,), [[(0, score)] for score in forest.scores.tolist()]
    pairs = [*zip(forest.features.columns.tolist(), forest.features.values.tolist(), strict=True)]
    return forest.layout.labels, [pairs[first:last] for first, last in pairwise(forest.features.begins.tolist())]
