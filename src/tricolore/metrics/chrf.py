"""chrF: F-scores of character n-grams."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from .. import _native
from ..elementwise import all_positive, divide, where
from ..parameters import Flag, Real, Whole, param
from ..spec import write
from .base import Title
from .per_reference import PerReferenceMetric
from .text_metric import LOWERCASE, in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from .pairwise import Group, SharedNgrams

#: The value of an undefined ratio in chrF++.py and its followers.
EPS = 1e-16


@dataclass(frozen=True, repr=False)
class ChrF(PerReferenceMetric):
    """chrF: F-score of character n-grams, and of words in chrF++ (Popović 2015, 2017).

        chrFβ = (1 + β²) · P · R / (β² · P + R)        P = mean over n of mₙ / cₙ        R = mean over n of mₙ / rₙ

    mₙ: character n-grams that hypothesis and reference share; cₙ, rₙ: those of the hypothesis and of the reference;
    n = 1..`char_order`, and for words n = 1..`word_order`, all with equal weight; β: `beta`, by default 2, so that
    recall has twice the weight of precision. Counts are summed over segments first. `chrf++` is `chrf(word_order=2)`.

    White space is ignored unless `whitespace` is set. Orders longer than hypothesis or reference are left out of the
    means; with `eps_smoothing` they count as (nearly) 0, and the F-scores of all orders are averaged, as in chrF++.py,
    NLTK and Moses. With several references, each segment uses the one with the best F-score; ties go to the first (as
    in sacreBLEU). Texts with nothing in common, and empty texts, score 0.

    >>> print(ChrF()(["the cat sat on the mat"], ["the cat is on the mat"]))
    chrF2 = 64.58
    >>> from tricolore import metric
    >>> print(metric("chrf++")(["the cat sat on the mat"], ["the cat is on the mat"]))
    chrF2++ = 66.36

    Scores equal sacreBLEU's. Where others disagree: NLTK averages segments and smooths as `eps_smoothing`.
    """

    name = "chrf"
    family = "characters"
    in_all = ("chrf", "chrf++")
    citation = (
        "Maja Popović (2015): chrF: character n-gram F-score for automatic MT evaluation. WMT. "
        "chrF++: Maja Popović (2017): chrF++: words helping character n-grams. WMT."
    )
    #: As in sacreBLEU: chrF, β, and a plus sign per word order.
    title = Title("chrF", lambda metric: f"chrF{write(metric.beta)}{'+' * metric.word_order}")
    pairs_at_a_time = 1 << 20
    averages_references = True
    pairs_are_rows = True
    tokenize = "char"
    strip_punctuation = False
    choosing_parameters = ("char_order", "word_order", "beta", "eps_smoothing")

    char_order: int = param(6, Whole(1, 10_000), "longest character n-gram")
    word_order: int = param(0, Whole(0, 100), "longest word n-gram; 2 for chrF++")
    beta: float = param(2.0, Real(0, high=1e100), "weight of recall relative to precision")
    whitespace: bool = param(False, Flag(), "count white space as characters")
    lowercase: bool = param(False, Flag(), LOWERCASE)
    eps_smoothing: bool = param(False, Flag(), "average the F-scores of all orders, as chrF++.py does")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        orders = [f"char_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word_{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{what}_{order}" for order in orders for what in ("hyp", "ref", "match"))

    @cached_property
    def counter(self) -> _native.ChrfCounter:
        return _native.ChrfCounter(
            character_orders=self.char_order, word_orders=self.word_order, whitespace=self.whitespace
        )

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_characters

        for characters, words in shared_characters(self, groups, threads):
            orders: list[tuple[SharedNgrams, int]] = [(characters, n) for n in range(1, self.char_order + 1)]
            orders += [(words, n) for n in range(1, self.word_order + 1) if words is not None]
            columns = []
            for shared, n in orders:
                hyp, ref = shared.of_hyps(n), shared.of_refs(n)
                if not ref.all():  # n-grams of the hypothesis count only if the reference has some of that order
                    hyp = where(ref > 0.0, hyp, 0.0)
                columns += [hyp, ref, shared.matches(n)]
            yield columns

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        return over.best(pair, -self.value(pair))

    def value(self, row: Sequence[Any]) -> Any:
        return self._mean_of_f_scores(row) if self.eps_smoothing else self._f_of_means(row)[0]

    def _f_of_means(self, row: Sequence[Any]) -> tuple[Any, Any, Any]:
        """F, P and R over the orders that both sides have."""
        p = r = orders = 0.0
        factor = self.beta**2
        if type(row[0]) is float:  # a fast path for one row
            columns = iter(row)
            try:
                for hyp, ref, match in zip(columns, columns, columns, strict=True):
                    p += match / hyp
                    r += match / ref
            except ZeroDivisionError:  # one side has no n-grams of some order
                p = r = 0.0
            else:
                orders = len(row) // 3
                p, r = p / orders, r / orders
                return (1 + factor) * p * r / (factor * p + r) if p or r else 0.0, p, r
        hyps, refs, matches = row[::3], row[1::3], row[2::3]
        for hyp, ref, match in zip(hyps, refs, matches, strict=True):
            if all_positive((hyp, ref)):
                p, r, orders = p + match / hyp, r + match / ref, orders + 1.0
                continue
            there = (hyp > 0.0) & (ref > 0.0)
            p = p + where(there, divide(match, hyp), 0.0)
            r = r + where(there, divide(match, ref), 0.0)
            orders = orders + where(there, 1.0, 0.0)
        p, r = divide(p, orders), divide(r, orders)
        return divide((1 + factor) * p * r, factor * p + r), p, r

    def _mean_of_f_scores(self, row: Sequence[Any]) -> Any:
        factor = self.beta**2
        total: Any = 0.0
        for hyp, ref, match in zip(row[::3], row[1::3], row[2::3], strict=True):
            p, r = divide(match, hyp, EPS), divide(match, ref, EPS)
            total = total + divide((1 + factor) * p * r, factor * p + r, EPS)
        return total / (self.char_order + self.word_order)

    def parts(self, row: Sequence[Any]) -> dict[str, Any]:
        _, p, r = self._f_of_means(row)
        return {
            "value": self.value(row),
            "precision": p,
            "recall": r,
            "hyp_ngrams": list(row[::3]),
            "ref_ngrams": list(row[1::3]),
            "matches": list(row[2::3]),
        }

    def describe(self, parts: Mapping[str, Any]) -> str:
        return ""  # as in sacreBLEU

    def settings(self) -> dict[str, Any]:
        """All parameters, under sacreBLEU's names."""
        return {
            "case": "lc" if self.lowercase else "mixed",
            "eff": in_words(not self.eps_smoothing),
            "nc": self.char_order,
            "nw": self.word_order,
            "space": in_words(self.whitespace),
            "beta": self.beta,
        }
