"""Several metrics on the same texts, which are read once where that is possible."""

from __future__ import annotations

from ..errors import InputError, SegmentError, SpecError, shown
from ..segments import pair
from . import expanded, listed, metric
from .base import BATCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from ..scoring import Score
    from ..segments import References, SegmentReferences, Text
    from .base import Metric, Progress


def score_all(
    metrics: Sequence[str | Metric],
    hyps: Sequence[Text],
    refs: Sequence[SegmentReferences] | References,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Score]:
    r"""Score a corpus with several metrics: one score for each, in their order; `all` stands for every one.

    The scores are those of the metrics one by one. ROUGE metrics that read text alike read it once, which takes about
    as long as one of them.

    >>> scores = score_all(["rouge-1", "rouge-l", "wer"], ["police kill the gunman"], ["police killed the gunman"])
    >>> print(*scores, sep="\n")
    ROUGE-1 = 75.00 (P = 75.00 R = 75.00)
    ROUGE-L = 75.00 (P = 75.00 R = 75.00)
    WER = 25.00 (edits = 1 hyp_len = 4 ref_len = 4)
    """
    if isinstance(metrics, str):
        raise SpecError(f"metrics: expected a list of them, got one text; write [{shown(metrics)}]")
    made = [metric(one) for one in expanded(listed(metrics))]
    texts, references = pair(hyps, refs)
    if not texts:
        raise InputError("there is nothing to score: expected at least one segment, got none")
    scores: dict[int, Score] = {}
    for group in _read_alike(made):
        if len(group) == 1:
            (i,) = group
            scores[i] = made[i](texts, references, threads=threads, progress=progress)
        else:
            from .rouge import together

            rouges: list[Any] = [made[i] for i in group]
            scores |= dict(zip(group, together(rouges, texts, references, threads, progress), strict=True))
    return [scores[i] for i in range(len(made))]


def _read_alike(metrics: Sequence[Metric]) -> list[list[int]]:
    """The metrics by number, those together that can share one reading of the texts."""
    groups: dict[Any, list[int]] = {}
    for i, one in enumerate(metrics):
        # Only ROUGE metrics say so; a class from another module is not loaded to find out.
        reading = getattr(one, "shared_reading", None)
        groups.setdefault(("alone", i) if reading is None else reading, []).append(i)
    return list(groups.values())


def segment_scores(
    metrics: Sequence[Metric], hyps: Sequence[str], references: References, *, threads: int | None = None
) -> NDArray[np.float64]:
    """Score each segment with each metric: one row a metric, equal to its `segments`.

    What metrics read or count alike is read or counted once: ROUGE metrics, and such as BLEU and BLEUS of all orders. A
    metric that learns from references (NIST) must have done so.
    """
    import numpy as np

    from ..segments import References

    values = np.empty((len(metrics), len(hyps)))
    groups = _count_alike(metrics, references.counts())
    for first in range(0, len(hyps), BATCH):  # so that the counts of a long list are not all held at once
        part = slice(first, first + BATCH)
        texts, refs = hyps[part], References.unchecked(list(references.entries[part]))
        for counting, members in groups:
            try:
                rows = counting.stats(texts, refs, threads=threads).values
            except SegmentError as error:
                raise SegmentError(error.what, error.segment + first, error.reason) from None
            for i, columns in members:
                values[i, part] = metrics[i].score(rows[:, columns])
    return values


def _count_alike(metrics: Sequence[Metric], nrefs: tuple[int, int]) -> list[tuple[Metric, list[tuple[int, list[int]]]]]:
    """What to count; and for whom: the number of the metric, and which of the columns are its own."""
    read_alike: dict[Any, list[int]] = {}
    counted: list[tuple[Metric, list[tuple[int, list[int]]]]] = []
    for i in sorted(
        range(len(metrics)), key=lambda i: -len(metrics[i].columns)
    ):  # the columns of one may hold another's
        one = metrics[i]
        if (reading := getattr(one, "shared_reading", None)) is not None:
            read_alike.setdefault(reading, []).append(i)
            continue
        for counting, members in counted:
            if {*counting.columns} >= {*one.columns} and counting.counting(nrefs, False) == one.counting(nrefs, False):
                members.append((i, [*map(counting.columns.index, one.columns)]))
                break
        else:
            counted.append((one, [(i, [*range(len(one.columns))])]))
    return counted + [_read_once(members, metrics) for members in read_alike.values()]


def _read_once(members: list[int], metrics: Sequence[Any]) -> tuple[Metric, list[tuple[int, list[int]]]]:
    """ROUGE metrics that read text alike, each with its own columns."""
    from .rouge import Rouge, Together

    width = len(Rouge.columns)
    counting = Together([metrics[i] for i in members])
    return counting, [(i, [*range(width * k, width * k + width)]) for k, i in enumerate(members)]
