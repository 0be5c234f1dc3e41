"""`tricolore lattice stats`: how large graphs are, as a table."""

from __future__ import annotations

import math
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..graphs import Lattice
from . import tables
from .printing import as_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TextIO

    from ..graphs import Forest

COLUMNS = ("graph", "states", "arcs", "words", "ε", "paths", "density", "best score")

#: Numbers of more bits, about 3,900 digits, are not written in full.
MOST_BITS = 13_000


@dataclass
class Size:
    """What there is to count in a graph, or in several; of a forest, nodes are states and edges arcs."""

    name: str
    states: int = 0
    arcs: int = 0
    words: set[str] = field(default_factory=set)
    epsilon: int = 0  #: arcs without a word, edges that make nothing
    paths: int | None = None  #: of several graphs there is no such number, and some are beyond counting
    digits: float | None = None  #: the logarithm of it to the base 10
    length: int = 0  #: words of the best path
    score: float = 0.0  #: of the best path

    @staticmethod
    def of(graph: Lattice | Forest) -> Size:
        """Count."""
        best = graph.best()
        if isinstance(graph, Lattice):
            states, numbers = graph.states, graph.labels
            epsilon = int((numbers < 0).sum())
        else:
            states, numbers = graph.nodes, graph.items
            epsilon = int((graph.starts[1:] == graph.starts[:-1]).sum())
        words = {graph.words[i] for i in {*numbers[numbers >= 0].tolist()}}
        try:
            paths: int | None = graph.count()
        except InputError:  # too many to count exactly
            paths = None
        digits = math.log10(paths) if paths is not None else graph.total(0.0) / math.log(10)
        return Size(graph.place, states, len(graph), words, epsilon, paths, digits, len(best.words), best.score)

    def add(self, other: Size) -> None:
        """Take another graph in."""
        self.states += other.states
        self.arcs += other.arcs
        self.words |= other.words
        self.epsilon += other.epsilon
        self.length += other.length
        self.score += other.score

    @property
    def density(self) -> float | None:
        """Arcs for each word of the best path."""
        return self.arcs / self.length if self.length else None

    def as_row(self, digits: int, *, exact: bool) -> list[str]:
        """The cells of the table, whole numbers in full or as people read them."""
        write = in_full if exact else short
        return [
            self.name,
            *map(write, (self.states, self.arcs, len(self.words), self.epsilon)),
            self._shown_paths(write),
            "" if self.density is None else f"{self.density:.{digits}f}",
            f"{self.score + 0.0:.{digits}f}",
        ]

    def _shown_paths(self, write: Callable[[int], str]) -> str:
        if self.paths is not None:
            return write(self.paths)
        return "" if self.digits is None else f"~1e{self.digits:.0f}"

    def as_object(self) -> dict[str, Any]:
        """What JSON has: the number of paths exactly, unless it is too long, and its logarithm."""
        found: dict[str, Any] = {
            "name": self.name,
            "states": self.states,
            "arcs": self.arcs,
            "words": len(self.words),
            "epsilon": self.epsilon,
        }
        if self.digits is not None:
            found["paths"] = self.paths if self.paths is not None and self.paths.bit_length() <= MOST_BITS else None
            found["log10_paths"] = self.digits
        return found | {"best_words": self.length, "density": self.density, "best_score": self.score}


class Sizes:
    """The sizes of graphs, one by one if they are to be kept, and all together."""

    def __init__(self, graphs: Iterable[Lattice | Forest], *, keep: bool):
        self.rows: list[Size] = []
        self.total = Size("all")
        self.number = 0
        for graph in graphs:
            size = Size.of(graph)
            self.total.add(size)
            self.number += 1
            if keep:
                self.rows.append(size)

    def print(self, form: str, digits: int, file: TextIO) -> None:
        """Print in the form asked for."""
        if form == "json":
            total = {**self.total.as_object(), "graphs": self.number}
            found = {"graphs": [row.as_object() for row in self.rows], "all": total} if self.rows else total
            print(as_json(found, indent=1), file=file)
            return
        self.total.name = f"all {self.number:,}"
        shown = [*self.rows, self.total] if len(self.rows) != 1 else self.rows
        cells = [row.as_row(digits, exact=form == "tsv") for row in shown]
        if form != "tsv":
            for row, name in zip(cells, without_file([size.name for size in self.rows]), strict=False):
                row[0] = name
        if form == "text":
            with redirect_stdout(file):
                tables.text(COLUMNS, cells)
        else:
            make = {"tsv": tables.tsv, "markdown": tables.markdown, "latex": tables.latex}[form]
            print(make(COLUMNS, cells), file=file)


def without_file(names: list[str]) -> list[str]:
    """The names of graphs, without that of their file if it is the same for several.

    >>> without_file(["dev.plf: line 1", "dev.plf: line 2"]), without_file(["a.plf: line 1", "b.plf: line 1"])
    (['line 1', 'line 2'], ['a.plf: line 1', 'b.plf: line 1'])
    """
    parts = [name.partition(": ") for name in names]
    is_same = len(names) > 1 and len({file for file, _, _ in parts}) == 1 and all(rest for _, _, rest in parts)
    return [rest for _, _, rest in parts] if is_same else names


def in_full(number: int) -> str:
    """A whole number with all its digits, if they are not too many."""
    return str(number) if number.bit_length() <= MOST_BITS else short(number)


def short(number: int) -> str:
    """A whole number as people read it.

    >>> short(999_999), short(2**200), short(10**5000)
    ('999,999', '1.6e60', '1.0e5000')
    """
    return f"{number:,}" if number < 10**9 else f"{Decimal(number):.1e}".replace("e+", "e")
