"""Score the groups of a table: systems, domains, documents, whatever its columns say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import SpecError
from .group_sums import BUCKETS, Group, GroupSums, Roles, sums_of
from .judge.significance.intervals import Confidence, confidence_of
from .metrics import expanded, listed, metric
from .metrics.base import Metric
from .parameters import DRAWS, SEED, Flag, Options, param
from .readers.batches import open_table
from .results import Page, Result, Table
from .scoring import Score

if TYPE_CHECKING:
    from .results import Record


@dataclass(frozen=True)
class TableOptions(Options):
    """What is computed beside scores."""

    confidence: bool = param(False, Flag(), "95 % bootstrap confidence interval of every score")
    resamples: int = param(1000, DRAWS, "bootstrap resamples")
    seed: int = param(12345, SEED, "random seed")


@dataclass(frozen=True, eq=False)
class GroupScore:
    """The score of one group by one metric."""

    group: Group
    asked: str  #: the metric as it was typed
    score: Score
    segments: int
    confidence: Confidence | None = None

    def to_dict(self, by: Sequence[str]) -> Record:
        """Everything; scores and intervals are in points."""
        found: Record = {**dict(zip(by, self.group, strict=True)), "segments": self.segments, **self.score.to_dict()}
        if self.confidence is not None:
            told = self.confidence.to_dict()
            found |= {"confidence_low": told["low"], "confidence_high": told["high"], "signature": told["signature"]}
        return found


@dataclass(frozen=True, eq=False, repr=False)
class TableScores(Result):
    """Scores of the groups of a table: one row per group and metric; `scores["group", "bleu"]` is one of them."""

    by: tuple[str, ...]
    asked: tuple[str, ...]
    cells: tuple[GroupScore, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, key: Any) -> Score:
        parts = key if isinstance(key, tuple) else (key,)
        for cell in self.cells:
            if (*map(str, cell.group), cell.asked) == (*map(str, parts),):
                return cell.score
        raise KeyError(key)

    def __repr__(self) -> str:
        groups = len(self.cells) // len(self.asked)
        return f"TableScores of {groups} groups by {', '.join(self.asked)}; print() shows the table"

    def to_dict(self) -> dict[str, Any]:
        return {"scores": [cell.to_dict(self.by) for cell in self.cells]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        keys = ("segments", "metric", "score", "value", "confidence_low", "confidence_high", "signature")
        records = [cell.to_dict(self.by) for cell in self.cells]
        return {"scores": [{key: one[key] for key in (*self.by, *keys) if key in one} for one in records]}

    def page(self, width: int | None = None) -> Page:
        M, rows = len(self.asked), []
        for i in range(0, len(self.cells), M):
            some = self.cells[i : i + M]
            group = ["–" if value is None else value for value in some[0].group]
            rows.append([*group, f"{some[0].segments:,}", *(_shown(cell, width) for cell in some)])
        header = [*self.by, "Segments", *(cell.score.metric.title for cell in self.cells[:M])]
        signatures = dict.fromkeys((cell.confidence or cell.score).signature for cell in self.cells)
        return Page([Table(header, rows, left=len(self.by))], signatures=list(signatures))


def _shown(cell: GroupScore, width: int | None) -> str:
    digits = cell.score.metric.display_digits if width is None else width
    text = cell.score.display(digits)
    if cell.confidence is None:
        return text
    scale = cell.score.metric.display_scale
    return f"{text} [{cell.confidence.low * scale:.{digits}f}, {cell.confidence.high * scale:.{digits}f}]"


def score_table(
    table: Any,
    *,
    hyp: str,
    refs: str | Sequence[str],
    by: str | Sequence[str] = (),
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    where: Mapping[str, Any] | None = None,
    key: str | None = None,
    confidence: bool = False,
    resamples: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
) -> TableScores:
    """Score the groups of a table, batch by batch.

    `table` is a file or several (Parquet, Arrow, Feather, CSV, TSV, JSON lines), a folder or a glob of them, or a table
    of pandas, polars, pyarrow, datasets or DuckDB, or an iterator of record batches. `hyp` is the column of hypotheses;
    `refs` are columns with a text each, where null means missing, or one column of lists. Rows with the same values in
    the columns `by` are a group; `where` keeps only rows with these values.

    `confidence` adds intervals: the rows of a group fall into 1,000 buckets by a hash of the column `key`, or of their
    number, and buckets are resampled. So memory does not grow with the table.

    >>> table = {"system": ["a", "a", "b"], "mt": ["a cat", "he left", "a dog"], "ref": ["a cat", "he went", "a dog"]}
    >>> print(score_table(table, hyp="mt", refs="ref", by="system", metrics=["chrf", "wer"]))
    system   Segments   chrF2    WER
    ────────────────────────────────
    a               2    31.4   25.0
    b               1   100.0    0.0
    <BLANKLINE>
    chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|beta:2|...
    WER|nrefs:1|case:mixed|tok:none|punct:yes|multi_ref:min_ratio|...
    """
    how = TableOptions(confidence, resamples, seed)
    roles = Roles(hyp, _names(refs), _names(by), key)
    source = open_table(table)
    for what, names in (
        ("hypotheses", [hyp]),
        ("references", roles.refs),
        ("groups", roles.by),
        ("where", where or {}),
    ):
        for name in names:
            source.need(name, what)
    asked = expanded(listed(metrics))
    made = [metric(one) for one in asked]
    if not made:
        raise SpecError("metrics: expected at least one, got none")
    batches = source.batches(roles.columns, where)
    sums = sums_of(batches, roles, made, buckets=BUCKETS if how.confidence else 1, threads=threads)
    return TableScores(roles.by, tuple(map(str, asked)), tuple(_cells(sums, [*map(str, asked)], how)))


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _cells(sums: GroupSums, asked: Sequence[str], how: TableOptions) -> list[GroupScore]:
    found = []
    for group, number in sums.groups.items():
        for i, name in enumerate(asked):
            one, rows = sums.metrics[i], sums.stats(group, i)
            told = confidence_of(one, rows, resamples=how.resamples, seed=how.seed) if how.confidence else None
            score = Score(one, rows.sum().values.tolist(), sums.nrefs, sums.ids)
            found.append(GroupScore(group, name, score, sums.segments[number], told))
    return found
