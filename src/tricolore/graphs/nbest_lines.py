"""Paths of lattices and forests as lines of n-best lists."""

from collections.abc import Iterable, Iterator

import numpy as np

from ..errors import InputError
from .graph import Graph, Path


def kbest_lines(graphs: Iterable[Graph], k: int = 10, *, distinct: bool = True) -> Iterator[str]:
    """The k best texts of every graph, or unless `distinct` its k best paths, as lines of an n-best list.

    A line is `number ||| text ||| features ||| score`; features are summed along each path.

    >>> from tricolore import Lattice
    >>> lattice = Lattice.of([(0, 1, "a", -0.5), (1, 2, "cat", -0.25), (1, 2, "dog")], 0, [2])
    >>> [*kbest_lines([lattice])]
    ['0 ||| a dog |||  ||| -0.5', '0 ||| a cat |||  ||| -0.75']
    """
    for i, graph in enumerate(graphs):
        yield from _lines(i, graph, graph.kbest(k, distinct=distinct))


def sample_lines(graphs: Iterable[Graph], number: int = 10, *, seed: int = 12345, scale: float = 1.0) -> Iterator[str]:
    """Random paths of every graph as lines of an n-best list; the random seed of graph i is seed + i."""
    for i, graph in enumerate(graphs):
        yield from _lines(i, graph, graph.sample(number, seed=seed + i, scale=scale))


def _lines(number: int, graph: Graph, paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        if "|||" in path.text:
            raise InputError(f"{graph.place}: a text contains |||, which separates the fields of an n-best list")
        yield f"{number} ||| {path.text} ||| {_features(graph, path)} ||| {path.score!r}"


def _features(graph: Graph, path: Path) -> str:
    """The features of a path that are not zero."""
    if graph.features is None or graph.layout is None:
        return ""
    rows = graph.features.take(np.asarray(path.arcs, np.int64))
    sums = np.bincount(rows.columns, rows.values, minlength=graph.layout.size).tolist()
    found = {name: value for name, value in zip(graph.layout.labels, sums, strict=True) if value}
    for name in found:
        if name.split() != [name] or "|||" in name:
            raise InputError(f"{graph.place}: feature {name!r}: names in an n-best list have no spaces and no |||")
    return " ".join(f"{name}= {value!r}" for name, value in found.items())
