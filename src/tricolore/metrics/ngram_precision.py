"""Clipped n-gram precisions and their parameters, shared by BLEU and its variants."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import mul, truediv

from .. import _native
from ..elementwise import all_positive, divide, exp, log, minimum, power, where
from ..errors import SpecError
from ..parameters import Choice, Flag, Real, Weights, Whole, implied, param
from ..spec import write
from ..tokenizers import TokenizerName
from . import smoothing
from .text_metric import LOWERCASE, STRIP, TOKENIZE, TextMetric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from .pairwise import Group

REFERENCE_LENGTHS = ("closest", "shortest", "average")
SMOOTHINGS = Choice((*smoothing.SACREBLEU_NAMES, *smoothing.METHODS), aliases=tuple(smoothing.NAMES.items()))

#: Parameters that do not change counts; longer n-grams, and smoothing 5 and 7, only add columns.
SCORING: tuple[str, ...] = (
    "order", "smooth", "epsilon", "add", "k", "alpha", "weights", "mean", "short", "zero_if_no_unigram",
)  # fmt: skip

ORDER = "longest n-gram, N"
SMOOTH = (
    "smoothing of orders without a match: 0 to 7 as numbered by Chen & Cherry, or sacreBLEU's names "
    "(none = 0, floor = 1, add-k = 2, exp = 3). The names imply sacreBLEU's `short` and `zero_if_no_unigram`, the "
    "numbers those of the paper; 4 to 7 are also called length, average, interpolate and length-average"
)
REF_LEN = (
    "reference length with several references: closest to the hypothesis (ties go to the shorter), shortest, "
    "or average (not rounded)"
)
SHORT = (
    "treatment of orders longer than the hypothesis: zero = precision 0, floor1 = divide by 1 instead of 0 (the paper, "
    "NLTK), mteval = precision 1, effective = leave the order out, auto = as sacreBLEU: zero for a corpus, effective "
    "for single segments. No effect with smoothing 2, which adds to the n-grams of every order above 1"
)


def ngram_counter(
    metric: TextMetric, ref_len: str, matches: int, totals: int, *, clipped: bool = False, information: Any = None
) -> _native.NgramCounter:
    """The core's counter of n-grams, for `matches` orders of matches and `totals` orders of hypothesis n-grams."""
    return _native.NgramCounter(
        **metric.core_reading,
        match_orders=matches,
        total_orders=totals,
        reference_length=REFERENCE_LENGTHS.index(ref_len),
        clipped_length=clipped,
        information=information,
    )


@dataclass(frozen=True, repr=False, eq=False, init=False)  # abstract: only final classes need these
class BLEUParameters(TextMetric):
    """The parameters of BLEU and its variants."""

    family = "n-gram precision"

    order: int = param(4, Whole(1, 10_000), ORDER)
    smooth: str | int = param("exp", SMOOTHINGS, SMOOTH)
    epsilon: float = param(0.1, Real(0), "pseudo-count of smoothing 1 (floor)")
    add: float = param(1.0, Real(0), "constant that smoothing 2 (add-k) adds")
    k: float = param(5.0, Real(0, above=True), "K of smoothing 4 and 7")
    alpha: float = param(5.0, Real(0, above=True), "weight of the prior in smoothing 6")
    weights: tuple[float, ...] | None = param(None, Weights(), "w_n for n = 1..N; need not sum to 1")
    mean: str = param("geometric", Choice(("geometric", "arithmetic")), "mean over orders")
    ref_len: str = param("closest", Choice(REFERENCE_LENGTHS), REF_LEN)
    short: str | None = implied(Choice(("auto", "zero", "floor1", "mteval", "effective")), SHORT)
    zero_if_no_unigram: bool | None = implied(Flag(), "score 0 if no word matches, with any smoothing")
    tokenize: str = param("13a", TokenizerName(), TOKENIZE)
    lowercase: bool = param(False, Flag(), LOWERCASE)
    strip_punctuation: bool = param(False, Flag(), STRIP)

    def complete(self) -> None:
        by_name = self.smooth in smoothing.SACREBLEU_NAMES  # which imply sacreBLEU's conventions
        if self.short is None:
            object.__setattr__(self, "short", "auto" if by_name else "floor1")
        if self.zero_if_no_unigram is None:
            object.__setattr__(self, "zero_if_no_unigram", by_name)
        if self.weights is not None and len(self.weights) != self.order:
            given = f"got {len(self.weights)} for order {self.order}"
            raise SpecError(f"{self.name}: weights must have one number for each order; {given}")
        if self.weights is not None and sum(self.weights) == 0:
            raise SpecError(f"{self.name}: at least one of the weights must be above 0")

    @cached_property
    def method(self) -> int:
        """The number of the smoothing method."""
        return smoothing.SACREBLEU_NAMES.get(self.smooth, self.smooth)  # type: ignore[arg-type]

    @cached_property
    def _smoothing_constants(self) -> dict[str, float]:
        return {name: getattr(self, name) for name in smoothing.METHODS[self.method][1]}

    def settings(self) -> dict[str, Any]:
        """All parameters; the first ones under sacreBLEU's names."""
        constants = ",".join(f"{name}={write(value)}" for name, value in self._smoothing_constants.items())
        text = self.text_settings()
        return {
            "case": text["case"],
            "eff": "yes" if self.short == "effective" else "no",
            "tok": text["tok"],
            "smooth": f"{self.smooth}[{constants}]" if constants else self.smooth,
            "order": self.order,
            "weights": "uniform" if self.weights is None else "/".join(map(write, self.weights)),
            "mean": self.mean,
            "ref_len": self.ref_len,
            "short": "zero" if self.short == "auto" else self.short,
            "nomatch": "zero" if self.zero_if_no_unigram else "literal",
            "punct": text["punct"],
        }


