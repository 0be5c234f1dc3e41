"""Single paths of a lattice: the best, the best few, all of them, and random ones."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..parameters import SEED, Whole, checked
from .counting import check_countable
from .path import MOST_ASKED, MOST_DRAWN, Path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from .lattice import Lattice

#: How many beginnings of paths `kbest` keeps (24 bytes each) before it gives up.
MOST_STEPS = 2**24
#: How many arcs several paths may have in all (12 bytes each, words included): more than the lattice, it may be.
MOST_WRITTEN = 2**27
#: How many random numbers are made at once.
DRAWS_AT_ONCE = 2**20


def count(lattice: Lattice) -> int:
    """How many paths there are; what is known of a state is dropped once it has been used."""
    check_countable(lattice, lattice.scaled(0.0).posteriors()[0] / math.log(2), "paths")
    ways: list[int] = [1] + [0] * (lattice.states - 1)
    ends = (lattice.finals > -np.inf).tolist()
    targets, starts = lattice.targets.tolist(), lattice.starts.tolist()
    paths = 0
    for state, end in enumerate(ends):
        here, ways[state] = ways[state], 0
        if end:
            paths += here
        for target in targets[starts[state] : starts[state + 1]]:
            ways[target] += here
    return paths


def best(lattice: Lattice) -> Path:
    """The path with the highest score."""
    _, arcs, scores = lattice.native().best()
    return path_of(lattice, arcs, float(scores[0]))


def kbest(lattice: Lattice, k: int, distinct: bool, limit: int) -> list[Path]:
    """The best texts or paths."""
    checked("k", k, Whole(0, MOST_ASKED))
    checked("limit", limit, Whole(1, 2**62))
    try:
        return _paths_of(lattice, lattice.native().kbest(k, distinct, limit, MOST_WRITTEN))
    except OverflowError as error:
        raise InputError(f"{lattice.place}: the {k} best: {error}") from None


def all_paths(lattice: Lattice, limit: int) -> list[Path]:
    """Every path, in the order of arcs; one that ends comes before those that go on."""
    checked("limit", limit, Whole(1, MOST_ASKED))
    if count(lattice) > limit:
        raise InputError(f"{lattice.place}: there are more than {limit} paths; expected fewer, or a higher limit")
    ends = (lattice.finals > -np.inf).tolist()
    targets, starts = lattice.targets.tolist(), lattice.starts.tolist()
    found: list[Path] = []
    arcs: list[int] = []  # of the path at hand
    waiting: list[tuple[int, int]] = [(0, arc) for arc in reversed(range(starts[1]))]  # arcs before it, an arc
    written = 0
    if ends[0]:
        found.append(path_of(lattice, np.array([], np.int32)))
    while waiting:
        size, arc = waiting.pop()
        arcs[size:] = [arc]
        state = targets[arc]
        if ends[state]:
            found.append(path_of(lattice, np.array(arcs, np.int32)))
            written += len(arcs)
            _check_written(lattice, len(found), written)
        waiting += [(size + 1, following) for following in reversed(range(starts[state], starts[state + 1]))]
    return found


def sample(lattice: Lattice, number: int, seed: int, scale: float) -> list[Path]:
    """Random paths, made of rows of random numbers."""
    checked("number", number, Whole(0, MOST_DRAWN))
    checked("seed", seed, SEED)
    native = lattice.scaled(scale)
    columns = native.longest() + 1
    rows = max(1, DRAWS_AT_ONCE // columns)
    draws = np.random.Generator(np.random.PCG64(seed))
    found: list[Path] = []
    written = 0
    while len(found) < number:
        starts, arcs, _ = native.drawn(draws.random((min(rows, number - len(found)), columns)))
        found += [path_of(lattice, arcs[a:b]) for a, b in _bounds(starts)]
        written += len(arcs)
        _check_written(lattice, len(found), written)
    return found


def _check_written(lattice: Lattice, paths: int, arcs: int) -> None:
    """Refuse paths that would fill all memory; a single one never does."""
    if paths > 1 and arcs > MOST_WRITTEN:
        raise InputError(
            f"{lattice.place}: paths of more than {MOST_WRITTEN} arcs in all would have to be written down; "
            "expected fewer paths"
        )


def path_of(lattice: Lattice, arcs: NDArray[np.int32], score: float | None = None) -> Path:
    """A path of its arcs; its score is added up from the end backwards."""
    words = tuple(lattice.words[label] for label in lattice.labels[arcs].tolist() if label >= 0)
    if score is None:
        score = float(lattice.finals[lattice.targets[arcs[-1]] if len(arcs) else 0])
        for step in reversed(lattice.scores[arcs].tolist()):
            score = step + score
    return Path(words, score, arcs)


def _paths_of(lattice: Lattice, found: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]) -> list[Path]:
    starts, arcs, scores = found
    return [path_of(lattice, arcs[a:b], score) for (a, b), score in zip(_bounds(starts), scores.tolist(), strict=True)]


def _bounds(starts: NDArray[np.int64]) -> Sequence[tuple[int, int]]:
    return [*pairwise(starts.tolist())]
