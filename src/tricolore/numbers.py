"""Numbers written as text: ASCII digits, a sign, a point, an exponent, and nothing else.

Python's own `float` and `int` read more than that: 1_5 as 15, digits of other scripts, nan and infinity.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Number = TypeVar("Number", int, float)

_BLANKS = " \t\r\n\v\f"
_IN_WHOLE = frozenset("+-0123456789")
_IN_REAL = _IN_WHOLE | frozenset(".eE")
_INFINITE = frozenset(["inf", "infinity"])


def whole(text: str) -> int:
    """Read a whole number; anything else is a ValueError.

    >>> whole("-15"), whole(" 7 ")
    (-15, 7)
    """
    return _written(text, _IN_WHOLE, int)


def real(text: str) -> float:
    """Read a number; anything else is a ValueError. One beyond all floats is infinite, as 1e999.

    >>> real("-1.5e-3"), real(".5"), real("3.")
    (-0.0015, 0.5, 3.0)
    """
    return _written(text, _IN_REAL, float)


def real_or_infinite(text: str) -> float:
    """Read a number or `inf`, `infinity`, with or without a sign, in any case; anything else is a ValueError.

    >>> real_or_infinite("-Infinity"), real_or_infinite("2")
    (-inf, 2.0)
    """
    plain = text.strip(_BLANKS)
    return float(plain) if plain.lstrip("+-").lower() in _INFINITE else real(plain)


def _written(text: str, characters: frozenset[str], read: Callable[[str], Number]) -> Number:
    """What Python reads in a text without the white space around it, if it has only these characters."""
    plain = text.strip(_BLANKS)
    try:
        if characters.issuperset(plain):
            return read(plain)
    except ValueError:
        pass
    raise ValueError(f"not a number: {text!r:.60}")
