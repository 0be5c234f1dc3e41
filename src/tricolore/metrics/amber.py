"""AMBER, the parts of it that can be computed from its description."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..elementwise import divide, exp, maximum, minimum
from ..errors import SpecError
from ..parameters import Flag, Real, Whole, param
from ..spec import write
from ..tokenizers import TokenizerName
from .ngram_averages import NgramAverages
from .ngram_precision import LOWERCASE, ORDER, STRIP, TOKENIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

#: The penalties: the parameter that is the weight, and the two columns that are compared.
PENALTIES = {
    "brevity": ("ref_len", "min_len"),
    "redundancy": ("max_len", "ref_len"),
    "char_brevity": ("ref_chars", "min_chars"),
    "char_redundancy": ("max_chars", "ref_chars"),
}


@dataclass(frozen=True, repr=False)
class AMBER(NgramAverages):
    """AMBER's building blocks: averaged n-gram scores and strict length penalties (Chen & Kuhn 2011).

        S = (θ₁ AvgP + θ₂ Fmean + (1 − θ₁ − θ₂) AvgF) · Π Penᵢ^wᵢ
        AvgP = (1/N) Σₙ pₙ        AvgR = (1/M) Σₙ rₙ        AvgF = (1/N) Σₙ F(pₙ, rₙ)
        Fmean = F(AvgP, AvgR)     F(p, r) = p r / (α p + (1 − α) r)
        SBP = exp(1 − Σ|r| / Σ min(|c|, |r|))        SRP = exp(1 − Σ max(|c|, |r|) / Σ|r|)

    pₙ, rₙ: clipped n-gram precision and recall, from counts summed over segments; N: `order`; M: `recall_order`; θ₁,
    θ₂, α: `theta1`, `theta2`, `alpha`. The penalties: strict brevity SBP and strict redundancy SRP, whose minimum and
    maximum are taken segment by segment, over the lengths in words (weights w: `brevity`, `redundancy`) and in
    characters without white space (`char_brevity`, `char_redundancy`); a weight of 0 turns a penalty off. Of several
    references each segment takes the one with the best score.

    >>> amber = AMBER(theta1=1, theta2=0, order=2, tokenize="none")
    >>> print(amber.segment("a b", "a b c"))
    AMBER = 36.79 (averages = 1.000 penalties = 0.607/1.000/0.607/1.000 hyp_len = 2 ref_len = 3)

    An empty hypothesis or reference scores 0.

    What is left out. These scores are not AMBER's, and are not to be reported as such. AMBER also has penalties
    for chunks, continuity, short and long words and word order; it averages over several variants of the texts
    (lower case, stems, words split into pieces); and it sets about twenty weights on human judgments. The
    defaults here are plain: every penalty with weight 1. The formulas are re-implemented from descriptions.
    """

    name = "amber"
    title = "AMBER"
    citation = (
        "Boxing Chen, Roland Kuhn (2011): AMBER: a modified BLEU, enhanced ranking metric. WMT. Only the parts "
        "described here, re-implemented from descriptions of it."
    )
    counts_characters = True
    more_columns = ("min_len", "max_len", "hyp_chars", "ref_chars", "min_chars", "max_chars")
    choosing_parameters = ("theta1", "theta2", "alpha", "order", "recall_order", *PENALTIES)

    theta1: float = param(0.0, Real(0, high=1), "θ₁, the weight of averaged precision")
    theta2: float = param(
        0.5, Real(0, high=1), "θ₂, the weight of F of the averages; what is left of 1 is that of averaged F"
    )
    alpha: float = param(0.9, Real(0, high=1), "α of F: the weight of recall")
    order: int = param(4, Whole(1, 10_000), ORDER)
    recall_order: int = param(1, Whole(1, 10_000), "longest n-gram of averaged recall, M; at most `order`")
    brevity: float = param(1.0, Real(0), "weight of the strict brevity penalty on words; 0 = off")
    redundancy: float = param(1.0, Real(0), "weight of the strict redundancy penalty on words; 0 = off")
    char_brevity: float = param(1.0, Real(0), "weight of the strict brevity penalty on characters; 0 = off")
    char_redundancy: float = param(1.0, Real(0), "weight of the strict redundancy penalty on characters; 0 = off")
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(True, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    def complete(self) -> None:
        """Refuse weights that exceed the whole."""
        if self.theta1 + self.theta2 > 1.0:
            raise SpecError(f"{self.name}: theta1 and theta2 must not exceed 1 together")
        if self.recall_order > self.order:
            raise SpecError(f"{self.name}: recall_order must not exceed order, which is {self.order}")

    def more(self, pair: Sequence[Any]) -> Sequence[Any]:
        c, r, c_chars, r_chars = pair[2 * self.order :]
        return (minimum(c, r), maximum(c, r), c_chars, r_chars, minimum(c_chars, r_chars), maximum(c_chars, r_chars))

    def value(self, row: Sequence[Any]) -> Any:
        averages, penalties = self._factors(row)
        return averages * math.prod(penalties)

    def _factors(self, row: Sequence[Any]) -> tuple[Any, list[Any]]:
        p, r = self.precisions_and_recalls(row)
        N, M = self.order, min(self.order, self.recall_order)
        avg_p, avg_r = sum(p) / N, sum(r[:M]) / M
        avg_f = sum(map(self._f, p, r)) / N
        rest = max(0.0, 1.0 - self.theta1 - self.theta2)
        averages = self.theta1 * avg_p + self.theta2 * self._f(avg_p, avg_r) + rest * avg_f
        at = dict(zip(self.columns[3 * N :], row[3 * N :], strict=True))
        penalties = []
        for name, (numerator, denominator) in PENALTIES.items():
            weight = getattr(self, name)
            ratio = divide(at[numerator], at[denominator], math.inf)
            penalties.append(exp(weight * (1.0 - ratio)) if weight else 1.0)
        return averages, penalties

    def _f(self, p: Any, r: Any) -> Any:
        return divide(p * r, self.alpha * p + (1.0 - self.alpha) * r)

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        averages, penalties = self._factors(row)
        p, r = self.precisions_and_recalls(row)
        return {
            "value": averages * math.prod(penalties),
            "averages": averages,
            "penalties": penalties,
            "precisions": p,
            "recalls": r,
            "hyp_len": row[3 * self.order],
            "ref_len": row[3 * self.order + 1],
        }

    def describe(self, parts: Mapping[str, Any]) -> str:
        penalties = "/".join(f"{x:.3f}" for x in parts["penalties"])
        return (
            f"(averages = {parts['averages']:.3f} penalties = {penalties} "
            f"hyp_len = {parts['hyp_len']:.10g} ref_len = {parts['ref_len']:.10g})"
        )

    def settings(self) -> dict[str, Any]:
        names = ("theta1", "theta2", "alpha", "order", "recall_order", *PENALTIES)
        return {**self.text_settings(), **{name: write(getattr(self, name)) for name in names}}
