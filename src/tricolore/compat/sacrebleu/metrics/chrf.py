"""sacreBLEU's chrF."""

from __future__ import annotations

from functools import cached_property

from ....metrics.chrf import EPS, ChrF
from .base import Metric, Score, Signature, native_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class CHRFSignature(Signature):
    """The signature of chrF."""

    def __init__(self, args: dict[str, Any]):
        super().__init__(args)
        self.add(
            {
                "case": ("c", "lc" if args["lowercase"] else "mixed"),
                "eff": ("e", "no" if args["eps_smoothing"] else "yes"),
                "nc": ("nc", args["char_order"]),
                "nw": ("nw", args["word_order"]),
                "space": ("s", "yes" if args["whitespace"] else "no"),
            }
        )


class CHRFScore(Score):
    """chrF with its orders and β, which are in its name."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int):
        super().__init__(f"chrF{beta}{'+' * word_order}", score)
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order


class CHRF(Metric):
    """chrF with sacreBLEU's parameters; chrF++ is `word_order=2`. `references` are kept for calls without any.

    >>> CHRF(word_order=2).corpus_score(["the cat sat on the mat"], [["the cat is on the mat"]])
    chrF2++ = 66.36
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ):
        super().__init__()
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        if references is not None:
            self.cache_references(references)

    @cached_property
    def native(self) -> ChrF:
        return native_metric(
            ChrF,
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=bool(self.lowercase),
            whitespace=bool(self.whitespace),
            eps_smoothing=bool(self.eps_smoothing),
        )

    def score_row(self, row: Sequence[float]) -> CHRFScore:
        score = self._mean_of_f_scores(row) if self.eps_smoothing else self._f_of_means(row)
        return CHRFScore(score, self.char_order, self.word_order, self.beta)

    def _f_of_means(self, row: Sequence[float]) -> float:
        """100 · F of the mean precision and the mean recall, over the orders that both sides have."""
        p = r = 0.0
        orders = 0
        for hyp, ref, match in zip(row[::3], row[1::3], row[2::3], strict=True):
            if hyp > 0 and ref > 0:
                p += match / hyp
                r += match / ref
                orders += 1
        if not p + r:
            return 0.0
        p, r, factor = p / orders, r / orders, self.beta**2
        score = (1 + factor) * p * r
        score /= (factor * p) + r
        return 100 * score

    def _mean_of_f_scores(self, row: Sequence[float]) -> float:
        """100 · the mean of the F-scores of all orders; an undefined ratio is 1e-16."""
        total, factor = 0.0, self.beta**2
        for hyp, ref, match in zip(row[::3], row[1::3], row[2::3], strict=True):
            p = match / hyp if hyp > 0 else EPS
            r = match / ref if ref > 0 else EPS
            below = factor * p + r
            total += (1 + factor) * p * r / below if below > 0 else EPS
        return 100 * total / self.order
