"""Exact oracles: the text of a lattice or a forest with the best word or n-gram recognition rate.

Chiang et al. (2008, section 4) turn a reference into an automaton whose best path for a text has the numerator of 4-GRR
as its weight (see `tricolore.GRR`). Intersected with a graph it gives the best numerator over all texts of the graph,
and a text that has it, in time linear in the arcs of a lattice. Word error rate is the same with order 1:
|r| − d = max (M − I), so the text with the fewest edits is found, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SpecError
from ..metrics.edit_rates import WER, WRR
from ..metrics.grr import GRR
from ..tokenizers import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ..metrics.base import Metric
    from ..types import SegmentReferences
    from .graph import Graph, Path

#: Tokenisers that cut a text into the same tokens as its words one by one.
WORD_BY_WORD = ("none", "13a", "universal", "rouge-score", "char")


@dataclass(frozen=True)
class Oracle:
    """The best path, and its score by the metric."""

    path: Path
    score: float
    exact: bool = True  #: whether no path scores better; otherwise, none that was tried

    @property
    def text(self) -> str:
        """The text of the path."""
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


class TokenIds:
    """Assigns ids to the tokens of words and references as a metric reads them, the same for all graphs.

    >>> ids = TokenIds(WER(lowercase=True))
    >>> ids.of("The cat"), ids.of("the CAT the")
    ([0, 1], [0, 1, 0])
    """

    def __init__(self, metric: Metric):
        name = getattr(metric, "tokenize", None)
        if name not in WORD_BY_WORD:
            raise SpecError(
                f"{metric.spec}: with tokenize={name} the tokens of a word depend on its neighbours, which differ from "
                f"path to path; expected one of {', '.join(WORD_BY_WORD)}"
            )
        self._metric: Any = metric
        self._ids: dict[str, int] = {}
        self._known: dict[str, list[int]] = {}

    def of(self, text: str) -> list[int]:
        """The ids of the tokens of a text."""
        if text not in self._known:
            metric = self._metric
            tokens = cut(text, metric.tokenizer, metric.lowercase, getattr(metric, "strip_punctuation", False))
            self._known[text] = [self._ids.setdefault(token, len(self._ids)) for token in tokens]
        return self._known[text]

    def of_words(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Where the tokens of each word begin, and the ids of all of them, one after the other."""
        rows = [*map(self.of, words)]
        starts = np.concatenate([[0], np.cumsum([*map(len, rows)])]).astype(np.int64)
        return starts, np.array([*chain.from_iterable(rows)], np.int32)


class ExactOracle:
    """Finds the texts that score best by WER, WRR or N-GRR; ties go to the one with the best score of its graph.

    With several references the one counts that makes the text best, as in the metric. Each has its own best text, found
    exactly, and the best of these is the best of all, since a segment's score is the best over its references. Only
    where an error rate takes the reference with the fewest edits (`multi_ref=min_edits`), edits decide, not the rate.

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
        self.recognition = found
        self._ids = TokenIds(metric)

    def __call__(self, graph: Graph, references: SegmentReferences) -> Oracle:
        """The best text of a graph."""
        texts = [references] if isinstance(references, str) else [one for one in references if one is not None]
        if len(texts) > 1 and getattr(self.metric, "multi_ref", "") == "pool":
            raise SpecError(
                f"{self.metric.spec}: several references added up have no exact oracle; "
                "expected multi_ref=max, or one reference"
            )
        starts, tokens = self._ids.of_words(graph.words)
        found = []
        for text in dict.fromkeys(texts):
            if not isinstance(text, str):
                raise SpecError("references of a graph must be texts, not token ids")
            reference = np.array(self._ids.of(text), np.int32)
            path = graph.best_recognised(starts, tokens, reference, *self.recognition)[1]
            found.append(self._ranked(path, references))
        return max(found, key=lambda one: one[:-1])[-1]

    def _ranked(self, path: Path, references: SegmentReferences) -> tuple[float, float, Oracle]:
        """The best text for a reference, after the values that rank it among those for others."""
        score = self.metric.segment(path.text, references)
        if getattr(self.metric, "multi_ref", "") == "min_edits":
            rank = -float(score.edits)
        else:
            rank = float(score) if self.metric.higher_is_better else -float(score)
        return rank, path.score, Oracle(path, float(score))
