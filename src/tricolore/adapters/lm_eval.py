"""Corpus metrics for the lm-evaluation-harness, with standard errors from rows of statistics.

The harness computes standard errors of its own corpus metrics alone, and scores every resample from its texts. What a
task has as metric `NAME_stderr` it prints as the standard error of NAME, which is what is registered here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import InputTypeError, MissingExtraError, SpecError, shown
from ..judge.significance.intervals import confidence
from ..metrics import metric as as_metric
from ..metrics.base import Metric
from ..parameters import SEED, Whole, checked

#: What begins the names of metrics here; `bleu`, `chrf` and `ter` are the harness's own.
PREFIX = "tri_"


@dataclass(frozen=True)
class CorpusScore:
    """An aggregation: the score of all pairs of references and hypothesis, in points."""

    name: str
    metric: Metric

    def __call__(self, items: Iterable[Any]) -> float:
        return self.metric(*hyps_and_refs(self.name, items)).points


@dataclass(frozen=True)
class StandardError:
    """An aggregation: the bootstrap standard error of that score, from sums of the segments' rows."""

    name: str
    metric: Metric
    resamples: int
    seed: int

    def __call__(self, items: Iterable[Any]) -> float | str:
        hyps, refs = hyps_and_refs(self.name, items)
        if len(hyps) < 2:
            return "N/A"  # the harness's own word
        found = confidence(self.metric, hyps, refs, resamples=self.resamples, seed=self.seed)
        return float(found.deviation) * self.metric.display_scale


@dataclass(frozen=True)
class Pair:
    """A metric of one document: the pair that aggregations take."""

    name: str

    def __call__(self, references: Any, predictions: Any, **others: Any) -> tuple[Any, Any]:
        if others:
            raise SpecError(f"{self.name}: expected parameters in register(NAME='bleu(...)'), got {', '.join(others)}")
        return references[0], predictions[0]


def register(*metrics: str, resamples: int = 1000, seed: int = 12345, **named: str | Metric) -> tuple[str, ...]:
    """Register metrics with the harness, each with its standard error; return their names, for `metric_list`.

    `register("bleu", "chrf++")` gives `tri_bleu`, `tri_bleu_stderr`, `tri_chrf++` and `tri_chrf++_stderr`. Names for
    metrics with parameters are keywords: `register(spbleu="bleu(tokenize=flores200)")` gives `tri_spbleu`. In a task,
    list `NAME_stderr` after NAME. Standard errors are from `resamples` of the documents.
    """
    try:
        import lm_eval.api.metrics  # noqa: F401  its own metrics first: it loads them only into an empty registry
        from lm_eval.api.registry import register_aggregation, register_metric
    except ImportError as error:
        raise MissingExtraError(f"this adapter needs {error.name}; pip install lm_eval") from None
    for one in metrics:
        if not isinstance(one, str) or "(" in one or "," in one:
            raise SpecError(f"{shown(one)}: parameters require a name, as in register(mine='bleu(order=2)')")
    checked("resamples", resamples, Whole(2, 100_000_000))
    checked("seed", seed, SEED)
    found: list[str] = []
    asked: dict[str, str | Metric] = {**{one: one for one in metrics}, **named}
    for name, text in asked.items():
        made, own = as_metric(text), PREFIX + name
        both = {own: CorpusScore(own, made), f"{own}_stderr": StandardError(own, made, resamples, seed)}
        for called, aggregation in both.items():
            better = made.higher_is_better and called == own
            register_aggregation(called)(aggregation)
            register_metric(metric=called, higher_is_better=better, output_type="generate_until", aggregation=called)(
                Pair(called)
            )
        found += both
    return tuple(found)


def hyps_and_refs(name: str, items: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """The hypotheses and the references of all documents, as metrics take them."""
    pairs = list(items)
    for i, item in enumerate(pairs):
        if not isinstance(item, list | tuple) or len(item) != 2:
            raise InputTypeError(
                f"{name}: document {i}: expected (references, hypothesis), got {shown(item)}; "
                "for several references per document, return such pairs from process_results"
            )
    return [hyp for _, hyp in pairs], [refs for refs, _ in pairs]
