"""Tolerant BLEU."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import _native
from ..parameters import Real, Whole, fixed, param
from .base import BATCH
from .ngram_precision import SCORING, NgramPrecision
from .per_reference import PerReferenceMetric, nearest_length


@dataclass(frozen=True, repr=False)
class TolerantBLEU(PerReferenceMetric, NgramPrecision):
    """Tolerant BLEU: BLEU after similar words have been aligned (Libovický & Pecina 2014).

        tBLEU = BP · exp Σₙ wₙ ln pₙ        pₙ = Σ (1 − d̄(g)) / lₙ
        d(a, b) = min (Lev(prefixes) + Lev(suffixes)) / max(|a|, |b|)

    Words of the hypothesis are aligned one to one with words of the reference at the lowest total distance d; words at
    a distance of at most `threshold` are replaced by the word of the reference. g: n-grams of the modified hypothesis
    that occur in the reference, clipped, the nearest first; d̄: the mean distance of its words from their replacements;
    lₙ, BP and the parameters of smoothing and weights are as in BLEU. d is the minimum, over all common substrings of
    two words, of the edits before and after it; at most 1, which is also the distance of words without a common
    character. With `threshold=0` and one reference it is BLEU. With several references, each segment uses the one with
    the best score; ties go to the one nearest in length.

    >>> print(TolerantBLEU(order=2).segment("she walked home", "she walks home"))
    tBLEU = 86.07 88.9/83.3 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)
    >>> from tricolore import BLEU
    >>> print(BLEU(order=2).segment("she walked home", "she walks home"))
    BLEU = 40.82 66.7/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)

    An empty hypothesis scores 0. Token ids match only if they are equal.

    What is uncertain. This is re-implemented from descriptions, which specify the alignment at minimum cost under a
    relative edit distance of prefixes and suffixes around an equal middle, the replacement, and a penalty for n-grams
    in proportion to the distance. They leave open which common middle is used (here the best), the normalisation of the
    distance, the threshold, and how the penalty is averaged (here over words). So scores may differ from the authors'.
    Equal words are aligned first, in order; minimum cost alone nearly always gives the same result. If more than
    `assign` words of either text then remain, none of them is aligned, because the time grows with their cube.

    Several alignments may have the lowest total distance, and their scores may differ. Of these, the one with the
    smallest sum of |i − j| is used, i and j the places of aligned words in their texts; if several are left, the one
    that comes first: the first word of the hypothesis is aligned with the earliest word of the reference that allows
    it, or if none does, not at all; then the second word, and so on. Sums of distances are compared as exact
    fractions, which are rounded only if they do not fit into 64 bits.
    """

    name = "tbleu"
    title = "tBLEU"
    family = "re-implemented from descriptions"
    citation = (
        "Jindřich Libovický, Pavel Pecina (2014): Tolerant BLEU: a submission to the WMT14 metrics task. WMT. "
        "Re-implemented from descriptions of it."
    )
    pairs_are_rows = True
    pairs_at_a_time = BATCH  # unlike other BLEUs, texts are read for every pair
    averages_references = False
    scoring_parameters = ()
    choosing_parameters = SCORING

    ref_len: str = fixed("closest")  #: there is only one reference at a time
    threshold: float = param(
        0.5, Real(0, high=1), "maximum distance at which a word replaces another; 0 = equal words only"
    )
    assign: int = param(
        400, Whole(0, 5000), "maximum number of unmatched words in either text for which similar words are aligned"
    )

    @cached_property
    def counter(self) -> _native.TolerantCounter:  # type: ignore[override]
        return _native.TolerantCounter(
            **self.core_reading,
            match_orders=self.match_orders,
            total_orders=self.order,
            threshold=self.threshold,
            assign=self.assign,
        )

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        return over.best(pair, -self.for_segments.value(pair), *nearest_length(pair[-2], pair[-1], pair))

    def counted_with(self, name: str) -> Any:
        return self.for_segments.short if name == "short" else super().counted_with(name)

    def settings(self) -> dict[str, Any]:
        settings = super().settings()
        del settings["ref_len"]
        return {**settings, "threshold": self.threshold, "assign": self.assign}
