"""Confusion networks as Moses reads them: one column per line, an empty line between networks.

    a 0.8 the 0.2
    small 0.6 *EPS* 0.4
    cat 1.0

A column is words and their probabilities; `*EPS*` is epsilon. An empty line that ends no network is the network of the
empty text. Lattices of another shape cannot be written in this format.
"""

import math
from collections.abc import Iterator

from ...errors import InputError
from ..lattice import ArcList, Lattice
from .lines import Lines, number, quoted
from .reading import ROUNDING, Reading, logarithms
from .writing import check_words, is_spaced, one_end

EPSILON = ("*EPS*",)


def read(lines: Lines, how: Reading) -> Iterator[Lattice]:
    """Read network by network."""
    for first, block in lines.blocks():
        place = f"{lines.name}: line {first}"
        yield _network(lines.name, first, block, how) if block else how.empty_lattice(place, "an empty line")


def _network(name: str, first: int, block: list[str], how: Reading) -> Lattice:
    arcs = ArcList(f"{name}: line {first}", (*EPSILON, *how.epsilon))
    places: list[str] = []  # of the arcs
    for column, line in enumerate(block):
        fields, where = line.split(), f"{name}: line {first + column}"
        if len(fields) % 2:
            raise InputError(f"{where}: expected words, each with its probability, found {quoted(line)}")
        for word, value in zip(fields[::2], fields[1::2], strict=True):
            arcs.add(column, column + 1, word, number(value, where, "a probability"))
            places.append(where)
    scores = logarithms(arcs.values, how.scale or "prob", places.__getitem__)
    return arcs.lattice(0, {len(block): 0.0}, scores)


def write(lattice: Lattice) -> str:
    """Write columns, if the lattice has any: all arcs of a state lead to the same next one."""
    check_words(lattice.words, lattice.place, "a confusion network", is_spaced, EPSILON)
    lines = []
    columns = one_end(lattice) or [[(1, None, 0.0)]]
    for source, arcs in enumerate(columns):
        named = [(target, EPSILON[0] if word is None else word, score) for target, word, score in arcs]
        for target, word, score in named:
            if target != source + 1:
                raise InputError(
                    f"{lattice.place}: is not a confusion network ({quoted(word)} leads from state {source} to "
                    f"{target}); expected columns of words, one after another"
                )
            if score > ROUNDING:
                raise InputError(f"{lattice.place}: a score of {score:g} is not a log probability; expected 0 or less")
            if math.exp(score) == 0:
                raise InputError(f"{lattice.place}: the probability of a score of {score:g} is too small to be written")
        lines.append(" ".join(f"{word} {math.exp(score)!r}" for _, word, score in named) + "\n")
    return "".join(lines)
