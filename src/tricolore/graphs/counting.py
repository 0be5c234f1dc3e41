"""Counts of paths are exact, however large; but not so large that they could not be worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    from .graph import Graph

#: The most bits of a count, and the most in all sums and products that make it.
MOST_BITS, MOST_BITS_IN_ALL = 2**24, 2**37


def check_countable(graph: Graph, bits: float, what: str) -> None:
    """Refuse a count of about this many bits if it would take very long."""
    if bits > MOST_BITS or bits * len(graph) > MOST_BITS_IN_ALL:
        raise InputError(f"{graph.place}: there are about 2^{bits:,.0f} {what}, too many to count exactly")
