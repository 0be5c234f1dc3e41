"""Files of ratings and of scores, opened and sorted out: which table, which rows, which form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import InputError, nearest
from ...readers import name_of
from ...readers.score_files import ScoreFile, metric_name, read_scores
from .metric_scores import joined, metrics_of_table, names_in, scores_of_file, scores_of_table
from .rankings import read_rankings
from .ratings import ratings_of_score_file, read_ratings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...readers.tables import Table
    from .metric_scores import Scores
    from .rankings import Rankings
    from .ratings import Ratings


@dataclass(frozen=True)
class Rows:
    """Which rows of tables to read, and which belong together."""

    within: tuple[str, ...] = ()  #: columns, such as campaign or language pair; a table for each of their values
    conditions: tuple[tuple[str, str], ...] = ()  #: columns and what must stand in them

    def groups(self, table: Table, *, everywhere: bool = True) -> dict[str, Table]:
        """Cut a table into those that belong together, by name; one without a name if nothing cuts it.

        Unless the columns must be `everywhere`, a table without them is taken as it is.
        """
        table = self._chosen(table, everywhere)
        if not self.within or not (everywhere or all(table.find(column) for column in self.within)):
            return {"": table}
        cells = [table.texts(_needed(table, column, "--within")) for column in self.within]
        rows: dict[str, list[int]] = {}
        for row, values in enumerate(zip(*cells, strict=True)):
            rows.setdefault("-".join(values), []).append(row)
        return {name: table.take(chosen) for name, chosen in rows.items()}

    def columns(self, table: Table) -> set[str]:
        """The columns of a table by which rows are chosen."""
        names = (*self.within, *(column for column, _ in self.conditions))
        return {found for name in names if (found := table.find(name))}

    def _chosen(self, table: Table, everywhere: bool) -> Table:
        for column, value in self.conditions:
            if not everywhere and not table.find(column):
                continue
            cells = table.texts(_needed(table, column, "--where"))
            rows = [row for row, cell in enumerate(cells) if cell == value]
            if not rows:
                hint = nearest(value, [*dict.fromkeys(cells)])
                raise InputError(f"{table.path}: no row has {value!r} in column {column}{hint}")
            table = table.take(rows)
        return table


def _needed(table: Table, column: str, option: str) -> str:
    found = table.find(column)
    if found is None:
        hint = nearest(column, [*table.columns])
        raise InputError(f"{option}: {table.path} has no column {column!r}{hint} (found {', '.join(table.columns)})")
    return found


@dataclass(frozen=True)
class People:
    """How ratings are to be read."""

    form: str = "scores"
    column: str | None = None  #: of scores, where its name is not one of the usual
    weights: Mapping[str, float] | None = None  #: of MQM
    keep_repeats: bool = False
    lower_is_better: bool = False

    def read(self, path: str, rows: Rows, system: str | None = None) -> dict[str, Ratings | Rankings]:
        """Read a file of ratings, by group; `system` is the name of the only one, if the file names none."""
        file = read_scores(path)
        if isinstance(file, ScoreFile):
            self._check_score_file(path, rows)
            return {"": self._turned(ratings_of_score_file(file, system))}
        return {name: self.of_table(table, system) for name, table in rows.groups(file).items()}

    def _check_score_file(self, path: str, rows: Rows) -> None:
        """Refuse to look for columns, or for anything but scores, where there are only scores."""
        if self.form not in ("scores", "da"):
            raise InputError(f"{path}: holds scores without a header; expected a table for the form {self.form}")
        if named := [*rows.within, *(column for column, _ in rows.conditions), *([self.column] if self.column else [])]:
            raise InputError(f"{path}: holds scores without a header, so there is no column {named[0]!r}")

    def of_table(self, table: Table, system: str | None = None) -> Ratings | Rankings:
        """Read a table of ratings."""
        if self.form == "rr":
            return read_rankings(table)
        ratings = read_ratings(
            table,
            self.form,
            column=self.column,
            weights=self.weights,
            keep_repeats=self.keep_repeats,
            system=system,
        )
        return self._turned(ratings)

    def _turned(self, ratings: Ratings) -> Ratings:
        return ratings.turned() if self.lower_is_better else ratings


@dataclass(frozen=True)
class Metrics:
    """How scores of metrics are to be read."""

    columns: tuple[str, ...] = ()  #: those to read, if not all that hold numbers
    lower_is_better: tuple[str, ...] = ()

    def read(self, paths: Sequence[str], rows: Rows) -> tuple[dict[str, list[Scores]], list[str]]:
        """Read files of scores, by group; the nameless group is of files that do not say. Also return notes."""
        found: dict[str, list[Scores]] = {}
        notes: list[str] = []
        known: list[str] = []
        for path in paths:
            file = read_scores(path)
            there = [metric_name(path)] if isinstance(file, ScoreFile) else names_in(file)
            known += there
            asked = [name for name in self.columns if name in there]
            if self.columns and not asked:
                continue
            if isinstance(file, ScoreFile):
                found.setdefault("", []).append(scores_of_file(file, *there))
                continue
            metrics, more = metrics_of_table(file, asked, leave=rows.columns(file))
            notes += more
            for name, part in rows.groups(file, everywhere=False).items():
                found.setdefault(name, []).extend(scores_of_table(part, metrics))
        for name in self.columns:
            if name not in known:
                files = ", ".join(map(name_of, paths))
                raise InputError(
                    f"{files}: there is no column {name!r}{nearest(name, known)} (found {', '.join(known)})"
                )
        return {name: self.turned(joined(scores)) for name, scores in found.items()}, list(dict.fromkeys(notes))

    def beside_people(self, table: Table, people: People, rows: Rows) -> tuple[list[str], list[str]]:
        """Name the metrics of a table that also holds the ratings; also return notes."""
        if table.find("metric") and table.find("score"):
            raise InputError(
                f"{table.path}: has scores of metrics only; expected the ratings in another file, by --human"
            )
        human = table.find(people.column or "human")
        if human is None:
            raise InputError(
                f"{table.path}: expected a column {people.column or 'human'!r} with what people say "
                f"(found {table.shown}); --human-column names it, or --human another file"
            )
        return metrics_of_table(table, self.columns, leave={human, *rows.columns(table)})

    def turned(self, scores: list[Scores]) -> list[Scores]:
        """Turn those of which lower is better."""
        known = [one.name for one in scores]
        for name in self.lower_is_better:
            if name not in known:
                raise InputError(
                    f"--lower-is-better: there is no metric {name!r}{nearest(name, known)} ({', '.join(known)})"
                )
        return [one.turned() if one.name in self.lower_is_better else one for one in scores]
