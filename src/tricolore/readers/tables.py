"""Tables: TSV or CSV with a header, JSON lines, Parquet. Every cell knows the line it came from."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..compression import without_suffix
from ..errors import InputError, MissingExtraError, nearest
from ..numbers import real
from ..segments import as_list
from .files import name_of, read_bytes, read_lines
from .json_objects import parse_object
from .recognise import COLUMNS, CSV, JSON, TSV, peek, recognised

#: What is expected of a file whose name does not say what table it is.
EXPECTED = "a table with tabs between columns, or JSON lines; the names of others end in .csv or .parquet"

#: How a missing value is written, in any case; an empty cell is one, too.
MISSING = ("", "none", "nan", "na", "n/a", "null")

#: Larger numbers are not scores, and sums of their squares would overflow.
LARGEST = 1e100


class Table:
    """Columns of equal length by name, and where each row stands in its file."""

    __slots__ = ("columns", "lines", "path", "what")

    def __init__(self, path: str, columns: dict[str, list[Any]], lines: Sequence[int], what: str = "line"):
        self.path = name_of(path)
        self.columns = columns
        self.lines = lines
        self.what = what  #: what rows are called: `line`, or `row` in files that have no lines

    def __len__(self) -> int:
        return len(self.lines)

    def where(self, row: int) -> str:
        """Name the place of a row, as messages do."""
        return f"{self.path}: {self.what} {self.lines[row]}"

    def take(self, rows: Sequence[int]) -> Table:
        """Return a table of some rows, which still know their lines."""
        columns = {name: [cells[row] for row in rows] for name, cells in self.columns.items()}
        return Table(self.path, columns, [self.lines[row] for row in rows], self.what)

    def find(self, *names: str) -> str | None:
        """The first of these names that is a column, in any case."""
        known = {column.lower(): column for column in reversed(self.columns)}
        return next((known[name.lower()] for name in names if name.lower() in known), None)

    def need(self, *names: str, remedy: str = "") -> str:
        """Like `find`, but the column must be there; a complaint ends with what may be done about it."""
        found = self.find(*names)
        if found is None:
            if len(self.columns) == 1:
                remedy = "; expected tabs between columns, or commas in a file that ends in .csv"
            hint = nearest(names[0], [*self.columns])
            raise InputError(f"{self.path}: expected a column {names[0]!r}{hint} (found {self.shown}){remedy}")
        return found

    @property
    def shown(self) -> str:
        """The names of the columns for a message; a long one is shortened, since the file may be of another kind."""
        return ", ".join(name if len(name) <= 40 else f"{name[:39]}…" for name in self.columns)

    def texts(self, column: str) -> list[str]:
        """A column as text; a missing cell is an error."""
        cells = self.columns[column]
        for row, cell in enumerate(cells):
            if cell is None or cell == "":
                raise InputError(f"{self.where(row)}: {column} is missing")
        return [cell if isinstance(cell, str) else _written(cell) for cell in cells]

    def numbers(self, column: str, remedy: str = "") -> list[float]:
        """A column as numbers; a missing cell is not a number (nan)."""
        return [self._number(row, column, cell, remedy) for row, cell in enumerate(self.columns[column])]

    def _number(self, row: int, column: str, cell: Any, remedy: str) -> float:
        if cell is None or (isinstance(cell, str) and cell.strip().lower() in MISSING):
            return math.nan
        try:
            return number_of(cell)
        except ValueError:
            raise InputError(
                f"{self.where(row)}: {column}: expected a number or None, found {cell!r}{remedy}"
            ) from None


def number_of(cell: Any) -> float:
    """A cell as a number; what is none, or too large for a score, is a ValueError.

    >>> number_of("0.5"), number_of(3)
    (0.5, 3.0)
    """
    if isinstance(cell, bool):
        raise ValueError("a truth value is not a number")
    try:
        number = real(cell) if isinstance(cell, str) else float(cell)
    except (TypeError, OverflowError):  # the latter: a whole number of hundreds of digits
        number = math.inf
    if not abs(number) <= LARGEST and not math.isnan(number):
        raise ValueError("too large")
    return number


def _written(cell: Any) -> str:
    """Write a cell that a file holds as a number: segment 3 is the same whether it is 3 or 3.0."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def read_table(path: str) -> Table:
    """Read a table by the end of its name (`.csv`, `.jsonl`, `.parquet`); others are JSON lines or TSV as they look."""
    kind = kind_of(path)
    if kind is not None:
        return _READERS[kind](path)
    return table_of_lines(path, read_table_lines(path))


