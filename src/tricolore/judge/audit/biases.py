"""Biases: how length, position, references, tokenisers, case and Unicode move the score; which metrics agree."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...results import Table, decimal
from ...segments import References
from ...tokenizers import CORE
from ...types import Record, Stage
from ..correlation.statistics import midranks, pearson_rows, spearman_rows
from ..score_table import Floats
from .audited_metrics import NOISE, AuditedMetric, Counter, texts_of_entry
from .audited_texts import AuditedTexts
from .options import AuditOptions
from .section import Section, Verdict, records, several, signed

LENGTH, CASE, UNICODE = "length", "ignores case", "ignores Unicode form"
REFERENCE, TOKENISER = "one more reference", "tokenisers agree"

#: Metrics whose segment scores correlate at least so are in one cluster.
ALIKE = 0.9


@dataclass(frozen=True)
class Bias:
    """What moves the scores of one metric."""

    metric: str
    length: float  #: Spearman's correlation of segment scores with the length of the output, mean over systems
    length_p: float  #: the p-value of this mean, two-sided; nan if it is undefined
    reference_length: float
    position: float
    references: float  #: with the number of references; nan if all segments have as many
    with_references: tuple[float, ...]  #: the score with one reference, two, ...
    lowercased: float  #: change of the score if outputs are lower-cased; nan if that changes no text
    decomposed: float  #: change of the score if outputs are decomposed (NFD), the same for readers; nan as above
    tokenisers: dict[str, float]  #: the score with each tokeniser; empty if the metric has no choice
    reordered: int  #: pairs of systems that some tokeniser orders otherwise than the metric's own
    ordered: int  #: pairs of systems that the metric's own orders at all


@dataclass(frozen=True)
class Agreement:
    """How alike two metrics order segments (mean over systems) and systems, by Spearman's correlation."""

    first: str
    second: str
    segments: float
    systems: float


