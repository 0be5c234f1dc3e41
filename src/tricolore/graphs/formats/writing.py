"""Lattices as formats can hold them: arcs by word, a single final state; words that a format cannot hold."""

import re
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ...errors import InputError
from ..forest import Forest
from ..lattice import Lattice


def rows_of(lattice: Lattice) -> Iterator[tuple[int, int, str | None, float]]:
    """The arcs of a lattice: from, to, word, score."""
    words: tuple[str | None, ...] = (*lattice.words, None)  # the last for EPSILON, which is -1
    columns = (lattice.sources, lattice.targets, lattice.labels, lattice.scores)
    for source, target, label, score in zip(*(column.tolist() for column in columns), strict=True):
        yield source, target, words[label], score


def one_end(lattice: Lattice) -> list[list[tuple[int, str | None, float]]]:
    """The arcs (to, word, score) of each state but the last, where all paths end, with score 0.

    Where there are several final states, or one with a score other than 0, epsilon arcs lead to a new final state.
    """
    finals = np.flatnonzero(lattice.finals > -np.inf).tolist()
    needs_new = len(finals) > 1 or lattice.finals[finals[0]] != 0
    arcs: list[list[tuple[int, str | None, float]]] = [[] for _ in range(lattice.states - (not needs_new))]
    for source, target, word, score in rows_of(lattice):
        arcs[source].append((target, word, score))
    for final in finals if needs_new else ():
        arcs[final].append((lattice.states, None, float(lattice.finals[final])))
    return arcs


def check_words(
    words: Iterable[str], place: str, format_name: str, is_wrong: Callable[[str], bool], epsilon: Iterable[str] = ()
) -> None:
    """Reject words that a format cannot hold, or would read as epsilon."""
    for word in words:
        if word in epsilon:
            raise InputError(f"{place}: the word {word!r} is epsilon in {format_name}; it cannot be written")
        if is_wrong(word):
            raise InputError(f"{place}: {format_name} cannot hold the word {word!r}")


def check_forest_words(forest: Forest, format_name: str, node: re.Pattern[str], epsilon: Iterable[str]) -> None:
    """Reject words that a format of forests cannot hold, or would read as epsilon or as a node."""

    def is_wrong(word: str) -> bool:
        return is_spaced(word) or "|||" in word or node.fullmatch(word) is not None

    check_words(forest.words, forest.place, format_name, is_wrong, epsilon)


def is_spaced(word: str) -> bool:
    """Whether a word is empty or contains spaces."""
    return word.split() != [word]
