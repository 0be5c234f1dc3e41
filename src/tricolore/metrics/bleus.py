"""BLEUS."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..parameters import Choice, Flag, Whole, param, parameters
from ..tokenizers import TokenizerName
from .base import Title
from .bleu import BLEU
from .defined import Defined
from .ngram_precision import LOWERCASE, ORDER, REF_LEN, REFERENCE_LENGTHS, STRIP, TOKENIZE


@dataclass(frozen=True, repr=False)
class BLEUS(Defined):
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

    order: int = param(4, Whole(1, 10_000), ORDER)
    ref_len: str = param("closest", Choice(REFERENCE_LENGTHS), REF_LEN)
    tokenize: str = param("13a", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    @cached_property
    def definition(self) -> BLEU:
        """BLEU with smoothing 2."""
        return BLEU(smooth=2, **{field.name: getattr(self, field.name) for field in parameters(self)})
