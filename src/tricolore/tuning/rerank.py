"""Reranking: the union of n-best lists, ordered anew by weights of features or by the totals that the lists give.

Files are read side by side, source by source; never more than one source is held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..readers.nbest import SEPARATOR
from .scored_lists import ScoredLists

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..weights import Weights
    from .scored_lists import ScoredList


@dataclass(frozen=True)
class Hypothesis:
    """One translation and its score."""

    text: str
    score: float
    rest: str  #: what follows the text in its list, features and total, as in Moses' form

    def line(self, source: int) -> str:
        """The hypothesis in Moses' form, with its score as the total.

        >>> Hypothesis("a cat", -0.5, "lm= -1 ||| 9 ||| 0-0 1-1").line(3)
        '3 ||| a cat ||| lm= -1 ||| -0.5 ||| 0-0 1-1'
        """
        features, *after = self.rest.split(SEPARATOR, 2)
        fields = [str(source), self.text, features.strip(), repr(self.score), *(field.strip() for field in after[1:])]
        return f" {SEPARATOR} ".join(fields)


@dataclass(frozen=True)
class Ranked:
    """What was found for a source."""

    source: int  #: numbered from 0
    first: str  #: the text that comes first in the first list
    best: tuple[Hypothesis, ...]  #: the best first


class Reranking:
    """Goes through lists, and gives the best hypotheses of one source after the other.

    Of hypotheses with the same score the first is better: files in order, then lines. The same text with the same
    features is taken once. Without `weights` the totals of the lists decide. `top` is how many to give of a source; all
    with None. With `sources` there must be as many, because `known` has as many lines.
    """

    def __init__(
        self,
        paths: Sequence[str],
        weights: Weights | None = None,
        *,
        top: int | None = 1,
        sources: int | None = None,
        known: str = "the list of references",
    ):
        self.top = top
        self._lists = ScoredLists(paths, weights, sources=sources, known=known)

    @property
    def warning(self) -> str | None:
        """Which features have no weight, of those that have been read."""
        return self._lists.warning

    def __iter__(self) -> Iterator[Ranked]:
        """The best of every source, in order."""
        for found in self._lists:
            order = self._order(found)
            best = tuple(Hypothesis(found.texts[i], float(found.scores[i]), found.rest[i]) for i in order)
            yield Ranked(found.source, found.texts[0], best)

    def _order(self, found: ScoredList) -> list[int]:
        """The best hypotheses, each once, the best first."""
        if self.top == 1:
            return [int(np.argmax(found.scores))]
        order = found.distinct(np.argsort(-found.scores, kind="stable"))
        return [int(i) for i in order[: self.top]]
