"""Arcs as a file has them, until they are a lattice; and lattices as files can hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InputError
from ...features import Features, Layout
from ..lattice import Lattice
from ..path import EPSILON

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray


class ArcList:
    """Gathers arcs. States may be called anything; words of `epsilon` are none."""

    def __init__(self, place: str, epsilon: Iterable[str] = ()):
        self.place = place
        self.states: dict[Hashable, int] = {}
        self.words: list[str] = []
        self.sources: list[int] = []
        self.targets: list[int] = []
        self.labels: list[int] = []
        self.values: list[float] = []
        self._numbers: dict[str | None, int] = dict.fromkeys([None, *epsilon], EPSILON)

    def __len__(self) -> int:
        return len(self.sources)

    def state(self, name: Hashable) -> int:
        """The number of a state."""
        return self.states.setdefault(name, len(self.states))

    def label(self, word: str | None) -> int:
        """The number of a word."""
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = len(self.words)
            self.words.append(word or "")
        return number

    def add(self, source: Hashable, target: Hashable, word: str | None, value: float) -> None:
        """Add an arc with a score as the file has it."""
        self.sources.append(self.state(source))
        self.targets.append(self.state(target))
        self.labels.append(self.label(word))
        self.values.append(value)

    def add_words(self, source: Hashable, target: Hashable, words: Sequence[str], value: float) -> None:
        """Add an arc with several words, or none: a chain of arcs, of which the first has the score."""
        at = source
        for i, word in enumerate(words[:-1]):
            following = (len(self.sources), i)  # a name that no file has
            self.add(at, following, word, value if i == 0 else 0.0)
            at = following
        self.add(at, target, words[-1] if words else None, value if len(words) < 2 else 0.0)

    def lattice(
        self,
        start: Hashable,
        finals: Mapping[Any, float],
        scores: NDArray[np.float64] | None = None,
        features: Features | None = None,
        layout: Layout | None = None,
    ) -> Lattice:
        """The lattice of these arcs, whose scores are now logarithms."""
        first = self.state(start)
        ends = [self.state(final) for final in finals]
        final_scores = np.full(len(self.states), -np.inf)
        final_scores[ends] = [*finals.values()]
        return Lattice.build(
            tuple(self.words),
            np.array(self.sources, np.int32),
            np.array(self.targets, np.int32),
            np.array(self.labels, np.int32),
            np.array(self.values, np.float64) if scores is None else scores,
            final_scores,
            start=first,
            place=self.place,
            names=[*map(str, self.states)],
            features=features,
            layout=layout,
        )


def rows_of(lattice: Lattice) -> Iterator[tuple[int, int, str | None, float]]:
    """The arcs of a lattice: from, to, word, score."""
    words: tuple[str | None, ...] = (*lattice.words, None)  # the last is that of EPSILON, which is -1
    for source, target, label, score in zip(
        lattice.sources.tolist(),
        lattice.targets.tolist(),
        lattice.labels.tolist(),
        lattice.scores.tolist(),
        strict=True,
    ):
        yield source, target, words[label], score


def one_end(lattice: Lattice) -> list[list[tuple[int, str | None, float]]]:
    """For each state but the last its arcs (to, word, score), where all paths end in the last state, with score 0.

    Where there are several final states, or the score of one is not 0, arcs without a word lead to a new one.
    """
    finals = np.flatnonzero(lattice.finals > -np.inf).tolist()
    states = lattice.states - 1
    if len(finals) > 1 or lattice.finals[finals[0]] != 0:
        states += 1
    arcs: list[list[tuple[int, str | None, float]]] = [[] for _ in range(states)]
    for source, target, word, score in rows_of(lattice):
        arcs[source].append((target, word, score))
    if states == lattice.states:
        for final in finals:
            arcs[final].append((states, None, float(lattice.finals[final])))
    return arcs


def check_words(
    words: Iterable[str], place: str, format_name: str, is_wrong: Callable[[str], bool], epsilon: Iterable[str] = ()
) -> None:
    """Refuse words that a format cannot hold, or would read as no word."""
    none = frozenset(epsilon)
    for word in words:
        if word in none:
            raise InputError(f"{place}: the word {word!r} stands for no word in {format_name}; it cannot be written")
        if is_wrong(word):
            raise InputError(f"{place}: {format_name} cannot hold the word {word!r}")


def is_spaced(word: str) -> bool:
    """Whether a word is not one between spaces."""
    return word.split() != [word]
