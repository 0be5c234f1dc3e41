"""Features by name as a file has them, until they are a sparse matrix; and back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InputError
from ...features import Features, Group, Layout
from .lines import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: A feature of this name, alone, is the score itself: so graphs without features are written.
SCORE = "Score"


class FeatureRows:
    """Gathers rows of features; columns are numbered as the names come, after those that are known."""

    def __init__(self, names: Sequence[str] = ()):
        self.columns: dict[str, int] = {name: i for i, name in enumerate(names)}
        self.begins = [0]
        self.found: list[int] = []
        self.values: list[float] = []

    def add(self, row: Iterable[tuple[str, float]], where: str) -> None:
        """Add a row; a name may be there only once."""
        columns = self.columns
        pairs = sorted((columns.setdefault(name, len(columns)), value) for name, value in row)
        for i, (column, value) in enumerate(pairs):
            if i and column == pairs[i - 1][0]:
                raise InputError(f"{where}: feature {self._name(column)} is there twice; expected it once")
            if not math.isfinite(value):
                raise InputError(f"{where}: feature {self._name(column)} is {value}; expected a finite number")
            self.found.append(column)
            self.values.append(value)
        self.begins.append(len(self.found))

    def _name(self, column: int) -> str:
        return quoted([*self.columns][column])

    def made(self) -> tuple[Features, Layout]:
        """The matrix, and the names of its columns."""
        features = Features(
            np.array(self.begins, np.int64), np.array(self.found, np.int32), np.array(self.values, np.float64)
        )
        return features, Layout(tuple(Group(name, i, 1) for name, i in self.columns.items()))


def scores_of(features: Features, layout: Layout) -> np.ndarray:
    """The scores before there are weights: nothing, unless the only feature is the score."""
    if layout.labels == (SCORE,):
        return features.dot(np.ones(1))
    return np.zeros(len(features))
