"""Lattice: an acyclic graph whose arcs are words; every way from the start to an end is a text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .. import _native
from ..errors import InputError
from ..tune.features import Features, Layout
from .graph import Graph

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from numpy.typing import NDArray

#: The label of arcs without a word.
EPSILON = -1


@dataclass(frozen=True, eq=False)
class Lattice(Graph):
    """Arcs in the order of their sources, states in topological order; state 0 is the start.

    Scores are logarithms or whatever adds along a path: more is better. A path may end in any state whose final score
    is not minus infinity; that score is added. All states are on a path from the start to an end.

    >>> lattice = Lattice.of([("s", "m", "a", -0.1), ("m", "e", "cat", -0.7), ("m", "e", "dog", -0.2)], "s", ["e"])
    >>> len(lattice), lattice.states, lattice.words
    (3, 3, ('a', 'cat', 'dog'))
    """

    words: tuple[str, ...]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    labels: NDArray[np.int32]  #: numbers of words; EPSILON for none
    scores: NDArray[np.float64]
    finals: NDArray[np.float64]  #: one a state
    place: str = "the lattice"  #: where it is from, for messages
    features: Features | None = None  #: one row an arc
    layout: Layout | None = None

    @staticmethod
    def of(
        arcs: Iterable[tuple[Hashable, Hashable, str | None] | tuple[Hashable, Hashable, str | None, float]],
        start: Hashable,
        finals: Iterable[Hashable] | Mapping[Hashable, float],
        place: str = "the lattice",
    ) -> Lattice:
        """From arcs (source, target, word or None, score), in any order; states may be called anything.

        States on no complete path are left out. A cycle, a lattice without a path and scores that are not numbers are
        refused.
        """
        numbers: dict[Hashable, int] = {start: 0}
        vocabulary: dict[str, int] = {}
        columns: tuple[list[int], list[int], list[int], list[float]] = ([], [], [], [])
        for source, target, word, *score in arcs:
            columns[0].append(numbers.setdefault(source, len(numbers)))
            columns[1].append(numbers.setdefault(target, len(numbers)))
            columns[2].append(EPSILON if word is None else vocabulary.setdefault(word, len(vocabulary)))
            columns[3].append(score[0] if score else 0.0)
        ends = finals if isinstance(finals, dict) else dict.fromkeys(finals, 0.0)
        for end in ends:
            numbers.setdefault(end, len(numbers))
        final_scores = np.full(len(numbers), -np.inf)
        final_scores[[numbers[end] for end in ends]] = [*ends.values()]
        return Lattice.build(
            tuple(vocabulary),
            np.array(columns[0], np.int32),
            np.array(columns[1], np.int32),
            np.array(columns[2], np.int32),
            np.array(columns[3], np.float64),
            final_scores,
            place=place,
            names=[*map(str, numbers)],
        )

    @staticmethod
    def build(
        words: tuple[str, ...],
        sources: NDArray[np.int32],
        targets: NDArray[np.int32],
        labels: NDArray[np.int32],
        scores: NDArray[np.float64],
        finals: NDArray[np.float64],
        *,
        start: int = 0,
        place: str = "the lattice",
        names: list[str] | None = None,
        features: Features | None = None,
        layout: Layout | None = None,
    ) -> Lattice:
        """From arrays in any order; `names` are what messages call the states."""
        _check_scores(scores, finals, place)
        possible = scores > -np.inf  # an arc that is impossible is none
        numbers, states, cycle = _native.order_lattice(
            sources[possible], targets[possible], start, (finals > -np.inf).astype(np.uint8)
        )
        if len(cycle):
            shown = " -> ".join(str(s) if names is None else names[s] for s in [*cycle[:8].tolist(), int(cycle[0])])
            raise InputError(f"{place}: states go round in a cycle ({shown}); expected a lattice without cycles")
        if not states:
            raise InputError(f"{place}: no path leads from the start to a final state")
        kept = np.flatnonzero(possible & (numbers[sources] >= 0) & (numbers[targets] >= 0))
        kept = kept[np.argsort(numbers[sources[kept]], kind="stable")]
        new_finals = np.full(states, -np.inf)
        new_finals[numbers[numbers >= 0]] = finals[numbers >= 0]
        return Lattice(
            words,
            numbers[sources[kept]],
            numbers[targets[kept]],
            np.ascontiguousarray(labels[kept]),
            np.ascontiguousarray(scores[kept]),
            new_finals,
            place,
            None if features is None else features.take(kept),
            layout,
        )

    def __len__(self) -> int:
        return len(self.sources)

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.finals)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The first arc of every state, and one more: how many arcs there are."""
        return np.searchsorted(self.sources, np.arange(self.states + 1)).astype(np.int64)

    def with_scores(self, scores: NDArray[np.float64]) -> Lattice:
        """The same lattice with other scores of arcs."""
        return replace(self, scores=np.ascontiguousarray(scores, np.float64))


def _check_scores(scores: NDArray[np.float64], finals: NDArray[np.float64], place: str) -> None:
    for what, values in (("arc", scores), ("final state", finals)):
        wrong = np.flatnonzero(np.isnan(values) | (values == np.inf))
        if len(wrong):
            found = values[wrong[0]]
            raise InputError(f"{place}: the score of {what} {wrong[0]} is {found}; expected a number below infinity")
