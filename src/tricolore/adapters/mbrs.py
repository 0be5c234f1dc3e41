"""Every metric as a metric of mbrs, whose decoders then score all pairs in one call of the core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError, MissingExtraError, SpecError
from ..metrics import metric as as_metric
from ..metrics.pairwise import Group, pairwise_many, ready_for
from ..segments import References

try:
    import torch
    from mbrs import timer
    from mbrs.metrics import MetricAggregatable, register
except ImportError as error:
    raise MissingExtraError(f"this adapter needs {error.name}; pip install mbrs") from None


@register("tricolore")
class MetricTricolore(MetricAggregatable):  # type: ignore[misc]
    """A metric for the decoders of mbrs: `DecoderMBR(DecoderMBR.Config(), MetricTricolore("chrf"))`.

    Scores are in points, as those of mbrs: 0 to 100 for BLEU. Sources are not used. Reference aggregation, for
    `DecoderAggregateMBR`, is for the metrics that can average counts of references: BLEU, chrF and their like.
    """

    @dataclass
    class Config(MetricAggregatable.Config):  # type: ignore[misc]
        """Options of the metric.

        - metric (str): A metric with its parameters, such as `chrf(word_order=2)`.
        - threads (int, optional): Number of threads; one per available processor if None.
        """

        metric: str = "chrf"
        threads: int | None = None

    cfg: Config

    def __init__(self, cfg: Config | str):
        super().__init__(self.Config(cfg) if isinstance(cfg, str) else cfg)
        self.metric = as_metric(self.cfg.metric)
        if not self.metric.tells_quality:
            raise SpecError(f"{self.metric.spec} cannot choose: it describes output without rating it")
        self.HIGHER_IS_BETTER = self.metric.higher_is_better

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """The points of a hypothesis against a reference."""
        return self.metric.segment(hypothesis, reference).points

    def scores(self, hypotheses: Sequence[str], references: Sequence[str], sources: Any = None) -> Any:
        """The points of each hypothesis against the reference at the same place."""
        with timer.measure("score") as measured:
            measured.set_delta_ncalls(len(hypotheses))
            return self._points(self.metric.segments(hypotheses, references, threads=self.cfg.threads))

    def pairwise_scores(self, hypotheses: Sequence[str], references: Sequence[str], source: Any = None) -> Any:
        """The points of every hypothesis against every reference."""
        with timer.measure("score") as measured:
            measured.set_delta_ncalls(len(hypotheses) * len(references))
            return self._points(self.metric.pairwise(hypotheses, references, threads=self.cfg.threads))

    def expected_scores_reference_aggregation(
        self, hypotheses: Sequence[str], references: Sequence[str], source: Any = None, reference_lprobs: Any = None
    ) -> Any:
        """The points of each hypothesis against the average of all references, weighted if there are `lprobs`."""
        metric = self.metric.for_segments
        if not metric.averages_references:
            raise SpecError(f"{metric.spec} cannot average references; use another decoder than aggregate_mbr")
        if not len(references):
            raise InputError("references: expected at least one, got none")
        weights = np.full(len(references), 1 / len(references))
        if reference_lprobs is not None:
            weights = reference_lprobs.double().softmax(dim=-1).numpy()
        with timer.measure("expectation"):
            ready = ready_for(metric, references)
            [values] = pairwise_many(ready, [Group([*hypotheses], [*references], weights)], self.cfg.threads)
            return self._points(values[:, 0])

    def corpus_score(self, hypotheses: Sequence[str], references_lists: Any, sources: Any = None) -> float:
        """The points of a corpus; `references_lists` has a list per reference, not per segment."""
        refs = References.from_streams(references_lists)
        return self.metric(hypotheses, refs, threads=self.cfg.threads).points

    def _points(self, values: Any) -> Any:
        return torch.from_numpy(values * self.metric.display_scale).float()
