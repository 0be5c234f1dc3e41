"""Tables: TSV or CSV with a header, JSON lines, Parquet. Every cell knows the line it came from."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..errors import InputError, MissingExtraError, nearest
from .files import decode, name_of, read_bytes, read_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How a missing value is written, in any case; an empty cell is one, too.
MISSING = ("", "none", "nan", "na", "n/a", "null")

#: Larger numbers are no scores, and their squares could not be added up.
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
        """The names of the columns for a message: what is long is no name, but a file of another kind."""
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
            number = float(cell)
        except (TypeError, ValueError, OverflowError):  # the last: a whole number of hundreds of digits
            number = math.inf
        if abs(number) > LARGEST or isinstance(cell, bool):
            raise InputError(f"{self.where(row)}: {column}: expected a number or None, found {cell!r}{remedy}")
        return number


def _written(cell: Any) -> str:
    """Write a cell that a file holds as a number: segment 3 is the same whether it is 3 or 3.0."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def read_table(path: str) -> Table:
    """Read a table by the ending of its name (`.csv`, `.jsonl`, `.parquet`, anything else is TSV), perhaps packed."""
    plain = path.removesuffix(".gz").removesuffix(".zst").lower()
    if plain.endswith(".parquet"):
        return _parquet(path)
    if plain.endswith((".jsonl", ".ndjson")):
        return _json_lines(path)
    if plain.endswith(".csv"):
        return _csv(path)
    return _tsv(path)


def _tsv(path: str) -> Table:
    """Cells between tabs, as they are: in tab-separated text a quotation mark is a quotation mark."""
    return table_of_lines(path, read_lines(path))


def table_of_lines(path: str, lines: Sequence[str]) -> Table:
    """Make a table of the lines of a TSV file that have been read."""
    rows = [(number, line.split("\t")) for number, line in enumerate(lines, 1)]
    return _rows(path, [(number, cells) for number, cells in rows if cells != [""]])


def _csv(path: str) -> Table:
    import csv
    import io

    reader = csv.reader(io.StringIO(decode(read_bytes(path), name_of(path)), newline=""), strict=True)
    rows = []
    try:
        for cells in reader:
            if cells:
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise InputError(f"{name_of(path)}: line {reader.line_num}: not sound CSV ({error})") from None
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
    """One object a line; keys that a line lacks are missing values."""
    import json

    rows, numbers = [], []
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{name_of(path)}: line {number}: not JSON ({error})") from None
        if not isinstance(row, dict):
            raise InputError(f"{name_of(path)}: line {number}: expected a JSON object, found {type(row).__name__}")
        rows.append(row)
        numbers.append(number)
    names = dict.fromkeys(key for row in rows for key in row)
    return _not_empty(Table(path, {name: [row.get(name) for row in rows] for name in names}, numbers))


def _parquet(path: str) -> Table:
    """Read Parquet, which needs pyarrow."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError(f"{path}: Parquet needs pyarrow; pip install 'tricolore[parquet]'") from None
    try:
        found = pyarrow.parquet.read_table(pyarrow.BufferReader(read_bytes(path)))
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"{name_of(path)}: not a sound Parquet file ({str(error).splitlines()[0]})") from None
    columns = {name: found.column(name).to_pylist() for name in found.column_names}
    return _not_empty(Table(path, columns, range(1, found.num_rows + 1), what="row"))


def _not_empty(table: Table) -> Table:
    if not len(table):
        raise InputError(f"{table.path}: has no rows; expected at least one")
    return table
