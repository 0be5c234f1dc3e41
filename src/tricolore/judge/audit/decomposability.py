"""Decomposability: whether a better segment is always good for the corpus score.

A metric is decomposable if it is a mean of segment scores with weights that do not depend on the system. Then a system
that is better on every segment has the higher score, no segment is worth sacrificing, and the best output of each
segment makes the best corpus. Four measurements show how far a metric is from that.

D. Chiang, S. DeNeefe, Y. S. Chan, H. T. Ng. Decomposability of translation metrics for improved evaluation and
efficient algorithms. EMNLP 2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...results import Table, decimal
from ...types import Record, Stage
from .audited_metrics import AuditedMetric
from .audited_texts import AuditedTexts
from .options import AuditOptions
from .orders import BEST, Choice, Influence, Reversals, choices, influences, reversals
from .sacrifices import WORST, Sacrifice, find_sacrifices
from .section import TINY, Section, Verdict, clipped, percent, records, several, signed

REVERSALS, SACRIFICES, CHOICES, INFLUENCE = "no reversals", "no sacrifices", "segment choice", "influence"


@dataclass(frozen=True, eq=False)
class Decomposability(Section):
    """What was found about single segments and the whole."""

    reversals: tuple[Reversals, ...] = ()
    sacrifices: tuple[Sacrifice, ...] = ()
    choices: tuple[Choice, ...] = ()
    influences: tuple[Influence, ...] = ()
    digits: Mapping[str, int] | None = None  #: after the point, by metric

    name = "decomposability"
    title = "Decomposability: is a better segment always good for the corpus score?"

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """Sacrifices, reversals, choices and influential segments."""
        turned = [
            {"metric": one.metric, "tried": one.tried, "reversed": one.reversed, "tied": one.tied, "share": one.share}
            for one in self.reversals
        ]
        chosen = [{**record, "first": one.systems[0], "second": one.systems[1]}
                  for one, record in zip(self.choices, records(self.choices), strict=True)]  # fmt: skip
        return {
            "sacrifices": records(self.sacrifices),
            "reversals": turned,
            "choices": chosen,
            "influences": records(self.influences),
        }

    def tables(self, width: int | None) -> list[Table]:
        """What systems gain by sacrifices, an example of each kind of finding, and influential segments."""
        found = [self.verdict_table(), self._sacrifices(width)]
        more = (self._examples(width), self._reversals(width), self._influences(width))
        found += [table for table in more if table.rows]
        return found

    def _shown(self, metric: str, width: int | None) -> int:
        return ((self.digits or {}).get(metric, 1) + 1) if width is None else width

    def _sacrifices(self, width: int | None) -> Table:
        rows = []
        for one in self.sacrifices:
            digits = self._shown(one.metric, width)
            kinds = ", ".join(f"{number} {kind}" for kind, number in one.kinds.items() if number)
            scores = decimal(one.score, digits), decimal(one.raised, digits), signed(one.gain, digits)
            rows.append(
                [one.metric, one.system, kinds or "none", *scores, percent(one.share), signed(one.emptied_gain, digits)]
            )
        header = (
            "Metric",
            "System",
            "Sacrificed",
            "Score",
            "Best found",
            "Gain",
            "Share",
            f"Gain if the worst {percent(WORST)} are emptied",
        )
        return Table(header, rows, heading="Making single segments worse: the best that a search finds", left=3)

    def _examples(self, width: int | None) -> Table:
        """The segment that each metric rewards most for becoming worse, in the system that gains most."""
        rows = []
        for name in dict.fromkeys(one.metric for one in self.sacrifices):
            best = max((one for one in self.sacrifices if one.metric == name), key=lambda one: one.gain)
            digits = self._shown(name, width)
            for one in best.examples[:1]:
                scores = f"{decimal(one.score_before, digits)} → {decimal(one.score_after, digits)}"
                where = f"{best.system}:{one.segment}"
                rows.append([name, where, one.kind, clipped(one.before), clipped(one.after) or "(empty)", scores])
        heading = "A segment made worse that makes the corpus score better"
        return Table(("Metric", "Segment", "How", "Before", "After", "Segment score"), rows, heading, left=5)

    def _reversals(self, width: int | None) -> Table:
        rows = []
        for one in (found.worst for found in self.reversals if found.worst is not None):
            digits = self._shown(one.metric, width)
            scores = decimal(one.better_score, digits), decimal(one.preferred_score, digits)
            rows.append([one.metric, one.better, one.preferred, _segments(one.segments), *scores])
        header = ("Metric", "Better on every segment", "Preferred", "Test set", "Score", "Score of the preferred")
        return Table(header, rows, "The worst reversals", left=4)

    def _influences(self, width: int | None) -> Table:
        rows = []
        for one in self.influences:
            digits = self._shown(one.metric, width)
            rows.append([one.metric, f"{one.system}:{one.segment}", clipped(one.text), decimal(one.score, digits),
                         signed(one.influence, digits + 1)])  # fmt: skip
        header = ("Metric", "Segment", "Text", "Score", "Influence")
        return Table(header, rows, "The most influential segments: the score minus the score without them", left=3)


def decomposability(texts: AuditedTexts, options: AuditOptions, stage: Stage | None = None) -> Decomposability:
    """Measure how far each metric is from a mean of segment scores."""
    sacrificed = find_sacrifices(texts, options.examples, stage("sacrificing segments") if stage else None)
    step = stage("reversals, choices and influence") if stage else None
    verdicts: list[Verdict] = []
    turned: list[Reversals] = []
    chosen: list[Choice] = []
    influential: list[Influence] = []
    compared = len(texts.names) > 1
    for number, metric in enumerate(texts.metrics):
        if compared:
            turned.append(reversals(texts, number, options.seed))
            chosen += choices(texts, number)
            verdicts += [_about_reversals(metric, turned[-1]), _about_choices(metric, chosen, len(texts.names))]
        verdicts.append(_about_sacrifices(metric, sacrificed))
        most = influences(texts, number)
        influential += most
        verdicts.append(_about_influence(metric, most, len(texts)))
        if step is not None:
            step(number + 1, len(texts.metrics))
    notes = ["A gain is positive where the score becomes better, also where lower is better."]
    if not compared:
        notes.append("Reversals and choices require two or more systems.")
    digits = {metric.name: metric.digits for metric in texts.metrics}
    parts = tuple(turned), tuple(sacrificed), tuple(chosen), tuple(influential)
    return Decomposability(tuple(verdicts), tuple(notes), *parts, digits)


def _about_reversals(metric: AuditedMetric, found: Reversals) -> Verdict:
    if not found.tried:
        sentence = "There is no test set on which a system is at least as good on every segment, and better on one."
        return Verdict(metric.name, REVERSALS, None, float("nan"), "–", sentence)
    if found.tied == found.tried:
        sentence = f"The systems have the same score on {several(found.tried, 'test set')}, which is all there are."
        return Verdict(metric.name, REVERSALS, None, 0.0, "–", sentence)
    holds = found.reversed == 0
    if found.worst is None:
        tried, ties = several(found.tried, "test set"), f" ({several(found.tied, 'tie')})" if found.tied else ""
        sentence = f"In {tried}, the system that is at least as good on every segment never has the worse score{ties}."
    else:
        worst = found.worst
        sentence = (
            f"In {percent(found.share, 1)} of {found.tried:,} test sets a system that is at least as good on every "
            f"segment has the worse score, at worst by {signed(worst.gap, metric.digits).lstrip('+')} "
            f"({worst.better} and {worst.preferred}, {_segments(worst.segments)})."
        )
    return Verdict(metric.name, REVERSALS, holds, found.share, "" if holds else percent(found.share, 1), sentence)


def _segments(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, sorted(numbers)[:5]))
    return f"segments {shown}" + (", ..." if len(numbers) > 5 else "")


def _about_sacrifices(metric: AuditedMetric, found: Sequence[Sacrifice]) -> Verdict:
    own = [one for one in found if one.metric == metric.name]
    if not any(one.offered for one in own):
        sentence = "No segment can be made worse: outputs are empty, or score the lowest already."
        return Verdict(metric.name, SACRIFICES, None, float("nan"), "–", sentence)
    best = max(own, key=lambda one: one.gain)
    gain = signed(best.gain, metric.digits + 1)
    if best.gain <= 0:
        how = "Trying all combinations" if all(one.exact for one in own) else "A greedy search"
        sentence = f"{how} finds no system that gains by making single segments worse."
        return Verdict(metric.name, SACRIFICES, True, 0.0, "", sentence)
    sentence = f"{best.system} gains {gain} by making {percent(best.share)} of its segments worse"
    emptied = float(np.mean([one.emptied_gain for one in own]))
    if not np.isnan(emptied):
        better, size = "better" if emptied > 0 else "worse", signed(abs(emptied), metric.digits + 1).lstrip("+")
        sentence += f"; emptying the worst {percent(WORST)} makes scores {better} by {size} on average"
    return Verdict(metric.name, SACRIFICES, False, best.gain, gain, f"{sentence}.")


def _about_choices(metric: AuditedMetric, found: Sequence[Choice], systems: int) -> Verdict:
    own = [one for one in found if one.metric == metric.name]
    if not any(one.distinct for one in own):
        sentence = "There is no choice: to the metric, outputs of different systems are the same on every segment."
        return Verdict(metric.name, CHOICES, None, float("nan"), "–", sentence)
    worst = max(own, key=lambda one: one.gap)
    gap = signed(worst.gap, metric.digits + 1)
    if worst.gap <= 0:
        how = "all combinations tried" if all(one.exact for one in own) else "greedy search"
        sentence = f"o choice between two outputs per segment beats taking the better one ({how})."
        sentence = f"Between any two of the {BEST} best systems, n{sentence}" if systems > BEST else f"N{sentence}"
        return Verdict(metric.name, CHOICES, True, 0.0, "", sentence)
    sentence = (
        f"Choosing between {worst.systems[0]} and {worst.systems[1]} by segment score misses {gap}; "
        f"the search decides otherwise on {several(worst.differ, 'segment')}."
    )
    return Verdict(metric.name, CHOICES, False, worst.gap, gap, sentence)


def _about_influence(metric: AuditedMetric, most: Sequence[Influence], segments: int) -> Verdict:
    if not most:
        return Verdict(metric.name, INFLUENCE, None, float("nan"), "–", "Influence requires two or more segments.")
    first = most[0]
    if abs(first.influence) <= TINY:
        return Verdict(metric.name, INFLUENCE, None, 0.0, "0", "No segment changes the score.")
    size = signed(abs(first.influence), metric.digits + 1).lstrip("+")
    verb = "raises" if first.influence > 0 else "lowers"
    sentence = f"Segment {first.segment} of {first.system}, one of {segments:,}, {verb} the score most: by {size}."
    return Verdict(metric.name, INFLUENCE, None, abs(first.influence), size, sentence)
