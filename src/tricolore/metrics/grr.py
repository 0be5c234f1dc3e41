"""4-GRR: word recognition rate over n-grams."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import _native
from ..elementwise import divide, where
from ..parameters import Choice, Flag, Real, Whole, param
from ..tokenizers import TokenizerName
from .base import Title
from .ngram_precision import ORDER
from .per_reference import PerReferenceMetric
from .text_metric import LOWERCASE, STRIP, TOKENIZE


@dataclass(frozen=True, repr=False)
class GRR(PerReferenceMetric):
    """4-GRR: n-gram recognition rate, a cross between BLEU and word error rate (Chiang et al. 2008, eq. 6).

        4-GRR = Σ max (Σₖ Mₖ − αI − βD) / Σ Σₖ |gₖ(r)|        k = 1..N

    The maximum is over alignments of the hypothesis c with the reference r by matches, substitutions, insertions (I)
    and deletions (D), as in word error rate; Mₖ: k-grams of consecutive matches; |gₖ(r)|: k-grams of the reference;
    N: `order`; α: `alpha`; β: `beta`. The outer sums are over segments, so that with one reference, a better score of
    a segment always means a better score of the corpus.

    >>> grr = GRR()
    >>> [round(float(grr.segment(hyp, "a b c d e")), 4) for hyp in ("a b c d e", "a b x d e", "a b x c d e")]
    [1.0, 0.4286, 0.5714]

    The reference has 5 + 4 + 3 + 2 n-grams. The substitution leaves 4 words and 2 bigrams, 6/14; the insertion leaves
    5 words, 3 bigrams and a trigram, and costs 1, which gives 8/14.

    With order 1 it is the word recognition rate, 1 − WER:

    >>> print(GRR(order=1).segment("a b x d", "a b c d"))
    1-GRR = 75.00 (numerator = 3 denominator = 4)

    The score may be negative, because insertions cost even if nothing matches.

    >>> float(grr.segment("x y z", "a"))
    -2.0

    An empty hypothesis has the numerator −β|r|; an empty reference has the numerator −α|c| and the denominator 0. If
    all references are empty, the score is 0. With α < 0, which the paper tries, insertions are rewarded without bound.

    The paper defines the metric for one reference. With several (`multi_ref`), the one with the best ratio counts, or
    the numerators and denominators of all are added, so that a segment has the same weight for every system. An empty
    reference has no ratio: it counts only if all are empty.
    """

    name = "grr"
    family = "runs of words"
    title = Title("4-GRR", lambda metric: f"{metric.order}-GRR")
    citation = (
        "David Chiang, Steve DeNeefe, Yee Seng Chan, Hwee Tou Ng (2008): Decomposability of translation metrics for "
        "improved evaluation and efficient algorithms. EMNLP."
    )
    columns = ("numerator", "denominator")
    pairs_are_rows = True
    batch_size = 256  # time grows with the square of the length

    order: int = param(4, Whole(1, 100), ORDER)
    alpha: float = param(1.0, Real(-1e100, high=1e100), "cost of an inserted word")
    beta: float = param(0.0, Real(-1e100, high=1e100), "cost of a deleted word")
    multi_ref: str = param(
        "max",
        Choice(("max", "pool")),
        "with several references: max = the one with the best ratio (ties go to the one with more n-grams), "
        "pool = the sum over all",
    )
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    @cached_property
    def counter(self) -> _native.RecognitionCounter:
        return _native.RecognitionCounter(**self.core_reading, order=self.order, alpha=self.alpha, beta=self.beta)

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        numerator, denominator = pair
        if self.multi_ref == "pool":
            return over.total(numerator), over.total(denominator)
        # An empty reference has no ratio, and counts only if all are empty.
        ratio = where(denominator == 0.0, -math.inf, divide(numerator, denominator))
        return over.best(pair, -ratio, -denominator)

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[0], row[1])
