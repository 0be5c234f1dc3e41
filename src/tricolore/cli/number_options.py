"""Numbers that many commands take, and what they may be."""

from __future__ import annotations

from argparse import ArgumentTypeError
from math import inf

from ..numbers import real, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


def whole_number(text: str) -> int:
    """Read the value of an option that takes a whole number."""
    try:
        return whole(text)
    except ValueError:
        raise ArgumentTypeError(f"expected a whole number, got {text!r}") from None


def real_number(text: str) -> float:
    """Read the value of an option that takes a number."""
    try:
        value = real(text)
    except ValueError:
        value = inf
    if abs(value) == inf:
        raise ArgumentTypeError(f"expected a number, got {text!r}")
    return value
