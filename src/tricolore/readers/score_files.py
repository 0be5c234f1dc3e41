"""Files of scores without a header: a system and its score on each line, or a score alone.

The form is that of the WMT metrics task and mt-metrics-eval: `SYSTEM<tab>SCORE`, once for each system, or once for
each of its segments, in their order; `None` is a missing score.
"""

import re
from collections.abc import Mapping, Sequence

from ..compression import without_suffix
from ..errors import InputError
from .files import name_of
from .tables import MISSING, Table, kind_of, number_of, read_table, read_table_lines, table_of_lines

#: The one system of a file that names none.
UNNAMED = ""

_PAIR = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?-[a-z]{2,3}(_[A-Z]{2})?\.")  # such as en-de. and en-zh_TW.
_ENDING = re.compile(r"(\.(seg|sys|doc|domain))?(\.scores?)?(\.(tsv|txt))?$")


class ScoreFile:
    """The scores of systems, in the order of the file."""

    __slots__ = ("path", "scores")

    def __init__(self, path: str, scores: Mapping[str, Sequence[float]]):
        self.path = name_of(path)
        self.scores = scores

    @property
    def of_systems(self) -> bool:
        """Whether there is one score for each system, rather than for each of its segments."""
        return all(len(values) == 1 for values in self.scores.values())


def read_scores(path: str) -> ScoreFile | Table:
    """Read a file of scores with or without a header: where the first line is a score, which a header never is."""
    if kind_of(path) is not None:
        return read_table(path)
    lines = read_table_lines(path)
    first = next((line for line in lines if line.strip()), "").split("\t")
    if len(first) <= 2 and first[-1].strip() and _number(first[-1]) is not None:
        return _score_file(path, lines)
    return table_of_lines(path, lines)


def _score_file(path: str, lines: Sequence[str]) -> ScoreFile:
    """Scores without a header; every system must have as many."""
    scores: dict[str, list[float]] = {}
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
        scores.setdefault(system, []).append(value)
    _alike(path, scores)
    return ScoreFile(path, scores)


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
    from math import nan

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
