"""Sensitivity: how the score responds to damage of each kind, and the least damage that a paired test detects."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...results import Table, decimal
from ...types import Record, Stage
from ..score_table import Floats
from ..significance.paired_tests import ENUMERATED, Shuffles
from .audited_metrics import NOISE, AuditedMetric
from .audited_texts import AuditedTexts
from .damage import Damage
from .options import AuditOptions
from .section import SHOWN, Section, Verdict, clipped, percent, records, several

DETECTS, MONOTONE = "detects damage", "monotone"


@dataclass(frozen=True)
class Response:
    """How one metric responds to one kind of damage."""

    metric: str
    damage: str
    score: float  #: without damage
    shares: tuple[float, ...]  #: of the words to which the damage applies
    damaged: tuple[float, ...]  #: fraction of all words that is damaged at each share
    segments: tuple[int, ...]  #: how many segments are damaged at each share
    scores: tuple[float, ...]
    p_values: tuple[float, ...]  #: of the paired test against the undamaged output, two-sided
    testable: bool  #: whether the segments damaged at the largest share are enough for the test
    detected: float | None  #: the least share from which on the score is significantly worse
    detected_words: float | None  #: the same, as a fraction of all words
    monotone: bool  #: more damage never scores better
    rewarded: bool  #: whether damage is significantly better than none, at some share


@dataclass(frozen=True)
class DamagedText:
    """A segment before and after damage of one kind, at the largest share."""

    damage: str
    segment: int  #: numbered from 1
    before: str
    after: str


@dataclass(frozen=True, eq=False)
class Sensitivity(Section):
    """What was found about damaged outputs."""

    system: str = ""
    responses: tuple[Response, ...] = ()
    examples: tuple[DamagedText, ...] = ()

    name = "sensitivity"
    title = "Sensitivity: which damage does the metric notice?"

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """One record per metric, damage and share; and one per metric and damage."""
        points = [
            {"metric": one.metric, "damage": one.damage, "share": share, "words": words, "score": score, "p": p}
            for one in self.responses
            for share, words, score, p in zip(one.shares, one.damaged, one.scores, one.p_values, strict=True)
        ]
        return {"responses": points, "detected": records(self.responses), "damaged_texts": records(self.examples)}

    def least(self) -> tuple[list[str], list[str], list[list[float]]]:
        """Metrics, kinds of damage, and the least share detected; nan where none is."""
        metrics = [*dict.fromkeys(one.metric for one in self.responses)]
        kinds = [*dict.fromkeys(one.damage for one in self.responses)]
        found = {(one.metric, one.damage): one.detected for one in self.responses}
        values = [[math.nan if (x := found[name, kind]) is None else x for kind in kinds] for name in metrics]
        return metrics, kinds, values

    def tables(self, width: int | None) -> list[Table]:
        """The least damage that is detected, and how far the score falls at the largest share."""
        found = [self.verdict_table()]
        if not self.responses:
            return found
        metrics, kinds, values = self.least()
        cells = {(one.metric, one.damage): one for one in self.responses}
        rows = [
            [kind, *(_cell(cells[name, kind], values[m][k]) for m, name in enumerate(metrics))]
            for k, kind in enumerate(kinds)
        ]
        heading = f"Least share of the words of {self.system} whose damage is detected"
        found.append(Table(("Damage", *metrics), rows, heading))
        rows = [[kind, *(_fall(cells[name, kind], width) for name in metrics)] for kind in kinds]
        largest = percent(self.responses[0].shares[-1])
        found.append(Table(("Damage", *metrics), rows, f"Score if {largest} of the words are damaged"))
        shown = [[one.damage, str(one.segment), clipped(one.before), clipped(one.after)] for one in self.examples]
        titles = ("Damage", "Segment", "Before", "After")
        return [*found, Table(titles, shown, f"What it looks like if {largest} of the words are damaged", left=4)]


def _cell(one: Response, least: float) -> str:
    mark = " ↑" if one.rewarded else "" if one.monotone else " ~"
    if not one.testable:
        return "?" + mark
    return ("–" if math.isnan(least) else percent(least, 0 if least >= 0.01 else 1)) + mark


def _fall(one: Response, width: int | None) -> str:
    return decimal(one.scores[-1], 2 if width is None else width)


def sensitivity(texts: AuditedTexts, options: AuditOptions, stage: Stage | None = None) -> Sensitivity:
    """Damage the outputs of a system, a bit at a time, and test whether each metric notices."""
    system = texts.damaged(options.damaged)
    words = [texts.words(text) for text in texts.output(system)]
    sources = None if texts.sources is None else [texts.words(text) for text in texts.sources]
    step = stage("damaging words") if stage else None
    responses: list[Response] = []
    examples: list[DamagedText] = []
    unsuitable: list[str] = []
    unhit: list[str] = []
    for number, kind in enumerate(options.damage, 1):
        damage = Damage(kind, words, options.seed, sources, options.negations)
        applies = damage.applicable() and (kind != "copy" or sources is not None)
        found = _responses(texts, system, damage, options) if applies else []
        if found:
            responses += found
            examples += _example(texts, damage, options.shares[-1]) if options.examples else []
        else:
            (unhit if applies else unsuitable).append(kind)
        if step is not None:
            step(number, len(options.damage))
    order = [one.name for one in texts.metrics]
    responses.sort(key=lambda one: order.index(one.metric))
    verdicts = [verdict for metric in texts.metrics for verdict in _verdicts(metric, responses, options)]
    about = texts.names[system], tuple(responses), tuple(examples)
    few = [*dict.fromkeys(one.damage for one in responses if not one.testable)]
    notes = _notes(unsuitable, unhit, few, enough_segments(len(texts), options), options)
    return Sensitivity(tuple(verdicts), notes, *about)


def _example(texts: AuditedTexts, damage: Damage, share: float) -> list[DamagedText]:
    """The first damaged segment that tables show whole; the first one if there is none."""
    found = [
        DamagedText(damage.kind, segment, texts.joined(before), texts.joined(after))
        for segment, (before, after) in enumerate(zip(damage.segments, damage.damaged(share), strict=True), 1)
        if [*before] != after
    ]
    return sorted(found, key=lambda one: max(len(one.before), len(one.after)) > SHOWN)[:1]


def enough_segments(segments: int, options: AuditOptions) -> float:
    """How many of the segments must be damaged so that a two-sided paired test can have p < 1 - level.

    If k segments differ, at least 2 of the 2ᵏ ways to swap them have a difference as large as the one observed. Unless
    all ways are enumerated, p is at least 1 / (trials + 1).

    >>> enough_segments(500, AuditOptions()), enough_segments(500, AuditOptions(trials=10))
    (6, inf)
    """
    alpha = 1 - options.level
    if alpha * (options.trials + 1) <= 1 and 2.0 ** min(segments, 64) > ENUMERATED:
        return math.inf
    return next(k for k in range(1, 1000) if 2.0 ** (1 - k) < alpha)


def _notes(
    unsuitable: Sequence[str], unhit: Sequence[str], few: Sequence[str], least: float, options: AuditOptions
) -> tuple[str, ...]:
    notes = [
        "Damage is detected from a share on if there, and at all larger ones, the score is worse with p < "
        f"{1 - options.level:g} (approximate randomisation, two-sided, {options.trials:,} trials; no correction for "
        "the number of metrics and kinds). Shares are of the words to which the damage applies. ~: more damage "
        "sometimes scores better; ↑: damage is significantly better than none (Bonferroni's correction for the shares)."
    ]
    if few:
        required = "more trials" if math.isinf(least) else several(int(least), "damaged segment")
        notes.append(f"?: not counted, as such a p-value requires {required}: {', '.join(few)}.")
    if unhit:
        notes.append(f"Damage that changed nothing at these shares: {', '.join(unhit)}.")
    if unsuitable:
        missing = " (copy requires source=...)" if "copy" in unsuitable else ""
        notes.append(f"Damage that does not apply to these texts: {', '.join(unsuitable)}{missing}.")
    return tuple(notes)


def _responses(texts: AuditedTexts, system: int, damage: Damage, options: AuditOptions) -> list[Response]:
    """Damage at every share; only segments that change are counted anew, all shares at once. Nothing if none does."""
    undamaged = [texts.joined(words) for words in damage.segments]
    changed: list[tuple[int, int, str]] = []
    shares, segments_hurt = [], []
    total = max(1, sum(map(len, damage.segments)))
    for level, share in enumerate(options.shares):
        hurt, before = 0, len(changed)
        for segment, words in enumerate(damage.damaged(share)):
            text = texts.joined(words)
            if text != undamaged[segment]:
                changed.append((level, segment, text))
                hurt += _changed_words(damage.segments[segment], words)
        shares.append(hurt / total)
        segments_hurt.append(len(changed) - before)
    if not changed:
        return []
    levels, segments = (np.array([one[k] for one in changed], dtype=int) for k in (0, 1))
    counted = texts.counter.rows([text for _, _, text in changed], segments.tolist())
    found = []
    for metric, rows, new in zip(texts.metrics, texts.rows, counted, strict=True):
        outputs = np.repeat(rows[system][None], 1 + len(options.shares), axis=0)
        outputs[levels + 1, segments] = new
        found.append(_response(metric, damage.kind, outputs, (shares, segments_hurt), options))
    return found


def _changed_words(before: Sequence[str], after: Sequence[str]) -> int:
    """How many words differ: at the same place if there are as many, otherwise those that one text has more of."""
    if len(before) == len(after):
        return sum(a != b for a, b in zip(before, after, strict=True))
    return max(1, abs(len(before) - len(after)))


def _response(
    metric: AuditedMetric,
    kind: str,
    outputs: Floats,
    hurt: tuple[Sequence[float], Sequence[int]],
    options: AuditOptions,
) -> Response:
    """The response to outputs damaged more and more; `hurt` are fractions of words and numbers of segments."""
    shares, segments = hurt
    scores = metric.score(outputs.sum(axis=1))
    shuffles = Shuffles(outputs, [[i] for i in range(len(outputs))], options.trials, options.seed)
    p_values = [
        1.0 if np.array_equal(outputs[0], outputs[i]) else shuffles.p_value(0, i, metric.score)
        for i in range(1, len(outputs))
    ]
    slack = NOISE * max(1.0, float(np.abs(scores).max()))
    p, alpha = np.array(p_values), 1 - options.level
    worse = (p < alpha) & (scores[1:] < scores[0] - slack)
    better = (p * len(p) < alpha) & (scores[1:] > scores[0] + slack)
    first = _first_of_rest(worse.tolist())
    return Response(
        metric=metric.name,
        damage=kind,
        score=float(metric.printed(scores[0])),
        shares=tuple(options.shares),
        damaged=tuple(shares),
        segments=tuple(segments),
        scores=tuple(float(metric.printed(x)) for x in scores[1:]),
        p_values=tuple(p_values),
        testable=segments[-1] >= enough_segments(outputs.shape[1], options),
        detected=None if first is None else options.shares[first],
        detected_words=None if first is None else shares[first],
        monotone=bool((np.diff(scores) <= slack).all()),
        rewarded=bool(better.any()),
    )


def _first_of_rest(worse: Sequence[bool]) -> int | None:
    """From where on all hold. Tested from the largest share down, each share at the full level, as it must hold before.

    >>> _first_of_rest([True, False, True, True]), _first_of_rest([True, False])
    (2, None)
    """
    failed = [i for i, one in enumerate(worse) if not one]
    first = failed[-1] + 1 if failed else 0
    return first if first < len(worse) else None


def _verdicts(metric: AuditedMetric, responses: Sequence[Response], options: AuditOptions) -> list[Verdict]:
    own = [one for one in responses if one.metric == metric.name]
    if not own:
        return [Verdict(metric.name, DETECTS, None, math.nan, "–", "No damage changes these texts.")]
    tested, few = [one for one in own if one.testable], [one.damage for one in own if not one.testable]
    missed = [one.damage for one in tested if one.detected is None]
    rising = [one.damage for one in own if not one.monotone]
    rewarded = [one.damage for one in own if one.rewarded]
    seen = len(tested) - len(missed)
    sentence = f"It detects {seen} of {len(tested)} kinds of damage at up to {percent(options.shares[-1])} of the words"
    sentence += f"; it misses {', '.join(missed)}" if missed else ""
    sentence += f"; it rewards {', '.join(rewarded)}" if rewarded else ""
    sentence += f"; too few segments are damaged to tell about {', '.join(few)}." if few else "."
    if tested:
        detects = Verdict(metric.name, DETECTS, not missed, seen / len(tested), f"{seen}/{len(tested)}", sentence)
    else:
        sentence = "Too few segments are damaged for any test to detect it."
        detects = Verdict(metric.name, DETECTS, None, math.nan, "–", sentence)
    steady = len(own) - len(rising)
    more = (
        f"More damage sometimes scores better: {', '.join(rising)}."
        if rising
        else f"More damage never scores better, at {several(len(options.shares), 'share')} of each kind."
    )
    return [detects, Verdict(metric.name, MONOTONE, not rising, steady / len(own), f"{steady}/{len(own)}", more)]
