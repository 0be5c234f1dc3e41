"""Equal-score permutations: in how many other orders the words of a segment score the same or better."""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations as all_permutations
from random import Random
from typing import Any

import numpy as np

from ...metrics.ngram_precision import NgramPrecision
from ...results import Table, decimal
from ...tokenizers import cut, load
from ...types import Record, Stage
from ..score_table import Floats
from .audited_metrics import NOISE, AuditedMetric
from .audited_texts import AuditedTexts
from .block_orders import BlockOrders, block_orders
from .options import AuditOptions
from .section import SHOWN, Section, Verdict, clipped, percent, records

ORDERS = "one order"
CLOSED_FORM, SEARCH = "closed form", "search"

#: Up to this many words, all orders are tried; beyond that, `DRAWN` at random, all rotations and swaps of neighbours.
ENUMERATED = 6
DRAWN = 40

#: log10 of the number of orders from which on there is another one.
SECOND = math.log10(2) - 1e-9

#: Quantiles of the distribution over segments.
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)

#: What a number of orders is to the true one; the second is an estimate, and bounds may be far too low.
EXACT, ABOUT, AT_LEAST = "exact", "about", "at least"
MARKS = {AT_LEAST: "≥"}


@dataclass(frozen=True)
class Reordered:
    """A segment, and another order of its words that scores the same or better."""

    segment: int  #: numbered from 1
    text: str
    score: float
    reordered: str
    reordered_score: float


@dataclass(frozen=True)
class Orders:
    """How many orders of their words score the same or better, over segments; logarithms to base 10."""

    metric: str
    method: str  #: closed form, or search
    segments: int
    quantiles: tuple[float, ...]  #: log10 of the number of orders, at `QUANTILES`
    bounds: tuple[str, ...]  #: of each quantile: exact, about or at least
    histogram: tuple[int, ...]  #: segments with 1 to 9 orders, 10 to 99, ...
    several: float  #: fraction of the segments with another order that scores the same or better
    exact: float  #: fraction of the segments whose number is exact
    random: float  #: fraction of random orders that score the same or better
    examples: tuple[Reordered, ...]

    @property
    def median(self) -> float:
        """log10 of the median number of orders."""
        return self.quantiles[2]


@dataclass(frozen=True, eq=False)
class Permutations(Section):
    """What was found about the order of words."""

    system: str = ""
    orders: tuple[Orders, ...] = ()

    name = "permutations"
    title = "Equal-score permutations: how many orders of the words does the metric accept?"

    def facts(self) -> Mapping[str, Sequence[Record]]:
        """One record per metric."""
        names = ("lowest", "lower_quartile", "median", "upper_quartile", "highest")
        shown = [
            {**record, **dict(zip(names, one.quantiles, strict=True))}
            for one, record in zip(self.orders, records(self.orders), strict=True)
        ]
        return {"permutations": shown}

    def tables(self, width: int | None) -> list[Table]:
        """The distribution over segments, and orders to look at."""
        digits = 1 if width is None else width
        rows = [
            [one.metric, one.method, str(one.segments),
             *(MARKS.get(bound, "") + decimal(x, digits) for x, bound in zip(one.quantiles, one.bounds, strict=True)),
             percent(one.several), percent(one.exact), percent(one.random)] for one in self.orders
        ]  # fmt: skip
        header = ("Metric", "Counted by", "Segments", "Lowest", "25 %", "Median", "75 %", "Highest", "Several", "Exact",
                  "Random")  # fmt: skip
        heading = f"Orders of the words of {self.system} that score the same or better, log10"
        found = [self.verdict_table(), Table(header, rows, heading, left=2)]
        shown = [
            [one.metric, str(each.segment), clipped(each.text), clipped(each.reordered),
             f"{decimal(each.score, 1)} → {decimal(each.reordered_score, 1)}"]
            for one in self.orders for each in one.examples
        ]  # fmt: skip
        titles = ("Metric", "Segment", "Text", "Reordered", "Segment score")
        return [*found, Table(titles, shown, "Other orders that score the same or better", left=4)] if shown else found


def permutations(texts: AuditedTexts, options: AuditOptions, stage: Stage | None = None) -> Permutations:
    """Count the orders of the words of each segment that a metric accepts."""
    system = texts.damaged(options.damaged)
    step = stage("permuting words") if stage else None
    sampled = texts.sampled(options.sample, options.seed)
    searched = _searched(texts, system, sampled, options)
    found = []
    for number, metric in enumerate(texts.metrics):
        one = searched[number]
        if isinstance(metric.metric, NgramPrecision) and "tokenize" in metric.parameters:
            one = _found_by_either(_closed_form(texts, metric, system, options, one.random), one)
        found.append(one)
        if step is not None:
            step(number + 1, len(texts.metrics))
    verdicts = tuple(_verdict(one) for one in found)
    notes = (
        "Orders, closed form (BLEU and its relatives, unless it misses what a search finds): all orders of the blocks "
        f"that references contain; of the words there may be more. Search: all orders of up to {ENUMERATED} words, "
        "otherwise random orders, rotations and swaps of neighbours. ≥: there may be many more, as no random order "
        "of such a segment scores as well. "
        "Exact: segments all of whose orders of that kind are counted. Several: segments with another such order. "
        "Random: random orders of all words that score the same or better.",
    )
    return Permutations(verdicts, notes, texts.names[system], tuple(found))


