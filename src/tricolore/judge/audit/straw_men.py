"""Straw men: where bad systems made from the real ones rank by each metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...results import Table, decimal
from ...types import Record, Stage
from ..correlation.options import STRAW_MEN
from ..correlation.straw_men import straw_men as made_straw_men
from .audited_metrics import NOISE, AuditedMetric
from .audited_texts import AuditedTexts
from .options import AuditOptions
from .section import Section, Verdict, records

FOOLED = "straw men"


@dataclass(frozen=True)
class StrawMan:
    """The score and rank of a bad system among the real ones."""

    metric: str
    name: str
    score: float
    rank: int  #: among the real systems and itself
    systems: int  #: real ones
    above: tuple[str, ...]  #: real systems that score lower


@dataclass(frozen=True, eq=False)
class StrawMen(Section):
    """What was found about straw men."""

    ranks: tuple[StrawMan, ...] = ()
    digits: Mapping[str, int] | None = None

    name = "straw-men"
    title = "Straw men: where do bad systems rank?"

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """One record per metric and straw man."""
        return {"straw_men": records(self.ranks)}

    def tables(self, width: int | None) -> list[Table]:
        """Metrics by straw men: rank and score."""
        kinds = [*dict.fromkeys(one.name for one in self.ranks)]
        rows = []
        for metric in dict.fromkeys(one.metric for one in self.ranks):
            digits = (self.digits or {}).get(metric, 1) if width is None else width
            own = {one.name: one for one in self.ranks if one.metric == metric}
            shown = (f"{own[kind].rank} ({decimal(own[kind].score, digits)})" for kind in kinds)
            rows.append([metric, *shown])
        if not self.ranks:
            return [self.verdict_table()]
        total = self.ranks[0].systems + 1
        return [self.verdict_table(), Table(("Metric", *kinds), rows, f"Rank of straw men among {total} (score)")]


def straw_men(texts: AuditedTexts, options: AuditOptions, stage: Stage | None = None) -> StrawMen:
    """Rank straw men of every kind among the systems."""
    step = stage("straw men") if stage else None
    systems = {name: [*output] for name, output in texts.systems.items()}
    every = made_straw_men(systems, STRAW_MEN, seed=options.seed, spaced=texts.spaced)
    made = {name: output for name, output in every.items() if output not in systems.values()}
    ranks: list[StrawMan] = []
    for number, (name, output) in enumerate(made.items(), 1):
        counted = texts.counter.rows(output, range(len(texts)))
        for metric, rows, scores in zip(texts.metrics, counted, texts.scores, strict=True):
            score = float(metric.score(rows.sum(axis=0)[None])[0])
            higher = scores > score + NOISE * abs(score)
            above = tuple(one for one, is_higher in zip(texts.names, higher, strict=True) if not is_higher)
            ranks.append(
                StrawMan(metric.name, name, float(metric.printed(score)), 1 + int(higher.sum()), len(scores), above)
            )
        if step is not None:
            step(number, len(made))
    order = [one.name for one in texts.metrics]
    ranks.sort(key=lambda one: order.index(one.metric))
    verdicts = tuple(_verdict(metric, ranks) for metric in texts.metrics)
    same = ", ".join(name for name in every if name not in made)
    notes = (f"Left out, as their outputs are those of a system: {same}.",) if same else ()
    return StrawMen(verdicts, notes, tuple(ranks), {one.name: one.digits for one in texts.metrics})


def _verdict(metric: AuditedMetric, ranks: Sequence[StrawMan]) -> Verdict:
    own = [one for one in ranks if one.metric == metric.name]
    if not own:
        return Verdict(metric.name, FOOLED, None, math.nan, "–", "No straw man differs from every system.")
    fooled = [one for one in own if one.above]
    if not fooled:
        return Verdict(metric.name, FOOLED, True, 0.0, "", "Every straw man ranks below every system.")
    best = min(own, key=lambda one: one.rank)
    sentence = f"{best.name} ranks {best.rank} of {best.systems + 1}, not below {', '.join(best.above)}."
    return Verdict(metric.name, FOOLED, False, float(best.rank), f"rank {best.rank}", sentence)
