"""Sizes of lattices and forests: states, arcs, words, paths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np

from ..errors import InputError
from ..results import Page, Result, Table
from ..types import Record
from .forest import Forest
from .lattice import Lattice

COLUMNS = ("graph", "states", "arcs", "words", "ε", "paths", "density", "best score")

#: Longer numbers, of more than about 3,900 digits, are not written in full.
MOST_BITS = 13_000


@dataclass
class Size:
    """The size of a graph, or of several; in a forest, nodes count as states and edges as arcs."""

    name: str
    states: int = 0
    arcs: int = 0
    words: set[str] = field(default_factory=set)
    epsilon: int = 0  #: arcs without a word, edges with an empty right-hand side
    paths: int | None = None  #: None for several graphs, and if there are too many to count
    digits: float | None = None  #: the logarithm of the number of paths to base 10
    length: int = 0  #: words of the best path
    score: float = 0.0  #: of the best path

    @staticmethod
    def of(graph: Lattice | Forest) -> Size:
        """The size of a graph."""
        best = graph.best()
        if isinstance(graph, Lattice):
            states, labels = graph.states, graph.labels
            epsilon = int((labels < 0).sum())
        else:
            states, labels = graph.nodes, graph.items
            epsilon = int((graph.starts[1:] == graph.starts[:-1]).sum())
        words = {graph.words[i] for i in np.unique(labels[labels >= 0]).tolist()}
        try:
            paths: int | None = graph.count()
        except InputError:  # too many to count exactly
            paths = None
        digits = math.log10(paths) if paths is not None else graph.total(0.0) / math.log(10)
        return Size(graph.place, states, len(graph), words, epsilon, paths, digits, len(best.words), best.score)

    def add(self, other: Size) -> None:
        """Add the size of another graph."""
        self.words |= other.words
        for name in ("states", "arcs", "epsilon", "length", "score"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def density(self) -> float | None:
        """Arcs per word of the best path."""
        return self.arcs / self.length if self.length else None

    @property
    def exact_paths(self) -> int | None:
        """The number of paths, unless it is too long to be written in full."""
        return self.paths if self.paths is not None and self.paths.bit_length() <= MOST_BITS else None

    @property
    def shown_paths(self) -> str | None:
        """The number of paths, rounded if it is large."""
        if self.paths is not None:
            return short(self.paths)
        return None if self.digits is None else f"~1e{self.digits:.0f}"

    def record(self) -> Record:
        """The numbers in full by the columns of the table; the number of paths is rounded if it is too long."""
        paths = self.shown_paths if self.exact_paths is None else self.exact_paths
        counts = (self.states, self.arcs, len(self.words), self.epsilon, paths)
        return dict(zip(COLUMNS, (self.name, *counts, self.density, self.score + 0.0), strict=True))

    def cells(self, digits: int) -> list[str]:
        """The cells of the table."""
        return [
            *map(short, (self.states, self.arcs, len(self.words), self.epsilon)),
            self.shown_paths or "",
            "" if self.density is None else f"{self.density:.{digits}f}",
            f"{self.score + 0.0:.{digits}f}",
        ]

    def as_object(self) -> dict[str, Any]:
        """The size as JSON has it: the exact number of paths, unless it is too long, and its logarithm."""
        counts = {"states": self.states, "arcs": self.arcs, "words": len(self.words), "epsilon": self.epsilon}
        paths = {} if self.digits is None else {"paths": self.exact_paths, "log10_paths": self.digits}
        best = {"best_words": self.length, "density": self.density, "best_score": self.score}
        return {"name": self.name, **counts, **paths, **best}


@dataclass(frozen=True, repr=False)
class GraphSizes(Result):
    """The sizes of graphs and their total, as `graph_sizes` returns them."""

    graphs: tuple[Size, ...]
    total: Size
    number: int  #: of graphs

    def __repr__(self) -> str:
        return f"<sizes of {self.number:,} graphs: {self.total.states:,} states, {self.total.arcs:,} arcs>"

    @property
    def rows(self) -> list[Size]:
        """The graphs and, unless there is only one, the total."""
        total = replace(self.total, name=f"all {self.number:,}")
        return [*self.graphs, total] if len(self.graphs) != 1 else [*self.graphs]

    def to_dict(self) -> dict[str, Any]:
        """The sizes of every graph and the total; only the total of a summary."""
        total = {**self.total.as_object(), "graphs": self.number}
        return {"graphs": [one.as_object() for one in self.graphs], "all": total} if self.graphs else total

    def facts(self) -> Mapping[str, Sequence[Record]]:
        return {"graphs": [one.record() for one in self.rows]}

    def page(self, width: int | None = None) -> Page:
        rows = self.rows
        names = without_file([one.name for one in self.graphs])
        names += [one.name for one in rows[len(names) :]]
        digits = 2 if width is None else width
        return Page([Table(COLUMNS, [[name, *one.cells(digits)] for name, one in zip(names, rows, strict=True)])])


def graph_sizes(graphs: Iterable[Lattice | Forest], *, summary: bool = False) -> GraphSizes:
    """Count states, arcs, distinct words, arcs without a word and paths of graphs; `summary` keeps only the total.

    >>> from tricolore import Lattice
    >>> sizes = graph_sizes([Lattice.of([(0, 1, "a"), (1, 2, "cat"), (1, 2, "dog")], 0, [2])])
    >>> sizes.graphs[0].paths, sizes.graphs[0].density
    (2, 1.5)
    """
    rows, total, number = [], Size("all"), 0
    for graph in graphs:
        size = Size.of(graph)
        total.add(size)
        number += 1
        if not summary:
            rows.append(size)
    return GraphSizes(tuple(rows), total, number)


def without_file(names: list[str]) -> list[str]:
    """The names of graphs, without the name of their file if they share it.

    >>> without_file(["dev.plf: line 1", "dev.plf: line 2"]), without_file(["a.plf: line 1", "b.plf: line 1"])
    (['line 1', 'line 2'], ['a.plf: line 1', 'b.plf: line 1'])
    """
    parts = [name.partition(": ") for name in names]
    is_same = len(names) > 1 and len({file for file, _, _ in parts}) == 1 and all(rest for _, _, rest in parts)
    return [rest for _, _, rest in parts] if is_same else names


def short(number: int) -> str:
    """A whole number, rounded if it is large.

    >>> short(999_999), short(2**200), short(10**5000)
    ('999,999', '1.6e60', '1.0e5000')
    """
    return f"{number:,}" if number < 10**9 else f"{Decimal(number):.1e}".replace("e+", "e")
