"""Bootstrap confidence intervals of scores.

They are computed from sums of rows: the statistics of a corpus metric, or (value, 1) for segment scores. A metric is
recomputed from the sums of every resample, not averaged over segments.
"""

from collections.abc import Sequence
from typing import Any

from ...columns import kind_of
from ...errors import InputError, SpecError, explaining_arguments
from ...metrics import metric as made
from ...metrics.base import Metric
from ...parameters import DRAWS, LEVEL, SEED, Choice, OrNone, checked
from ...readers.texts import references_of, texts_of
from ...scoring import with_items
from ...segments import pair
from ...types import Progress, Refs
from ..resampling import check_room, resampled_sums
from . import sacrebleu
from .confidence import Confidence, check_resampled
from .interval import Interval, few_segments
from .percentiles import interval_of


@explaining_arguments
def confidence(
    metric: Metric | str,
    hyps: Sequence[str],
    refs: Refs,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 12345,
    compat: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Confidence:
    """Score a corpus, with a bootstrap confidence interval (Koehn 2004).

    The segments, of which there must be two or more, are resampled with replacement `resamples` times; the interval is
    the middle `level` of the scores. `compat='sacrebleu'` reproduces sacreBLEU 2.6.0 digit by digit: it adds in single
    precision, and takes its half width from other order statistics.

    Philipp Koehn. Statistical significance tests for machine translation evaluation. EMNLP 2004.

    >>> found = confidence("bleu", ["the cat sat on the mat", "a dog"] * 20, ["the cat is on the mat", "a dog"] * 20)
    >>> print(found)
    BLEU = 18.67 (μ = 18.77 ± 1.82, 95 % in 17.22 to 20.85)
    >>> found.signature
    'BLEU|nrefs:1|bs:1000|seed:12345|level:0.95|case:mixed|...'
    """
    checked("compat", compat, OrNone(Choice(("sacrebleu",))))
    if not isinstance(metric, str | Metric):
        raise SpecError(f"metric: comes first, then hypotheses and references; got {kind_of(metric)}")
    texts, references = pair(texts_of(hyps, "hypotheses"), references_of(refs))
    ready = made(metric).ready_for(references)
    rows = ready.stats(texts, references, threads=threads)
    return confidence_of(ready, rows, level=level, resamples=resamples, seed=seed, compat=compat, progress=progress)


def confidence_of(
    metric: Metric,
    rows: Any,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 12345,
    compat: str | None = None,
    progress: Progress | None = None,
) -> Confidence:
    """As `confidence`, from rows of statistics."""
    checked("resamples", resamples, DRAWS)
    check_room("resamples", resamples, len(metric.columns))
    checked("seed", seed, SEED)
    level = checked("level", level, LEVEL)
    check_resampled(len(rows), 1 if compat else 2)
    score = metric.result(rows.sum())
    values = metric.values_of(rows)
    items: dict[str, Any] = {"bs": resamples, "seed": seed}
    if compat == "sacrebleu":
        scores = sacrebleu.resampled_scores(metric, values[:, None], resamples, seed)[0]
        interval = sacrebleu.interval_of(scores, metric.display_scale)
        level = 0.95
        items["compat"] = "sacrebleu"
    else:
        sums = resampled_sums(values, resamples, seed, progress)
        interval = interval_of(metric.score(sums), level)  # type: ignore[arg-type]
        items["level"] = f"{level:g}"
    notes = () if compat else tuple(few_segments(len(rows)))
    return Confidence(score, interval, level, with_items(score.signature, items), notes)


def interval_of_scores(
    scores: Sequence[float], *, level: float = 0.95, resamples: int = 1000, seed: int = 12345
) -> Interval:
    """The bootstrap interval of the mean of external segment scores; missing scores are nan.

    >>> found = interval_of_scores([0.7, 0.8, 0.6, 0.9, 0.5])
    >>> round(found.low, 2), round(found.high, 2)
    (0.58, 0.82)
    """
    from ...readers.tables import LARGEST
    from ..score_table import Column, mean, too_large

    column = Column.of_scores("scores", [scores])
    if (place := too_large(column.segments)) is not None:
        raise InputError(
            f"scores: segment {place[1]} is {column.segments[place]:g}; "
            f"expected a number between {-LARGEST:g} and {LARGEST:g}"
        )
    rows = column.rows[0]
    check_resampled(int(rows[:, 1].sum()))
    checked("resamples", resamples, DRAWS)
    means = mean(resampled_sums(rows, resamples, seed))
    return interval_of(means[means == means], level)  # a resample may consist of missing scores only
