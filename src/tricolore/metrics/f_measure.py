"""The F-measure of precision and recall, as ROUGE has it."""

from __future__ import annotations

import math

from ..elementwise import divide
from ..parameters import Kind, Real

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Beta(Kind):
    """β of the F-measure."""

    expects = "p/r, recall, or a number, 0 or more"

    def check(self, value: Any) -> float | str:
        """Infinity is another word for recall; a number whose square is no float any more is as good."""
        if isinstance(value, str) and value in ("p/r", "recall", "inf", "infinity"):
            return value if value == "p/r" else "recall"
        number = math.inf if isinstance(value, float) and value == math.inf else Real(0).check(value)
        return number if number < 1e100 else "recall"


def f_measure(P: Any, R: Any, beta: float | str) -> Any:
    """F of a precision and a recall (Lin & Och 2004, eq. 3); 0 where either is 0.

        F = (1 + β²) R P / (R + β² P)        with β = P/R:  F = P R (P² + R²) / (P³ + R³)

    The paper asks for the β that makes both partial derivatives equal and says that it is P/R; by its formula for F
    that would be R/P. P/R is what it gives, and so what we compute.

    >>> f_measure(0.5, 0.5, 1.0), round(f_measure(1.0, 0.5, "p/r"), 4), f_measure(1.0, 0.5, "recall")
    (0.5, 0.5556, 0.5)
    """
    if beta == "recall":
        return R
    if isinstance(beta, str):
        return divide(P * R * (P * P + R * R), P * P * P + R * R * R)
    b = beta * beta
    return divide((1.0 + b) * R * P, R + b * P)
