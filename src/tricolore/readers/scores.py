"""Scores of segments that were computed elsewhere, in the forms people have them in."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError, nearest
from .files import name_of, read_lines
from .tables import MISSING, Table, read_table, table_of_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

SEGMENT = ("segment", "seg", "seg_id", "segment_id", "line", "id")
#: Columns that are no metric, whatever they hold.
OTHERS = ("signature", "doc", "document", "domain")


@dataclass(frozen=True)
class SegmentScores:
    """Systems x segments by metric; nan where a file has no score."""

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    metrics: dict[str, NDArray[np.float64]]
    signatures: dict[str, str]  #: of the metrics whose scores all have the same


@dataclass(frozen=True)
class _Entry:
    """One score and where it stands."""

    system: str
    segment: str
    metric: str
    score: float
    where: str
    signature: str | None = None


def read_scores(paths: Sequence[str], only: Sequence[str] | None = None) -> SegmentScores:
    """Read scores of segments from several files; `only` names the metrics to keep.

    A table (TSV, CSV, JSON lines, Parquet) has the columns `system` and `segment` and either `metric` and `score`, as
    `tricolore score --segments` writes them, or a column for each metric. Rows of the whole corpus (segment `corpus`)
    are left out. A file without a header has lines of a system and a score, as in WMT's metrics tasks, the segments of
    a system one after another; its metric is named after the file. `None`, `nan` or an empty cell is a missing score.
    """
    import numpy as np

    found: dict[tuple[str, str, str], _Entry] = {}
    signatures: dict[str, set[str | None]] = {}
    for path in paths:
        for entry in _entries(path):
            if only is not None and entry.metric not in only:
                signatures.setdefault(entry.metric, set())
                continue
            key = (entry.metric, entry.system, entry.segment)
            if key in found:
                raise InputError(
                    f"{entry.where}: system {entry.system}, segment {entry.segment} has its {entry.metric} twice "
                    f"(already in {found[key].where})"
                )
            found[key] = entry
            signatures.setdefault(entry.metric, set()).add(entry.signature)
    _check_metrics(only, list(signatures), paths)
    systems, segments, metrics = (
        {name: i for i, name in enumerate(dict.fromkeys(key[place] for key in found))} for place in (1, 2, 0)
    )
    values = {name: np.full((len(systems), len(segments)), np.nan) for name in metrics}
    for (metric, system, segment), entry in found.items():
        values[metric][systems[system], segments[segment]] = entry.score
    same = {metric: said for metric in metrics if len(signatures[metric]) == 1 for said in signatures[metric] if said}
    return SegmentScores(tuple(systems), tuple(segments), values, same)


def _check_metrics(only: Sequence[str] | None, there: list[str], paths: Sequence[str]) -> None:
    files = ", ".join(map(name_of, paths))
    if not there:
        raise InputError(f"{files}: no scores of segments were found")
    for name in only or ():
        if name not in there:
            raise InputError(f"{files}: there is no metric {name!r}{nearest(name, there)} (found {', '.join(there)})")


def _entries(path: str) -> Iterator[_Entry]:
    plain = path.removesuffix(".gz").removesuffix(".zst").lower()
    if plain.endswith((".parquet", ".jsonl", ".ndjson", ".csv")):
        return _of_table(read_table(path))
    lines = read_lines(path)
    return _headless(path, lines) if _is_headless(lines[0]) else _of_table(table_of_lines(path, lines))


def _is_headless(line: str) -> bool:
    """Whether a file begins with a system and a score, not with names of columns."""
    cells = line.split("\t")
    return len(cells) == 2 and (_number(cells[1]) is not None or cells[1].strip().lower() in MISSING[1:])


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _headless(path: str, lines: Sequence[str]) -> Iterator[_Entry]:
    """Lines of a system and a score; the n-th line of a system is its n-th segment."""
    base = os.path.basename(path)
    metric = base.removesuffix(".gz").removesuffix(".zst").partition(".")[0] if path != "-" else "score"
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        where = f"{name_of(path)}: line {number}"
        cells = line.split("\t")
        if len(cells) != 2 or not cells[0]:
            raise InputError(f"{where}: expected a system, a tab and a score")
        score = math.nan if cells[1].strip().lower() in MISSING else _number(cells[1])
        if score is None:
            raise InputError(f"{where}: expected a number or None, found {cells[1]!r}")
        seen[cells[0]] = seen.get(cells[0], 0) + 1
        yield _Entry(cells[0], str(seen[cells[0]]), metric, score, where)


def _of_table(table: Table) -> Iterator[_Entry]:
    system, segment = table.need("system"), table.need(*SEGMENT)
    systems, segments = table.texts(system), table.texts(segment)
    kept = [row for row in range(len(table)) if segments[row].lower() != "corpus"]
    metric, score = table.find("metric", "metrics"), table.find("score", "value")
    if metric is not None and score is not None:
        names, scores, said = table.texts(metric), table.numbers(score), table.columns.get("signature")
        for row in kept:
            signature = str(said[row]) if said is not None and said[row] else None
            yield _Entry(systems[row], segments[row], names[row], scores[row], table.where(row), signature)
        return
    columns = [name for name in table.columns if name not in (system, segment) and name.lower() not in OTHERS]
    columns = [name for name in columns if _has_numbers(table, name)]
    if not columns:
        raise InputError(f"{table.path}: expected a column of scores beside {system} and {segment}")
    for name in columns:
        scores = table.numbers(name, "; -m names the columns to take")
        for row in kept:
            yield _Entry(systems[row], segments[row], name, scores[row], table.where(row))


def _has_numbers(table: Table, column: str) -> bool:
    """Whether a column is about numbers; one without any is text. A column with both is a mistake, told later."""
    cells = table.columns[column]
    return any(
        not isinstance(cell, bool)
        and (isinstance(cell, int | float) or (isinstance(cell, str) and _number(cell) is not None))
        for cell in cells
    )
