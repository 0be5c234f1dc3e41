"""Metric scores from files: of segments, of whole systems, or of both.

- a table with one column per metric: `system, segment, BLEU, COMET, ...`;
- a table with one row per score: `system, segment, metric, score`, as `tricolore score --segments` writes it, where
  the segment `corpus` is the whole system;
- a file in WMT's form: `SYSTEM<tab>SCORE`.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...columns import kind_of
from ...errors import InputError, InputTypeError, TricoloreError, nearest
from ...metrics import metric
from ...numbers import real
from ...readers.score_files import ScoreFile, metric_name
from ...readers.tables import Table
from .options import CorrelateOptions, JoinOptions, RatingOptions, ScoreOptions
from .rating_files import grouping_columns, groups_of, opened
from .rating_noise import Cell
from .ratings import ANNOTATOR, SEGMENT, SYSTEM, cells_of, name_of

#: The name of a whole system among segments.
CORPUS = "corpus"

#: Columns that are not read as metrics unless they are asked for.
OTHERS = ("signature", "doc", "document", "domain")

#: What to do about a column with some numbers that is not a metric.
ADVICE = "; if it is not a metric, name those to read"


@dataclass(frozen=True)
class MetricScores:
    """The scores of one metric."""

    name: str
    path: str  #: the file, for messages
    segments: Mapping[Cell, float]  #: nan where a score is missing
    systems: Mapping[str, float]  #: of whole systems, if they were given
    higher_is_better: bool = True
    signature: str = ""
    said: tuple[str, ...] = ("",)  #: the signatures in its files; empty where there is none


def scores_by_group(
    sources: Sequence[Any], options: ScoreOptions, rows: JoinOptions
) -> tuple[dict[str, list[MetricScores]], list[str]]:
    """Scores from files and tables, by group ("" for files without groups), and notes."""
    found: dict[str, list[MetricScores]] = {}
    notes: list[str] = []
    known: list[str] = []
    files = []
    for source in sources:
        file = opened(source, "scores")
        if file is None:
            raise InputTypeError(f"scores: expected files or tables, got {kind_of(source)}")
        files.append(file.path)
        there = [metric_name(file.path)] if isinstance(file, ScoreFile) else names_in(file)
        known += there
        asked = [name for name in options.columns if name in there]
        if options.columns and not asked:
            continue
        if isinstance(file, ScoreFile):
            found.setdefault("", []).append(scores_of_file(file, *there))
            continue
        metrics, more = metrics_of_table(file, asked, leave=grouping_columns(file, rows))
        notes += more
        for name, part in groups_of(file, rows, everywhere=False).items():
            found.setdefault(name, []).extend(scores_of_table(part, metrics))
    _check_known(", ".join(files), "column", options.columns, known)
    return {name: turned(joined(scores), options) for name, scores in found.items()}, list(dict.fromkeys(notes))


def metrics_beside_ratings(table: Table, options: CorrelateOptions) -> tuple[RatingOptions, list[str], list[str]]:
    """Options for reading the ratings of a table that also has scores, the names of its metrics, and notes."""
    if _is_long(table):
        raise InputError(f"{table.path}: has metric scores only; expected the ratings in another file, human=...")
    wanted = options.human_column or "human"
    human = table.find(wanted)
    if human is None:
        raise InputError(
            f"{table.path}: expected a column {wanted!r} with the ratings (found {table.shown}); human_column names "
            "it, or human=... another file"
        )
    names, notes = metrics_of_table(table, options.columns, leave={human, *grouping_columns(table, options)})
    return replace(options, human_column=wanted), names, notes


def turned(scores: list[MetricScores], options: ScoreOptions) -> list[MetricScores]:
    """Mark the metrics for which lower is better."""
    known = [one.name for one in scores]
    for name in options.lower_is_better:
        if name not in known:
            hint = nearest(name, known)
            raise InputError(f"lower_is_better: there is no metric {name!r}{hint} ({', '.join(known)})")
    return [replace(one, higher_is_better=False) if one.name in options.lower_is_better else one for one in scores]


def metrics_of_table(
    table: Table, columns: Sequence[str] = (), *, leave: Collection[str] = ()
) -> tuple[list[str], list[str]]:
    """The metrics of a table, and notes.

    `columns` are those asked for (default: all columns of numbers); `leave` are columns that are not metrics.
    """
    if _is_long(table) or columns:
        known = names_in(table)
        _check_known(table.path, "metric" if _is_long(table) else "column", columns, known)
        return [*dict.fromkeys(columns or known)], []
    taken = {table.need(*SYSTEM), *(table.find(*names) for names in (SEGMENT, ANNOTATOR)), *map(table.find, OTHERS)}
    taken |= {*leave}
    others = [name for name in table.columns if name not in taken]
    found = [name for name in others if _has_number(table, name)]
    if not found:
        raise InputError(
            f"{table.path}: expected a column with the scores of a metric (found {', '.join(table.columns)})"
        )
    left = [name for name in others if name not in found]
    return found, [f"{table.path}: dropped columns without numbers: {', '.join(left)}"] if left else []


def names_in(table: Table) -> list[str]:
    """What can be asked for by name: the metrics of a table with one row per score, or the columns of another."""
    return [*dict.fromkeys(table.texts(table.need("metric")))] if _is_long(table) else [*table.columns]


def scores_of_table(table: Table, metrics: Sequence[str]) -> list[MetricScores]:
    """Read metrics from a table, or a part of one, where some may have no scores.

    Rows that differ only in their annotator must have the same metric scores.
    """
    keys = cells_of(table)
    if not _is_long(table):
        return [_metric(table, name, keys, table.numbers(name, ADVICE), range(len(table))) for name in metrics]
    values = table.numbers(table.need("score"))
    rows: dict[str, list[int]] = {name: [] for name in metrics}
    for row, name in enumerate(table.texts(table.need("metric"))):
        if name in rows:
            rows[name].append(row)
    return [_with_signature(table, _metric(table, name, keys, values, own), own) for name, own in rows.items()]


def _is_long(table: Table) -> bool:
    return table.find("metric") is not None and table.find("score") is not None


def _check_known(path: str, what: str, asked: Sequence[str], known: list[str]) -> None:
    for name in asked:
        if name not in known:
            raise InputError(f"{path}: there is no {what} {name!r}{nearest(name, known)} (found {', '.join(known)})")


def scores_of_file(file: ScoreFile, name: str) -> MetricScores:
    """Read a file in WMT's form; segments are numbered from 1."""
    if "" in file.scores:
        raise InputError(f"{file.path}: names no system; expected SYSTEM<tab>SCORE")
    systems: dict[str, float] = {}
    segments: dict[Cell, float] = {}
    for system, values in file.scores.items():
        if file.of_systems:
            systems[system] = values[0]
        else:
            segments |= {(system, str(number)): value for number, value in enumerate(values, 1)}
    return MetricScores(name, file.path, segments, systems, signature=_signature(name, file.path))