def _found_by_either(closed: Orders, searched: Orders) -> Orders:
    """The closed form, unless it misses orders: where a search tried all of them, or is the only one to find any."""
    more = searched.median > closed.median + NOISE
    return searched if more and (searched.exact == 1 or closed.median < SECOND) else closed


def _verdict(one: Orders) -> Verdict:
    if not one.segments:
        return Verdict(one.metric, ORDERS, None, math.nan, "–", "No segment has two different words.")
    holds = one.median < SECOND
    what = "blocks" if one.method == CLOSED_FORM else "words"
    all_tried, shown = one.exact == 1, MARKS.get(one.bounds[2], "") + _power(one.median)
    if holds and one.several == 0:
        more = "" if all_tried else ", but not all were tried"
        sentence = f"No other order of the {what} was found that scores the same or better{more}."
    elif holds:
        sentence = (
            f"For most segments no other order of the {what} was found that scores as well; "
            f"{'' if all_tried else 'at least '}{percent(one.several)} have one."
        )
    else:
        half, most = (_told(one.quantiles[k], one.bounds[k]) for k in (2, -1))
        more = "" if one.bounds[2] == AT_LEAST else " or more"
        sentence = f"Half of the segments have {half}{more} orders of their {what} that score the same or better; "
        sentence += f"one has {most}."
    return Verdict(one.metric, ORDERS, holds, one.median, "" if holds else shown, sentence)


def _told(log10: float, bound: str) -> str:
    return _power(log10) if bound == EXACT else f"{bound} {_power(log10)}"


def _power(log10: float) -> str:
    """A number by its logarithm: in full up to a million.

    >>> _power(math.log10(720)), _power(12.34)
    ('720', '10^12.3')
    """
    return f"{round(10**log10):,}" if log10 <= 6 else f"10^{log10:.1f}"


def _distribution(
    metric: str, method: str, log10: Floats, kinds: Sequence[str], random: float, examples: Any
) -> Orders:
    """The numbers of all segments, each of which is exact, an estimate, or a lower bound."""
    histogram = np.bincount(np.floor(log10 + 1e-9).astype(int), minlength=1).tolist()
    quantiles = np.quantile(log10, QUANTILES, method="inverted_cdf").tolist()
    worst = next(kind for kind in (AT_LEAST, ABOUT, EXACT) if kind in kinds)
    estimated = {x for x, kind in zip(log10.tolist(), kinds, strict=True) if kind == ABOUT}
    return Orders(
        metric=metric,
        method=method,
        segments=len(log10),
        quantiles=tuple(quantiles),
        bounds=tuple(ABOUT if x in estimated else worst for x in quantiles),
        histogram=tuple(histogram),
        several=float((log10 > 1e-9).mean()),
        exact=kinds.count(EXACT) / len(kinds),
        random=random,
        examples=tuple(examples),
    )


# BLEU --------------------------------------------------------------------------------------------------------------


def _closed_form(
    texts: AuditedTexts, metric: AuditedMetric, system: int, options: AuditOptions, random: float
) -> Orders:
    assert isinstance(metric.metric, NgramPrecision)
    ready = metric.metric
    reading = load(ready.tokenize), ready.lowercase, ready.strip_punctuation
    entries = texts.references.entries
    words, refs = [], []
    for text, entry in zip(texts.output(system), entries, strict=True):
        words.append(cut(text, *reading))
        refs.append([cut(one, *reading) for one in ([entry] if isinstance(entry, str) else entry) if one is not None])
    found = [block_orders(hyp, own, ready.order) for hyp, own in zip(words, refs, strict=True)]
    if all(len({*one}) < 2 for one in words):
        return _nothing(metric.name, CLOSED_FORM)
    log10 = np.array([one.log10 for one in found])
    kinds = [EXACT if one.exact else ABOUT for one in found]
    examples = _bleu_examples(metric, words, refs, found, options)
    return _distribution(metric.name, CLOSED_FORM, log10, kinds, random, examples)


