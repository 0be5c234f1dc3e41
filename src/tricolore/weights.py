"""Weights of features, and the files that hold them: a line a name, as people and Moses-style decoders read it.

lm= 0.5
tm= 0.2 0.2 0.1
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import InputError, InputTypeError, nearest
from .features import Group, Layout
from .numbers import real
from .readers import name_of, stream_lines
from .readers.recognise import COLUMNS
from .writers import writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .features import Floats

NORMS = ("none", "l1", "l2", "max")


@dataclass(frozen=True)
class Weights:
    """Weights by name.

    >>> weights = Weights({"lm": (0.5,), "tm": (0.2, -0.1)})
    >>> print(weights, end="")
    lm= 0.5
    tm= 0.2 -0.1
    """

    values: Mapping[str, tuple[float, ...]]
    origin: str = "the weights"  #: the file they come from, for messages

    def __str__(self) -> str:
        return "".join(f"{name}= {' '.join(map(_written, values))}\n" for name, values in self.values.items())

    def vector(self, layout: Layout, *, strangers: bool = False) -> tuple[Floats, list[str]]:
        """The weights in the order of the columns, and the names that have none, whose weight is 0.

        A name with another number of values is a mistake, and so is no name in common at all, unless the weights may
        be `strangers` to these features.
        """
        vector = np.zeros(layout.size)
        missing = []
        for group in layout.groups:
            values = self.values.get(group.name)
            if values is None:
                missing.append(group.name)
                continue
            if len(values) != group.width:
                raise InputError(
                    f"{self.origin}: {group.name!r} has {_number(len(values), 'weight')}, "
                    f"but {_number(group.width, 'value')} in the lists"
                )
            vector[group.first : group.first + group.width] = values
        if missing and len(missing) == len(layout.groups) and not strangers:
            found, there = ", ".join([*self.values][:5]), ", ".join(missing[:5])
            raise InputError(
                f"{self.origin}: no weight is for a feature of the lists (weights: {found}; lists: {there})"
            )
        return vector, missing

    def warning(self, missing: list[str], where: str = "the lists") -> str:
        """Say which features have no weight."""
        hint = nearest(missing[0], [*self.values]) if len(missing) == 1 else ""
        number = _number(len(missing), "feature")
        return f"{self.origin}: no weight for {number} of {where} ({_some(missing)}), taken as 0{hint}"

    def unused_warning(self, names: list[str]) -> str:
        """Say which weights are for no feature."""
        number = _number(len(names), "name")
        return f"{self.origin}: no list has {number} of it ({_some(names)}); left out of the weights found"

    def normalised(self, norm: str) -> Weights:
        """The weights scaled, all by the same; see `normalised`."""
        layout = self.layout
        return Weights.of(normalised(self.vector(layout)[0], norm), layout) if self.values else self

    @property
    def layout(self) -> Layout:
        """Columns for the weights, in the order in which they are written.

        >>> Weights({"lm": (0.5,), "tm": (0.2, 0.1)}).layout.labels
        ('lm', 'tm[0]', 'tm[1]')
        """
        groups, first = [], 0
        for name, values in self.values.items():
            groups.append(Group(name, first, len(values)))
            first += len(values)
        return Layout(tuple(groups))

    def write(self, path: str) -> None:
        """Write a file of weights."""
        with writing(path) as file:
            file.write(str(self))

    @staticmethod
    def of(vector: Floats, layout: Layout) -> Weights:
        """From a vector in the order of the columns."""
        return Weights({group.name: tuple(float(vector[i]) for i in group.columns) for group in layout.groups})


def as_weights(weights: Weights | Mapping[str, float | Sequence[float]] | str | PathLike[str]) -> Weights:
    """Weights as people give them: a file, or a dictionary of numbers, or of lists where features have several values.

    >>> print(as_weights({"lm": 0.5, "tm": [0.2, -0.1]}), end="")
    lm= 0.5
    tm= 0.2 -0.1
    """
    if isinstance(weights, Weights):
        return weights
    if isinstance(weights, str | PathLike):
        return read_weights(fspath(weights))
    if not isinstance(weights, Mapping):
        raise InputTypeError(f"weights: expected numbers by name, {{'lm': 0.5}}; got {type(weights).__name__}")
    return Weights({name: _numbers(name, value) for name, value in weights.items()})


def _numbers(name: str, value: Any) -> tuple[float, ...]:
    try:
        values = np.atleast_1d(np.asarray(value, np.float64))
    except (TypeError, ValueError):
        values = np.full(1, np.nan)
    if isinstance(value, str) or values.ndim != 1 or not np.isfinite(values).all():
        raise InputTypeError(f"weights: expected a number for {name!r}, got {value!r}")
    return tuple(values.tolist())


def read_weights(path: str) -> Weights:
    """Read `name= v v`, `name=v`, `name: v v` or `name v` lines, or the [weight] part of a Moses configuration.

    Empty lines and lines that begin with # say nothing.
    """
    name = name_of(path)
    lines = list(enumerate(stream_lines(path, "weights, 'name= value ...' per line", [COLUMNS]), 1))
    if any(line.strip() == "[weight]" for _, line in lines):
        lines = _weight_section(lines)
    values: dict[str, tuple[float, ...]] = {}
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        feature, numbers = _read_line(line, f"{name}: line {number}")
        if feature in values:
            raise InputError(f"{name}: line {number}: {feature!r} has weights already; expected each name once")
        values[feature] = numbers
    if not values:
        raise InputError(f"{name}: there are no weights; expected 'name= value ...' a line")
    return Weights(values, name)


def _weight_section(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """What stands between [weight] and the next header."""
    inside = False
    found = []
    for number, line in lines:
        if line.strip().startswith("["):
            inside = line.strip() == "[weight]"
        elif inside:
            found.append((number, line))
    return found


def _read_line(line: str, where: str) -> tuple[str, tuple[float, ...]]:
    # As in lists, what parts words is white space of ASCII: names may have a no-break space in them.
    match = re.fullmatch(r"\s*(\S+?)(?:[=:]\s+|=(?=[^=\s]*\s*$)|\s+)(.*)", line, re.ASCII | re.DOTALL)
    words = re.findall(r"\S+", match.group(2), re.ASCII) if match else []
    if match is None or not words:
        raise InputError(f"{where}: expected 'name= value ...', found {line.strip()[:40]!r}")
    numbers = []
    for word in words:
        try:
            numbers.append(real(word))
        except ValueError:
            raise InputError(f"{where}: expected a finite number, found {word!r}") from None
        if not math.isfinite(numbers[-1]):
            raise InputError(f"{where}: the weight is {word}; expected a finite number")
    return match.group(1), tuple(numbers)


def check_names(layout: Layout) -> None:
    """Refuse features whose weights could be written, but not be read again."""
    for name in layout.by_name:
        if name.startswith("#"):
            raise InputError(
                f"feature {name!r}: a file of weights cannot hold it, where what begins with # is a comment; "
                "expected another name"
            )


def normalised(vector: Floats, norm: str) -> Floats:
    """Scale weights so that their absolute values sum to 1 (l1), their squares (l2), or the largest is 1 (max).

    >>> normalised(np.array([1.0, -3.0]), "l1")
    array([ 0.25, -0.75])
    """
    largest = float(np.abs(vector).max(initial=0.0))
    if norm == "none" or largest == 0:
        return vector
    # By a power of two first, which rounds nothing: so no sum and no square is too large, or too small.
    scaled = np.ldexp(vector, -int(np.frexp(largest)[1]))
    size = {
        "l1": lambda: np.abs(scaled).sum(),
        "l2": lambda: np.sqrt(np.square(scaled).sum()),
        "max": lambda: np.abs(scaled).max(),
    }[norm]()
    return np.asarray(scaled / size)


def _written(value: float) -> str:
    return repr(value).removesuffix(".0")


def _some(names: list[str]) -> str:
    return ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
