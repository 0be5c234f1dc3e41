"""GLEU: precision and recall over n-grams of all orders together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..elementwise import divide, maximum, where
from ..errors import SpecError
from ..parameters import Flag, Whole, param
from ..tokenizers import TokenizerName
from .ngram_precision import ORDER
from .per_reference import PerReferenceMetric
from .text_metric import LOWERCASE, STRIP, TOKENIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .pairwise import Group


@dataclass(frozen=True, repr=False)
class GLEU(PerReferenceMetric):
    """GLEU: the lesser of precision and recall over n-grams of all orders (Wu et al. 2016, sec. 6).

        GLEU = min(m / |g(c)|, m / |g(r)|) = Σ m / Σ max(|g(c)|, |g(r)|)

    g: all n-grams of a text, n = `min_order`..`order`; m: clipped n-grams that the hypothesis c and the reference r
    share; both sums are over segments. With several references, the one with the best ratio counts (ties go to the
    first). If neither text has an n-gram, the score is 0. GLEU was designed as a reward for single sentences; it is
    unrelated to the GLEU of grammatical error correction.

    >>> hyp, ref = "the the the the the the the", "the cat is on the mat"
    >>> print(GLEU()([hyp], [ref]))
    GLEU = 9.09 (match = 2 total = 22)

    NLTK's `sentence_gleu` and `corpus_gleu` give the same scores on the same tokens.
    """

    name = "gleu"
    title = "GLEU"
    family = "n-gram precision"
    citation = (
        "Yonghui Wu, Mike Schuster, Zhifeng Chen et al. (2016): Google's neural machine translation system: bridging "
        "the gap between human and machine translation. arXiv:1609.08144."
    )
    columns = ("match", "total")
    pairs_at_a_time = 1 << 20
    averages_references = True

    order: int = param(4, Whole(1, 10_000), ORDER)
    min_order: int = param(1, Whole(1, 10_000), "shortest n-gram")
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    def complete(self) -> None:
        if self.min_order > self.order:
            raise SpecError(f"gleu: min_order must be at most order; got {self.min_order} and {self.order}")

    @cached_property
    def counter(self) -> _native.OverlapCounter:
        return _native.OverlapCounter(
            **self.core_reading, overlaps=[_native.Overlap.ngrams(lowest=self.min_order, highest=self.order)]
        )

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_words

        orders = range(self.min_order, self.order + 1)
        for shared in shared_words(self, groups, self.order, threads):
            yield [sum(map(of, orders)) for of in (shared.matches, shared.of_hyps, shared.of_refs)]

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        m, hyp, ref = pair
        total = maximum(hyp, ref)  # if 0, the reference comes last
        return over.best((m, total), where(total == 0.0, 1.0, -divide(m, total)))

    def value(self, row: Sequence[Any]) -> Any:
        return divide(row[0], row[1])
