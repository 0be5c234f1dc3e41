"""NLTK's smoothing functions for BLEU, 0 to 7."""

import math
import sys
import warnings
from typing import Any

from ...errors import InputError
from .ngram_sums import Fraction, modified_precision
from .tokens import Tokens


class BigramError(InputError, AssertionError):
    """Method 6 does not apply."""


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
        for n, p in enumerate(p_n, 1):
            if p.numerator == 0:
                warnings.warn(
                    f"the hypothesis shares no {n}-gram with a reference, so that BLEU is 0 whatever shorter n-grams "
                    "match; use a lower order or SmoothingFunction()",
                    stacklevel=2,
                )
        return [p if p.numerator != 0 else sys.float_info.min for p in p_n]

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
