"""Exact oracles: the text of a lattice or a forest that is recognised best, by word or n-gram recognition rate.

Chiang et al. (2008, section 4) turn a reference into an automaton whose best path for a text has the numerator of 4-GRR
as its weight (see `tricolore.GRR`). Intersected with a graph it gives the best numerator over all texts of the graph,
and a text that has it, in time linear in the arcs of a lattice. Word error rate is the same with order 1:
|r| − d = max (M − I), so that the text with the fewest edits is found, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import SpecError
from ..metrics.edit_rates import WER, WRR
from ..metrics.grr import GRR
from .tokens import TokenNumbers

if TYPE_CHECKING:
    from ..metrics.base import Metric
    from ..segments import SegmentReferences
    from .graph import Graph, Path


@dataclass(frozen=True)
class Oracle:
    """The best path, and its score by the metric."""

    path: Path
    score: float
    exact: bool = True  #: whether no path scores better; else none that was tried does

    @property
    def text(self) -> str:
        """What the path says."""
        return self.path.text

    def __str__(self) -> str:
        return self.text


def is_exact(metric: Metric) -> bool:
    """Whether there is an exact oracle for a metric."""
    return _recognition(metric) is not None


def _recognition(metric: Metric) -> tuple[int, float, float] | None:
    """Order, α and β of the recognition rate that the metric amounts to, if it does."""
    if isinstance(metric, GRR):
        return metric.order, metric.alpha, metric.beta
    return (1, 1.0, 0.0) if type(metric) in (WER, WRR) else None


class ExactOracle:
    """Finds the texts that score best by WER, WRR or N-GRR; of equals that with the best score of its graph.

    With several references the one counts that makes the text best, as in the metric. Each has its own best text, found
    exactly, and the best of these is the best of all, since a segment's score is the best over its references. Only
    where an error rate is told to take the reference with the fewest edits (`multi_ref=min_edits`), edits decide, not
    the rate.

    >>> from tricolore.graphs import Lattice
    >>> lattice = Lattice.of([(0, 1, "a"), (0, 1, "the"), (1, 2, "cat"), (1, 2, "dog"), (2, 3, "sat")], 0, [3])
    >>> oracle = ExactOracle(WER())(lattice, ["the cat sat down", "a dog"])
    >>> oracle.text, oracle.score
    ('the cat sat', 0.25)
    """

    def __init__(self, metric: Metric):
        found = _recognition(metric)
        if found is None:
            raise SpecError(f"{metric.spec}: there is no exact oracle; expected wer, wrr or grr")
        self.metric = metric
        self.order, self.alpha, self.beta = found
        self._numbers = TokenNumbers(metric)

    def __call__(self, graph: Graph, references: SegmentReferences) -> Oracle:
        """The best text of a graph."""
        texts = [references] if isinstance(references, str) else [one for one in references if one is not None]
        if len(texts) > 1 and getattr(self.metric, "multi_ref", "") == "pool":
            raise SpecError(
                f"{self.metric.spec}: several references added up have no exact oracle; "
                "expected multi_ref=max, or one reference"
            )
        starts, tokens = self._numbers.of_words(graph.words)
        found = [
            graph.best_recognised(starts, tokens, self._reference(text), self.order, self.alpha, self.beta)[1]
            for text in dict.fromkeys(texts)
        ]
        return max((self._scored(path, references) for path in found), key=lambda one: one[:-1])[-1]

    def _reference(self, text: object) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        if not isinstance(text, str):
            raise SpecError("references of a graph are texts, not token numbers")
        return np.array(self._numbers.of(text), np.int32)

    def _scored(self, path: Path, references: SegmentReferences) -> tuple[float, float, Oracle]:
        """What decides among the best texts of several references: the score, or what the metric goes by itself."""
        score = self.metric.segment(path.text, references)
        if getattr(self.metric, "multi_ref", "") == "min_edits":
            rank = -float(score.edits)
        else:
            rank = float(score) if self.metric.higher_is_better else -float(score)
        return rank, path.score, Oracle(path, float(score))
