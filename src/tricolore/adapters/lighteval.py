"""Corpus metrics for lighteval, with standard errors from rows of statistics."""

from __future__ import annotations

from typing import Any

from ..errors import InputError, MissingExtraError
from ..judge.significance.intervals import confidence
from ..metrics import metric as as_metric
from ..metrics.base import Metric
from ..parameters import SEED, Whole, checked


class CorpusScore:
    """What lighteval calls with all documents: the score in points, and its standard error as `NAME_stderr`.

    lighteval takes several numbers of one metric as they are; for a single one it would bootstrap, from the texts.
    """

    def __init__(self, metric: Metric, name: str, resamples: int, seed: int):
        self.metric, self.name, self.resamples, self.seed = metric, name, resamples, seed

    def __call__(self, items: Any) -> dict[str, float]:
        """Score what lighteval's `GenerativePreparator` prepares: golds and predictions of each document."""
        hyps = [only_prediction(self.name, i, item.preds) for i, item in enumerate(items)]
        refs = [list(item.golds) for item in items]
        if len(hyps) < 2:
            return {self.name: self.metric(hyps, refs).points}
        found = confidence(self.metric, hyps, refs, resamples=self.resamples, seed=self.seed)
        return {self.name: found.score.points, f"{self.name}_stderr": found.deviation * self.metric.display_scale}

    def __str__(self) -> str:
        return f"{self.metric.spec}, {self.resamples} resamples, seed {self.seed}"


def corpus_metric(metric: str | Metric, name: str | None = None, *, resamples: int = 1000, seed: int = 12345) -> Any:
    """A `CorpusLevelMetric` of lighteval, for the `metrics` of a task.

    `name` is what the results call it, by default `tri_` and the metric: `tri_chrf++`, with `tri_chrf++_stderr`. All
    golds of a document are references.
    """
    try:
        from lighteval.metrics.sample_preparator import GenerativePreparator
        from lighteval.metrics.utils.metric_utils import CorpusLevelMetric
        from lighteval.tasks.requests import SamplingMethod
    except ImportError as error:
        raise MissingExtraError(f"this adapter needs {error.name}; pip install lighteval") from None
    made = as_metric(metric)
    checked("resamples", resamples, Whole(2, 100_000_000))
    checked("seed", seed, SEED)
    called = name or f"tri_{metric}"
    return CorpusLevelMetric(
        metric_name=called,
        higher_is_better=made.higher_is_better,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=GenerativePreparator(),
        corpus_level_fn=CorpusScore(made, called, resamples, seed),
    )


def only_prediction(name: str, document: int, found: Any) -> Any:
    """The prediction for a document, of which there must be one."""
    if isinstance(found, str):
        return found
    if len(found) != 1:
        raise InputError(f"{name}: document {document}: expected one prediction, got {len(found)}")
    return found[0]
