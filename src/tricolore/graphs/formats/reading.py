"""How files are read: the meaning of scores and labels, symbol tables, empty graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...readers import name_of, stream_lines
from ...readers.recognise import COLUMNS
from ...weights import Weights
from ..forest import Forest
from ..lattice import Lattice
from .collecting import EdgeList
from .lines import is_whole, quoted

#: Scores are logarithms, probabilities, or costs (negative logarithms).
SCALES = ("log", "prob", "cost")

#: Which labels of a finite-state machine are its words: the only ones, or those of one side of a transducer.
LABELS = ("acceptor", "input", "output")

#: What to do with an empty graph, as where a recogniser found no words.
EMPTY = ("accept", "refuse")

#: How far above 1 a probability may be, because whoever wrote it rounded it.
ROUNDING = 1e-6


@dataclass(frozen=True)
class Reading:
    """How to read files; None is the default of the format."""

    scale: str | None = None  #: one of SCALES
    symbols: Symbols | None = None  #: the words of numeric labels
    numerals: bool = False  #: whether labels are words even where all are numbers
    labels: str | None = None  #: one of LABELS
    epsilon: tuple[str, ...] = ()  #: words treated as epsilon, besides those of the format
    weights: Weights | None = None
    empty: str = "accept"  #: one of EMPTY

    def empty_lattice(self, place: str, found: str, score: float = 0.0) -> Lattice:
        """The lattice of the empty text, for an empty entry in a file."""
        if self.empty == "refuse":
            raise InputError(f"{place}: an empty lattice ({found}); expected words (empty='accept' accepts it)")
        return Lattice.of([], 0, {0: score}, place)

    def empty_forest(self, place: str, found: str) -> Forest:
        """The forest of the empty text, for an empty entry in a file."""
        if self.empty == "refuse":
            raise InputError(f"{place}: an empty forest ({found}); expected words (empty='accept' accepts it)")
        edges = EdgeList(place)
        edges.add(0, [], [], place)
        return edges.forest(1, 0)


def logarithms(values: Sequence[float], scale: str, where: Callable[[int], str]) -> NDArray[np.float64]:
    """Scores, higher is better, from the numbers in a file; `where` returns the place of one.

    >>> logarithms([0.5, 1.0, 0.0], "prob", str)
    array([-0.69314718,  0.        ,        -inf])
    >>> logarithms([0.5, float("inf")], "cost", str)
    array([-0.5, -inf])
    """
    numbers = np.array(values, np.float64)
    is_valid, expected = {
        "prob": ((numbers >= 0) & (numbers <= 1 + ROUNDING), "a probability, from 0 to 1"),
        "cost": (numbers > -np.inf, "a cost above minus infinity"),
        "log": (numbers < np.inf, "a score below infinity"),
    }[scale]
    if not is_valid.all():
        first = int(np.argmin(is_valid))
        raise InputError(f"{where(first)}: expected {expected}, found {values[first]:g}")
    if scale == "prob":
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(numbers))
    return 0.0 - numbers if scale == "cost" else numbers  # without minus zero


@dataclass(frozen=True)
class Symbols:
    """Words by their numbers, as OpenFst and Kaldi write them; number 0 is epsilon."""

    words: Mapping[str, str]
    origin: str

    def word(self, label: str, where: str) -> str | None:
        """The word of a label, None for number 0."""
        if label == "0":
            return None
        if label not in self.words:
            hint = "" if is_whole(label) else "; with a symbol table labels are numbers"
            raise InputError(f"{where}: {quoted(label)} is not a number in {self.origin}{hint}")
        return self.words[label]

    @staticmethod
    def read(path: str) -> Symbols:
        """Read a symbol table: a word and its number per line."""
        words: dict[str, str] = {}
        name, expected = name_of(path), "a word and its number"
        for i, line in enumerate(stream_lines(path, f"a symbol table, {expected} per line", [COLUMNS]), 1):
            fields = line.split()
            if not fields:
                continue
            if len(fields) != 2 or not is_whole(fields[1]):
                raise InputError(f"{name}: line {i}: expected {expected}, found {quoted(line)}")
            label = str(int(fields[1]))
            if words.setdefault(label, fields[0]) != fields[0]:
                raise InputError(
                    f"{name}: line {i}: number {label} is {quoted(words[label])} already; expected each number once"
                )
        if not words:
            raise InputError(f"{name}: there are no symbols; expected {expected} per line")
        return Symbols(words, name)
