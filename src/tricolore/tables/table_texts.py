"""The systems of a table that fits into memory, side by side: for comparing, correlating and reporting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..errors import InputError, SpecError
from ..readers.batches import open_table
from ..segments import References
from .batch_counts import Roles, as_text
from .score_table import check_columns, names_of


@dataclass(frozen=True)
class TableTexts:
    """Outputs of systems and their references, segment by segment, and further columns."""

    systems: dict[str, list[Any]]
    references: References
    keys: list[str]  #: of the segments; numbers from 1 where the table has no column of keys
    columns: dict[str, dict[str, list[Any]]]  #: further columns, by system


def table_texts(
    table: Any,
    *,
    hyp: str | Sequence[str],
    refs: str | Sequence[str],
    system: str | None = None,
    key: str | None = None,
    where: Mapping[str, Any] | None = None,
    columns: Sequence[str] = (),
) -> TableTexts:
    """Read the outputs of all systems of a table, and the references of their segments.

    The table has a row per segment and several columns `hyp`, which are systems; or a row per system and segment, whose
    columns `system` and `key` say which; without `key`, every system has the same segments in the same order. A segment
    must have the same references in each system. `columns` are further ones to read.

    >>> table = {"system": ["a", "a", "b", "b"], "id": [1, 2, 2, 1], "mt": ["x", "y", "Y", "X"], "ref": [*"xyyx"]}
    >>> found = table_texts(table, hyp="mt", refs="ref", system="system", key="id")
    >>> found.systems, found.references.entries
    ({'a': ['x', 'y'], 'b': ['X', 'Y']}, ('x', 'y'))
    """
    hyps, source = names_of(hyp, "hyp"), open_table(table)
    if (system is None) == (len(hyps) == 1):
        raise SpecError(
            "name the column that says which system a row is of, or several columns of hypotheses; got "
            + ("neither" if system is None else "both")
        )
    by = () if system is None else (system,)
    for name in (*hyps, *columns):
        check_columns(source, Roles(name, names_of(refs, "refs"), by, key), where or {})
    wanted = list(dict.fromkeys([*hyps, *names_of(refs, "refs"), *by, *([key] if key else []), *columns]))
    batches = [*source.batches(wanted, where)]
    if not batches:
        raise InputError(f"{source.name}: there are no rows; expected at least one")
    found, numbers = (
        pa.Table.from_batches([one.records for one in batches]),
        [row for one in batches for row in one.rows],
    )
    rows = _Rows(source.name, found, names_of(refs, "refs"), key, numbers)
    if system is None:
        systems = {name: rows.texts(name) for name in hyps}
        rest = {name: {column: rows.cells(column) for column in columns} for name in hyps}
        return TableTexts(systems, References(rows.references()), rows.keys(), rest)
    return _long(rows, hyps[0], system, columns)


@dataclass(frozen=True)
class _Rows:
    """Rows of a table, with messages that name them."""

    name: str
    table: pa.Table
    refs: tuple[str, ...]
    key: str | None
    numbers: Sequence[int]  #: of the rows in the table

    def cells(self, column: str) -> list[Any]:
        return self.table.column(column).to_pylist()  # type: ignore[no-any-return]

    def texts(self, column: str) -> list[Any]:
        return [self.present(cell, row, column) for row, cell in enumerate(self.cells(column))]

    def labels(self, column: str) -> list[str]:
        cells = pa.chunked_array([as_text(part, column) for part in self.table.column(column).chunks], pa.string())
        return [self.present(cell, row, column) for row, cell in enumerate(cells.to_pylist())]

    def present(self, cell: Any, row: int, column: str) -> Any:
        if cell is None:
            raise InputError(f"{self.name}: row {self.numbers[row]}: no value in column {column!r}")
        return cell

    def references(self) -> list[Any]:
        if len(self.refs) == 1:
            return self.texts(self.refs[0])
        several = zip(*map(self.cells, self.refs), strict=True)
        return [[text for text in row if text is not None] for row in several]

    def keys(self) -> list[str]:
        return [str(i + 1) for i in range(self.table.num_rows)] if self.key is None else self.labels(self.key)


def _long(rows: _Rows, hyp: str, system: str, columns: Sequence[str]) -> TableTexts:
    """Rows of systems and segments: every system has the same segments, each once and with the same references."""
    places: dict[str, dict[str, int]] = {}
    keys = rows.keys() if rows.key is not None else None
    for row, name in enumerate(rows.labels(system)):
        of_system = places.setdefault(name, {})
        segment = str(len(of_system) + 1) if keys is None else keys[row]
        if segment in of_system:
            raise InputError(
                f"{rows.name}: row {rows.numbers[row]}: {system} {name} has segment {segment} again, after row "
                f"{rows.numbers[of_system[segment]]}; expected it once"
            )
        of_system[segment] = row
    first, segments = next(iter(places.items()))
    texts, references, cells = rows.texts(hyp), rows.references(), {name: rows.cells(name) for name in columns}
    for name, of_system in places.items():
        if missing := next(
            (one for one in [*segments, *of_system] if one not in of_system or one not in segments), None
        ):
            has, lacks = (name, first) if missing in of_system else (first, name)
            raise InputError(f"{rows.name}: {system} {has} has segment {missing}, which {lacks} does not have")
        for segment, row in segments.items():
            if references[of_system[segment]] != references[row]:
                hint = "" if rows.key else "; name the column that identifies segments (key)"
                raise InputError(
                    f"{rows.name}: row {rows.numbers[of_system[segment]]}: the references of segment {segment} differ "
                    f"from those in row {rows.numbers[row]}{hint}"
                )
    order = {name: [of_system[segment] for segment in segments] for name, of_system in places.items()}
    systems = {name: [texts[row] for row in chosen] for name, chosen in order.items()}
    rest = {
        name: {column: [some[row] for row in chosen] for column, some in cells.items()}
        for name, chosen in order.items()
    }
    return TableTexts(systems, References([references[row] for row in segments.values()]), [*segments], rest)
