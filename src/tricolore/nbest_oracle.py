"""Oracles: the best hypotheses of n-best lists, by any metric.

The segment oracle takes the hypothesis of each source that scores best on its own. That need not be the best choice for
the corpus score: a long hypothesis may make up for a short one elsewhere. The corpus oracle changes one hypothesis at a
time, round after round, as long as the corpus score improves. This is a local optimum: no single change would improve
it, but several at a time might. Finding the global optimum is intractable for BLEU.
"""

import numpy as np
from numpy.typing import NDArray

from .candidates import Candidates
from .features import Floats, Indices
from .metrics.base import Metric

#: Relative gains up to this are rounding errors.
SAME = 1e-12
#: Passes over the sources, at most.
ROUNDS = 100


def segment_oracle(candidates: Candidates, metric: Metric, *, worst: bool = False) -> Indices:
    """The hypothesis of each source that scores best on its own (`worst`: worst); ties go to the first.

    A hypothesis without a score (nan) is chosen only where all have none.

    >>> from tricolore import BLEU
    >>> from tricolore.candidates import Candidates
    >>> candidates = Candidates.of([(["a dog", "the cat", "cat"], np.eye(3))], ["the cat"])
    >>> [segment_oracle(candidates, BLEU(order=1), worst=worst).tolist() for worst in (False, True)]
    [[1], [0]]
    """
    gains = candidates.gains(metric)
    return candidates.best_by(-gains if worst else gains)


def corpus_oracle(
    candidates: Candidates, metric: Metric, *, alone: Metric | None = None, worst: bool = False
) -> Indices:
    """One hypothesis per source, such that the corpus score is high (`worst`: low). Greedy, see above.

    It starts from the segment oracle (by `alone`, or by the metric itself) or from the first hypotheses, whichever is
    better, and is never worse than either.

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
    for _ in range(ROUNDS):
        changed = search.round(found)
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
        return float(self.values(self.rows[texts].sum(axis=0)[None])[0])

    def values(self, totals: Floats) -> Floats:
        values = self.sign * np.asarray(self.metric.score(totals))
        return np.where(np.isnan(values), -np.inf, values)

    def round(self, texts: NDArray[np.int32]) -> NDArray[np.int32]:
        """Go through the sources once, taking for each the text that is best together with all others."""
        texts = texts.copy()
        total = self.rows[texts].sum(axis=0)
        for source in range(len(texts)):
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
        return texts
