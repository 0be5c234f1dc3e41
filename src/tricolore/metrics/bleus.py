"""BLEUS."""

from __future__ import annotations

from dataclasses import dataclass

from ..parameters import fixed
from .base import Title
from .ngram_precision import NgramPrecision


@dataclass(frozen=True, repr=False)
class BLEUS(NgramPrecision):
    """BLEUS: BLEU with one added to matches and totals of orders above 1 (Lin & Och 2004, section 4).

        p₁ = m₁ / l₁        pₙ = (mₙ + 1) / (lₙ + 1) for n ≥ 2

    It is `bleu(smooth=2)`: candidates shorter than n words still get a score above 0, candidates without a
    matching word get 0. The paper uses orders 1 to 9, one segment at a time.

    >>> bleus = BLEUS(tokenize="none")
    >>> round(float(bleus.segment("police killed", "police killed the gunman")), 4)
    0.3679
    >>> float(bleus.segment("x y z", "police killed the gunman"))
    0.0
    """

    name = "bleus"
    title = Title("BLEUS", lambda metric: f"BLEUS{metric.order}")
    citation = (
        "Chin-Yew Lin, Franz Josef Och (2004): ORANGE: a method for evaluating automatic evaluation metrics for "
        "machine translation. COLING."
    )

    counts_as = "bleu"

    smooth: str | int = fixed(2)
    epsilon: float = fixed(0.1)
    add: float = fixed(1.0)
    k: float = fixed(5.0)
    alpha: float = fixed(5.0)
    weights: tuple[float, ...] | None = fixed(None)
    mean: str = fixed("geometric")
    short: str | None = fixed(None)
    zero_if_no_unigram: bool | None = fixed(None)
