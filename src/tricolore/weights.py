"""Feature weights, and the files that hold them: one line per name, as Moses-style decoders read them.

lm= 0.5
tm= 0.2 0.2 0.1
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from os import PathLike, fspath
from typing import Any

import numpy as np

from .errors import InputError, InputTypeError, nearest
from .features import Floats, Group, Layout
from .numbers import real
from .readers import name_of, stream_lines
from .readers.recognise import COLUMNS
from .writers import writing

NORMS = ("none", "l1", "l2", "max")


@dataclass(frozen=True)
class Weights:
    """Feature weights by name.

    >>> weights = Weights({"lm": (0.5,), "tm": (0.2, -0.1)})
    >>> print(weights, end="")
    lm= 0.5
    tm= 0.2 -0.1
    """

    values: Mapping[str, tuple[float, ...]]
    origin: str = "the weights"  #: their file, for messages

    def __str__(self) -> str:
        numbers = {name: [repr(one).removesuffix(".0") for one in values] for name, values in self.values.items()}
        return "".join(f"{name}= {' '.join(written)}\n" for name, written in numbers.items())

    def vector(self, layout: Layout, *, strangers: bool = False) -> tuple[Floats, list[str]]:
        """The weights in the order of the columns, and the names of features without a weight, which get 0.

        Names must have as many weights as values, and some must be in common, unless weights may be `strangers`.
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
        """The message about features without a weight."""
        hint = nearest(missing[0], [*self.values]) if len(missing) == 1 else ""
        number = _number(len(missing), "feature")
        return f"{self.origin}: no weight for {number} of {where} ({_some(missing)}), taken as 0{hint}"

    def unused_warning(self, names: list[str]) -> str:
        """The message about weights without a feature."""
        return f"{self.origin}: {_number(len(names), 'name')} in no list ({_some(names)}), left out of the result"

    def normalised(self, norm: str) -> Weights:
        """The weights, scaled; see `normalised`."""
        layout = self.layout
        return Weights.of(normalised(self.vector(layout)[0], norm), layout) if self.values else self

    @property
    def layout(self) -> Layout:
        """The columns of the weights, in the order of the names.

        >>> Weights({"lm": (0.5,), "tm": (0.2, 0.1)}).layout.labels
        ('lm', 'tm[0]', 'tm[1]')
        """
        widths = [len(values) for values in self.values.values()]
        return Layout(tuple(map(Group, self.values, accumulate(widths, initial=0), widths)))

    def write(self, path: str) -> None:
        """Write a file of weights."""
        with writing(path) as file:
            file.write(str(self))

    @staticmethod
    def of(vector: Floats, layout: Layout) -> Weights:
        """From a vector in the order of the columns."""
        return Weights({group.name: tuple(float(vector[i]) for i in group.columns) for group in layout.groups})


def as_weights(weights: Weights | Mapping[str, float | Sequence[float]] | str | PathLike[str]) -> Weights:
    """Weights from a file, or from a dictionary of numbers, or of lists where features have several values.

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
    """Read `name= v v`, `name=v`, `name: v v` or `name v` lines, or the [weight] section of a Moses configuration.

    Empty lines and lines that begin with # are ignored.
    """
    name = name_of(path)
    lines = list(enumerate(stream_lines(path, "weights, 'name= value ...' per line", [COLUMNS]), 1))
    is_configuration = any(line.strip() == "[weight]" for _, line in lines)
    section = "" if is_configuration else "[weight]"
    values: dict[str, tuple[float, ...]] = {}
    for number, line in lines:
        if is_configuration and line.strip().startswith("["):
            section = line.strip()
        elif section == "[weight]" and line.strip() and not line.lstrip().startswith("#"):
            feature, numbers = _read_line(line, f"{name}: line {number}")
            if feature in values:
                raise InputError(f"{name}: line {number}: {feature!r} has weights already; expected each name once")
            values[feature] = numbers
    if not values:
        raise InputError(f"{name}: there are no weights; expected 'name= value ...' per line")
    return Weights(values, name)


def _read_line(line: str, where: str) -> tuple[str, tuple[float, ...]]:
    # As in n-best lists, only ASCII white space separates words: names may contain a no-break space.
    match = re.fullmatch(r"\s*(\S+?)(?:[=:]\s+|=(?=[^=\s]*\s*$)|\s+)(.*)", line, re.ASCII | re.DOTALL)
    words = re.findall(r"\S+", match.group(2), re.ASCII) if match else []
    if match is None or not words:
        raise InputError(f"{where}: expected 'name= value ...', found {line.strip()[:40]!r}")
    numbers = []
    for word in words:
        try:
            numbers.append(real(word))
        except ValueError:
            numbers.append(math.nan)
        if not math.isfinite(numbers[-1]):
            raise InputError(f"{where}: expected a finite number, found {word!r}")
    return match.group(1), tuple(numbers)


def check_names(layout: Layout) -> None:
    """Reject features whose weights could be written, but not read again."""
    for name in layout.by_name:
        if name.startswith("#"):
            raise InputError(f"feature {name!r}: in a file of weights, # begins a comment; expected another name")


def normalised(vector: Floats, norm: str) -> Floats:
    """Scale weights so that their absolute values sum to 1 (l1), their squares do (l2), or the largest is 1 (max).

    >>> normalised(np.array([1.0, -3.0]), "l1")
    array([ 0.25, -0.75])
    """
    largest = float(np.abs(vector).max(initial=0.0))
    if norm == "none" or largest == 0:
        return vector
    # First by a power of two, which is exact, so that no sum or square overflows or underflows.
    scaled = np.ldexp(vector, -int(np.frexp(largest)[1]))
    size = {"l1": np.abs(scaled).sum(), "l2": np.sqrt(np.square(scaled).sum()), "max": np.abs(scaled).max()}[norm]
    return np.asarray(scaled / size)


def _some(names: list[str]) -> str:
    return ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
