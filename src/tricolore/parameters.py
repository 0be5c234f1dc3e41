"""What a metric's parameters may be: each kind checks a value and can say in words what it takes."""

from __future__ import annotations

import dataclasses
import math
import operator
import os
from collections.abc import Iterable, Mapping, Set

from .errors import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Kind:
    """Checks a value; `expects` says in words what it takes."""

    expects: str

    def check(self, value: Any) -> Any:
        """Return the value in canonical form, or raise ValueError."""
        raise NotImplementedError


class Whole(Kind):
    """A whole number from `low` to `high`."""

    def __init__(self, low: int, high: int):
        self.low = low
        self.high = high
        self.expects = f"a whole number from {low} to {high:,}"

    def check(self, value: Any) -> int:
        """Whole numbers only; true and false are not numbers."""
        try:
            number = operator.index(value)  # NumPy's whole numbers are welcome
        except TypeError:
            raise ValueError from None
        if isinstance(value, bool) or not self.low <= number <= self.high:
            raise ValueError
        return number


class Real(Kind):
    """A finite number, at least `low` (or above it, if `above`) and at most `high`."""

    def __init__(self, low: float = -math.inf, above: bool = False, high: float = math.inf):
        self.low = low
        self.above = above
        self.high = high
        limit = f" above {low:g}" if above else f", {low:g} or more"
        if high < math.inf:
            limit = f" above {low:g}, {high:g} or less" if above else f" from {low:g} to {high:g}"
        self.expects = "a number" + (limit if low > -math.inf else "")

    def check(self, value: Any) -> float:
        """Numbers; whole ones become floats, so that 5 and 5.0 are the same parameter."""
        if isinstance(value, bool | str | bytes):
            raise ValueError
        try:
            number = float(value)
        except (TypeError, OverflowError):
            raise ValueError from None
        if not math.isfinite(number) or not self.low <= number <= self.high or (self.above and number == self.low):
            raise ValueError
        return number + 0.0  # of which minus zero is zero


class Flag(Kind):
    """True or false."""

    expects = "true or false"

    def check(self, value: Any) -> bool:
        """Only true and false."""
        if not isinstance(value, bool):
            raise ValueError
        return value


class Choice(Kind):
    """One of a few words; `aliases` are other ways to write some of them."""

    def __init__(self, values: tuple[Any, ...], aliases: tuple[tuple[Any, Any], ...] = ()):
        self.values = values
        self.aliases = aliases
        self.expects = "one of " + ", ".join(map(str, values))

    def check(self, value: Any) -> Any:
        """Return the canonical word."""
        value = "none" if value is None else value
        for alias, meant in self.aliases:
            if alias == value:
                value = meant
        for known in self.values:
            if not isinstance(value, bool) and str(known) == str(value):
                return known
        raise ValueError(nearest(str(value), [str(known) for known in self.values]))


class OrNone(Kind):
    """What another kind takes, or none."""

    def __init__(self, kind: Kind):
        self.kind = kind
        self.expects = f"{kind.expects}, or none"

    def check(self, value: Any) -> Any:
        """None stays, all else is checked."""
        return None if value is None or value == "none" else self.kind.check(value)


class Weights(Kind):
    """A list of non-negative numbers, or none for equal ones."""

    expects = "a list of numbers, 0 or more, such as [0.5, 0.5], or none for equal weights"

    def check(self, value: Any) -> tuple[float, ...] | None:
        """Return a tuple of floats."""
        if value is None:
            return None
        if isinstance(value, str | bytes | Mapping | Set) or not isinstance(value, Iterable):
            raise ValueError
        return tuple(Real(low=0).check(item) for item in value)


class PathName(Kind):
    """The name of a file or folder, or none; whether it is there shows when it is used."""

    def __init__(self, what: str):
        self.expects = f"the name of {what}, or none"

    def check(self, value: Any) -> str | None:
        """Return it as text; path objects are welcome."""
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if not isinstance(value, str) or not value:
            raise ValueError
        return None if value.lower() == "none" else value


def param(default: Any, kind: Kind, doc: str) -> Any:
    """A dataclass field that is a parameter of a metric."""
    return dataclasses.field(default=default, metadata={"kind": kind, "doc": doc})


def implied(kind: Kind, doc: str) -> Any:
    """Make a parameter whose default follows from the others; the metric fills it in when it is built."""
    return param(None, kind, doc)