class NgramPrecision(BLEUParameters):
    """The (smoothed) mean of clipped n-gram precisions, times a brevity penalty.

    score = BP · exp Σₙ wₙ ln pₙ        pₙ = m'ₙ / l'ₙ
    """

    counts_clipped_length = False  #: whether min(cᵢ, rᵢ) is summed, for BLEU-SBP
    scoring_parameters = SCORING
    pairs_at_a_time = 1 << 20
    averages_references = True

    def core_rows(self, references: int) -> bool:
        return True

    @cached_property
    def for_segments(self) -> NgramPrecision:
        return replace(self, short="effective") if self.short == "auto" else self

    @cached_property
    def match_orders(self) -> int:
        """The number of orders whose matches are counted: N, or N + 1 if the smoothing needs it."""
        return self.order + (self.method in smoothing.NEEDS_NEXT_ORDER)

    @cached_property
    def _lengths_at(self) -> int:
        return self.match_orders + self.order

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return (
            *(f"match_{n}" for n in range(1, self.match_orders + 1)),
            *(f"total_{n}" for n in range(1, self.order + 1)),
            "hyp_len",
            "ref_len",
            *(["clipped_len"] if self.counts_clipped_length else []),
        )

    @cached_property
    def counter(self) -> _native.NgramCounter:
        return ngram_counter(self, self.ref_len, self.match_orders, self.order, clipped=self.counts_clipped_length)

    def pair_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_words

        for shared in shared_words(self, groups, self.match_orders, threads):
            c, r = shared.of_hyps(1), shared.of_refs(1)
            yield [
                *(shared.matches(n) for n in range(1, self.match_orders + 1)),
                *(shared.of_hyps(n) for n in range(1, self.order + 1)),
                c,
                r,
                *([minimum(c, r)] if self.counts_clipped_length else []),
            ]

    @cached_property
    def _smooth(self) -> Callable[[Sequence[Any], Sequence[Any], Any], smoothing.Smoothed]:
        return partial(smoothing.METHODS[self.method][0], **self._smoothing_constants)

    @cached_property
    def _weights(self) -> tuple[float, ...]:
        return self.weights if self.weights is not None else (1.0 / self.order,) * self.order

    def value(self, row: Sequence[Any]) -> Any:
        if type(row[0]) is float and self._plain_if_matched and all(row):  # one row, nothing in it to be smoothed
            at = self._lengths_at
            p = [*map(truediv, row, row[self.order : at])]
            return self.brevity_penalty(row[at], row[at + 1], row) * self.mean_of(p, None)
        return self._value_and_factors(row)[0]

    @cached_property
    def _plain_if_matched(self) -> bool:
        """Whether the precisions are plain ratios where every order has a match."""
        return self.method in smoothing.ONLY_ZEROS

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        value, p, bp = self._value_and_factors(row)
        m, l = row[: self.order], row[self.match_orders : self._lengths_at]
        c, r = row[self._lengths_at], row[self._lengths_at + 1]
        factors = {"value": value, "precisions": p, "bp": bp, "ratio": divide(c, r)}
        return {**factors, "hyp_len": c, "ref_len": r, "counts": m, "totals": l}

    def _value_and_factors(self, row: Sequence[Any]) -> tuple[Any, list[Any], Any]:
        at = self._lengths_at
        m, l, c, r = row[: self.match_orders], row[self.match_orders : at], row[at], row[at + 1]
        p, kept = self.precisions(m, l, c)
        bp = self.brevity_penalty(c, r, row)
        zero = c == 0.0
        if self.zero_if_no_unigram:
            zero = zero | (m[0] == 0.0)
            if zero is not False:
                p = [where(zero, 0.0, p_n) for p_n in p]
        return where(zero, 0.0, bp * self.mean_of(p, kept)), p, bp

    def precisions(self, m: Sequence[Any], l: Sequence[Any], c: Any) -> tuple[list[Any], list[Any] | None]:
        """p_n for n = 1..N, and which orders count (None: all)."""
        m, smoothed_l = self._smooth(m, l, c)
        if self.method == 2:  # add-k adds to every order above 1, so none is empty; in sacreBLEU, too
            l = smoothed_l
        if all_positive(l):
            return [*map(truediv, m, smoothed_l)], None
        # An order longer than the hypothesis has l_n = 0.
        if self.short == "floor1":
            return [m_n / where(l_n > 0.0, l_n, 1.0) for m_n, l_n in zip(m, smoothed_l, strict=True)], None
        without = 1.0 if self.short == "mteval" else 0.0
        there = [l_n > 0.0 for l_n in l]
        p = [where(is_there, p_n, without) for is_there, p_n in zip(there, map(divide, m, smoothed_l), strict=True)]
        return p, there if self.short == "effective" else None

    def mean_of(self, p: list[Any], kept: list[Any] | None) -> Any:
        """The weighted mean over orders; an order of weight 0 is ignored even if p_n = 0."""
        if kept is None and self._plain_root:
            return power(math.prod(p), 1.0 / self.order)
        geometric = self.mean == "geometric"
        if kept is None and geometric and type(p[0]) is float and min(p) > 0.0:  # a fast path for one segment
            return exp(sum(map(mul, self._weights, map(math.log, p))))
        terms = [*map(log, p)] if geometric else p
        if kept is None:
            total = sum(w_n * term for w_n, term in zip(self._weights, terms, strict=True) if w_n)
        else:
            total = self._mean_of_kept(terms, kept, -math.inf if geometric else 0.0)
        return exp(total) if geometric else total

    @cached_property
    def _plain_root(self) -> bool:
        """Whether the mean can be the N-th root of a product, which does not underflow for any sensible constant.

        If orders may be left out, it is always a sum of logarithms, so that the last digit of a segment's score does
        not depend on the other segments of the batch.
        """
        return self.mean == "geometric" and self.weights is None and self.order <= 8 and self.short != "effective"

    def _mean_of_kept(self, terms: list[Any], kept: list[Any], of_nothing: float) -> Any:
        """The mean over the orders that count; the weight of the others is distributed among them."""
        total: Any = 0.0
        weight: Any = 0.0
        for w_n, term, counts in zip(self._weights, terms, kept, strict=True):
            if w_n:
                total = total + where(counts, w_n * term, 0.0)
                weight = weight + where(counts, w_n, 0.0)
        return where(weight == 0.0, of_nothing, total * divide(sum(self._weights), weight))

    def brevity_penalty(self, c: Any, r: Any, row: Sequence[Any]) -> Any:
        """1 if c >= r, else exp(1 - r/c); 0 for an empty hypothesis if the reference is not empty."""
        if type(c) is float and c:  # a fast path for one row
            return math.exp(1.0 - r / c) if c < r else 1.0
        return where(r == 0.0, 1.0, exp(minimum(0.0, 1.0 - divide(r, c, math.inf))))

    def describe(self, parts: Mapping[str, Any]) -> str:
        # As in sacreBLEU, which rounds 100 m / l if p is a plain ratio.
        precisions = "/".join(
            f"{100.0 * m / l if l and m / l == p else 100.0 * p:.1f}"
            for p, m, l in zip(parts["precisions"], parts["counts"], parts["totals"], strict=True)
        )
        return (
            f"{precisions} (BP = {parts['bp']:.3f} ratio = {parts['ratio']:.3f} "
            f"hyp_len = {parts['hyp_len']:.10g} ref_len = {parts['ref_len']:.10g})"
        )
