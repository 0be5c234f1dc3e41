"""Several metrics on the same texts, without reading or counting anything twice.

ROUGE metrics that read text the same way share one pass over it, and metrics that differ only in scoring, such as BLEU
and BLEUS of all orders, share their counts. The scores equal those of the metrics one by one.
"""

from __future__ import annotations

from ..errors import InputError, SegmentError
from ..scoring import Score
from ..segments import explain, hold_ids
from .base import BATCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..segments import References
    from ..stats import Stats
    from ..types import Array, Progress
    from .base import Metric

    #: The metric that is counted, and the metrics it serves: the number of each, and which columns are its own.
    Group = tuple[Metric, list[tuple[int, list[int]]]]


def corpus_scores(
    metrics: Sequence[Metric],
    hyps: Any,
    references: References,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Score]:
    """Score a corpus with each metric; one that learns from references (NIST) must have been prepared."""
    if not hyps:
        raise InputError("there is nothing to score: expected at least one segment, got none")
    ids = hold_ids(hyps)
    scores: dict[int, Score] = {}
    for counted, members in counted_alike(metrics, references, ids):
        row, nrefs = counted.count_all(hyps, references, None, threads, progress)
        for i, columns in members:
            scores[i] = Score(metrics[i], [row[column] for column in columns], nrefs, ids)
    return [scores[i] for i in range(len(metrics))]


def segment_rows(
    metrics: Sequence[Metric],
    hyps: Any,
    references: References,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Stats]:
    """Count each segment for each metric, as its `stats`; one that learns from references must have been prepared."""
    from ..stats import Stats

    ids = hold_ids(hyps)
    found: dict[int, Stats] = {}
    for counted, members in counted_alike(metrics, references, ids):
        rows = counted.stats(hyps, references, threads=threads, progress=progress)
        for i, columns in members:
            one = metrics[i]
            found[i] = Stats(rows.values[:, columns], one.columns, rows.nrefs, one.counting(rows.nrefs, ids))
    return [found[i] for i in range(len(metrics))]


def segment_scores(
    metrics: Sequence[Metric], hyps: Sequence[str], references: References, *, threads: int | None = None
) -> Array:
    """Score each segment with each metric: one row per metric, as its `segments`."""
    import numpy as np

    from ..segments import References

    values = np.empty((len(metrics), len(hyps)))
    for first in range(0, len(hyps), BATCH):  # so that not all counts of a long list are in memory
        part = slice(first, first + BATCH)
        refs = References.unchecked(list(references.entries[part]))
        try:
            counted = segment_rows(metrics, list(hyps[part]), refs, threads=threads)
        except SegmentError as error:
            raise SegmentError(error.what, error.segment + first, error.reason) from None
        for row, metric, stats in zip(values, metrics, counted, strict=True):
            row[part] = metric.for_segments.score(stats.values)
    return values


def counted_alike(metrics: Sequence[Metric], references: References | tuple[int, int], ids: bool) -> list[Group]:
    """Group metrics that can share counts; the fewest and most references of a segment may stand for them all."""
    if len(metrics) == 1:
        return [(metrics[0], [(0, [*range(len(metrics[0].columns))])])]
    try:
        nrefs = references if isinstance(references, tuple) else references.counts()
    except TypeError:
        explain([], references.entries)  # type: ignore[union-attr]
        raise
    read_alike: dict[Any, list[int]] = {}
    groups: list[Group] = []
    # The metrics with most columns come first: they may include those of others.
    for i in sorted(range(len(metrics)), key=lambda i: -len(metrics[i].columns)):
        one = metrics[i]
        if (reading := getattr(one, "shared_reading", None)) is not None:
            read_alike.setdefault(reading, []).append(i)
            continue
        for counted, members in groups:
            if {*counted.columns} >= {*one.columns} and counted.counting(nrefs, ids) == one.counting(nrefs, ids):
                members.append((i, [*map(counted.columns.index, one.columns)]))
                break
        else:
            groups.append((one, [(i, [*range(len(one.columns))])]))
    return groups + [_read_once(members, metrics) for members in read_alike.values()]


def _read_once(members: list[int], metrics: Sequence[Any]) -> Group:
    if len(members) == 1:
        return metrics[members[0]], [(members[0], [*range(len(metrics[members[0]].columns))])]
    from .rouge import Rouge, Together

    width = len(Rouge.columns)
    counted = Together([metrics[i] for i in members])
    return counted, [(i, [*range(width * k, width * k + width)]) for k, i in enumerate(members)]