@dataclass(frozen=True, eq=False)
class Biases(Section):
    """What was found about biases and agreement."""

    system: str = ""
    biases: tuple[Bias, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    clusters: tuple[tuple[str, ...], ...] = ()  #: metrics that say the same
    sampled: int = 0  #: segments that were cut by every tokeniser

    name = "biases"
    title = "Biases: what else moves the score?"

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """One record per metric; and one per pair of metrics."""
        return {"biases": records(self.biases), "agreements": records(self.agreements)}

    def tables(self, width: int | None) -> list[Table]:
        """Correlations and changes, tokenisers, and agreement between metrics."""
        digits = 2 if width is None else width
        header = ("Metric", "Length", "Ref. length", "Position", "References", "+1 reference", "Lower-cased", "NFD")
        rows = [
            [one.metric, *(signed(x, digits) for x in (one.length, one.reference_length, one.position, one.references,
             _gain(one), one.lowercased, one.decomposed))] for one in self.biases
        ]  # fmt: skip
        heading = f"Spearman's correlation of segment scores; change of the score of {self.system}"
        found = [self.verdict_table(), Table(header, rows, heading)]
        if cut := [one for one in self.biases if one.tokenisers]:
            names = [*cut[0].tokenisers]
            rows = [[one.metric, *(decimal(one.tokenisers[name], digits) for name in names), str(one.reordered)]
                    for one in cut]  # fmt: skip
            heading = f"Scores of {self.system} by tokeniser, on {several(self.sampled, 'segment')}"
            found.append(Table(("Metric", *names, "Reordered"), rows, heading))
        return [*found, self._agreement(digits)] if self.agreements else found

    def _agreement(self, digits: int) -> Table:
        names, values = self.matrix()
        rows = [[name, *(decimal(x, digits) for x in values[i])] for i, name in enumerate(names)]
        heading = "Agreement of segment scores (Spearman). Clusters: "
        return Table(("Metric", *names), rows, heading + "; ".join(", ".join(one) for one in self.clusters))

    def matrix(self) -> tuple[list[str], list[list[float]]]:
        """The metrics, and the agreement of segment scores between any two."""
        names = [one.metric for one in self.biases]
        known = {frozenset((one.first, one.second)): one.segments for one in self.agreements}
        return names, [[1.0 if a == b else known[frozenset((a, b))] for b in names] for a in names]


def _gain(one: Bias) -> float:
    """The change of the score by the last reference; nan with a single one."""
    return one.with_references[-1] - one.with_references[-2] if len(one.with_references) > 1 else math.nan


def biases(texts: AuditedTexts, options: AuditOptions, stage: Stage | None = None) -> Biases:
    """Measure what moves the scores, and how far metrics agree."""
    step = stage("biases") if stage else None
    system = texts.damaged(options.damaged)
    lowered, decomposed = _rewritten(texts, system, str.lower), _rewritten(texts, system, _nfd)
    more = _with_references(texts, system)
    sampled = texts.sampled(options.sample, options.seed)
    found = []
    for number, metric in enumerate(texts.metrics):
        by_tokeniser, reordered, ordered = _tokenised(texts, number, system, sampled)
        (length, p), *others = (_correlated(texts, number, one) for one in _traits(texts))
        of_references, position, references = (value for value, _ in others)
        found.append(
            Bias(metric.name, length, p, of_references, position, references, tuple(more[number]), lowered[number],
                 decomposed[number], by_tokeniser, reordered, ordered)
        )  # fmt: skip
        if step is not None:
            step(number + 1, len(texts.metrics))
    agreements = [_agreement(texts, a, b) for a in range(len(texts.metrics)) for b in range(a)]
    verdicts = [
        verdict
        for metric, one in zip(texts.metrics, found, strict=True)
        for verdict in (
            _about_length(metric, one, len(texts), 1 - options.level),
            *_verdicts(metric, one, len(sampled)),
        )
    ]
    clusters = clusters_of([one.name for one in texts.metrics], agreements)
    notes = (f"Clusters: metrics whose segment scores correlate by {ALIKE} or more with another one of the cluster.",)
    parts = texts.names[system], tuple(found), tuple(agreements), clusters
    return Biases(tuple(verdicts), notes if agreements else (), *parts, len(sampled))


# What segments are like --------------------------------------------------------------------------------------------


def _traits(texts: AuditedTexts) -> Iterator[Floats]:
    """Length of output, of references, position and number of references (systems x segments)."""
    lengths = [[len(texts.words(text)) for text in texts.output(i)] for i in range(len(texts.names))]
    entries = [texts_of_entry(entry) for entry in texts.references.entries]
    of_references = [np.mean([len(texts.words(one)) for one in entry]) for entry in entries]
    yield np.array(lengths, dtype=float)
    for of_segment in (of_references, range(len(texts)), [len(entry) for entry in entries]):
        yield np.tile(np.array(of_segment, dtype=float), (len(texts.names), 1))


def _correlated(texts: AuditedTexts, number: int, trait: Floats) -> tuple[float, float]:
    """Spearman's correlation with segment scores (as printed), mean over the systems for which it is defined; and p."""
    scores = texts.metrics[number].sign * texts.alone[number]
    found = spearman_rows(trait, scores)
    defined = np.isfinite(found)
    return mean_with_p_value(trait[defined], scores[defined], found[defined]) if defined.any() else (math.nan, math.nan)


def mean_with_p_value(x: Floats, y: Floats, correlations: Floats) -> tuple[float, float]:
    """The mean over systems of Spearman's correlations, and its two-sided p-value if segments are exchangeable.

    If the segments of y are permuted, all systems alike, the mean has the expectation 0 and the variance
    Σₛₜ r(xₛ, xₜ) r(yₛ, yₜ) / (S² (n − 1)) with S systems and n segments; its distribution is taken to be normal.
    """
    alike = _among_rows(midranks(x)) * _among_rows(midranks(y))
    value, variance = float(correlations.mean()), float(alike.mean()) / (x.shape[1] - 1)
    return value, math.erfc(abs(value) / math.sqrt(2 * variance)) if variance > 0 else 1.0


def _among_rows(values: Floats) -> Floats:
    """Pearson's correlation of every row with every other."""
    return np.stack([pearson_rows(one[None], values) for one in values])


# The same text, written otherwise ----------------------------------------------------------------------------------


def _nfd(text: str) -> str:
    return unicodedata.normalize("NFD", text)


def _rewritten(texts: AuditedTexts, system: int, write: Callable[[str], str]) -> list[float]:
    """The change of the score of each metric if outputs are written otherwise, in printed units."""
    output = texts.output(system)
    other = [write(text) for text in output]
    if other == [*output]:
        return [math.nan] * len(texts.metrics)
    counted = texts.counter.rows(other, range(len(texts)))
    return [
        float(metric.printed(metric.score(rows.sum(axis=0)[None])[0] - scores[system]))
        for metric, rows, scores in zip(texts.metrics, counted, texts.scores, strict=True)
    ]


def with_references(counter: Counter, references: References) -> Counter:
    """A counter of the same metrics, made ready for other references."""
    metrics = [
        one if one.given is None else AuditedMetric.of_metric(one.given, references, ()) for one in counter.metrics
    ]
    return replace(counter, metrics=metrics, references=references)


def _with_references(texts: AuditedTexts, system: int) -> list[list[float]]:
    """The scores of each metric with the first reference, the first two, ..."""
    entries = [texts_of_entry(entry) for entry in texts.references.entries]
    most = max(map(len, entries))
    found: list[list[float]] = [[] for _ in texts.metrics]
    for number in range(1, most + 1):
        counter = with_references(texts.counter, References([entry[:number] for entry in entries]))
        counted = counter.rows(texts.output(system), range(len(texts)))
        for own, metric, rows in zip(found, counter.metrics, counted, strict=True):
            own.append(float(metric.printed(metric.score(rows.sum(axis=0)[None])[0])))
    return found


def _tokenised(
    texts: AuditedTexts, number: int, system: int, sampled: Sequence[int]
) -> tuple[dict[str, float], int, int]:
    """The score of a system on some segments with each tokeniser of the core; pairs of systems any reorders; and all.

    On some segments only: cut into characters, texts are several times as long.
    """
    metric = texts.metrics[number]
    given: Any = metric.given
    if "tokenize" not in metric.parameters:
        return {}, 0, 0
    found: dict[str, float] = {}
    chosen = metric.score(texts.rows[number][:, sampled].sum(axis=1))
    own = np.sign(chosen[:, None] - chosen)
    turned = np.zeros_like(own, dtype=bool)
    outputs = [[output[i] for i in sampled] for output in texts.systems.values()]
    references = References.unchecked([texts.references.entries[i] for i in sampled])
    for name in CORE:
        other = replace(given, tokenize=name).ready_for(texts.references)
        rows = [other.stats(output, references, threads=texts.counter.threads).sum() for output in outputs]
        scores = np.array([other.score(row) for row in rows])
        found[name] = float(scores[system]) * metric.scale
        oriented = metric.sign * scores
        turned |= np.sign(oriented[:, None] - oriented) * own < 0
    return found, int(turned.sum()) // 2, int((own != 0).sum()) // 2


# Agreement between metrics -----------------------------------------------------------------------------------------


def _agreement(texts: AuditedTexts, a: int, b: int) -> Agreement:
    of_segments = spearman_rows(texts.alone[a], texts.alone[b])
    of_systems = spearman_rows(texts.scores[a][None], texts.scores[b][None])[0]
    mean = float(np.nanmean(of_segments)) if np.isfinite(of_segments).any() else math.nan
    return Agreement(texts.metrics[b].name, texts.metrics[a].name, mean, float(of_systems))


def clusters_of(names: Sequence[str], agreements: Sequence[Agreement]) -> tuple[tuple[str, ...], ...]:
    """Metrics joined by agreement of at least `ALIKE`, directly or by way of others.

    >>> clusters_of("abc", [Agreement("a", "b", 0.95, 1), Agreement("a", "c", 0.2, 1), Agreement("b", "c", 0.3, 1)])
    (('a', 'b'), ('c',))
    """
    cluster = {name: name for name in names}
    for one in agreements:
        if one.segments >= ALIKE:
            kept, merged = cluster[one.first], cluster[one.second]
            cluster = {name: kept if own == merged else own for name, own in cluster.items()}
    return tuple(tuple(name for name in names if cluster[name] == own) for own in dict.fromkeys(cluster.values()))


# Verdicts ----------------------------------------------------------------------------------------------------------


def _about_length(metric: AuditedMetric, one: Bias, segments: int, alpha: float) -> Verdict:
    numbers = f"Spearman {one.length:+.2f}, p {_p_value(one.length_p)}"
    better = (one.length > 0) == metric.higher_is_better
    if math.isnan(one.length):
        sentence = "The correlation with length is undefined."
    elif one.length_p < alpha:
        sentence = f"Longer outputs tend to get the {'better' if better else 'worse'} score ({numbers})."
    else:
        sentence = f"A correlation with length cannot be told from 0 on {several(segments, 'segment')} ({numbers})."
    return Verdict(metric.name, LENGTH, None, one.length, signed(one.length, 2), sentence)


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _verdicts(metric: AuditedMetric, one: Bias, segments: int) -> list[Verdict]:
    digits = metric.digits + 1
    small = NOISE * metric.scale
    found = []
    for name, change, what in (
        (CASE, one.lowercased, "lower-cased"),
        (UNICODE, one.decomposed, "written with combining characters (NFD)"),
    ):
        if math.isnan(change):
            found.append(Verdict(metric.name, name, None, change, "", f"No output changes if it is {what}."))
            continue
        holds = abs(change) <= small
        same = f"The score is the same if outputs are {what}."
        other = f"The score changes by {signed(change, digits)} if outputs are {what}."
        found.append(
            Verdict(metric.name, name, holds, change, "" if holds else signed(change, digits), same if holds else other)
        )
    if len(one.with_references) > 1:
        gain = _gain(one)
        sentence = f"The last of {len(one.with_references)} references changes the score by {signed(gain, digits)}."
        found.append(Verdict(metric.name, REFERENCE, None, gain, signed(gain, digits), sentence))
    if one.tokenisers:
        spread = max(one.tokenisers.values()) - min(one.tokenisers.values())
        sentence = (
            f"Scores on {several(segments, 'segment')} differ by up to {decimal(spread, digits)} between tokenisers"
        )
        pairs = several(one.ordered, "pair")
        sentence += f", which reorder {one.reordered} of {pairs} of systems." if one.ordered else "."
        shown = f"±{decimal(spread / 2, digits)}"
        ordered = one.reordered == 0 if one.ordered else None
        found.append(Verdict(metric.name, TOKENISER, ordered, spread, shown, sentence))
    return found
