"""Finite-state machines as text: AT&T's format, which OpenFst and Kaldi print.

    0 1 a 0.1            from, to, label, cost: an acceptor
    0 1 un a 0.1         from, to, input label, output label, cost: a transducer
    2 0.5                a final state, and its cost

The start is the first state in the file. Costs are negative logarithms and may be left out; Kaldi's `graph,acoustic`
pairs, with or without transitions after a further comma, are features `graph` and `acoustic`, and the cost is their
sum. An empty line ends a machine, if others follow; each may begin with a line that names it, as in Kaldi's archives.
The machine of the empty text is a final state alone; a machine without states, an empty line that ends nothing or a
name alone, is read as the same.

Labels are the words themselves, `<eps>` and `<epsilon>` are epsilon; with a symbol table labels are numbers, and 0 is
epsilon. Of a transducer the output labels are read by default. Ambiguous files are errors: four fields, the last a
whole number, on every line; labels that are all numbers, without a symbol table.
"""

from collections.abc import Iterator

import numpy as np

from ...errors import InputError
from ...numbers import real_or_infinite
from ..lattice import ArcList, Lattice
from .collecting import FeatureRows
from .lines import Lines, is_whole, number, quoted, whole
from .reading import Reading, logarithms
from .writing import check_words, is_spaced, rows_of

#: A line: its number and its fields.
Row = tuple[int, list[str]]

EPSILON = ("<eps>", "<epsilon>")
END = "a new final state"  #: not a state of any file


def read(lines: Lines, how: Reading) -> Iterator[Lattice]:
    """Read machine by machine."""
    kind = how.labels and ("acceptor" if how.labels == "acceptor" else "transducer")
    for first, block in lines.blocks():
        machine = _Machine(lines.name, first, block, how)
        kind = kind or machine.kind()
        if machine.rows:
            yield machine.lattice(kind)
        else:
            yield how.empty_lattice(machine.place, "a name alone" if block else "an empty line")


