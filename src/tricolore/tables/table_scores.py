"""The result of scoring a table: one row per group and metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import InputError, SpecError, unknown
from ..judge.score_table import Column
from ..judge.significance.comparison import Comparison, Settings
from ..judge.significance.confidence import Confidence
from ..judge.significance.intervals import confidence_of
from ..judge.significance.system_tests import Criterion, Runs, compare_columns
from ..metrics import expanded, listed, metric
from ..metrics.base import Metric
from ..parameters import DRAWS, SEED, Flag, Options, param
from ..results import Page, Result, Table
from ..scoring import Score, with_items
from ..types import Progress, Record, Stage
from .group_sums import Group, GroupSums

#: The key of buckets that hold a segment each, of which signatures say nothing.
SEGMENT = ""


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

    @property
    def signature(self) -> str:
        """The signature of the score, and of its interval."""
        return (self.confidence or self.score).signature

    def shown(self, width: int | None) -> str:
        """The points, perhaps with the interval."""
        metric = self.score.metric
        digits = metric.display_digits if width is None else width
        text = self.score.display(digits)
        if self.confidence is None:
            return text
        low, high = (x * metric.display_scale for x in (self.confidence.low, self.confidence.high))
        return f"{text} [{low:.{digits}f}, {high:.{digits}f}]"

    def to_dict(self, by: Sequence[str]) -> Record:
        """Everything; scores and intervals are in points."""
        found: Record = {**dict(zip(by, self.group, strict=True)), "segments": self.segments, **self.score.to_dict()}
        if self.confidence is not None:
            told = self.confidence.to_dict()
            found |= {"confidence_low": told["low"], "confidence_high": told["high"]}
        return {**found, "signature": self.signature}


@dataclass(frozen=True, eq=False, repr=False)
class TableScores(Result):
    """Scores of the groups of a table: one row per group and metric.

    `scores["A", "bleu"]` is the score of group A by BLEU; without groups it is `scores["bleu"]`. `sums` are the sums of
    rows behind it, which add to those of other tables; `segments` holds the table with scores of segments, where these
    were asked for.
    """

    sums: GroupSums
    asked: tuple[str, ...]
    cells: tuple[GroupScore, ...] = field(repr=False)
    segments: Any = field(default=None, repr=False)

    @property
    def by(self) -> tuple[str, ...]:
        """The columns that groups are made of."""
        return self.sums.by

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, key: Any) -> Score:
        parts = tuple(key) if isinstance(key, tuple) else (key,)
        for cell in self.cells:
            if (*cell.group, cell.asked) == parts:
                return cell.score
        raise unknown("score", key, [repr((*cell.group, cell.asked)) for cell in self.cells[:20]])

    def __repr__(self) -> str:
        groups = len(self.cells) // len(self.asked)
        return f"TableScores of {groups} groups by {', '.join(self.asked)}; print() shows the table"

    def to_dict(self) -> dict[str, Any]:
        return {"by": list(self.by), "scores": [cell.to_dict(self.by) for cell in self.cells]}

    def facts(self) -> Mapping[str, Sequence[Record]]:
        keys = (*self.by, "segments", "metric", "score", "value", "confidence_low", "confidence_high", "signature")
        records = [cell.to_dict(self.by) for cell in self.cells]
        return {"scores": [{key: one[key] for key in keys if key in one} for one in records]}

    def page(self, width: int | None = None) -> Page:
        M, rows = len(self.asked), []
        for i in range(0, len(self.cells), M):
            some = self.cells[i : i + M]
            group = ["–" if value is None else value for value in some[0].group]
            rows.append([*group, f"{some[0].segments:,}", *(cell.shown(width) for cell in some)])
        made = [cell.score.metric for cell in self.cells[:M]]
        titles = [one.title_among(made) + ("" if one.higher_is_better else " ↓") for one in made]
        header = [*self.by, "Segments", *titles]
        notes = []
        told = [cell.confidence for cell in self.cells if cell.confidence is not None]
        if told:
            notes.append(f"[low, high]: 95% confidence interval ({self._resampled()}).")
            notes += dict.fromkeys(note for one in told for note in one.notes)
        signatures = dict.fromkeys(cell.signature for cell in self.cells)
        return Page([Table(header, rows, left=len(self.by))], notes, list(signatures))

    def _resampled(self) -> str:
        if not bucket_items(self.sums):
            return "bootstrap over segments"
        return f"bootstrap over {self.sums.buckets:,} buckets of segments"

    def compare(
        self,
        *,
        where: Mapping[str, str] | None = None,
        test: str = "ar",
        trials: int | None = None,
        resamples: int | None = None,
        level: float = 0.95,
        seed: int = 12345,
        baseline: str | None = None,
        progress: Stage | None = None,
    ) -> Comparison:
        """Compare the groups pairwise, as `tricolore.compare` compares systems; `where` chooses some of them.

        Groups must have the same segments, by their key. What is resampled and shuffled are buckets of segments.
        """
        how = Settings(test, trials, resamples, level, seed, baseline)
        groups = chosen_groups(self.sums, where or {})
        buckets = self.sums.filled(groups)
        criteria = []
        for i, one in enumerate(self.sums.metrics):
            column = Column.of_rows(one, [self.sums.stats(group, i, buckets) for group in groups])
            column = replace(column, signature=with_items(column.signature, bucket_items(self.sums)))
            criteria.append(Criterion(column, one.title, one.display_digits, one))
        fixed = set((where or {}).keys())
        named = [[value for name, value in zip(self.by, group, strict=True) if name not in fixed] for group in groups]
        names = [" ".join(map(str, some)) for some in named]
        return compare_columns(criteria, Runs.single(names), how, progress)


def made_metrics(metrics: str | Metric | Sequence[str | Metric]) -> tuple[list[str], list[Metric]]:
    """Metrics as they were typed, and as they are."""
    asked = expanded(listed(metrics))
    if not asked:
        raise SpecError("metrics: expected at least one, got none")
    return [*map(str, asked)], [metric(one) for one in asked]


def chosen_groups(sums: GroupSums, where: Mapping[str, str]) -> list[Group]:
    """The groups with these values, which must have the same segments, to be compared pairwise."""
    for name in where:
        if name not in sums.by:
            raise unknown("column of groups", name, list(sums.by))
    if sums.buckets == 1:
        raise InputError("the sums were not kept in buckets; score the table with confidence=True")
    found = [
        group
        for group in sums.ordered()
        if all(dict(zip(sums.by, group, strict=True))[name] == value for name, value in where.items())
    ]
    if len(found) < 2:
        raise InputError(f"expected two groups or more to compare, got {len(found) or 'none'}")
    first = sums.sizes_of(found[0])
    for other in found[1:]:
        if sums.sizes_of(other) != first:
            one, two = (f"{' '.join(map(str, g))} ({sums.segments(g):,})" for g in (found[0], other))
            raise InputError(f"groups with different segments cannot be compared: {one} and {two}")
    return found


def bucket_items(sums: GroupSums) -> dict[str, Any]:
    """What signatures say of resampling buckets."""
    return {} if sums.key == SEGMENT else {"buckets": sums.buckets, "key": sums.key}


def scores_of(
    sums: GroupSums,
    asked: Sequence[str],
    how: TableOptions = TableOptions(),
    *,
    segments: Any = None,
    progress: Progress | None = None,
) -> TableScores:
    """Score the sums of groups, with intervals from their buckets."""
    cells, groups = [], sums.ordered()
    if not groups:
        raise InputError("there is nothing to score: expected at least one row, got none")
    for number, group in enumerate(groups):
        for i, name in enumerate(asked):
            one, rows = sums.metrics[i], sums.stats(group, i)
            told = _confidence(sums, i, rows, how) if how.confidence else None
            cells.append(GroupScore(group, name, one.result(rows.sum()), sums.segments(group), told))
        if progress is not None:
            progress(number + 1, len(groups))
    return TableScores(sums, tuple(asked), tuple(cells), segments)


def _confidence(sums: GroupSums, metric: int, rows: Any, how: TableOptions) -> Confidence | None:
    if len(rows) < 2:  # a group of one segment has a score, but no interval
        return None
    found = confidence_of(sums.metrics[metric], rows, resamples=how.resamples, seed=how.seed)
    return replace(found, signature=with_items(found.signature, bucket_items(sums)))
