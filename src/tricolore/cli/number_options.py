"""Numbers that many commands take, and what they may be."""

from __future__ import annotations

from argparse import ArgumentTypeError
from math import inf

from ..errors import SpecError
from ..numbers import real, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


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


def check_numbers(options: argparse.Namespace) -> None:
    """Refuse digits, threads and references that there cannot be, as far as the command has such options."""
    width, threads = getattr(options, "width", None), getattr(options, "threads", None)
    if width is not None and not 0 <= width <= 15:
        raise SpecError(f"--width must be from 0 to 15; got {width}")
    if threads is not None and not 0 <= threads <= 1024:
        raise SpecError(f"--threads must be from 0 (all cores) to 1024; got {threads}")
    if getattr(options, "num_refs", 1) < 1:
        raise SpecError(f"--num-refs must be 1 or more; got {options.num_refs}")