class _Machine:
    """The lines of one machine."""

    def __init__(self, file: str, first: int, block: list[str], how: Reading):
        self.file = file
        self.how = how
        self.rows = [(line_number, line.split()) for line_number, line in enumerate(block, first)]
        self.place = f"{file}: line {first}"
        if self.rows and len(self.rows[0][1]) == 1 and (len(self.rows) > 1 or not is_whole(self.rows[0][1][0])):
            name = self.rows.pop(0)[1][0]
            if any(name in fields[:2] for _, fields in self.rows):
                raise InputError(
                    f"{self.place}: {quoted(name)} may be the name of what follows or a final state; "
                    "expected final states after arcs, or another name"
                )
            self.place = f"{file}: {name}"
        self.arc_rows = [row for row in self.rows if len(row[1]) > 2]

    def where(self, row: Row) -> str:
        return f"{self.file}: line {row[0]}"

    def kind(self) -> str | None:
        """Whether it is an acceptor or a transducer, if there are arcs to tell."""
        if not self.arc_rows:
            return None
        widths = {len(fields): row for row in self.arc_rows for fields in row[1:]}
        if 3 in widths and 5 in widths:
            raise InputError(
                f"{self.where(widths[5])}: 5 fields, but 3 on line {widths[3][0]}; "
                "expected an acceptor (from, to, label, cost) or a transducer (from, to, input, output, cost)"
            )
        if 3 in widths or 5 in widths:
            return "acceptor" if 3 in widths else "transducer"
        fourth = [fields[3] for _, fields in self.arc_rows if len(fields) == 4]
        if not all(map(_is_cost, fourth)):
            return "transducer"
        if all(map(is_whole, fourth)):
            raise InputError(
                f"{self.where(self.arc_rows[0])}: the last of 4 fields may be a label or a cost; "
                "say which labels are the text with labels='acceptor', labels='input' or labels='output'"
            )
        return "acceptor"

    def lattice(self, kind: str | None) -> Lattice:
        self.arcs = ArcList(self.place, (*EPSILON, *self.how.epsilon))
        self.costs: list[tuple[float, ...]] = []  # of arcs, then of final states
        final_rows = [row for row in self.rows if len(row[1]) <= 2]
        for row in self.arc_rows:
            self.add_arc(row, kind)
        words = self.arcs.words
        if self.how.symbols is None and not self.how.numerals and words and all(map(is_whole, words)):
            raise InputError(
                f"{self.place}: all labels are numbers; name their symbol table with symbols='FILE', or say with "
                "symbols='words' that they are words"
            )
        finals = [whole(row[1][0], self.where(row), "a state") for row in final_rows]
        self.costs += [self.cost(row[1][1], row) if len(row[1]) == 2 else () for row in final_rows]
        sites = [*map(self.where, self.arc_rows + final_rows)]
        start = int(self.rows[0][1][0])
        if any(len(cost) == 2 for cost in self.costs):
            return self.paired(start, finals, sites)
        scores = logarithms([sum(cost) for cost in self.costs], self.how.scale or "cost", sites.__getitem__)
        ends: dict[int, float] = {}
        for i, state in enumerate(finals, len(self.arcs)):
            if ends.setdefault(state, float(scores[i])) != scores[i]:
                raise InputError(f"{sites[i]}: state {state} is final already, with another cost")
        return self.arcs.lattice(start, ends, scores[: len(self.arcs)])

    def add_arc(self, row: Row, kind: str | None) -> None:
        fields, where = row[1], self.where(row)
        labels = 1 if kind == "acceptor" else 2
        if len(fields) not in (2 + labels, 3 + labels):
            expected = (
                "from, to, label and cost of an acceptor",
                "from, to, input label, output label and cost of a transducer",
            )[labels - 1]
            raise InputError(f"{where}: expected {expected}, found {len(fields)} fields")
        source, target = whole(fields[0], where, "a state"), whole(fields[1], where, "a state")
        label = fields[2] if labels == 1 or self.how.labels == "input" else fields[3]
        word = label if self.how.symbols is None else self.how.symbols.word(label, where)
        self.arcs.add(source, target, word, 0.0)
        self.costs.append(self.cost(fields[-1], row) if len(fields) == 3 + labels else ())

    def cost(self, text: str, row: Row) -> tuple[float, ...]:
        """A cost, or a pair."""
        return tuple(number(part, self.where(row), "a cost") for part in text.split(",")[:2])

    def paired(self, start: int, finals: list[int], sites: list[str]) -> Lattice:
        """With Kaldi's pairs of costs; arcs lead from final states to a new one, because only arcs have features."""
        if self.how.scale not in (None, "cost"):
            raise InputError(f"{self.place}: pairs of numbers are costs, as in Kaldi; they cannot be {self.how.scale}")
        for state in finals:
            self.arcs.add(state, END, None, 0.0)
        rows = FeatureRows(("graph", "acoustic"))
        for i, (cost, where) in enumerate(zip(self.costs, sites, strict=True)):
            if len(cost) == 1:
                raise InputError(f"{where}: expected two costs, 'graph,acoustic', as elsewhere")
            total = sum(cost)
            self.arcs.values[i] = -total + 0.0
            graph, acoustic = cost if cost and total < np.inf else (0.0, 0.0)
            rows.add([("graph", -graph + 0.0), ("acoustic", -acoustic + 0.0)], where)
        return self.arcs.lattice(start, {END: 0.0}, None, *rows.made())


def _is_cost(text: str) -> bool:
    try:
        [real_or_infinite(part) for part in text.split(",")[:2]]
    except ValueError:
        return False
    return True


def write(lattice: Lattice) -> str:
    """Write an acceptor, all of whose labels are words, with costs; arcs, then final states."""
    check_words(lattice.words, lattice.place, "AT&T's format", is_spaced, EPSILON)
    lines = [
        f"{source} {target} {EPSILON[0] if word is None else word} {0.0 - score!r}\n"
        for source, target, word, score in rows_of(lattice)
    ]
    for state in np.flatnonzero(lattice.finals > -np.inf).tolist():
        lines.append(f"{state} {0.0 - float(lattice.finals[state])!r}\n")
    return "".join(lines)
