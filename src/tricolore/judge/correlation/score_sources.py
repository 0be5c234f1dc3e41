"""External scores as they are given: files and folders, with or without a name, tables, and numbers by metric.

comet.json                 the metric is named by the form of the file, by its columns, or by the file
COMET=comet.json           it is called COMET; of a file with several metrics, only this one is read
BLEURT:A=bleurt-a.txt      the scores of system A, in a file that names no systems
wmt22/metric-scores/en-de  all score files in a folder of mt-metrics-eval
"""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...columns import kind_of, listed
from ...errors import InputError, InputTypeError, shown
from ...readers.comet import UNNAMED
from ...readers.score_files import ScoreFile, evaluation_files, metric_name
from ...readers.tables import Table, as_table, number_of
from ...readers.texts import system_name
from .ratings import SEGMENT, SYSTEM


@dataclass(frozen=True)
class Source:
    """A file, a table, or numbers, and what is said about them."""

    what: Any  #: the name of a file, a Table or a ScoreFile
    name: str | None = None  #: of the metric
    system: str | None = None  #: whose scores they are, where the file does not say it


def sources_of(given: Any) -> list[Source]:
    """Every file, table and list of numbers that was given, one by one.

    >>> [(one.what, one.name, one.system) for one in sources_of(["-", "BLEURT:A=-"])]
    [('-', None, None), ('-', 'BLEURT', 'A')]
    """
    if given is None:
        return []
    if isinstance(given, Source):
        return [given]
    if isinstance(given, str | os.PathLike):
        return _of_path(os.fspath(given), named=isinstance(given, str))
    if isinstance(given, list | tuple):
        return [source for one in given for source in sources_of(one)]
    if isinstance(given, Table | ScoreFile):
        return [Source(given)]
    table = as_table(given, "scores")
    if table is not None:
        return [Source(table)]
    if isinstance(given, Mapping):
        return [source for name, what in given.items() for source in _of_metric(str(name), what)]
    raise InputTypeError(f"scores: expected files, tables, or scores by metric; got {kind_of(given)}")


def _of_path(path: str, named: bool) -> list[Source]:
    if named and not os.path.exists(path):
        name, equals, file = path.partition("=")
        if equals and name and file:
            metric, _, system = name.partition(":")
            return [replace(one, name=metric or name, system=system or None) for one in _named(metric, file)]
    if os.path.isdir(path):
        return [Source(file) for file in evaluation_files(path)]
    if path != "-" and not os.path.exists(path):
        raise InputError(f"{path if path.isprintable() and 0 < len(path) < 256 else shown(path)}: no such file")
    return [Source(path)]


def _named(metric: str, path: str) -> list[Source]:
    """The files of a metric: one, or those that a folder has of it."""
    found = _of_path(path, named=False)
    if not os.path.isdir(path):
        return found
    own = [one for one in found if metric_name(one.what) == metric]
    if not own:
        known = dict.fromkeys(metric_name(one.what) for one in found)
        raise InputError(f"{path}: has no scores of {metric!r} (found {', '.join(known)})")
    return own


def _of_metric(name: str, what: Any) -> list[Source]:
    """The scores of one metric: files, a table, numbers by system, or numbers of the only system."""
    table = as_table(what, place_of(name))
    if isinstance(what, Mapping) and table is None:
        files = {system: one for system, one in what.items() if isinstance(one, str | os.PathLike)}
        numbers = {str(system): one for system, one in what.items() if system not in files}
        found = [Source(os.fspath(path), name, str(system)) for system, path in files.items()]
        return found + ([Source(_numbers(name, numbers), name)] if numbers else [])
    several = what if isinstance(what, list | tuple) else [what]
    if several and all(isinstance(one, str | os.PathLike | Table | ScoreFile) for one in several):
        return [replace(one, name=name) for path in several for one in sources_of(path)]
    if table is not None:
        return [Source(table, name)]
    return [Source(_numbers(name, {UNNAMED: what}), name)]


def _numbers(name: str, given: Mapping[str, Any]) -> ScoreFile:
    """Scores of segments by system, or of whole systems."""
    path = place_of(name)
    whole = all(isinstance(one, int | float) for one in given.values())
    rows = {system: [one] if whole else listed(one, name) for system, one in given.items()}
    scores: dict[str, list[float]] = {}
    gaps = {}
    for system, row in rows.items():
        for i, one in enumerate(row):
            where = f"{path}: {system + ': ' if system else ''}segment {i + 1}"
            try:
                value = math.nan if one is None else number_of(one)
            except ValueError:
                raise InputTypeError(f"{where}: expected a number, or None where it is missing; got {one!r}") from None
            if math.isnan(value):
                gaps[system, i] = where
            scores.setdefault(system, []).append(value)
    if whole:
        return ScoreFile(path, {}, name, {system: values[0] for system, values in scores.items()}, gaps)
    return ScoreFile(path, scores, name, {}, gaps)


def place_of(name: str) -> str:
    """What messages call numbers that come from no file."""
    return f"scores[{name!r}]"


def owned(file: Table | ScoreFile, source: Source, systems: Sequence[str]) -> Table | ScoreFile:
    """Scores with the name of their system, where a file has none.

    It is the one that was given, the only one of `systems`, or the one that is called like the file.
    """
    unnamed = UNNAMED in {**file.scores, **(file.systems or {})} if isinstance(file, ScoreFile) else not _systems(file)
    if not unnamed:
        if source.system is not None:
            raise InputError(f"{file.path}: names its systems itself; omit ':{source.system}'")
        return file
    owner = source.system or (systems[0] if len(systems) == 1 else system_name(file.path))
    if source.system is None and owner not in systems:
        return file  # whoever reads it says what is missing
    if isinstance(file, Table):
        numbers = {} if file.find(*SEGMENT) else {"segment": [str(row) for row in range(1, len(file) + 1)]}
        return Table(file.path, {"system": [owner] * len(file), **numbers, **file.columns}, file.lines, file.what)
    scores = {owner if name == UNNAMED else name: values for name, values in file.scores.items()}
    whole = file.systems and {owner if name == UNNAMED else name: value for name, value in file.systems.items()}
    gaps = {(owner if name == UNNAMED else name, i): where for (name, i), where in file.gaps.items()}
    return ScoreFile(file.path, scores, file.name, whole, gaps)


def _systems(table: Table) -> str | None:
    return table.find(*SYSTEM)
