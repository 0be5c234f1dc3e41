"""`rerank`: the union of n-best lists, ordered by feature weights or by the totals in the lists.

Files are read side by side, one source at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from ..parameters import checked
from ..readers.nbest import SEPARATOR
from ..readers.texts import references_of
from ..weights import as_weights
from .choices import LIMIT, Choices, Chosen, metrics_of, no_progress, scored_by
from .scored_lists import ScoredLists

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..metrics.base import Metric
    from ..types import Stage
    from .scored_lists import ScoredList
    from .tune import GivenWeights


@dataclass(frozen=True)
class Hypothesis:
    """A candidate and its score."""

    text: str
    score: float
    rest: str  #: what follows the text in its list, features and total, as in Moses' form

    def line(self, source: int) -> str:
        """The hypothesis in Moses' form, with its score as the total.

        >>> Hypothesis("a cat", -0.5, "lm= -1 ||| 9 ||| 0-0 1-1").line(3)
        '3 ||| a cat ||| lm= -1 ||| -0.5 ||| 0-0 1-1'
        """
        text = Chosen(source, self.text, self.score).line()
        if SEPARATOR in text:
            raise InputError(f"source {source}: the translation contains {SEPARATOR}, which separates fields in a list")
        features, *after = self.rest.split(SEPARATOR, 2)
        fields = [str(source), text, features.strip(), repr(self.score), *(field.strip() for field in after[1:])]
        return f" {SEPARATOR} ".join(fields)


@dataclass(frozen=True)
class Ranked:
    """The candidates of a source in their new order."""

    source: int  #: numbered from 0
    first: str  #: the first text of the first list
    best: tuple[Hypothesis, ...]  #: the best first

    @staticmethod
    def of(found: ScoredList, top: int | None) -> Ranked:
        """The best candidates, without duplicates."""
        order: Any = [np.argmax(found.scores)] if top == 1 else found.distinct(np.argsort(-found.scores, kind="stable"))
        best = tuple(Hypothesis(found.texts[i], float(found.scores[i]), found.rest[i]) for i in order[:top])
        return Ranked(found.source, found.texts[0], best)

    @property
    def chosen(self) -> Chosen:
        """The best candidate."""
        return Chosen(self.source, self.best[0].text, self.best[0].score)


@dataclass(frozen=True, eq=False, repr=False)
class Reranking(Choices):
    """The best text per source, and in `ranked` the `top` candidates of each."""

    ranked: tuple[Ranked, ...] = ()


def rerank(
    nbest: Any,
    weights: GivenWeights | None = None,
    *,
    refs: Any = None,
    metric: str | Metric | Sequence[str | Metric] = "bleu",
    top: int | None = 1,
    threads: int | None = None,
    progress: Stage | None = None,
    each: Callable[[Ranked], None] | None = None,
) -> Reranking:
    """Choose the candidate of each source with the highest score w·h; ties go to the first (by file, then by line).

    `nbest` is a file, several files of the same sources, or lists in memory: for each source its candidates as
    `(text, features)` or `(text, features, total)`. `weights` are numbers by name, or a file; a feature without a
    weight gets 0. Without weights the totals in the lists decide. Duplicates, with the same text and features, are
    dropped. `top` is the number of candidates to rank per source; None: all. With `refs`, the choice and the first
    candidates get corpus scores by `metric`. `each` is called with every source; its best candidate is then kept only
    if there are references.

    >>> lists = [[("a cat", {"lm": -3, "len": 2}), ("the cat sat", {"lm": -4, "len": 3})]]
    >>> reranking = rerank(lists, {"lm": 1, "len": 1.5}, refs=["the cat sat"], metric="chrf", top=None)
    >>> reranking, reranking.texts
    (Reranking of 1 sources: reranked chrF2 100.00, first chrF2 23.86, ['the cat sat'])
    >>> [(one.text, one.score) for one in reranking.ranked[0].best]
    [('the cat sat', 0.5), ('a cat', 0.0)]
    """
    top = checked("top", top, LIMIT)
    references = None if refs is None else references_of(refs)
    metrics = [] if references is None else metrics_of(metric)
    lists = ScoredLists(
        nbest,
        None if weights is None else as_weights(weights),
        sources=None if references is None else len(references),
        known=(references and references.path) or "the list of references",
    )
    step = (progress or no_progress)("reranking")
    ranked: list[Ranked] = []
    for found in lists:
        one = Ranked.of(found, top)
        if each is not None:
            each(one)
        if each is None or references is not None:
            ranked.append(one if each is None else replace(one, best=one.best[:1]))
        if references is not None:
            step(len(ranked), len(references))
    chosen = tuple(one.chosen for one in ranked)
    how = {"chosen": "totals" if weights is None else "weights"}
    texts: dict[str, Any] = {"reranked": ([one.text for one in chosen], how)}
    texts["first"] = ([one.first for one in ranked], {"chosen": "first"})
    notes = () if lists.warning is None else (lists.warning,)
    return Reranking(chosen, scored_by(metrics, references, texts, threads), notes, ranked=tuple(ranked))
