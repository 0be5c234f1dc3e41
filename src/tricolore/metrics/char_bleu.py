"""Character BLEU."""

from __future__ import annotations

from dataclasses import dataclass

from ..parameters import Whole, fixed, param
from .ngram_precision import ORDER, SMOOTH, SMOOTHINGS, NgramPrecision


@dataclass(frozen=True, repr=False)
class CharBLEU(NgramPrecision):
    """Character BLEU: BLEU over characters instead of words (Denoual & Lepage 2005).

        charBLEU = BP · (Πₙ pₙ)^(1/N)        n-grams of characters, N = `order`

    A token is a code point; runs of white space count as one space, an ordinary character. Orders are in
    characters, 18 in the paper, so short texts score 0 unless smoothed. All else is BLEU. No word segmentation
    is needed, so it compares output in Chinese, Japanese or Thai as it does in English.

    >>> round(float(CharBLEU(order=4)(["and saw", "house"], ["and saw", "in"])), 4)
    0.618
    """

    name = "char-bleu"
    title = "charBLEU"
    citation = (
        "Etienne Denoual, Yves Lepage (2005): BLEU in characters: towards automatic MT evaluation in languages "
        "without word delimiters. IJCNLP."
    )
    counts_as = "bleu"

    order: int = param(18, Whole(1, 10_000), ORDER + ", in characters")
    smooth: str | int = param("none", SMOOTHINGS, SMOOTH)
    tokenize: str = fixed("char+space")
