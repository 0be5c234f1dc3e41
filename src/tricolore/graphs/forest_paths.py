"""Single derivations of a forest: the best, the best few, all of them, and random ones; how many there are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ..draws import stream
from ..errors import InputError
from ..parameters import Whole, checked
from .counting import check_countable
from .graph import check_scale
from .path import MOST_ASKED, MOST_DRAWN, Path

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .forest import Forest
    from .recognition import Recognition

#: How many derivations of nodes `kbest` keeps (some 110 bytes each) before it gives up.
MOST_KEPT = 2**25
#: How many numbers may be kept (8 bytes each): for every node, about half the square of the reference's length.
MOST_CELLS = 2**27


def best(forest: Forest) -> Path:
    """The derivation with the highest score."""
    with refusing(forest):
        return paths_of(forest, *forest.native.best())[0]


def kbest(forest: Forest, k: int, distinct: bool, limit: int) -> list[Path]:
    """The best texts or derivations."""
    checked("k", k, Whole(0, MOST_ASKED))
    checked("limit", limit, Whole(1, 2**62))
    with refusing(forest):
        return paths_of(forest, *forest.native.kbest(k, distinct, limit))


def all_paths(forest: Forest, limit: int) -> list[Path]:
    """Every derivation, in the order of edges."""
    checked("limit", limit, Whole(1, MOST_ASKED))
    with refusing(forest):
        starts, edges = forest.native.all(limit)
        if len(starts) == 1:
            raise InputError(
                f"{forest.place}: there are more than {limit:,} derivations; expected fewer, or a higher limit"
            )
        return paths_of(forest, starts, edges)


def sample(forest: Forest, number: int, seed: int, scale: float) -> list[Path]:
    """Random derivations."""
    checked("number", number, Whole(0, MOST_DRAWN))
    check_scale(scale)
    draws = stream(seed)
    with refusing(forest):
        return paths_of(forest, *forest.native.sample(scale, number, draws))


def count(forest: Forest) -> int:
    """How many derivations there are; what is known of a node is dropped once it has been used."""
    with refusing(forest):
        bits = forest.native.branching(0.0)[0] / math.log(2)
    check_countable(forest, bits, "derivations")
    last_uses = _last_uses(forest)
    starts, items, ends = forest.starts.tolist(), forest.items.tolist(), forest.edge_starts.tolist()
    counts: dict[int, int] = {}
    for node in range(forest.nodes):
        counts[node] = 0
        used = set()
        for edge in range(ends[node], ends[node + 1]):
            tails = [~item for item in items[starts[edge] : starts[edge + 1]] if item < 0]
            counts[node] += math.prod(counts[tail] for tail in tails)
            used.update(tails)
        for tail in used:
            if last_uses[tail] == node:
                del counts[tail]
    return counts[forest.nodes - 1]


def _last_uses(forest: Forest) -> list[int]:
    """The last node that is made of each node."""
    last = np.zeros(forest.nodes, np.int64)
    is_node = forest.items < 0
    last[~forest.items[is_node]] = np.repeat(forest.heads, np.diff(forest.starts))[is_node]  # the last one stays
    return last.tolist()


def paths_of(forest: Forest, starts: NDArray[np.int64], edges: NDArray[np.int32]) -> list[Path]:
    """Derivations, given their edges one after another, as paths."""
    scores, word_starts, numbers = forest.native.read(starts, edges)
    words = [forest.words[i] for i in numbers.tolist()]
    edge_bounds, word_bounds = starts.tolist(), word_starts.tolist()
    return [
        Path(
            tuple(words[word_bounds[i] : word_bounds[i + 1]]), score, edges[edge_bounds[i] : edge_bounds[i + 1]].copy()
        )
        for i, score in enumerate(scores.tolist())
    ]


@contextmanager
def refusing(forest: Forest) -> Iterator[None]:
    """What is too large for the core is refused by name."""
    try:
        yield
    except OverflowError as error:
        raise InputError(f"{forest.place}: {error}") from None


def best_recognised(forest: Forest, what: Recognition) -> tuple[float, Path]:
    """The best numerator of n-gram recognition, and its derivation."""
    with refusing(forest):
        value, starts, edges = forest.native.best_recognised(
            what.token_starts, what.token_ids, what.reference, what.order, what.alpha, what.beta, MOST_CELLS
        )
        return value, paths_of(forest, starts, edges)[0]
