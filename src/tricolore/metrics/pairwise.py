"""Scores of every hypothesis against every reference, for minimum-Bayes-risk decoding and diversity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _native
from ..counting import IDS, TEXT
from ..errors import InputError, InputTypeError, SegmentError
from ..processors import worker_count
from ..segments import References, as_list, explain_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..types import Array, Progress
    from .base import Metric
    from .text_metric import TextMetric

#: Pairs scored at a time, so that intermediate results fit in the processor's cache.
NEAR = 1 << 14
#: Pairs counted per call and thread, over several groups.
TOGETHER = 1 << 15


@dataclass(frozen=True)
class Group:
    """Texts to compare with each other."""

    hyps: list[Any]
    refs: list[Any]  #: the very same list if texts are compared with themselves
    weights: Array | None = None  #: of the references, if their average represents them all

    @property
    def same(self) -> bool:
        """Whether texts are compared with themselves."""
        return self.refs is self.hyps

    @property
    def pairs(self) -> int:
        """The number of pairs to count."""
        return len(self.hyps) * (len(self.refs) if self.weights is None else 1)


def pairwise(
    metric: Metric, hyps: Any, refs: Any, threads: int | None = None, progress: Progress | None = None
) -> Array:
    """See `Metric.pairwise`."""
    metric = metric.for_segments
    hypotheses = as_list(hyps, "hypotheses")
    group = Group(hypotheses, hypotheses if refs is hyps else as_list(refs, "references"))
    threads = worker_count(threads)
    values = np.zeros((len(group.hyps), len(group.refs)))
    if not values.size:
        explain_texts(group.hyps, "hypothesis")
        explain_texts(group.refs, "reference")
        return values
    step = max(1, metric.pairs_at_a_time // len(group.refs))
    ready: Metric | None = None
    for first in range(0, len(group.hyps), step):
        part = group if step >= len(group.hyps) else Group(group.hyps[first : first + step], group.refs)
        try:
            ready = ready or ready_for(metric, group.refs)
            [columns] = ready.pair_columns([part], threads)
        except (TypeError, AttributeError, InputError):
            _explain(metric, part, first)
            raise
        score_columns(ready, columns, values[first : first + step])
        if progress is not None:
            progress(min(first + step, len(group.hyps)), len(group.hyps))
    return values


def ready_for(metric: Metric, refs: Sequence[Any]) -> Metric:
    """The metric, prepared with these references (NIST) unless it has been prepared."""
    return metric.ready_for(References.unchecked([[ref] for ref in refs]))


def pairwise_many(metric: Metric, groups: Iterable[Group], threads: int | None = None) -> Iterator[Array]:
    """The scores of each group in turn; small groups are counted together, in several threads.

    With weights there is only one column. A metric that learns from references must have been prepared. Errors name
    the number of the group, from 0.
    """
    most = min(TOGETHER * worker_count(threads), metric.pairs_at_a_time)
    waiting: list[Group] = []
    done = pairs = 0
    for group in groups:
        if waiting and pairs + group.pairs > most:
            yield from _together(metric, waiting, threads, done)
            done += len(waiting)
            waiting, pairs = [], 0
        waiting.append(group)
        pairs += group.pairs
    if waiting:
        yield from _together(metric, waiting, threads, done)


def _together(metric: Metric, groups: list[Group], threads: int | None, first: int) -> Iterator[Array]:
    if len(groups) == 1 and groups[0].weights is None:
        yield _numbered(metric, groups[0], threads, first)
        return
    try:
        counted = [*metric.pair_columns(groups, worker_count(threads))]
    except (TypeError, AttributeError, InputError):
        for i, group in enumerate(groups, first):
            _numbered(metric, group, threads, i)
        raise
    for group, columns in zip(groups, counted, strict=True):
        values = np.zeros((len(group.hyps), len(group.refs)) if group.weights is None else (len(group.hyps), 1))
        score_columns(metric, columns, values)
        yield values


def _numbered(metric: Metric, group: Group, threads: int | None, number: int) -> Array:
    try:
        return pairwise(metric, group.hyps, group.refs, threads)
    except InputError as error:
        raise SegmentError("group", number, str(error)) from None


def score_columns(metric: Metric, columns: Sequence[Any], out: Array) -> None:
    """Score columns whose shapes broadcast to that of `out`, a few rows at a time."""
    step = max(1, NEAR // max(1, out.shape[1]))
    for first in range(0, len(out), step):
        rows = [column[first : first + step] if np.ndim(column) and len(column) > 1 else column for column in columns]
        out[first : first + step] = metric.value(rows)


def pair_by_pair(metric: Metric, group: Group, threads: int) -> Sequence[Any]:
    """The columns of a group, every pair counted as a segment."""
    hyps = [hyp for hyp in group.hyps for _ in group.refs]
    refs = [[ref] for ref in group.refs] * len(group.hyps)
    rows = np.zeros((len(hyps), len(metric.columns)))
    metric.count_part(hyps, References.unchecked(refs), 0, rows, threads)
    return table_columns(rows, group)


def table_columns(rows: Array, group: Group) -> list[Array]:
    """The columns of rows, one row per pair, in the shape hypotheses x references."""
    shape = len(group.hyps), len(group.refs)
    return [rows[:, c].reshape(shape) for c in range(rows.shape[1])]


def prepared(metric: TextMetric, group: Group) -> Group:
    """The texts of a group, preprocessed for the core."""
    if not metric.changes_text:
        return group
    hyps = [*map(metric.prepared, group.hyps)]
    return Group(hyps, hyps if group.same else [*map(metric.prepared, group.refs)], group.weights)


class SharedNgrams:
    """The clipped n-grams that the texts of a group share.

    Counts of hypotheses are a column and those of references a row, so that together they broadcast to a table. If an
    average represents the references, all are columns.
    """

    def __init__(self, counted: Any, weights: Array | None):
        matches, hyp_lengths, ref_lengths = counted
        shorter = np.arange(max(1.0, len(matches)))[:, None, None]  # a text has n - 1 fewer n-grams than words
        self._hyps = np.maximum(hyp_lengths[:, None] - shorter, 0.0)
        self._refs = np.maximum(ref_lengths[None, :] - shorter, 0.0)
        self._matches = matches
        if weights is not None:
            self._refs = np.sum(self._refs * weights, axis=2, keepdims=True)
            self._matches = matches[:, :, None]

    def matches(self, n: int) -> Array:
        """N-grams in common."""
        return self._matches[n - 1]  # type: ignore[no-any-return]

    def of_hyps(self, n: int) -> Array:
        """N-grams of the hypotheses."""
        return self._hyps[n - 1]  # type: ignore[no-any-return]

    def of_refs(self, n: int) -> Array:
        """N-grams of the references."""
        return self._refs[n - 1]  # type: ignore[no-any-return]


def shared_words(
    metric: TextMetric, groups: Sequence[Group], orders: int, threads: int, **reading: Any
) -> Iterator[SharedNgrams]:
    """Count the n-grams that texts share, reading text as the metric does unless told otherwise."""
    reading = reading or metric.core_reading
    counted = _native.pairwise_words(_for_core(metric, groups), orders=orders, threads=threads, **reading)
    for group, [words] in zip(groups, counted, strict=True):
        yield SharedNgrams(words, group.weights)


def shared_skip_bigrams(metric: Any, groups: Sequence[Group], threads: int) -> Iterator[SharedNgrams]:
    """Count the skip-bigrams that texts share, as if each were a word."""
    counted = _native.pairwise_skip_bigrams(
        _for_core(metric, groups), overlap=metric.overlap, threads=threads, **metric.core_reading
    )
    for [skip_bigrams] in counted:
        yield SharedNgrams(skip_bigrams, None)


def shared_characters(
    metric: Any, groups: Sequence[Group], threads: int
) -> Iterator[tuple[SharedNgrams, SharedNgrams | None]]:
    """Count the character n-grams that texts share, and the word n-grams if chrF uses any."""
    counted = _native.pairwise_characters(
        _for_core(metric, groups), metric.char_order, metric.word_order, metric.whitespace, threads
    )
    for group, [characters, *words] in zip(groups, counted, strict=True):
        yield (SharedNgrams(characters, group.weights), SharedNgrams(words[0], group.weights) if words else None)


def _for_core(metric: TextMetric, groups: Sequence[Group]) -> list[Any]:
    ready = (prepared(metric, group) for group in groups)
    return [(group.hyps, None if group.same else group.refs, group.weights) for group in ready]


def _explain(metric: Metric, group: Group, first: int) -> None:
    """Raise an error that names the invalid text, or the two that cannot be compared."""
    explain_texts(group.hyps, "hypothesis", first)
    explain_texts(group.refs, "reference")
    if isinstance(group.refs[0], str) != isinstance(group.hyps[0], str):
        words = (TEXT, IDS) if isinstance(group.hyps[0], str) else (IDS, TEXT)
        raise InputTypeError(f"reference 0: expected {words[0]} as in the hypotheses, got {words[1]}") from None
    for what, texts, begin in (("hypothesis", group.hyps, first), ("reference", group.refs, 0)):
        for i, text in enumerate(texts, begin):
            try:
                getattr(metric, "prepared", str)(text)
            except InputError as error:
                raise SegmentError(what, i, str(error)) from None
    for i, hyp in enumerate(group.hyps, first):
        for k, ref in enumerate(group.refs):
            try:
                metric.explain_text([hyp], [ref], 0)
            except SegmentError as found:
                raise InputError(f"hypothesis {i} and reference {k}: {found.reason}") from None
