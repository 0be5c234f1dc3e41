"""Tolerant BLEU."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..parameters import Real, Whole, fixed, param
from .base import BATCH
from .ngram_precision import SCORING, NgramPrecision
from .per_reference import PerReferenceMetric, nearest_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


@dataclass(frozen=True, repr=False)
class TolerantBLEU(PerReferenceMetric, NgramPrecision):
    """Tolerant BLEU: BLEU after similar words have been aligned (Libovický & Pecina 2014).

        tBLEU = BP · exp Σₙ wₙ ln pₙ        pₙ = Σ (1 − d̄(g)) / lₙ
        d(a, b) = min (Lev(prefixes) + Lev(suffixes)) / max(|a|, |b|)

    Words of the hypothesis are aligned one to one with words of the reference at the least total distance d; those
    at most `threshold` apart are replaced by the word of the reference. g: n-grams of the hypothesis so changed that
    are in the reference, each at most as often as there, the nearest first; d̄: the mean distance of its words from
    what replaces them; lₙ, BP and all parameters of smoothing and weights as in BLEU. d is the least, over all
    substrings that two words have in common, of the edits before it and after it; 1 for words without a character in
    common, and never more. With `threshold=0` and one reference it is BLEU. Of several references each segment takes
    the one with the best score, of equals the one nearest in length.

    >>> print(TolerantBLEU(order=2).segment("she walked home", "she walks home"))
    tBLEU = 86.07 88.9/83.3 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)
    >>> from tricolore import BLEU
    >>> print(BLEU(order=2).segment("she walked home", "she walks home"))
    BLEU = 40.82 66.7/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)

    An empty hypothesis scores 0. Token numbers have no spelling: they are equal or not.

    What is uncertain. This is re-implemented from descriptions, which give: the alignment at least cost under a
    relative edit distance of prefixes and suffixes around an equal middle, the replacement, and a penalty for
    n-grams in proportion to the distance. Choices made here are: which common middle is taken (the best), what the
    distance is divided by, the threshold, and that the penalty is a mean over words. So scores need not equal the
    authors'. Equal words are aligned with each other before all others, in the order in which they stand; least
    cost alone nearly always does the same. Where more than `assign` words of either text are left then, none of
    these is aligned, because the time for that grows with their cube.
    """

    name = "tbleu"
    title = "tBLEU"
    family = "re-implemented from descriptions"
    citation = (
        "Jindřich Libovický, Pavel Pecina (2014): Tolerant BLEU: a submission to the WMT14 metrics task. WMT. "
        "Re-implemented from descriptions of it."
    )
    pairs_are_rows = True
    pairs_at_a_time = BATCH  # not as other BLEUs, whose texts are read once
    averages_references = False
    scoring_parameters = ()
    choosing_parameters = SCORING

    ref_len: str = fixed("closest")  #: there is only one reference at a time
    threshold: float = param(
        0.5, Real(0, high=1), "the greatest distance at which a word replaces another; 0 = equal words only"
    )
    assign: int = param(
        400, Whole(0, 5000), "words of either text, equal ones aside, beyond which no similar words are looked for"
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
        """The value of a parameter as rows know it; references are chosen by segment-level scores."""
        return self.for_segments.short if name == "short" else super().counted_with(name)

    def settings(self) -> dict[str, Any]:
        settings = super().settings()
        del settings["ref_len"]
        return {**settings, "threshold": self.threshold, "assign": self.assign}
