"""Metric scores from files: of segments, of whole systems, or of both.

- a table with one column per metric: `system, segment, BLEU, COMET, ...`;
- a table with one row per score: `system, segment, metric, score`, as `tricolore score --segments` writes it, where
  the segment `corpus` is the whole system;
- a file in WMT's form: `SYSTEM<tab>SCORE`;
- what COMET, MetricX and BLEURT write (`readers/score_files`).

`score_sources` says what is given: files, folders, tables, numbers, and names for them.
"""

import math
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import InputError, SpecError, TricoloreError, nearest
from ...metrics import metric
from ...metrics.external import ExternalMetric, is_error_score
from ...numbers import real
from ...readers.score_files import ScoreFile, higher_by_convention, metric_name
from ...readers.tables import Table
from .options import CorrelateOptions, JoinOptions, RatingOptions, ScoreOptions
from .rating_files import grouping_columns, groups_of, opened
from .rating_noise import Cell
from .ratings import ANNOTATOR, SEGMENT, SYSTEM, cells_of, name_of
from .score_sources import Source, owned, sources_of

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
    higher_is_better: bool | None = None  #: None until it is known; see `turned`
    signature: str = ""
    said: tuple[str, ...] = ("",)  #: the signatures in its files; empty where there is none
    gaps: Mapping[Cell, str] = field(default_factory=dict)  #: where a score is missing: the file and its line
    in_order: bool = False  #: whether segments are numbered by their order in the file

    @property
    def external(self) -> ExternalMetric:
        """The scores as a metric, to be scored by their mean."""
        file, better = files_of(self.path), self.higher_is_better is not False
        said = self.said[0] if len(self.said) == 1 else ""
        return ExternalMetric(name=self.name, file=file, higher_is_better=better, said=said)


def scores_by_group(
    given: Any, options: ScoreOptions, rows: JoinOptions, systems: Sequence[str] = ()
) -> tuple[dict[str, list[MetricScores]], list[str]]:
    """Scores from files and tables, by group ("" for files without groups), and notes.

    `systems` are the systems that are scored, if they are known: a file that names none may be of one of them.
    """
    found: dict[str, list[MetricScores]] = {}
    notes: list[str] = []
    known: list[str] = []
    files = []
    for source in sources_of(given):
        file = opened(source.what, "scores")
        assert file is not None  # sources are files and tables
        file = owned(file, source, systems)
        files.append(file.path)
        there = _named(file, source)
        known += there
        asked = [name for name in options.columns if name in there]
        if options.columns and not asked:
            continue
        if isinstance(file, ScoreFile):
            found.setdefault("", []).append(scores_of_file(file, *there))
            continue
        metrics, more = _chosen(file, source, asked, rows)
        notes += more
        for name, part in groups_of(file, rows, everywhere=False).items():
            scores = scores_of_table(part, metrics)
            found.setdefault(name, []).extend(replace(one, name=source.name or one.name) for one in scores)
    _check_known(", ".join(files), "column", options.columns, known)
    return {name: turned(joined(scores), options) for name, scores in found.items()}, list(dict.fromkeys(notes))


def _named(file: Table | ScoreFile, source: Source) -> list[str]:
    """What can be asked for by name in a file."""
    if source.name is not None:
        return [source.name]
    return [file.name or metric_name(file.path)] if isinstance(file, ScoreFile) else names_in(file)


def _chosen(
    table: Table, source: Source, asked: Sequence[str], rows: JoinOptions
) -> tuple[Sequence[str], Sequence[str]]:
    """The metrics to read from a table, and notes; one that was named is the one of this name, or the only one."""
    leave = grouping_columns(table, rows)
    if source.name is None:
        return metrics_of_table(table, asked, leave=leave)
    if source.name in names_in(table):
        return [source.name], []
    metrics, _ = metrics_of_table(table, leave=leave)
    if len(metrics) > 1:
        raise InputError(f"{table.path}: has no metric {source.name!r}, and several others ({', '.join(metrics)})")
    return metrics, []


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
    """Say of each metric whether higher is better: as asked, as its files say, or as metrics of its name are known."""
    known = [one.name for one in scores]
    for option in ("lower_is_better", "higher_is_better"):
        for name in getattr(options, option):
            if name not in known:
                hint = nearest(name, known)
                raise SpecError(f"{option}: there is no metric {name!r}{hint} ({', '.join(known)})")
    return [_signed(one, _higher_is_better(one, options)) for one in scores]


def _higher_is_better(one: MetricScores, options: ScoreOptions) -> bool:
    if one.name in options.lower_is_better or one.name in options.higher_is_better:
        return one.name in options.higher_is_better
    if one.higher_is_better is not None:
        return one.higher_is_better
    values = [value for value in (*one.segments.values(), *one.systems.values()) if value]
    if is_error_score(one.name) and values and max(values) < 0:
        raise InputError(
            f"{one.path}: {one.name} counts errors, but its scores are negative, so that higher may be better; "
            "name it in lower_is_better=... or higher_is_better=..."
        )
    return not is_error_score(one.name)


def _signed(one: MetricScores, higher_is_better: bool) -> MetricScores:
    """Add the signature, which names the file and says which scores are better, unless the file has signatures."""
    one = replace(one, higher_is_better=higher_is_better)
    written = " / ".join(filter(None, one.said))
    return replace(one, signature=written or one.external.signature())


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
        raise InputError(
            f"{file.path}: names no system; expected SYSTEM<tab>SCORE, a file called like its system, or "
            f"{name}:SYSTEM={file.path}"
        )
    systems = dict(file.systems or {})
    segments: dict[Cell, float] = {}
    for system, values in file.scores.items():
        if file.of_systems:
            systems[system] = values[0]
        else:
            segments |= {(system, str(number)): value for number, value in enumerate(values, 1)}
    gaps = {(system, str(i + 1)): where for (system, i), where in file.gaps.items()}
    better = True if higher_by_convention(file.path) else None
    return MetricScores(name, file.path, segments, systems, better, gaps=gaps, in_order=True)


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
            said=tuple(dict.fromkeys([*other.said, *one.said])),
            gaps={**other.gaps, **one.gaps},
        )
    return [*found.values()]


def files_of(path: str) -> str:
    r"""The names of the files of scores without their folders, for a signature; "" where there is no file.

    >>> files_of("wmt/X.seg.score, wmt/X.sys.score"), files_of("scores['COMET']")
    ('X.seg.score,X.sys.score', '')
    """
    if re.fullmatch(r"scores(\[.*\])?", path):
        return ""
    return ",".join(os.path.basename(one) for one in path.replace("\\", "/").split(", "))


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
    gaps = {keys[row]: table.where(row) for row in first.values() if math.isnan(values[row])}
    return MetricScores(name, table.path, segments, systems, gaps=gaps)


def _with_signature(table: Table, scores: MetricScores, rows: Sequence[int]) -> MetricScores:
    """Add the signatures of scores; with one, they are of a metric of ours, if its name is known."""
    column = table.find("signature")
    if column is None:
        return scores
    said = tuple(dict.fromkeys(str(table.columns[column][row] or "") for row in rows)) or ("",)
    try:
        higher_is_better = metric(scores.name).higher_is_better
    except TricoloreError:
        return replace(scores, said=said)
    return replace(scores, said=said, higher_is_better=higher_is_better if any(said) else None)
