"""What parameters may be: each kind checks a value, reads one from text, and says in words what it takes.

Metrics and options (`Options`) are frozen dataclasses whose fields are made by `param`: name, default, kind and help
are written once, and serve Python, spec texts and the command line.
"""

from __future__ import annotations

import dataclasses
import math
import operator
import os
from collections.abc import Collection, Iterable, Mapping, Set

from .errors import SpecError, nearest, shown
from .numbers import real, whole
from .spec import word_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Kind:
    """Checks a value; `expects` says in words what it takes."""

    expects: str

    def check(self, value: Any) -> Any:
        """Return the value in canonical form, or raise ValueError."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """Return the value that a text on the command line stands for, or raise ValueError."""
        return self.check(text)

    def names_resource(self, value: Any) -> bool:
        """Whether the value names a file or another package, so that what it stands for may change."""
        return False


class Whole(Kind):
    """A whole number from `low` to `high`."""

    def __init__(self, low: int, high: int):
        self.low = low
        self.high = high
        self.expects = f"a whole number from {low} to {high:,}" if high < 2**50 else f"a whole number, {low} or more"

    def check(self, value: Any) -> int:
        """Whole numbers only; true and false are not numbers."""
        try:
            number = operator.index(value)  # NumPy's whole numbers are welcome
        except TypeError:
            raise ValueError from None
        if isinstance(value, bool) or not self.low <= number <= self.high:
            raise ValueError
        return number

    def read(self, text: str) -> int:
        return self.check(whole(text))


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
        if isinstance(value, bool | str | bytes | bytearray):
            raise ValueError
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError from None
        if not math.isfinite(number) or not self.low <= number <= self.high or (self.above and number == self.low):
            raise ValueError
        return number + 0.0  # of which minus zero is zero

    def read(self, text: str) -> float:
        return self.check(real(text))


class Fraction(Real):
    """A number between 0 and 1, both excluded."""

    def __init__(self) -> None:
        super().__init__(0, above=True, high=1)
        self.expects = "a number between 0 and 1"

    def check(self, value: Any) -> float:
        number = super().check(value)
        if number == 1:
            raise ValueError
        return number


class Flag(Kind):
    """True or false."""

    expects = "true or false"

    def check(self, value: Any) -> bool:
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
        word = "none" if value is None else value if isinstance(value, str) else str(Whole(0, 99).check(value))
        for alias, meant in self.aliases:
            if alias == word:
                word = str(meant)
        for known in self.values:
            if str(known) == word:
                return known
        raise ValueError(nearest(word, [str(known) for known in self.values]))


class OrNone(Kind):
    """What another kind takes, or none."""

    def __init__(self, kind: Kind):
        self.kind = kind
        self.expects = f"{kind.expects}, or none"

    def check(self, value: Any) -> Any:
        return None if value is None or (isinstance(value, str) and value == "none") else self.kind.check(value)

    def read(self, text: str) -> Any:
        return None if text == "none" else self.kind.read(text)


class Weights(Kind):
    """A list of non-negative numbers, or none for equal ones."""

    expects = "a list of numbers, 0 or more, such as [0.5, 0.5], or none for equal weights"

    def check(self, value: Any) -> tuple[float, ...] | None:
        if value is None:
            return None
        if isinstance(value, str | bytes | bytearray | Mapping | Set) or not isinstance(value, Iterable):
            raise ValueError
        try:
            return tuple(Real(low=0).check(item) for item in value)
        except TypeError:  # an array without an axis
            raise ValueError from None


class Word(Kind):
    """A text that is not empty."""

    def __init__(self, expects: str = "a text"):
        self.expects = expects

    def check(self, value: Any) -> str:
        if not isinstance(value, str) or not value:
            raise ValueError
        return value


class ListOf(Kind):
    """A list of values of one kind; a single text is a list of one."""

    def __init__(self, kind: Kind):
        self.kind = kind
        self.expects = f"a list, each {kind.expects}"

    def check(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, str):
            value = [value]
        if isinstance(value, Mapping) or not isinstance(value, Iterable):
            raise ValueError
        try:
            return tuple(self.kind.check(one) for one in value)
        except TypeError:  # an array without an axis
            raise ValueError from None


class FileName(Kind):
    """The name of a file or folder; whether it is there shows when it is used."""

    def __init__(self, what: str):
        self.expects = f"the name of {what}"

    def check(self, value: Any) -> str:
        """Return it as text; path objects are welcome."""
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if not isinstance(value, str) or not is_file_name(value):
            raise ValueError
        return value


class PathName(Kind):
    """The name of a file or folder, or none."""

    def __init__(self, what: str):
        self.file = FileName(what)
        self.expects = f"{self.file.expects}, or none"

    def check(self, value: Any) -> str | None:
        """Return it as text, and as a path where a spec text would take it for a number or truth value."""
        value = self.file.check(value)
        if value.lower() == "none":
            return None
        # In spec texts `true` and `2024` stand for themselves, not for files.
        return value if isinstance(word_value(value), str) else os.path.join(os.curdir, value)

    def names_resource(self, value: Any) -> bool:
        return value is not None


def is_file_name(text: str) -> bool:
    r"""Whether a file could be called so.

    >>> is_file_name("words.tsv"), is_file_name(""), is_file_name("a\0b")
    (True, False, False)
    """
    try:
        return bool(text) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:  # a lone surrogate
        return False


def checked(name: str, value: Any, kind: Kind) -> Any:
    """Return the value of a parameter in canonical form; one that it cannot have is told by the parameter's name.

    >>> checked("lowercase", "no", Flag())
    Traceback (most recent call last):
        ...
    tricolore.errors.SpecError: lowercase must be true or false; got 'no'
    """
    try:
        return kind.check(value)
    except ValueError as error:
        raise SpecError(f"{name} must be {kind.expects}; got {shown(value)}{error}") from None


def is_one_of(value: Any, words: Collection[str]) -> bool:
    """Whether a value is one of some words; what is no text is none, and is not compared."""
    return isinstance(value, str) and value in words


def param(default: Any, kind: Kind, doc: str) -> Any:
    """A dataclass field that is a parameter of a metric."""
    return dataclasses.field(default=default, metadata={"kind": kind, "doc": doc})


def fixed(value: Any) -> Any:
    """A dataclass field that is not a parameter: the metric is defined by its value."""
    return dataclasses.field(default=value, init=False)


#: Kinds that many options share.
SEED = Whole(0, 2**128 - 1)
DRAWS = Whole(1, 100_000_000)
LEVEL = Fraction()


class Options:
    """Options that belong together: a frozen dataclass whose fields are made by `param`, checked when it is built."""

    def __post_init__(self) -> None:
        for field in parameters(self):
            value = getattr(self, field.name)
            if value is not None or field.default is not None:
                object.__setattr__(self, field.name, checked(field.name, value, field.metadata["kind"]))
        self.complete()

    def complete(self) -> None:
        """Fill in defaults that follow from other options, and reject combinations that contradict each other."""


def parameters(owner: Any) -> list[dataclasses.Field[Any]]:
    """Return the fields of a metric or of options, or of their class, that are parameters."""
    return [field for field in dataclasses.fields(owner) if "kind" in field.metadata]


def implied(kind: Kind, doc: str) -> Any:
    """Make a parameter whose default follows from the others; the metric fills it in when it is built."""
    return param(None, kind, doc)
