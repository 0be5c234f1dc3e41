"""Scores, and their bootstrap intervals, as rouge-score has them."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ...errors import SpecError

_CELLS_AT_A_TIME = 1 << 20


class Score(NamedTuple):
    """Precision, recall and F."""

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """An interval and its middle, a score each."""

    low: Any
    mid: Any
    high: Any


class BaseScorer(ABC):
    """What a scorer offers."""

    @abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Score a prediction against a target, by every type."""


class BootstrapAggregator:
    """Percentile intervals of means, over samples with replacement.

    Draws are those of NumPy's global generator, as in rouge-score: `np.random.seed` makes them the same.

    >>> aggregator = BootstrapAggregator()
    >>> aggregator.add_scores({"rouge1": Score(0.5, 0.5, 0.5)})
    >>> float(aggregator.aggregate()["rouge1"].mid.fmeasure)
    0.5
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000):
        if not 0 <= confidence_interval <= 1:
            raise SpecError(f"confidence_interval must be between 0 and 1; got {confidence_interval}")
        if n_samples <= 0:
            raise SpecError(f"n_samples must be positive; got {n_samples}")
        self._samples = n_samples
        self._confidence = confidence_interval
        self._scores: defaultdict[str, list[Any]] = defaultdict(list)

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add the scores of one text: a tuple of numbers by type."""
        for kind, score in scores.items():
            self._scores[kind].append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """The interval of every type."""
        return {
            kind: AggregateScore(*(type(scores[0])(*row) for row in self._percentiles(_matrix(scores))))
            for kind, scores in self._scores.items()
        }

    def _percentiles(self, matrix: Any) -> Any:
        size = len(matrix)
        at_a_time = max(1, _CELLS_AT_A_TIME // matrix.size)
        means = []
        for first in range(0, self._samples, at_a_time):
            drawn = np.random.randint(0, size, (min(at_a_time, self._samples - first), size))
            means.append(matrix[drawn].mean(axis=1))
        tail = (1 - self._confidence) / 2
        return np.percentile(np.concatenate(means), 100 * np.array([tail, 0.5, 1 - tail]), axis=0)


def _matrix(scores: list[Any]) -> Any:
    """A row of numbers for each score, which may also be a single number."""
    return np.array(scores, float).reshape(len(scores), -1)


def fmeasure(precision: float, recall: float) -> float:
    """The harmonic mean; 0 if both are 0."""
    total = precision + recall
    return 2 * precision * recall / total if total > 0 else 0.0
