"""NLTK's smoothing functions for BLEU, 0 to 7."""

import math
import sys
import warnings
from collections.abc import Sequence
from functools import cache
from operator import truediv
from typing import Any

from ...errors import InputError
from .ngram_sums import Fraction, modified_precision
from .tokens import Tokens

_LEAST = sys.float_info.min


class BigramError(InputError, AssertionError):
    """Method 6 does not apply."""


def unsmoothed(matches: Sequence[float], totals: Sequence[float]) -> list[float]:
    """Precisions; the smallest float for those of 0, with a warning."""
    if 0 not in matches:
        return [*map(truediv, matches, totals)]
    warnings.warn(_warning([*matches].index(0) + 1), stacklevel=2)
    return [m / l if m else _LEAST for m, l in zip(matches, totals, strict=True)]


@cache
def _warning(order: int) -> str:
    return (
        f"the hypothesis shares no {order}-gram with a reference, so that BLEU is 0 whatever shorter n-grams match; "
        "use a lower order or SmoothingFunction()"
    )


class SmoothingFunction:
    """Smoothing methods by number, with NLTK's formulas.

    `tricolore.metrics.smoothing` says how they differ from those of Chen & Cherry (2014).
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5):
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """No smoothing: the smallest float for precisions of 0, with a warning."""
        numbers = unsmoothed([p.numerator for p in p_n], [p.denominator for p in p_n])
        return [p if p.numerator != 0 else number for p, number in zip(p_n, numbers, strict=True)]

    def method1(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """`epsilon` matches where there is none."""
        return [p if p.numerator != 0 else (p.numerator + self.epsilon) / p.denominator for p in p_n]

    def method2(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """One more match and one more n-gram, for orders above 1."""
        return [p_n[0], *(Fraction(p.numerator + 1, p.denominator + 1) for p in p_n[1:])]

    def method3(self, p_n: list[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """1/2ᵏ matches for the k-th order without one."""
        k = 0
        for i, p in enumerate(p_n):
            if p.numerator == 0:
                k += 1
                p_n[i] = 1 / (2**k * p.denominator)
        return p_n

    def method4(
        self, p_n: list[Any], references: Any, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Ln |T| / (2ᵏ K) matches for the k-th order without one, if the hypothesis T has two words or more."""
        length = hyp_len or len(hypothesis)
        k = 0
        for i, p in enumerate(p_n):
            if p.numerator == 0 and length > 1:
                k += 1
                p_n[i] = 1 / (2**k * self.k / math.log(length)) / p.denominator
        return p_n

    def method5(
        self, p_n: list[Any], references: Any, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """The mean of the precisions of the order below, smoothed, of this order and of the one above."""
        above = [*p_n[1:], modified_precision(references, hypothesis, 5)]
        before = p_n[0] + 1
        for i, p in enumerate(p_n):
            before = p_n[i] = (before + p + above[i]) / 3
        return p_n

    def method6(
        self, p_n: list[Any], references: Any, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """From order 3 on, interpolated with the prior pₙ₋₁² / pₙ₋₂, of weight `alpha`."""
        if not p_n[2]:
            raise BigramError("smoothing method 6 of NLTK requires a trigram that matches")
        for i in range(2, len(p_n)):
            prior = 0 if p_n[i - 2] == 0 else p_n[i - 1] ** 2 / p_n[i - 2]
            total = max(len(hypothesis) - i, 0)
            p_n[i] = (p_n[i].numerator + self.alpha * prior) / (total + self.alpha)
        return p_n

    def method7(
        self, p_n: list[Any], references: Any, hypothesis: Tokens, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Method 4, then 5."""
        length = hyp_len or len(hypothesis)
        return self.method5(self.method4(p_n, references, hypothesis, length), references, hypothesis, length)


def smoothed(
    method: Any, matches: list[float], totals: list[float], references: Any, hypothesis: Tokens, hyp_len: int
) -> list[Any]:
    """Precisions as a smoothing function changes them."""
    function: Any = getattr(method, "__func__", None)
    of_counts = _OF_COUNTS.get(function)
    if of_counts is None or type(method.__self__) is not SmoothingFunction:
        p_n = [Fraction(int(m), int(l)) for m, l in zip(matches, totals, strict=True)]
        found: list[Any] = method(p_n, references=references, hypothesis=hypothesis, hyp_len=hyp_len)
        return found
    if 0 not in matches and of_counts is not _method2:  # nothing to smooth
        return [*map(truediv, matches, totals)]
    return of_counts(method.__self__, matches, totals, hyp_len)


# What methods 0 to 4 make of counts, which is all they read, without a fraction for each: the same numbers. The others
# compute with exact fractions, as NLTK does.


def _method0(_: SmoothingFunction, matches: list[float], totals: list[float], length: int) -> list[float]:
    return unsmoothed(matches, totals)


def _method1(constants: SmoothingFunction, matches: list[float], totals: list[float], length: int) -> list[float]:
    epsilon = constants.epsilon
    return [(m or epsilon) / l for m, l in zip(matches, totals, strict=True)]


def _method2(_: SmoothingFunction, matches: list[float], totals: list[float], length: int) -> list[float]:
    return [m / l if n == 0 else (m + 1) / (l + 1) for n, (m, l) in enumerate(zip(matches, totals, strict=True))]


def _method3(_: SmoothingFunction, matches: list[float], totals: list[float], length: int) -> list[float]:
    k = 0
    found = []
    for m, l in zip(matches, totals, strict=True):
        k += not m
        found.append(m / l if m else 1 / (2**k * l))
    return found


def _method4(constants: SmoothingFunction, matches: list[float], totals: list[float], length: int) -> list[float]:
    k = 0
    found = []
    for m, l in zip(matches, totals, strict=True):
        k += not m
        found.append(m / l if m or length < 2 else 1 / (2**k * constants.k / math.log(length)) / l)
    return found


_OF_COUNTS = {
    SmoothingFunction.method0: _method0,
    SmoothingFunction.method1: _method1,
    SmoothingFunction.method2: _method2,
    SmoothingFunction.method3: _method3,
    SmoothingFunction.method4: _method4,
}
