"""N-grams of a forest: counts, posteriors, and nodes that know enough of the words around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import InputError, SpecError
from ..parameters import Whole, checked
from .forest_paths import refusing
from .graph import check_scale
from .ngram_table import NgramGain, NgramTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .forest import Forest

#: The longest n-grams that can be asked for.
MOST_WORDS = 100
#: How many n-grams may be told apart (some 60 bytes each).
MOST_NGRAMS = 2**23
#: How many edges a forest may have once its nodes are split (some 40 bytes each).
MOST_EDGES = 2**24


def table(forest: Forest, order: int, scale: float, limit: int, *, once: bool) -> NgramTable:
    """How often each n-gram is expected; or `once`, how likely it is there at least once."""
    checked("order", order, Whole(1, MOST_WORDS))
    checked("limit", limit, Whole(1, 2**30))
    check_scale(scale)
    with refusing(forest):
        words, values = forest.native.ngrams(order, scale, limit, once)
    keys = [of_order.reshape(-1, n) for n, of_order in enumerate(words, 1)]
    in_order = [np.lexsort(of_order.T[::-1]) for of_order in keys]
    return NgramTable(
        forest.words,
        tuple(of_order[rows] for of_order, rows in zip(keys, in_order, strict=True)),
        tuple(of_order[rows] for of_order, rows in zip(values, in_order, strict=True)),
    )


class Split(NamedTuple):
    """A forest whose nodes have been split; which edge each new one was, and -1 for those that are part of one."""

    heads: NDArray[np.int32]
    starts: NDArray[np.int64]
    items: NDArray[np.int32]
    scores: NDArray[np.float64]
    nodes: int
    origins: NDArray[np.int32]


def split(forest: Forest, gain: NgramGain, model: float, limit: int) -> Split:
    """Split nodes by how their texts begin and end, as far as the n-grams of a gain need."""
    checked("limit", limit, Whole(1, 2**31 - 1))
    starts, words, values = _numbered(forest, gain.table)
    if not (np.isfinite(values).all() and np.isfinite(gain.word) and np.isfinite(model)):
        raise SpecError("gains of n-grams and of words must be numbers, and the weight of the model too")
    with refusing(forest):
        made = Split(*forest.native.rescored(gain.word, starts, words, values, model, limit))
    if not np.isfinite(made.scores).all():
        raise InputError(
            f"{forest.place}: scores grow beyond all numbers; expected smaller gains, or less of the model"
        )
    return made


def _numbered(forest: Forest, table: NgramTable) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """N-grams in the forest's numbers, one after another; only those that can change a score."""
    known = {word: i for i, word in enumerate(forest.words)}
    numbers = np.array([known.get(word, -1) for word in table.words], np.int32)
    sizes, words, values = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)], [np.zeros(0)]
    for n, (keys, of_order) in enumerate(zip(table.keys_by_order, table.values_by_order, strict=True), 1):
        rows = numbers[keys]
        kept = (rows >= 0).all(axis=1) & (of_order != 0.0)
        sizes.append(np.full(kept.sum(), n))
        words.append(rows[kept].ravel())
        values.append(of_order[kept])
    return np.cumsum(np.concatenate(sizes)), np.concatenate(words), np.concatenate(values)
