"""Metrics that average n-gram precision and recall over orders: SIMBLEU, and the building blocks of AMBER."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..elementwise import divide, exp, maximum, minimum, where
from ..errors import SpecError
from ..parameters import Choice, Flag, Real, Whole, param
from ..spec import write
from ..tokenizers import CORE, TokenizerName
from .ngram_precision import ORDER
from .per_reference import PerReferenceMetric, nearest_length
from .text_metric import LOWERCASE, STRIP, TOKENIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from .pairwise import Group


class NgramAverages(PerReferenceMetric):
    """Shared code: clipped matches with one reference, n-grams of both sides, and their lengths."""

    family = "re-implemented from descriptions"
    order: int

    counts_characters = False  #: whether the core counts characters, too
    more_columns: tuple[str, ...] = ()  #: columns that a metric adds
    pairs_at_a_time = 1 << 20

    @cached_property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.order + 1)
        return (
            *(f"match_{n}" for n in orders),
            *(f"hyp_total_{n}" for n in orders),
            *(f"ref_total_{n}" for n in orders),
            "hyp_len",
            "ref_len",
            *self.more_columns,
        )

    @cached_property
    def counter(self) -> _native.NgramPairCounter:
        return _native.NgramPairCounter(**self.core_reading, order=self.order, characters=self.counts_characters)

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_words

        orders = range(1, self.order + 1)
        counted = [shared_words(self, groups, self.order, threads)]
        if self.counts_characters:
            reading = {"tokenizer": CORE["char"], "strip_punctuation": self.core_strip}
            counted.append(shared_words(self, groups, 0, threads, **reading))
        for words, *characters in zip(*counted, strict=True):
            lengths = [one for shared in (words, *characters) for one in (shared.of_hyps(1), shared.of_refs(1))]
            yield [*map(words.matches, orders), *map(words.of_hyps, orders), *lengths]

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        N = self.order
        c, r = pair[2 * N], pair[2 * N + 1]
        ref_totals = [maximum(r - float(n), 0.0) for n in range(N)]
        row = [*pair[: 2 * N], *ref_totals, c, r, *self.more(pair)]
        return over.best(row, -self.value(row), *nearest_length(c, r, row))

    def more(self, pair: Sequence[Any]) -> Sequence[Any]:
        """The values of `more_columns` for a pair."""
        return ()

    def precisions_and_recalls(self, row: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """p_n and r_n for n = 1..N; 0 if the denominator is 0."""
        N = self.order
        m, hyp_totals, ref_totals = row[:N], row[N : 2 * N], row[2 * N : 3 * N]
        return [*map(divide, m, hyp_totals)], [*map(divide, m, ref_totals)]


@dataclass(frozen=True, repr=False)
class SimBLEU(NgramAverages):
    """SIMBLEU: arithmetic mean of n-gram precision, recall or F (Song, Cohn & Specia 2013).

        SIMBLEU = (1/N) Σₙ xₙ        pₙ = mₙ / lₙ        rₙ = mₙ / kₙ
        Fₙ = (1 + β²) pₙ rₙ / (β² pₙ + rₙ)

    xₙ: pₙ, rₙ or Fₙ, by `part`; mₙ: clipped n-grams that hypothesis and reference share; lₙ, kₙ: n-grams of the
    hypothesis and of the reference; N: `order`; β: `beta`, used by F only. Counts are summed over segments first. There
    is no brevity penalty. With several references, each segment uses the one with the best score.

    >>> [round(float(SimBLEU(part=part, order=2).segment("the cat", "the cat sat down")), 4)
    ...  for part in ("precision", "recall", "f")]
    [1.0, 0.4167, 0.5833]

    An order longer than both texts is left out of the mean, so that a perfect translation of any length scores 1. An
    empty hypothesis or reference scores 0.

    Where others disagree. The paper studies the components of BLEU (mean, clipping, smoothing, brevity) and finds that
    the arithmetic mean works better. The name stands for a family of metrics; the exact configuration of the WMT
    submissions is not published. This is the core of the family, re-implemented from its description: clipped counts,
    no smoothing.
    """

    name = "simbleu"
    title = "SIMBLEU"
    citation = (
        "Xingyi Song, Trevor Cohn, Lucia Specia (2013): BLEU deconstructed: designing a better MT evaluation metric. "
        "CICLing. Re-implemented from descriptions of it."
    )
    choosing_parameters = ("part", "order", "beta")

    part: str = param("f", Choice(("precision", "recall", "f")), "quantity averaged over orders")
    order: int = param(4, Whole(1, 10_000), ORDER)
    beta: float = param(1.0, Real(0, high=1e100), "β of F; above 1, recall has more weight")
    tokenize: str = param("universal", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    def value(self, row: Sequence[Any]) -> Any:
        N, b = self.order, self.beta**2
        p, r = self.precisions_and_recalls(row)
        x = p if self.part == "precision" else r
        if self.part == "f":
            x = [divide((1.0 + b) * p_n * r_n, b * p_n + r_n) for p_n, r_n in zip(p, r, strict=True)]
        orders = sum(where(l + k > 0.0, 1.0, 0.0) for l, k in zip(row[N : 2 * N], row[2 * N : 3 * N], strict=True))
        return divide(sum(x), orders)

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        p, r = self.precisions_and_recalls(row)
        c, ref_length = row[3 * self.order :]
        return {"value": self.value(row), "precisions": p, "recalls": r, "hyp_len": c, "ref_len": ref_length}

    def describe(self, parts: Mapping[str, Any]) -> str:
        p, r = ("/".join(f"{100.0 * x:.1f}" for x in parts[name]) for name in ("precisions", "recalls"))
        return f"(P = {p} R = {r} hyp_len = {parts['hyp_len']:.10g} ref_len = {parts['ref_len']:.10g})"

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "beta": self.beta if self.part == "f" else "none"}


#: The penalties: the parameter with the weight, and the two columns that are compared.
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
    θ₂, α: `theta1`, `theta2`, `alpha`. The penalties are strict brevity (SBP) and strict redundancy (SRP), with minimum
    and maximum taken per segment, over lengths in words (weights w: `brevity`, `redundancy`) and in characters without
    white space (`char_brevity`, `char_redundancy`); a weight of 0 disables a penalty. With several references, each
    segment uses the one with the best score.

    >>> amber = AMBER(theta1=1, theta2=0, order=2, tokenize="none")
    >>> print(amber.segment("a b", "a b c"))
    AMBER = 36.79 (averages = 1.000 penalties = 0.607/1.000/0.607/1.000 hyp_len = 2 ref_len = 3)

    An empty hypothesis or reference scores 0.

    What is missing. These scores are not AMBER's and must not be reported as such. AMBER also has penalties for chunks,
    continuity, short and long words and word order; it averages over several variants of the texts (lower case, stems,
    words split into pieces); and it has about twenty weights tuned on human judgements. Here every penalty has weight 1
    by default. The formulas are re-implemented from descriptions.
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
        0.5, Real(0, high=1), "θ₂, the weight of F of the averages; averaged F has the weight 1 − θ₁ − θ₂"
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
        if self.theta1 + self.theta2 > 1.0:
            raise SpecError(f"{self.name}: theta1 + theta2 must not exceed 1")
        if self.recall_order > self.order:
            raise SpecError(f"{self.name}: recall_order must not exceed order, which is {self.order}")

    def more(self, pair: Sequence[Any]) -> Sequence[Any]:
        c, r, c_chars, r_chars = pair[2 * self.order :]
        return minimum(c, r), maximum(c, r), c_chars, r_chars, minimum(c_chars, r_chars), maximum(c_chars, r_chars)

    def value(self, row: Sequence[Any]) -> Any:
        return self.parts(row)["value"]

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
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
        factors = {"value": averages * math.prod(penalties), "averages": averages, "penalties": penalties}
        return {**factors, "precisions": p, "recalls": r, "hyp_len": at["hyp_len"], "ref_len": at["ref_len"]}

    def _f(self, p: Any, r: Any) -> Any:
        return divide(p * r, self.alpha * p + (1.0 - self.alpha) * r)

    def describe(self, parts: Mapping[str, Any]) -> str:
        penalties = "/".join(f"{x:.3f}" for x in parts["penalties"])
        return (
            f"(averages = {parts['averages']:.3f} penalties = {penalties} "
            f"hyp_len = {parts['hyp_len']:.10g} ref_len = {parts['ref_len']:.10g})"
        )

    def settings(self) -> dict[str, Any]:
        names = ("theta1", "theta2", "alpha", "order", "recall_order", *PENALTIES)
        return {**self.text_settings(), **{name: write(getattr(self, name)) for name in names}}