def _bleu_examples(
    metric: AuditedMetric, words: Any, refs: Any, found: Sequence[BlockOrders], options: AuditOptions
) -> list[Reordered]:
    """Orders of the segment in the middle of those that have several, as far as it has different ones."""
    several = sorted((i for i in range(len(found)) if found[i].log10 > 0), key=lambda i: (found[i].log10, i))
    if not several:
        return []
    segment = several[len(several) // 2]
    assert isinstance(metric.metric, NgramPrecision)
    alone = replace(metric.metric, tokenize="none", lowercase=False, strip_punctuation=False)
    given = [" ".join(one) for one in refs[segment]]

    def score(tokens: Sequence[str]) -> float:
        return float(alone.segment(" ".join(tokens), given)) * metric.scale

    return [
        Reordered(segment + 1, " ".join(words[segment]), score(words[segment]), " ".join(other), score(other))
        for other in found[segment].sample(options.examples, options.seed)
    ]


# Other metrics -----------------------------------------------------------------------------------------------------


def _searched(texts: AuditedTexts, system: int, sampled: Sequence[int], options: AuditOptions) -> list[Orders]:
    """Try orders of the words of some segments, and count those that score no lower."""
    tried, segments = _tried_orders(texts, system, sampled, options.seed)
    flat = [texts.joined(order) for orders in tried for order in orders]
    where = [segment for segment, orders in zip(segments, tried, strict=True) for _ in orders]
    counted = texts.counter.rows(flat, where)
    ends = np.cumsum([len(orders) for orders in tried], dtype=int)
    found = []
    for number, metric in enumerate(texts.metrics):
        scores = np.split(metric.alone(counted[number]), ends)[:-1]
        found.append(_found(texts, number, segments, tried, scores, options.examples))
    return found


def _tried_orders(texts: AuditedTexts, system: int, sampled: Sequence[int], seed: int) -> Any:
    """The orders to try of each segment that has two words or more: first its own."""
    draw = Random(seed)
    tried, segments = [], []
    for segment in sampled:
        words = texts.words(texts.output(system)[segment])
        if len({*words}) < 2:
            continue
        own = tuple(words)
        if len(words) <= ENUMERATED:
            others = sorted({*all_permutations(own)} - {own})
        else:
            drawn = [tuple(draw.sample(words, len(words))) for _ in range(DRAWN)]
            rotated = [own[i:] + own[:i] for i in range(1, len(own))]
            swapped = [(*own[:i], own[i + 1], own[i], *own[i + 2 :]) for i in range(len(own) - 1)]
            others = [*drawn, *dict.fromkeys(one for one in rotated + swapped if one != own)]
        tried.append([own, *others])
        segments.append(segment)
    return tried, segments


def _found(
    texts: AuditedTexts,
    number: int,
    segments: Sequence[int],
    tried: Sequence[Sequence[tuple[str, ...]]],
    scores: Sequence[Floats],
    examples: int,
) -> Orders:
    metric = texts.metrics[number]
    log10, kinds, random = [], [], []
    found: list[Reordered] = []
    for segment, orders, own in zip(segments, tried, scores, strict=True):
        same = own[1:] >= own[0] - NOISE * max(1.0, abs(own[0]))
        count, kind, share = _number_of_orders(orders[0], same)
        log10.append(count)
        kinds.append(kind)
        random.append(share)
        better = [i for i in np.flatnonzero(same).tolist() if orders[i + 1] != orders[0]]
        if better:
            text, other = texts.joined(orders[0]), texts.joined(orders[better[0] + 1])
            values = (float(metric.printed(x)) for x in (own[0], own[better[0] + 1]))
            found.append(Reordered(segment + 1, text, next(values), other, next(values)))
    if not log10:
        return _nothing(metric.name, SEARCH)
    # First those that tables show whole.
    shown = sorted(found, key=lambda one: len(one.text) > SHOWN)[:examples]
    return _distribution(metric.name, SEARCH, np.array(log10), kinds, float(np.mean(random)), shown)


def _nothing(metric: str, method: str) -> Orders:
    """Of texts without a segment that has two different words."""
    return replace(_distribution(metric, method, np.zeros(1), [EXACT], 0.0, ()), segments=0)


def _number_of_orders(words: Sequence[str], same: Any) -> tuple[float, str, float]:
    """log10 of the number of orders, how exact it is, and the fraction of random orders that score no lower.

    Beyond `ENUMERATED` words it is that fraction of all orders, or if it is 0, the number of rotations and swaps, which
    is a lower bound.
    """
    if len(words) <= ENUMERATED:
        return math.log10(1 + int(same.sum())), EXACT, float(same.mean())
    share = float(same[:DRAWN].mean())
    every = math.lgamma(len(words) + 1) - sum(math.lgamma(n + 1) for n in Tally(words).values())
    if share:
        return max(0.0, every / math.log(10) + math.log10(share)), ABOUT, share
    return math.log10(1 + int(same[DRAWN:].sum())), AT_LEAST, 0.0
