"""BLEU with a strict brevity penalty."""

from __future__ import annotations

from dataclasses import dataclass

from ..elementwise import divide, exp, where
from ..parameters import Choice, param
from .ngram_precision import REF_LEN, REFERENCE_LENGTHS, NgramPrecision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


@dataclass(frozen=True, repr=False)
class BLEUSBP(NgramPrecision):
    """BLEU-SBP: BLEU with a strict brevity penalty (Chiang et al. 2008, eq. 4).

        BP = φ(Σᵢ min(cᵢ, rᵢ) / Σᵢ rᵢ)        φ(x) = exp(1 − 1/x), φ(0) = 0

    cᵢ, rᵢ: length of segment i and of its references (`ref_len`). A long segment can no longer pay for a short
    one. All else is BLEU. Where all references are empty the penalty is 1.

    >>> from tricolore import BLEU
    >>> hyps, refs = ["a b c d x y", "a b"], ["a b c d", "a b c d"]
    >>> [round(float(metric(hyps, refs)), 4) for metric in (BLEUSBP(order=1), BLEU(order=1))]
    [0.5374, 0.75]

    `ref_len` is `shortest` by default: with it (and with `average`) the sum of rᵢ does not depend on the system,
    which is what the paper wants from its weights.
    """

    name = "bleu-sbp"
    title = "BLEU-SBP"
    citation = (
        "David Chiang, Steve DeNeefe, Yee Seng Chan, Hwee Tou Ng (2008): Decomposability of translation metrics "
        "for improved evaluation and efficient algorithms. EMNLP."
    )
    counts_clipped_length = True
    counts_as = "bleu"

    ref_len: str = param("shortest", Choice(REFERENCE_LENGTHS), REF_LEN)

    def brevity_penalty(self, c: Any, r: Any, row: Sequence[Any]) -> Any:
        x = divide(row[-1], r, 1.0)
        return where(x == 0.0, 0.0, exp(1.0 - divide(1.0, x, 1.0)))
