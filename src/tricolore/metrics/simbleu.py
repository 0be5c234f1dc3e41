"""SIMBLEU."""

from __future__ import annotations

from dataclasses import dataclass

from ..elementwise import divide, where
from ..parameters import Choice, Flag, Real, Whole, param
from ..tokenizers import TokenizerName
from .ngram_averages import NgramAverages
from .ngram_precision import LOWERCASE, ORDER, STRIP, TOKENIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


@dataclass(frozen=True, repr=False)
class SimBLEU(NgramAverages):
    """SIMBLEU: arithmetic mean of n-gram precision, recall or F (Song, Cohn & Specia 2013).

        SIMBLEU = (1/N) Σₙ xₙ        pₙ = mₙ / lₙ        rₙ = mₙ / kₙ
        Fₙ = (1 + β²) pₙ rₙ / (β² pₙ + rₙ)

    xₙ: pₙ, rₙ or Fₙ, by `part`; mₙ: n-grams that hypothesis and reference share, clipped; lₙ, kₙ: n-grams of the
    hypothesis and of the reference; N: `order`; β: `beta`, of F only. Counts are summed over segments first. There is
    no brevity penalty. Of several references each segment takes the one with the best score.

    >>> [round(float(SimBLEU(part=part, order=2).segment("the cat", "the cat sat down")), 4)
    ...  for part in ("precision", "recall", "f")]
    [1.0, 0.4167, 0.5833]

    An order that is longer than both texts is left out of the mean, so that a perfect translation scores 1 however
    short it is. An empty hypothesis or reference scores 0.

    Where others disagree. The paper takes BLEU apart (mean, clipping, smoothing, brevity) and finds the arithmetic mean
    the better one; the name stands for the family, and the exact recipe of the systems of that name at WMT is
    not known here. This is the family's core, re-implemented from the description: no smoothing, clipped counts.
    """

    name = "simbleu"
    title = "SIMBLEU"
    citation = (
        "Xingyi Song, Trevor Cohn, Lucia Specia (2013): BLEU deconstructed: designing a better MT evaluation metric. "
        "CICLing. Re-implemented from descriptions of it."
    )
    choosing_parameters = ("part", "order", "beta")

    part: str = param("f", Choice(("precision", "recall", "f")), "what is averaged over orders")
    order: int = param(4, Whole(1, 10_000), ORDER)
    beta: float = param(1.0, Real(0, high=1e100), "β of F: above 1 recall weighs more")
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    def value(self, row: Sequence[Any]) -> Any:
        N = self.order
        x = self._averaged(*self.precisions_and_recalls(row))
        kept = [(l + k) > 0.0 for l, k in zip(row[N : 2 * N], row[2 * N : 3 * N], strict=True)]
        orders = sum(where(there, 1.0, 0.0) for there in kept)
        return divide(sum(x), orders)

    def _averaged(self, p: list[Any], r: list[Any]) -> list[Any]:
        if self.part == "precision":
            return p
        if self.part == "recall":
            return r
        b = self.beta**2
        return [divide((1.0 + b) * p_n * r_n, b * p_n + r_n) for p_n, r_n in zip(p, r, strict=True)]

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        p, r = self.precisions_and_recalls(row)
        c, ref_length = row[3 * self.order :]
        return {"value": self.value(row), "precisions": p, "recalls": r, "hyp_len": c, "ref_len": ref_length}

    def describe(self, parts: Mapping[str, Any]) -> str:
        p, r = ("/".join(f"{100.0 * x:.1f}" for x in parts[name]) for name in ("precisions", "recalls"))
        return f"(P = {p} R = {r} hyp_len = {parts['hyp_len']:.10g} ref_len = {parts['ref_len']:.10g})"

    def settings(self) -> dict[str, Any]:
        return {
            **self.text_settings(),
            "part": self.part,
            "order": self.order,
            "beta": self.beta if self.part == "f" else "none",
        }
