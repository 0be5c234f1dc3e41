"""Values of n-grams, by order; and gains that are sums of such values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..errors import SpecError
from ..parameters import Whole

#: Orders that can be asked for.
ORDER = Whole(1, 100)
#: The number of n-grams in the `repr` of a table.
SHOWN = 8


@dataclass(frozen=True, eq=False, repr=False)
class NgramTable(Mapping[tuple[str, ...], float]):
    """Values of n-grams: values_by_order[n - 1][i] is that of row i of keys_by_order[n - 1], of indices in `words`.

    >>> table = NgramTable.of({("a",): 1.0, ("a", "cat"): 0.5})
    >>> table[("a", "cat")], table.order, len(table), ("cat",) in table
    (0.5, 2, 2, False)
    >>> table
    NgramTable of 2 n-grams: {('a',): 1.0, ('a', 'cat'): 0.5}
    """

    words: tuple[str, ...]
    keys_by_order: tuple[NDArray[np.int32], ...]
    values_by_order: tuple[NDArray[np.float64], ...]

    @staticmethod
    def of(values: Mapping[tuple[str, ...], float], words: Sequence[str] = ()) -> NgramTable:
        """From a dictionary; `words` are the first of the table's words."""
        numbers = {word: i for i, word in enumerate(words)}
        order = max(map(len, values), default=0)
        keys: list[list[list[int]]] = [[] for _ in range(order)]
        numbered: list[list[float]] = [[] for _ in range(order)]
        for ngram, value in values.items():
            keys[len(ngram) - 1].append([numbers.setdefault(word, len(numbers)) for word in ngram])
            numbered[len(ngram) - 1].append(value)
        return NgramTable(
            tuple(numbers),
            tuple(np.array(rows, np.int32).reshape(len(rows), n) for n, rows in enumerate(keys, 1)),
            tuple(np.array(row, np.float64) for row in numbered),
        )

    def above(self, least: float) -> NgramTable:
        """The n-grams with at least this value.

        >>> dict(NgramTable.of({("a",): 1.0, ("a", "cat"): 0.5}).above(0.75))
        {('a',): 1.0}
        """
        kept = [values >= least for values in self.values_by_order]
        return NgramTable(
            self.words,
            tuple(keys[rows] for keys, rows in zip(self.keys_by_order, kept, strict=True)),
            tuple(values[rows] for values, rows in zip(self.values_by_order, kept, strict=True)),
        )

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self.keys_by_order)

    def __getitem__(self, ngram: tuple[str, ...]) -> float:
        return self._by_ngram[ngram]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self._by_ngram)

    def __len__(self) -> int:
        return sum(map(len, self.values_by_order))

    def __repr__(self) -> str:
        some = ", ".join(f"{ngram!r}: {value:.4}" for ngram, value in islice(self.items(), SHOWN))
        return f"NgramTable of {len(self):,} n-grams: {{{some}{', ...' * (len(self) > SHOWN)}}}"

    @cached_property
    def _by_ngram(self) -> dict[tuple[str, ...], float]:
        return {
            tuple(self.words[i] for i in row): value
            for keys, values in zip(self.keys_by_order, self.values_by_order, strict=True)
            for row, value in zip(keys.tolist(), values.tolist(), strict=True)
        }


@dataclass(frozen=True, eq=False)
class NgramGain:
    """A gain that is a sum over words and n-grams: word·|e| + Σ value(g)·#g(e).

    #g(e) is the number of occurrences of g in the text e. N-grams that are not in the table add nothing.

    >>> gain = NgramGain(NgramTable.of({("a",): 1.0, ("a", "cat"): 0.5}), word=-0.25)
    >>> gain("a cat and a dog".split())
    1.25
    """

    table: NgramTable
    word: float = 0.0

    def __call__(self, words: Sequence[str]) -> float:
        """The gain of a text."""
        ngrams = (tuple(words[i : i + n]) for n in range(1, self.table.order + 1) for i in range(len(words) - n + 1))
        return self.word * len(words) + sum(self.table.get(ngram, 0.0) for ngram in ngrams)

    def indexed(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """The n-grams of these words that can change a score: where each begins, the indices of their words, values."""
        known = {word: i for i, word in enumerate(words)}
        indices = np.array([known.get(word, -1) for word in self.table.words], np.int32)
        sizes, items, values = [np.zeros(1, np.int64)], [np.zeros(0, np.int32)], [np.zeros(0)]
        for n, (keys, of_order) in enumerate(zip(self.table.keys_by_order, self.table.values_by_order, strict=True), 1):
            rows = indices[keys]
            kept = (rows >= 0).all(axis=1) & (of_order != 0.0)
            sizes.append(np.full(kept.sum(), n))
            items.append(rows[kept].ravel())
            values.append(of_order[kept])
        found = np.concatenate(values)
        if not (np.isfinite(found).all() and np.isfinite(self.word)):
            raise SpecError("some values of words or n-grams are not finite; expected finite numbers")
        return np.cumsum(np.concatenate(sizes)), np.concatenate(items), found
