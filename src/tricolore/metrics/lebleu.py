"""LeBLEU: n-grams that match by letter edits."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .. import _native
from ..elementwise import divide, exp, log, minimum, where
from ..errors import SpecError
from ..parameters import Choice, Flag, OrNone, Real, Whole, param
from .per_reference import PerReferenceMetric, nearest_length
from .text_metric import LOWERCASE

LIMIT = (
    "n-grams sampled from a long text: `limit`/N evenly spaced start positions of the hypothesis, `limit`/2N of the "
    "reference; none = all"
)
SMOOTH = "give an order without a hit 1/2ᵏ hits, k = 1 for the first such order, increasing with every order after it"


@dataclass(frozen=True, repr=False)
class LeBLEU(PerReferenceMetric):
    """LeBLEU: BLEU with n-grams that match by letter edits, across word boundaries (Virpioja & Grönroos 2015).

        LeBLEU = min(1, exp(1 − R/C)) · mean over n of hₙ / lₙ

        hₙ = Σ over n-grams h of the hypothesis of max over g of sim(h, g)        sim = 1 − d(h, g) / max(|h|, |g|)

    d: letter edits (Levenshtein) between n-grams written with single spaces; g: n-grams of the reference, of orders
    1..2N, so that a compound matches its parts; sim below `threshold` counts as 0. An n-gram that occurs m times uses
    its m best matches, each at most as often as it occurs in the reference; different n-grams may use the same match.
    lₙ: n-grams of the hypothesis; n = 1..N = `order`; orders without n-grams are left out of the (arithmetic) mean;
    C, R: characters of hypothesis and reference. All are summed over segments first.

    A compound split in the wrong place, where plain BLEU finds no match:

    >>> round(float(LeBLEU(order=1)(["Arbeits Geberverband"], ["Arbeitgeberverband"])), 4)
    0.3056

    Text is split at white space and not changed otherwise. In a text of more than 2000/N words, n-grams are sampled
    (`limit`), as in the authors' program, which also samples references (`sample_ref`) although the paper does not say
    so. With several references, each segment uses the one with the best score; ties go to the one nearest in length. An
    empty hypothesis, or one without a similar n-gram, scores 0. Token ids are treated as letters.

    Where others disagree. The authors' program fails if a word is repeated more often than there are n-grams in the
    reference, and if a reference is empty; here there are simply no more matches.
    """

    name = "lebleu"
    title = "LeBLEU"
    family = "characters"
    citation = (
        "Sami Virpioja, Stig-Arne Grönroos (2015): LeBLEU: N-gram-based translation evaluation score for "
        "morphologically complex languages. WMT."
    )
    pairs_are_rows = True
    batch_size = 512
    tokenize = "none"
    strip_punctuation = False
    choosing_parameters = ("mean", "smooth")

    order: int = param(4, Whole(1, 1000), "longest n-gram of the hypothesis, N")
    threshold: float = param(0.4, Real(0, high=1), "minimum similarity that counts")
    limit: int | None = param(2000, OrNone(Whole(2, 1_000_000_000)), LIMIT)
    sample_ref: bool = param(True, Flag(), "apply the limit to references, too")
    mean: str = param("arithmetic", Choice(("arithmetic", "geometric")), "mean over orders")
    smooth: bool = param(False, Flag(), SMOOTH)
    lowercase: bool = param(False, Flag(), LOWERCASE)

    def complete(self) -> None:
        if self.limit is not None and self.limit < 2 * self.order:
            raise SpecError(f"{self.name}: limit must be at least 2 * order = {2 * self.order}; got {self.limit}")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.order + 1)
        return (*(f"hits_{n}" for n in orders), *(f"total_{n}" for n in orders), "hyp_chars", "ref_chars")

    @cached_property
    def counter(self) -> _native.FuzzyCounter:
        return _native.FuzzyCounter(
            order=self.order, threshold=self.threshold, limit=self.limit or 0, sample_reference=self.sample_ref
        )

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        return over.best(pair, -self.value(pair), *nearest_length(pair[-2], pair[-1], pair))

    def value(self, row: Sequence[Any]) -> Any:
        return self.parts(row)["value"]

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        hits, totals = list(row[: self.order]), row[self.order : 2 * self.order]
        c, r = row[2 * self.order], row[2 * self.order + 1]
        if self.smooth:
            hits = smoothed(hits)
        p = [divide(h, l) for h, l in zip(hits, totals, strict=True)]
        there = [l > 0.0 for l in totals]
        orders = sum(where(is_there, 1.0, 0.0) for is_there in there)
        geometric = self.mean == "geometric"
        terms = [*map(log, p)] if geometric else p
        mean = divide(sum(where(is_there, term, 0.0) for is_there, term in zip(there, terms, strict=True)), orders)
        mean = where(orders == 0.0, 0.0, exp(mean) if geometric else mean)
        penalty = where(c == 0.0, 0.0, exp(minimum(0.0, 1.0 - divide(r, c, math.inf))))
        factors = {"value": penalty * mean, "precisions": p, "penalty": penalty, "mean_precision": mean}
        return {**factors, "hyp_chars": c, "ref_chars": r}

    def describe(self, parts: Mapping[str, Any]) -> str:
        precisions = "/".join(f"{100 * p:.1f}" for p in parts["precisions"])
        return (
            f"{precisions} (BP = {parts['penalty']:.3f} hyp_chars = {parts['hyp_chars']:.10g} "
            f"ref_chars = {parts['ref_chars']:.10g})"
        )


def smoothed(hits: list[Any]) -> list[Any]:
    """Give an order without a hit 1/2ᵏ hits; k is 1 for the first such order and increases with every order after it.

    >>> smoothed([3.0, 0.0, 1.0, 0.0])
    [3.0, 0.5, 1.0, 0.125]
    """
    k: Any = 0.0
    result = []
    for h in hits:
        k = where((k > 0.0) | (h == 0.0), k + 1.0, k)
        result.append(where(h == 0.0, 0.5**k, h))
    return result