def joined(scores: Sequence[MetricScores]) -> list[MetricScores]:
    """Merge the scores of one metric from several files, such as one of segments and one of systems."""
    found: dict[str, MetricScores] = {}
    for one in scores:
        other = found.get(one.name)
        if other is None:
            found[one.name] = one
            continue
        if other.segments.keys() & one.segments.keys() or other.systems.keys() & one.systems.keys():
            raise InputError(f"{one.path}: scores of {one.name} are also in {other.path}; expected each once")
        found[one.name] = replace(
            other,
            path=f"{other.path}, {one.path}",
            segments={**other.segments, **one.segments},
            systems={**other.systems, **one.systems},
            signature=" / ".join(dict.fromkeys([other.signature, one.signature])),
            said=tuple(dict.fromkeys([*other.said, *one.said])),
        )
    return [*found.values()]


def _signature(name: str, path: str) -> str:
    base = re.split(r"[\\/]", path)[-1]
    return f"{name}|file:{base}"


def _has_number(table: Table, column: str) -> bool:
    """Whether any cell of a column is a number; then all others must be numbers or missing."""
    for cell in table.columns[column]:
        try:
            if not math.isnan(real(cell) if isinstance(cell, str) else float(cell)) and not isinstance(cell, bool):
                return True
        except OverflowError:  # an integer of hundreds of digits is rejected later
            return True
        except (TypeError, ValueError):
            continue
    return False


def _metric(
    table: Table, name: str, keys: Sequence[Cell], values: Sequence[float], rows: Sequence[int]
) -> MetricScores:
    """One metric from its rows; a table that names annotators may repeat a score, but not change it."""
    annotators = table.find(*ANNOTATOR) is not None
    segments: dict[Cell, float] = {}
    systems: dict[str, float] = {}
    first: dict[Cell, int] = {}
    for row in rows:
        key, value = keys[row], values[row]
        if key in first:
            before = values[first[key]]
            if annotators and (value == before or (math.isnan(value) and math.isnan(before))):
                continue
            raise InputError(
                f"{table.where(row)}: {name} of {name_of(key)} is already on {table.what} "
                f"{table.lines[first[key]]}; expected it once"
            )
        first[key] = row
        if key[1] == "" or key[1].lower() == CORPUS:
            systems[key[0]] = value
        else:
            segments[key] = value
    return MetricScores(name, table.path, segments, systems, signature=_signature(name, table.path))


def _with_signature(table: Table, scores: MetricScores, rows: Sequence[int]) -> MetricScores:
    """Add the signatures of scores; with one, they are of a metric of ours, if its name is known."""
    column = table.find("signature")
    if column is None:
        return scores
    said = tuple(dict.fromkeys(str(table.columns[column][row] or "") for row in rows)) or ("",)
    try:
        higher_is_better = metric(scores.name).higher_is_better
    except TricoloreError:
        higher_is_better = True
    return replace(scores, signature=" / ".join(filter(None, said)), said=said, higher_is_better=higher_is_better)