def as_table(given: Any, path: str) -> Table | None:
    """A table of pandas, polars, pyarrow or datasets, or a mapping of names to columns; None if it is neither.

    `path` names it in messages. A mapping is a table if one of its columns is called `system` and holds texts.

    >>> as_table({"system": ["A", "B"], "human": [1, 2]}, "data").where(1), as_table({"A": [1, 2]}, "data")
    ('data: row 2', None)
    """
    if hasattr(given, "collect"):  # polars' lazy frames
        given = given.collect()
    if isinstance(given, Mapping):
        systems = [name for name in given if str(name).lower() in ("system", "system_id", "systemid", "system_name")]
        names = [*given] if systems and all(isinstance(cell, str) for cell in given[systems[0]]) else None
    else:
        names = getattr(given, "column_names", getattr(given, "columns", None))
    if names is None:
        return None
    columns = {str(name): as_list(given[name], str(name), missing=True) for name in names}
    for name, cells in columns.items():
        if len(cells) != len(next(iter(columns.values()))):
            raise InputError(f"{path}: column {name!r} has {len(cells)} rows; expected as many in each column")
    return _not_empty(Table(path, columns, range(1, 1 + len(next(iter(columns.values()), []))), what="row"))


def kind_of(path: str) -> str | None:
    """What kind of table a file is by the end of its name, if that says it."""
    ending = os.path.splitext(without_suffix(path))[1].lower()
    return _ENDINGS.get(ending)


def read_table_lines(path: str) -> list[str]:
    """The lines of a table whose name does not say what it is: TSV or JSON lines, or a file of scores."""
    return read_lines(path, EXPECTED, [TSV, COLUMNS, JSON])


def table_of_lines(path: str, lines: Sequence[str]) -> Table:
    """Make a table of lines that have been read: JSON if they are, else cells between tabs, as they are.

    In tab-separated text a quotation mark is a quotation mark.
    """
    if recognised(peek(iter(lines))) == JSON:
        return _objects(path, lines)
    rows = [(number, line.split("\t")) for number, line in enumerate(lines, 1)]
    return _rows(path, [(number, cells) for number, cells in rows if cells != [""]])


def _csv(path: str) -> Table:
    import csv
    import io

    text = "".join(f"{line}\n" for line in read_lines(path, "CSV with a header", [CSV, COLUMNS]))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = []
    try:
        for cells in reader:
            if cells:
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise InputError(f"{name_of(path)}: line {reader.line_num}: invalid CSV ({error})") from None
    if rows and len(rows[0][1]) == 1 and ";" in rows[0][1][0]:
        raise InputError(f"{name_of(path)}: line {rows[0][0]}: has semicolons between columns; expected commas")
    return _rows(path, rows)


def _rows(path: str, rows: list[tuple[int, list[str]]]) -> Table:
    """Make a table of a header and rows as long as it."""
    if not rows:
        raise InputError(f"{name_of(path)}: the file is empty; expected a table with a header")
    (number, header), rows = rows[0], rows[1:]
    header = [name.strip() for name in header]
    for name in header:
        if not name or header.count(name) > 1:
            problem = f"column {name!r} is there twice" if name else "a column has no name"
            raise InputError(f"{name_of(path)}: line {number}: {problem}; expected a header of different names")
    for number, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{name_of(path)}: line {number}: expected {len(header)} columns, found {len(cells)}")
    columns = {name: [cells[i] for _, cells in rows] for i, name in enumerate(header)}
    return _not_empty(Table(path, columns, [number for number, _ in rows]))


def _json_lines(path: str) -> Table:
    return _objects(path, read_lines(path, "JSON lines", [JSON]))


def _objects(path: str, lines: Sequence[str]) -> Table:
    """One object a line; keys that a line lacks are missing values."""
    numbers = [number for number, line in enumerate(lines, 1) if line.strip()]
    rows = [parse_object(lines[number - 1], f"{name_of(path)}: line {number}") for number in numbers]
    names = dict.fromkeys(key for row in rows for key in row)
    return _not_empty(Table(path, {name: [row.get(name) for row in rows] for name in names}, numbers))


def _parquet(path: str) -> Table:
    """Read Parquet, which needs pyarrow."""
    data = read_bytes(path, b"PAR1", "Parquet data")
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError(f"{path}: Parquet needs pyarrow; pip install 'tricolore[parquet]'") from None
    try:
        found = pyarrow.parquet.read_table(pyarrow.BufferReader(data))
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{name_of(path)}: corrupt Parquet file ({str(error).splitlines()[0]})") from None
    columns = {name: found.column(name).to_pylist() for name in found.column_names}
    return _not_empty(Table(path, columns, range(1, found.num_rows + 1), what="row"))


#: The kinds of tables that names tell, and how each is read.
_ENDINGS = {".parquet": "Parquet", ".jsonl": "JSON lines", ".ndjson": "JSON lines", ".csv": "CSV"}
_READERS = {"Parquet": _parquet, "JSON lines": _json_lines, "CSV": _csv}


def _not_empty(table: Table) -> Table:
    if not len(table):
        raise InputError(f"{table.path}: has no rows; expected at least one")
    return table
