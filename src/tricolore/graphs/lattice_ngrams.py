"""N-grams of a lattice: counts, posteriors, and states that know enough of the words before them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import InputError, SpecError
from ..parameters import Whole, checked
from .ngram_table import NgramGain, NgramTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .lattice import Lattice

#: The longest n-grams that can be asked for.
MOST_WORDS = 100
#: How many n-grams, told apart by where they begin and end, may be made (24 bytes each).
MOST_NGRAMS = 2**25
#: How many arcs a lattice may have once its states are split (36 bytes each).
MOST_ARCS = 2**25


def expected(lattice: Lattice, order: int, scale: float, limit: int) -> NgramTable:
    """How often each n-gram is in a path, in the mean."""
    _check_order(order)
    checked("limit", limit, Whole(1, 2**62))
    try:
        return _table(lattice, lattice.scaled(scale).expected_ngrams(order, limit))
    except OverflowError as error:
        raise InputError(f"{lattice.place}: n-grams of up to {order} words would take {error}") from None


def posteriors(lattice: Lattice, order: int, scale: float, limit: int) -> NgramTable:
    """How likely each n-gram is in a path."""
    _check_order(order)
    checked("limit", limit, Whole(1, 2**62))
    try:
        return _table(lattice, lattice.scaled(scale).ngram_posteriors(order, limit))
    except OverflowError as error:
        raise InputError(f"{lattice.place}: n-grams of up to {order} words would take {error}") from None


def _check_order(order: int) -> None:
    if not 1 <= order <= MOST_WORDS:
        raise SpecError(f"n-grams of up to {order} words; expected an order from 1 to {MOST_WORDS}")


def _table(lattice: Lattice, tables: list[tuple[NDArray[np.int32], NDArray[np.float64]]]) -> NgramTable:
    return NgramTable(
        lattice.words,
        tuple(keys.reshape(-1, n) for n, (keys, _) in enumerate(tables, 1)),
        tuple(values for _, values in tables),
    )


class Split(NamedTuple):
    """A lattice whose states have been split: which state and arc each was, and what n-grams make the arc worth."""

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    arc_of: NDArray[np.int32]
    state_of: NDArray[np.int32]
    worth: NDArray[np.float64]


def split(lattice: Lattice, gain: NgramGain, limit: int) -> Split:
    """Split states by the words before them, as far as the n-grams of a gain need."""
    checked("limit", limit, Whole(1, 2**31 - 1))
    starts, words, values = _numbered(lattice, gain.table)
    if not (np.isfinite(values).all() and np.isfinite(gain.word)):
        raise SpecError("a gain of n-grams that is not finite; expected finite numbers")
    try:
        return Split(*lattice.native().split(starts, words, values, gain.word, limit))
    except OverflowError:
        raise InputError(
            f"{lattice.place}: {len(values)} n-grams would split it into more than {limit} arcs; expected a smaller "
            "lattice, shorter n-grams or a higher limit"
        ) from None


def _numbered(lattice: Lattice, table: NgramTable) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """N-grams in the lattice's numbers, one after another; those with words that it does not have are left out."""
    if table.words == lattice.words:
        numbers = np.arange(len(table.words), dtype=np.int32)
    else:
        known = {word: i for i, word in enumerate(lattice.words)}
        numbers = np.array([known.get(word, -1) for word in table.words], np.int32)
    sizes, words, values = [], [], []
    for n, (keys, of_order) in enumerate(zip(table.keys_by_order, table.values_by_order, strict=True), 1):
        rows = numbers[keys]
        kept = (rows >= 0).all(axis=1)
        sizes.append(np.full(kept.sum(), n))
        words.append(rows[kept].ravel())
        values.append(of_order[kept])
    starts = np.concatenate([[0], np.cumsum(np.concatenate([[], *sizes]))]).astype(np.int64)
    empty = np.zeros(0)
    return starts, np.concatenate([empty, *words]).astype(np.int32), np.concatenate([empty, *values])
