"""Files of scores: tables, what COMET and MetricX write, and files without a header.

These have a system and its score on each line, or a score alone (BLEURT). The form is that of the WMT metrics task and
mt-metrics-eval: `SYSTEM<tab>SCORE`, once for each system, or once for each of its segments, in their order; `None` is a
missing score.
"""

import os
import re
from collections.abc import Mapping, Sequence
from math import isnan, nan

from ..compression import without_suffix
from ..errors import InputError
from .comet import UNNAMED, Found, as_comet_json, comet_lines, is_comet_line
from .files import name_of
from .metricx import as_metricx
from .tables import MISSING, Table, kind_of, number_of, read_table, read_table_lines, table_of_lines

#: The endings of score files of mt-metrics-eval that are read; there are others, of documents and domains.
EVALUATION_ENDINGS = (".seg.score", ".sys.score")

#: COMET prints four digits; a mean may differ by twice as much.
ROUNDED = 2e-4

_PAIR = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?-[a-z]{2,3}(_[A-Z]{2})?\.")  # such as en-de. and en-zh_TW.
_ENDING = re.compile(r"(\.(seg|sys|doc|domain))?(\.scores?)?(\.(tsv|txt))?$")


class ScoreFile:
    """The scores of systems, in the order of the file."""

    __slots__ = ("gaps", "name", "path", "scores", "systems")

    def __init__(
        self,
        path: str,
        scores: Mapping[str, Sequence[float]],
        name: str = "",
        systems: Mapping[str, float] | None = None,
        gaps: Mapping[tuple[str, int], str] | None = None,
    ):
        self.path = name_of(path)
        self.scores = scores
        self.name = name  #: of the metric, if the form of the file says it
        self.systems = systems  #: the scores of whole systems, if the file says which they are
        self.gaps = gaps or {}  #: where a score is missing, by system and index of the segment

    @property
    def of_systems(self) -> bool:
        """Whether there is one score for each system, rather than for each of its segments."""
        if self.systems is not None:
            return not self.scores
        return all(len(values) == 1 for values in self.scores.values())


def read_scores(path: str) -> ScoreFile | Table:
    """Read a file of scores with or without a header: where the first line is a score, which a header never is."""
    if kind_of(path) is not None:
        return as_metricx(read_table(path))
    lines = read_table_lines(path)
    line = next((line for line in lines if line.strip()), "")
    if is_comet_line(line):
        return _comet_file(path, comet_lines(path, lines))
    if line.lstrip().startswith(("{", "[")) and (found := as_comet_json(path, lines)) is not None:
        return _comet_file(path, found)
    first = line.split("\t")
    if len(first) <= 2 and first[-1].strip() and _number(first[-1]) is not None:
        return _score_file(path, lines)
    return as_metricx(table_of_lines(path, lines))


def _comet_file(path: str, found: Found) -> ScoreFile:
    segments, systems, gaps = found
    if not any(segments.values()) and not systems:
        raise InputError(f"{name_of(path)}: has no scores; expected at least one")
    if segments:
        _alike(path, segments)
        _check_means(path, segments, systems)
        systems = {}
    return ScoreFile(path, segments, "COMET", systems, gaps)


def _check_means(path: str, segments: Mapping[str, Sequence[float]], systems: Mapping[str, float]) -> None:
    """Refuse scores of systems that are not the means of their segments, as in a file that is not complete."""
    for system, score in systems.items():
        values = segments.get(system)
        if values is None:
            raise InputError(f"{name_of(path)}: has a score of {system}, but none of its segments")
        mean = sum(values) / len(values)
        if abs(mean - score) > ROUNDED * max(1, abs(mean)):
            raise InputError(
                f"{name_of(path)}: the score of {system or 'the system'} is {score:g}, but the mean of its "
                f"{len(values):,} segments is {mean:.4f}; expected a complete file"
            )


def evaluation_files(folder: str) -> list[str]:
    """The score files in a folder of mt-metrics-eval, `metric-scores/SRC-TRG`, of segments and of systems."""
    if os.path.isdir(inner := os.path.join(folder, "metric-scores")):
        pairs = sorted(os.listdir(inner))
        if len(pairs) != 1:
            some = ", ".join(os.path.join(inner, pair) for pair in pairs[:3])
            raise InputError(
                f"{folder}: is a test set of {len(pairs)} language pairs; name one of its folders ({some})"
            )
        folder = os.path.join(inner, pairs[0])
    names = sorted(name for name in os.listdir(folder) if without_suffix(name).endswith(EVALUATION_ENDINGS))
    if not names:
        raise InputError(f"{folder}: is a folder without files of scores; expected NAME.seg.score or NAME.sys.score")
    pairs = sorted({found[0] for name in names if (found := _PAIR.match(name))})
    if len(pairs) > 1:
        raise InputError(f"{folder}: has scores of {len(pairs)} language pairs; name the files of one")
    return [os.path.join(folder, name) for name in names]


def higher_by_convention(path: str) -> bool:
    """Whether higher is better as in all files of mt-metrics-eval, where error scores are negated."""
    return without_suffix(path).endswith(EVALUATION_ENDINGS)


def _score_file(path: str, lines: Sequence[str]) -> ScoreFile:
    """Scores without a header; every system must have as many."""
    scores: dict[str, list[float]] = {}
    gaps: dict[tuple[str, int], str] = {}
    rows = [(number, line.split("\t")) for number, line in enumerate(lines, 1)]
    rows = [(number, cells) for number, cells in rows if cells != [""]]
    width = len(rows[0][1])
    for number, cells in rows:
        where = f"{name_of(path)}: line {number}"
        if len(cells) != width or width > 2:
            expected = "a system, a tab and a score" if width == 2 else "a score alone, as on the first line"
            raise InputError(f"{where}: expected {expected}, found {len(cells)} cells")
        value = _number(cells[-1])
        if value is None:
            raise InputError(f"{where}: expected a number or None, found {cells[-1]!r}")
        system = cells[0].strip() if width == 2 else UNNAMED
        if width == 2 and not system:
            raise InputError(f"{where}: the system has no name")
        own = scores.setdefault(system, [])
        if isnan(value):
            gaps[system, len(own)] = where
        own.append(value)
    _alike(path, scores)
    return ScoreFile(path, scores, gaps=gaps)


def _alike(path: str, scores: Mapping[str, Sequence[float]]) -> None:
    first = next(iter(scores))
    for system, values in scores.items():
        if len(values) != len(scores[first]):
            raise InputError(
                f"{name_of(path)}: {system} has {len(values)} scores and {first} {len(scores[first])}; "
                "expected one line for each system, or one for each of its segments, missing ones as None"
            )


def _number(cell: str) -> float | None:
    """Read a cell: nan where the score is missing, None where the cell is not a score."""
    if cell.strip().lower() in MISSING:
        return nan
    try:
        return number_of(cell)
    except ValueError:
        return None


def metric_name(path: str) -> str:
    """Name a metric by its file.

    >>> metric_name("scores/en-de.BLEU.seg.score"), metric_name("COMET-22.sys.score.gz"), metric_name("chrF.tsv")
    ('BLEU', 'COMET-22', 'chrF')
    """
    if path == "-":
        return "score"
    base = re.split(r"[/\\]", path)[-1]
    return _ENDING.sub("", _PAIR.sub("", without_suffix(base), count=1)) or base
