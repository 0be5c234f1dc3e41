"""Oracles: the best that could be chosen from n-best lists, by any metric.

Segment by segment, every source has the hypothesis that scores best alone. For a metric of the whole corpus that is not
the best choice: a short hypothesis may be made good by a long one elsewhere. The choice for the corpus is found by
changing one hypothesis at a time, round after round, as long as the corpus score gets better. It is a local optimum:
no other choice for any one source would be better, but there may be better ones for several at a time. Finding the best
of all is out of reach for BLEU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from .candidates import Candidates
    from .features import Floats, Indices
    from .metrics.base import Metric

#: A gain that is smaller in proportion is none: sums may be off by their last digit.
SAME = 1e-12


def segment_oracle(candidates: Candidates, metric: Metric, *, worst: bool = False) -> Indices:
    """The hypothesis of every source that scores best alone, the first of equals; with `worst`, the worst.

    A hypothesis without a score (nan) is never chosen where there is another.

    >>> from tricolore import BLEU
    >>> from tricolore.candidates import Candidates
    >>> candidates = Candidates.of([(["a dog", "the cat", "cat"], np.eye(3))], ["the cat"])
    >>> [segment_oracle(candidates, BLEU(order=1), worst=worst).tolist() for worst in (False, True)]
    [[1], [0]]
    """
    gains = candidates.gains(metric)
    return candidates.best_by(-gains if worst else gains)


def corpus_oracle(
    candidates: Candidates,
    metric: Metric,
    *,
    alone: Metric | None = None,
    worst: bool = False,
    rounds: int = 100,
    progress: Callable[[int, int], None] | None = None,
) -> Indices:
    """One hypothesis a source such that the corpus scores well; with `worst`, badly. Greedy, see above.

    It begins with what is best segment by segment (by `alone`, or by the metric itself) or with the first hypotheses,
    whichever is better, and is never worse than either. `rounds` is how often to go through the sources at most;
    `progress` is called with the sources seen in a round and with all.

    >>> from tricolore import BLEU
    >>> from tricolore.candidates import Candidates
    >>> lists = [(["a b", "a b c d"], np.eye(2)), (["x y", "x y z w"], np.eye(2))]
    >>> candidates = Candidates.of(lists, ["a b c", "x y z w"])
    >>> corpus_oracle(candidates, BLEU(order=2, tokenize="none")).tolist()
    [1, 3]
    """
    search = _Search(candidates, metric, worst)
    starts = (segment_oracle(candidates, alone or metric, worst=worst), candidates.starts[:-1])
    found = max((search.text_of[start] for start in starts), key=search.value)
    for _ in range(rounds):
        changed = search.round(found, progress)
        if not search.value(changed) > search.value(found):
            break
        found = changed
    best = max((search.first_with[found], *starts), key=lambda chosen: search.value(search.text_of[chosen]))
    return np.asarray(best, dtype=np.int64)


class _Search:
    """Changes the choice of one source at a time."""

    def __init__(self, candidates: Candidates, metric: Metric, worst: bool):
        self.rows = candidates.rows(metric)
        self.metric = candidates.ready(metric)
        self.sign = -1.0 if metric.higher_is_better == worst else 1.0
        self.text_of = candidates.text_of
        self.text_starts = candidates.text_starts.tolist()
        self.first_with = np.zeros(len(candidates.texts), np.int64)  # the first hypothesis with each text
        self.first_with[candidates.text_of[::-1]] = np.arange(len(candidates))[::-1]

    def value(self, texts: NDArray[np.int32]) -> float:
        """The score of a choice of texts, more for better."""
        return float(self.values(self.rows[texts].sum(axis=0)[None])[0])

    def values(self, totals: Floats) -> Floats:
        """The scores of some sums of statistics, more for better."""
        values = self.sign * np.asarray(self.metric.score(totals))
        return np.where(np.isnan(values), -np.inf, values)  # what has no score is worse than all that has one

    def round(self, texts: NDArray[np.int32], progress: Callable[[int, int], None] | None) -> NDArray[np.int32]:
        """Go through the sources once, taking for each what is best beside all others."""
        texts, sources = texts.copy(), len(texts)
        total = self.rows[texts].sum(axis=0)
        for source in range(sources):
            first, last = self.text_starts[source], self.text_starts[source + 1]
            now = int(texts[source])
            if last - first > 1:
                others = total - self.rows[now]
                values = self.values(self.rows[first:last] + others)
                best = int(np.argmax(values))
                before = values[now - first]
                if values[best] > before + SAME * abs(before) or before == -np.inf < values[best]:
                    texts[source] = first + best
                    total = others + self.rows[first + best]
            if progress is not None:
                progress(source + 1, sources)
        return texts
