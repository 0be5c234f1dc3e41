"""Python Lattice Format, which Moses, cdec and Joshua read: one lattice per line.

    ((('a', -0.1, 1), ('the', -2.3, 2),), (('small', -0.7, 1),), (('cat', 0, 1),),)

A column for each state but the last, with an arc for each word that may follow: the word, a score, and the distance to
the target state. Quotation marks are ' or "; in a word they, and backslashes, are preceded by a backslash. `()` is the
lattice of the empty text, and so is an empty line, which recognisers write where they found no words. `*EPS*` and ''
are epsilon. A line may be wrapped in `<seg ...> </seg>`.

Scores are logarithms, as in cdec and Joshua; Moses takes probabilities. Several scores per arc are features, Score0,
Score1 and so on, and `name=value` is a named one; they need weights.
"""

import re
from collections.abc import Iterator
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..lattice import ArcList, Lattice
from .collecting import FeatureRows
from .lines import Lines, number, quoted
from .reading import Reading, logarithms
from .writing import check_words, one_end

EPSILON = ("*EPS*", "")

_ARC = re.compile(
    r"""\(\s*(?:'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)")\s*,([^()'"]*)\)\s*(,?)\s*""", re.ASCII
)
_OPEN = re.compile(r"\(\s*", re.ASCII)
_CLOSE = re.compile(r"\)\s*(,?)\s*", re.ASCII)
_WRAPPED = re.compile(r"\s*<seg\b[^>]*>(.*)</seg>\s*", re.ASCII | re.DOTALL)


def read(lines: Lines, how: Reading) -> Iterator[Lattice]:
    """Read line by line."""
    for line in lines:
        match = _WRAPPED.fullmatch(line)
        first, end = match.span(1) if match else (0, len(line))
        if not line[first:end].strip():
            yield how.empty_lattice(lines.where, "an empty line")
        else:
            yield _Parser(line, first, end, lines.where, how).lattice()


class _Parser:
    def __init__(self, line: str, first: int, end: int, where: str, how: Reading):
        self.line = line
        self.at = first
        self.end = end
        self.where = where
        self.how = how
        self.arcs = ArcList(where, (*EPSILON, *how.epsilon))
        self.numbers: list[list[str]] = []  # of each arc, without the distance

    def lattice(self) -> Lattice:
        columns, arcs = self.columns(), self.arcs
        for source, target, label in zip(arcs.sources, arcs.targets, arcs.labels, strict=True):
            if target > columns:
                word = arcs.words[label] if label >= 0 else EPSILON[0]
                raise InputError(
                    f"{self.where}: state {source}: {quoted(word)} has a distance of {target - source}, beyond the "
                    f"end of the lattice; expected at most {columns - source}"
                )
        arcs.states = {i: i for i in range(columns + 1)}
        if all(len(numbers) == 1 and "=" not in numbers[0] for numbers in self.numbers):
            return arcs.lattice(0, {columns: 0.0}, self.logarithms([text for (text,) in self.numbers]))
        if self.how.weights is None:
            raise InputError(f"{self.where}: there are several scores per arc; expected one, or weights for them")
        rows = FeatureRows()
        for numbers in self.numbers:
            unnamed = self.logarithms([text for text in numbers if "=" not in text]).tolist()
            named = [text.rpartition("=") for text in numbers if "=" in text]
            row = [(f"Score{i}", value) for i, value in enumerate(unnamed)]
            row += [(name.strip(), number(value.strip(), self.where)) for name, _, value in named]
            rows.add(row, self.where)
        return arcs.lattice(0, {columns: 0.0}, np.zeros(len(arcs)), *rows.made())

    def logarithms(self, texts: list[str]) -> NDArray[np.float64]:
        values = [number(text.strip(), self.where) for text in texts]
        return logarithms(values, self.how.scale or "log", lambda _: self.where)

    def columns(self) -> int:
        """Read all columns; return their number."""
        while self.at < self.end and self.line[self.at].isspace():
            self.at += 1
        self.take(_OPEN, "expected '(' at the beginning of a lattice; the empty one is ()")
        columns, comma = 0, True
        while not self.next_is(")"):
            if not comma:
                self.fail("expected ',' or ')' after a column")
            comma = self.column(columns)
            columns += 1
        self.take(_CLOSE, "expected ')'")
        if self.at < self.end:
            self.fail("expected the end of the line, where the lattice ends")
        return columns

    def column(self, source: int) -> bool:
        """Read a column; return whether there is a comma after it."""
        self.take(_OPEN, "expected '(' at the beginning of a column")
        arcs, numbers, line, comma = self.arcs, self.numbers, self.line, True
        while match := _ARC.match(line, self.at, self.end):
            if not comma:
                self.fail("expected ',' or ')' after an arc")
            single, double, rest, mark = match.groups()
            word = double if single is None else single
            *values, distance = rest.split(",")
            if not distance.strip() and len(values) > 1:  # a trailing comma
                distance = values.pop()
            if not values:
                self.fail("expected ('word', score, distance)")
            arcs.sources.append(source)
            arcs.targets.append(source + self.distance(distance))
            arcs.labels.append(arcs.label(self.unescaped(word) if "\\" in word else word))
            numbers.append(values)
            comma = bool(mark)
            self.at = match.end()
        if not self.next_is(")"):
            self.fail("expected ('word', score, distance)" if comma else "expected ',' or ')' after an arc")
        return bool(self.take(_CLOSE, "expected ')'").group(1))

    def next_is(self, mark: str) -> bool:
        return self.at < self.end and self.line[self.at] == mark

    def take(self, pattern: re.Pattern[str], otherwise: str) -> re.Match[str]:
        match = pattern.match(self.line, self.at, self.end)
        if match is None:
            self.fail(otherwise)
        self.at = match.end()
        return match

    def distance(self, text: str) -> int:
        text = text.strip()
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text)):
            where = f"{self.where}: column {self.at + 1}"
            raise InputError(f"{where}: expected a distance, a whole number above 0, found {quoted(text)}")
        return int(text)

    def unescaped(self, word: str) -> str:
        for match in re.finditer(r"\\(.)", word, re.DOTALL):
            if match.group(1) not in "'\"\\":
                self.fail(f"{quoted(match.group())} is not a valid escape in a word; expected \\', \\\" or \\\\")
        return re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL)

    def fail(self, expected: str) -> NoReturn:
        rest = self.line[self.at : min(self.end, self.at + 20)]
        found = quoted(rest) if rest else "the end of the line"
        raise InputError(f"{self.where}: column {self.at + 1}: {expected}, found {found}")


def write(lattice: Lattice) -> str:
    """One line."""
    check_words(lattice.words, lattice.place, "PLF", lambda word: "\n" in word or "\r" in word, EPSILON)
    columns = []
    for source, arcs in enumerate(one_end(lattice)):
        column = "".join(f"('{_escaped(word)}', {score!r}, {target - source})," for target, word, score in arcs)
        columns.append(f"({column}),")
    return f"({''.join(columns)})\n"


def _escaped(word: str | None) -> str:
    return EPSILON[0] if word is None else word.replace("\\", "\\\\").replace("'", "\\'")
