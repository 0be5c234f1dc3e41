"""NLTK's smoothing functions for BLEU, 0 to 7."""

import math
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from ...errors import InputError
from .ngram_sums import Fraction, Precision, modified_precision
from .tokens import Tokens


class BigramError(InputError, AssertionError):
    """Method 6 does not apply."""


def unsmoothed(matches: Sequence[float], totals: Sequence[float]) -> list[float]:
    """Precisions; the smallest float for those of 0, with a warning."""
    if 0 in matches:  # longer n-grams cannot match either
        warnings.warn(
            f"the hypothesis shares no {[*matches].index(0) + 1}-gram with a reference, so that BLEU is 0 whatever "
            "shorter n-grams match; use a lower order or SmoothingFunction()",
            stacklevel=2,
        )
    return [m / l if m else sys.float_info.min for m, l in zip(matches, totals, strict=True)]


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
        return [p_n[0], *(type(p)(p.numerator + 1, p.denominator + 1) for p in p_n[1:])]

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


#: Methods that read numerators and denominators only, so that plain numbers do for them. The others compute with exact
#: fractions, as NLTK does.
_OF_NUMBERS = frozenset([getattr(SmoothingFunction, f"method{number}") for number in (0, 1, 2, 3, 4)])


def smoothed(method: Any, matches: list[float], totals: list[float], **given: Any) -> list[Any]:
    """Precisions as a smoothing function changes them."""
    plain = getattr(method, "__func__", None) in _OF_NUMBERS and type(method.__self__) is SmoothingFunction
    if plain and all(matches) and method.__func__ is not SmoothingFunction.method2:  # nothing to smooth
        return [m / l for m, l in zip(matches, totals, strict=True)]
    kind = Precision if plain else Fraction
    found: list[Any] = method([kind(int(m), int(l)) for m, l in zip(matches, totals, strict=True)], **given)
    return found
