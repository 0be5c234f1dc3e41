"""Human ratings from a file or table in any form, numbers by system, or an array."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...columns import kind_of
from ...errors import InputError, InputTypeError, nearest
from ...readers.score_files import ScoreFile, read_scores
from ...readers.tables import Table, as_table
from .options import JoinOptions, RatingOptions
from .rankings import Rankings, read_rankings
from .ratings import Ratings, ratings_of_score_file, ratings_of_values, read_ratings


def ratings_by_group(
    human: Any, options: RatingOptions, rows: JoinOptions, systems: Sequence[str] = ()
) -> dict[str, Ratings | Rankings]:
    """Human ratings by group ("" if they are not grouped).

    `systems` are the scored systems: an array has one row for each, in order, and a file without names of systems
    requires a single one.
    """
    if isinstance(human, Ratings | Rankings):
        return {"": _turned(human, options)}
    file = opened(human, "human")
    only = systems[0] if len(systems) == 1 else None
    if isinstance(file, Table):
        return {name: ratings_of_table(table, options, only) for name, table in groups_of(file, rows).items()}
    if isinstance(file, ScoreFile):
        _check_score_file(file, options, rows)
        return {"": _turned(ratings_of_score_file(file, only), options)}
    return {"": _turned(_ratings_of_numbers(human, options.first_segment, systems), options)}


def ratings_of_table(table: Table, options: RatingOptions, system: str | None = None) -> Ratings | Rankings:
    """Ratings from a table in any form; `system` is the name of the only system, if the table names none."""
    if options.human_form == "rr":
        return read_rankings(table)
    ratings = read_ratings(
        table,
        options.human_form,
        column=options.human_column,
        weights=options.mqm_weights,
        keep_repeats=options.keep_repeats,
        system=system,
    )
    return _turned(ratings, options)


def _turned(ratings: Ratings | Rankings, options: RatingOptions) -> Ratings | Rankings:
    return ratings.turned() if options.human_lower_is_better and isinstance(ratings, Ratings) else ratings


def _check_score_file(file: ScoreFile, options: RatingOptions, rows: JoinOptions) -> None:
    """Reject columns, and forms other than scores, for a file of scores without a header."""
    if options.human_form not in ("scores", "da"):
        raise InputError(f"{file.path}: has no header; expected a table for human_form={options.human_form!r}")
    named = [*rows.within, *(column for column, _ in rows.where), *filter(None, [options.human_column])]
    if named:
        raise InputError(f"{file.path}: has no header, so there is no column {named[0]!r}")


def _ratings_of_numbers(human: Any, first: int, systems: Sequence[str]) -> Ratings:
    """Numbers by system, or an array of systems x segments; nan or None is a missing rating."""
    if not isinstance(human, Mapping | list | tuple) and np.ndim(human) == 0:
        raise InputTypeError(f"human: expected a file, a table, or numbers by system; got {kind_of(human)}")
    by_name = human if isinstance(human, Mapping) else dict(zip(systems, human, strict=False))
    if len(by_name) != len(human):
        expected = f"one row for each of {len(systems)} systems" if systems else "ratings by name of system"
        raise InputError(f"human: expected {expected}, got {len(human)} rows")
    try:
        values = [np.atleast_1d(np.array(row, dtype=np.float64)) for row in by_name.values()]
    except (TypeError, ValueError):
        raise InputTypeError("human: expected numbers, with None or nan where a rating is missing") from None
    lengths = {len(row) for row in values}
    if len(lengths) != 1 or any(row.ndim > 1 for row in values):
        raise InputError("human: expected the same number of ratings for each system")
    whole = lengths == {1} and all(np.ndim(row) == 0 for row in by_name.values())
    by_system = {str(system): row.tolist() for system, row in zip(by_name, values, strict=True)}
    return ratings_of_values("human", by_system, None if whole else first)


def opened(given: Any, what: str) -> Table | ScoreFile | None:
    """A file, read, or a table; None if it is neither. `what` names it in messages."""
    if isinstance(given, str | os.PathLike):
        return read_scores(os.fspath(given))
    return given if isinstance(given, Table | ScoreFile) else as_table(given, what)


def groups_of(table: Table, rows: JoinOptions, *, everywhere: bool = True) -> dict[str, Table]:
    """Split a table into groups of rows, by name, as `within` and `where` say.

    A table without these columns is an error, or a single group unless `everywhere`.
    """
    for column, value in rows.where:
        if not everywhere and not table.find(column):
            continue
        cells = table.texts(_needed(table, column, "where"))
        chosen = [row for row, cell in enumerate(cells) if cell == value]
        if not chosen:
            hint = nearest(value, [*dict.fromkeys(cells)])
            raise InputError(f"{table.path}: no row has {value!r} in column {column}{hint}")
        table = table.take(chosen)
    if not rows.within or not (everywhere or all(table.find(column) for column in rows.within)):
        return {"": table}
    names = [table.texts(_needed(table, column, "within")) for column in rows.within]
    members: dict[str, list[int]] = {}
    for row, values in enumerate(zip(*names, strict=True)):
        members.setdefault("-".join(values), []).append(row)
    return {name: table.take(some) for name, some in members.items()}


def grouping_columns(table: Table, rows: JoinOptions) -> set[str]:
    """The columns of a table that `within` and `where` name."""
    names = (*rows.within, *(column for column, _ in rows.where))
    return {found for name in names if (found := table.find(name))}


def _needed(table: Table, column: str, option: str) -> str:
    found = table.find(column)
    if found is None:
        hint = nearest(column, [*table.columns])
        raise InputError(f"{option}=...: {table.path} has no column {column!r}{hint} (found {table.shown})")
    return found
