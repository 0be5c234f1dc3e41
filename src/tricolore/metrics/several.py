"""Several metrics on the same texts, which are read once where that is possible."""

from __future__ import annotations

from ..errors import InputError, SpecError
from ..segments import pair
from . import expanded, metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..score import Score
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
        raise SpecError(f"metrics: expected a list of them, got one text; write [{metrics!r}]")
    made = [metric(one) for one in expanded(metrics)]
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
