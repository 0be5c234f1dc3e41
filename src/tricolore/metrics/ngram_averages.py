"""What metrics share that average n-gram precision and recall over orders."""

from __future__ import annotations

from functools import cached_property

from .. import _native
from ..elementwise import divide, maximum
from ..tokenizers import CORE
from .per_reference import PerReferenceMetric, nearest_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .pairwise import Group


class NgramAverages(PerReferenceMetric):
    """Clipped matches with one reference, n-grams of both sides, and their lengths."""

    family = "re-implemented from descriptions"
    order: int

    #: Whether the core counts characters, too.
    counts_characters = False

    @cached_property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.order + 1)
        return (
            *(f"match_{n}" for n in orders),
            *(f"hyp_total_{n}" for n in orders),
            *(f"ref_total_{n}" for n in orders),
            "hyp_len",
            "ref_len",
            *self.more_columns,
        )

    #: What a metric adds to them.
    more_columns: tuple[str, ...] = ()

    @cached_property
    def counter(self) -> _native.NgramPairCounter:
        return _native.NgramPairCounter(**self.core_reading, order=self.order, characters=self.counts_characters)

    pairs_at_a_time = 1 << 20

    def core_columns(self, groups: Sequence[Group], threads: int) -> Iterable[Sequence[Any]]:
        from .pairwise import shared_words

        orders = range(1, self.order + 1)
        counted = shared_words(self, groups, self.order, threads)
        if not self.counts_characters:
            for words in counted:
                yield [*map(words.matches, orders), *map(words.of_hyps, orders), words.of_hyps(1), words.of_refs(1)]
            return
        letters = shared_words(self, groups, 0, threads, tokenizer=CORE["char"], strip_punctuation=self.core_strip)
        for words, characters in zip(counted, letters, strict=True):
            lengths = [one for shared in (words, characters) for one in (shared.of_hyps(1), shared.of_refs(1))]
            yield [*map(words.matches, orders), *map(words.of_hyps, orders), *lengths]

    def row(self, pair: Sequence[Any], over: Any) -> Any:
        N = self.order
        c, r = pair[2 * N], pair[2 * N + 1]
        ref_totals = [maximum(r - float(n), 0.0) for n in range(N)]
        row = [*pair[: 2 * N], *ref_totals, c, r, *self.more(pair)]
        return over.best(row, -self.value(row), *nearest_length(c, r, row))

    def more(self, pair: Sequence[Any]) -> Sequence[Any]:
        """What a metric adds to the counts of a pair."""
        return ()

    def precisions_and_recalls(self, row: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """p_n and r_n for n = 1..N; 0 where there is nothing to divide by."""
        N = self.order
        m, hyp_totals, ref_totals = row[:N], row[N : 2 * N], row[2 * N : 3 * N]
        return [*map(divide, m, hyp_totals)], [*map(divide, m, ref_totals)]
