"""Python Lattice Format, which Moses, cdec and Joshua read: one lattice a line.

    ((('a', -0.1, 1), ('the', -2.3, 2),), (('small', -0.7, 1),), (('cat', 0, 1),),)

A column for each state but the last, and in it an arc for each word that may follow: the word, a score, and how many
states on it leads. Quotation marks are ' or ", a backslash stands before those that are in a word and before itself.
`()` is the lattice of the empty text, and so is an empty line, which recognisers write where they found no words.
`*EPS*` and '' are no word. A line may be wrapped in `<seg ...> </seg>`.

Scores are logarithms, as in cdec and Joshua; Moses takes probabilities. Where there are several on an arc they are
features, Score0, Score1 and so on, and `name=value` is one of that name; they need weights.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ...errors import InputError
from ..lattice import Lattice
from .arcs import ArcList, check_words, one_end
from .feature_rows import FeatureRows
from .lines import number, quoted
from .scales import logarithms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .lines import Lines
    from .reading import Reading

EPSILON = ("*EPS*", "")

_ARC = re.compile(
    r"""\(\s*(?:'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)")\s*,([^()'"]*)\)\s*(,?)\s*""", re.ASCII
)
_OPEN = re.compile(r"\(\s*", re.ASCII)
_CLOSE = re.compile(r"\)\s*(,?)\s*", re.ASCII)
_WRAPPED = re.compile(r"\s*<seg\b[^>]*>(.*)</seg>\s*", re.ASCII | re.DOTALL)


def read(lines: Lines, how: Reading) -> Iterator[Lattice]:
    """Read a lattice a line."""
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
        self.numbers: list[list[str]] = []  # of each arc, but for the distance

    def lattice(self) -> Lattice:
        columns = self.columns()
        arcs = self.arcs
        targets = np.array(arcs.targets, np.int64)
        for i in np.flatnonzero(targets > columns)[:1].tolist():
            label = arcs.labels[i]
            word = arcs.words[label] if label >= 0 else EPSILON[0]
            on = arcs.targets[i] - arcs.sources[i]
            left = columns - arcs.sources[i]
            raise InputError(
                f"{self.where}: state {arcs.sources[i]}: {quoted(word)} leads {on} states on, "
                f"beyond the end of the lattice; expected at most {left}"
            )
        arcs.states = {i: i for i in range(columns + 1)}
        widths = {*map(len, self.numbers)}
        if widths <= {1} and not any("=" in numbers[0] for numbers in self.numbers):
            scores = logarithms(
                [self.number(text) for (text,) in self.numbers], self.how.scale or "log", lambda _: self.where
            )
            return self.how.weighted(arcs.lattice(0, {columns: 0.0}, scores))
        return self.featured(columns)

    def featured(self, columns: int) -> Lattice:
        """With several scores an arc."""
        if self.how.weights is None:
            raise InputError(f"{self.where}: there are several scores an arc; expected one, or weights for them")
        rows = FeatureRows()
        for numbers in self.numbers:
            named = [text.rpartition("=") for text in numbers if "=" in text]
            unnamed = [self.number(text) for text in numbers if "=" not in text]
            logs = logarithms(unnamed, self.how.scale or "log", lambda _: self.where).tolist()
            row = [(f"Score{i}", value) for i, value in enumerate(logs)]
            rows.add(row + [(name.strip(), self.number(value)) for name, _, value in named], self.where)
        features, layout = rows.made()
        return self.how.weighted(self.arcs.lattice(0, {columns: 0.0}, np.zeros(len(self.arcs)), features, layout))

    def columns(self) -> int:
        """Read all columns; say how many there are."""
        while self.at < self.end and self.line[self.at].isspace():
            self.at += 1
        self.take(_OPEN, "expected '(' at the beginning of a lattice; the empty one is ()")
        number, comma = 0, True
        while not self.next_is(")"):
            if not comma:
                self.fail("expected ',' or ')' after a column")
            comma = self.column(number)
            number += 1
        self.take(_CLOSE, "expected ')'")
        if self.at < self.end:
            self.fail("expected the end of the line, where the lattice ends")
        return number

    def column(self, source: int) -> bool:
        """Read a column; say whether there is a comma after it."""
        self.take(_OPEN, "expected '(' at the beginning of a column")
        arcs, numbers, line, comma = self.arcs, self.numbers, self.line, True
        while match := _ARC.match(line, self.at, self.end):
            if not comma:
                self.fail("expected ',' or ')' after an arc")
            single, double, rest, mark = match.groups()
            word = double if single is None else single
            *values, distance = rest.split(",")
            if not distance.strip() and len(values) > 1:  # a comma at the end
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
        match = _CLOSE.match(line, self.at, self.end)
        assert match
        self.at = match.end()
        return bool(match.group(1))

    def next_is(self, mark: str) -> bool:
        return self.at < self.end and self.line[self.at] == mark

    def take(self, pattern: re.Pattern[str], otherwise: str) -> None:
        match = pattern.match(self.line, self.at, self.end)
        if match is None:
            self.fail(otherwise)
        self.at = match.end()

    def distance(self, text: str) -> int:
        text = text.strip()
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text)):
            where = f"{self.where}: column {self.at + 1}"
            raise InputError(f"{where}: expected a distance, a whole number from 1 on, found {quoted(text)}")
        return int(text)

    def number(self, text: str) -> float:
        return number(text.strip(), self.where)

    def unescaped(self, word: str) -> str:
        for match in re.finditer(r"\\(.)", word, re.DOTALL):
            if match.group(1) not in "'\"\\":
                self.fail(f"{quoted(match.group())} in a word is no escape of this format; expected \\', \\\" or \\\\")
        return re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL)

    def fail(self, expected: str) -> NoReturn:
        found = (
            quoted(self.line[self.at : min(self.end, self.at + 20)]) if self.at < self.end else "the end of the line"
        )
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
