"""Paths of lattices and forests as lines of n-best lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .graph import Graph, Path


def nbest_lines(number: int, graph: Graph, paths: Iterable[Path]) -> Iterator[str]:
    """Write paths of a graph as `number ||| text ||| features ||| score`; features are summed along each path.

    >>> from tricolore import Lattice
    >>> lattice = Lattice.of([(0, 1, "a", -0.5), (1, 2, "cat", -0.25), (1, 2, "dog")], 0, [2])
    >>> [*nbest_lines(0, lattice, lattice.kbest(2))]
    ['0 ||| a dog |||  ||| -0.5', '0 ||| a cat |||  ||| -0.75']
    """
    for path in paths:
        if "|||" in path.text:
            raise InputError(f"{graph.place}: a text has ||| in it, which ends it in a list")
        yield f"{number} ||| {path.text} ||| {_features(graph, path)} ||| {path.score!r}"


def _features(graph: Graph, path: Path) -> str:
    """The sums of the features along a path, those that are not zero."""
    if graph.features is None or graph.layout is None:
        return ""
    rows = graph.features.take(np.asarray(path.arcs, np.int64))
    sums = np.bincount(rows.columns, rows.values, minlength=graph.layout.size).tolist()
    found = {name: value for name, value in zip(graph.layout.labels, sums, strict=True) if value}
    for name in found:
        if name.split() != [name] or "|||" in name:
            raise InputError(f"{graph.place}: feature {name!r} has no place in a list, where names are without spaces")
    return " ".join(f"{name}= {value!r}" for name, value in found.items())
