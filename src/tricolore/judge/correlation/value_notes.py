"""Notes on values: which are undefined and why, and which mean less than they seem to."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from .agreement import Agreement, rated_segments
from .interval_methods import UNCORRECTED
from .join_scores import JoinedScores
from .measures import Measure
from .options import IntervalOptions

#: Below this reliability of system scores there is little to correct, and a caution is printed.
LOW_RELIABILITY = 0.7

#: The same for ratings of outputs, where the disattenuated value is less certain than in simulations.
LOW_RELIABILITY_OF_RATINGS = 0.5

#: How often tests that swap segments reject true null hypotheses at 0.05 where metrics favour systems, in per cent.
REJECTED = {"system": 57, "segment": 10}
#: The same for tests that swap systems.
REJECTED_BY_SYSTEMS = {"system": "2 to 8", "segment": "4 to 10"}

#: With fewer segments, intervals at segment level are less sure.
FEW = 100

#: From this share of pairs tied by the calibrated epsilon on, accuracy with ties says little about a metric.
MOSTLY_TIED = 0.9

#: Why a metric has no value, or a meaningless one.
CONSTANT = "its scores are all equal"


def notes_on(joined: JoinedScores, agreements: Sequence[Agreement]) -> tuple[str, ...]:
    """What a reader should know about these values."""
    notes = [
        f"{one.metric}: {one.measure} has no value: {_reason(joined, one)}"
        for one in agreements
        if math.isnan(one.value)
    ]
    notes += [
        f"{one.metric}: {one.measure} is meaningless: {CONSTANT}, and every pair is a tie"
        for one in agreements
        if one.measure.how.adds_pairs and not math.isnan(one.value) and _reason(joined, one) == CONSTANT
    ]
    at_systems = any(one.measure.level == "system" for one in agreements)
    if at_systems and len(joined.systems) == 1 and joined.most_systems == 2:
        notes.append(
            "there are only two systems, so a system-level correlation is 1 or -1: it only says whether a metric "
            "prefers the same system as the annotators"
        )
    if at_systems:
        notes += _unrated(joined)
    return (*notes, *_mostly_tied(agreements), *_unequal(agreements))


def _unrated(joined: JoinedScores) -> Iterator[str]:
    """How many segments the ratings of systems come from, where not from all."""
    rated, every = sum(map(rated_segments, joined.systems)), sum(len(table.segments) for table in joined.systems)
    if rated < every:
        verb = "is" if rated == 1 else "are"
        without = ", so there are no intervals over segments" if rated < 2 else ""
        yield f"only {rated:,} of {every:,} segments {verb} rated{without}"


def about_intervals(agreements: Sequence[Agreement], how: IntervalOptions, segments: int) -> Iterator[str]:
    """Which quantity each interval is for, and where it does not cover it; `segments` is how many there are."""
    found: dict[tuple[str, str, str], list[Agreement]] = {}  # by level, what is resampled, and kind
    for one in agreements:
        if not math.isnan(one.low):
            over = one.signature.partition("|over:")[2].partition("|")[0]
            found.setdefault((one.measure.level, over, one.interval), []).append(one)
    if found:
        yield f"[low, high]: {how.level:.0%} confidence interval ({how.samples} bootstrap resamples; seed {how.seed})."
    for (level, over, kind), some in found.items():
        names = ", ".join(dict.fromkeys(one.measure.statistic for one in some))
        yield f"{level} level, {names}: for {_target(over, kind)} (over {over}, {kind})."
        yield from _cautions(level, over, kind, some, segments)


def _target(over: str, kind: str) -> str:
    """The quantity that an interval is for."""
    if over == "tables":
        return "the mean over tables like these, noise of ratings included"
    if kind == "corrected" and over == "segments":
        return (
            "what unlimited segments like these would show for these systems; noise of the segments at hand lowers the "
            "value, so the interval may lie above it"
        )
    if kind == "corrected" and over == "both":
        return "what unlimited segments like these would show for other systems like these"
    systems = "other systems like these" if over in ("systems", "both") else "these systems"
    segments = "these segments" if over == "systems" else "other segments like these"
    if kind == "disattenuated":
        return (
            f"the correlation with the mean of unlimited ratings of each output, for {systems} on {segments}; noise of "
            "the ratings at hand lowers the value, so the interval may lie above it"
        )
    return f"{systems} on {segments}, noise of ratings included"


def _cautions(level: str, over: str, kind: str, some: Sequence[Agreement], segments: int) -> Iterator[str]:
    """What simulations show about coverage (docs/explanations/correlation.md)."""
    if kind == "disattenuated":
        values = ", ".join(f"{one.corrected:.3f} ({one.metric}, {one.measure})" for one in some)
        yield f"without the noise of ratings: {values}."
        share = min(one.human_reliability for one in some)
        yield (
            f"reliability of ratings (share of their variance that is not noise of ratings): {share:.2f}; in "
            "simulations with 0.78 to 0.84 this 95 % interval covered 90 to 96 %."
        )
        if share < LOW_RELIABILITY_OF_RATINGS:
            yield (
                f"caution: a reliability of ratings below {LOW_RELIABILITY_OF_RATINGS:g} leaves little to correct: the "
                "disattenuated value is uncertain."
            )
    if kind == "corrected" and over != "systems":
        human = min(one.human_reliability for one in some)
        metric, name = min((one.metric_reliability, one.metric) for one in some)
        yield (
            f"reliability of system scores (share of the variance that is not noise of segments): human {human:.2f}, "
            f"metrics {metric:.2f} ({name}) or more."
        )
        if min(human, metric) < LOW_RELIABILITY:
            yield (
                f"caution: a reliability below {LOW_RELIABILITY:g} leaves little to correct: the interval is wide "
                "(coverage 96 to 100 % in simulations), and the corrected value is uncertain."
            )
    uncorrected = [name for name in UNCORRECTED if any(one.measure.statistic == name for one in some)]
    if level == "system" and uncorrected:
        yield (
            f"caution: {' and '.join(uncorrected)} at system level cannot be corrected for noise of segments: the "
            "interval is for the expected value on as many other segments (97 to 100 % in simulations), and need not "
            "cover the agreement of the systems' quality."
        )
    elif level == "segment" and kind in ("bca", "percentile") and over == "segments":
        yield (
            "caution: with 50 segments, this 95 % interval at segment level covered 90 to 95 % in simulations; the "
            "interval 'expanded' 90 to 98 %."
        )
    elif level == "segment" and kind == "expanded" and segments < FEW:
        yield (f"caution: with 50 segments, this 95 % interval covered 90 to 98 % in simulations; here are {segments}.")
    elif level == "system" and kind == "corrected" and over == "both":
        yield "caution: with 8 systems and heavy tails, this 95 % interval covered 91 to 93 % in simulations."
    elif level == "system" and kind != "corrected" and over in ("segments", "both"):
        yield (
            "caution: noise of segments lowers the value, and resampling lowers it again: in simulations this interval "
            "covered true correlations of 0.9 and more in 0 to 88 %; the interval 'corrected' covers them."
        )


def about_permutations(level: str, over: str, least_p: float, alpha: float, where: str) -> Iterator[str]:
    """What simulations show about permutation tests (docs/explanations/correlation.md), and what few units cannot."""
    by_systems = f"{REJECTED_BY_SYSTEMS[level]} %"
    if over != "systems":
        yield (
            f"caution: {where} the test swaps segments, as if metrics favoured no system. In simulations in which they "
            f"do, it rejected up to {REJECTED[level]} % of true null hypotheses at 0.05; swapping systems {by_systems}."
        )
    else:
        yield f"{where}, swapping systems rejected {by_systems} of true null hypotheses at 0.05 in simulations."
    if least_p >= alpha:
        yield (
            f"caution: {where} there are too few {'systems' if over == 'systems' else 'segments'} to swap: no p-value "
            f"can be below {least_p:.3g}."
        )


def _mostly_tied(agreements: Sequence[Agreement]) -> list[str]:
    """Metrics for which accuracy with ties is best if nearly all pairs are tied: it hardly depends on their scores."""
    found: dict[Measure, list[str]] = {}
    for one in agreements:
        if one.tied >= MOSTLY_TIED:
            found.setdefault(one.measure, []).append(f"{100 * one.tied:.4g} % for {one.metric}")
    return [
        f"caution: {measure}: the calibrated epsilon ties nearly all pairs ({', '.join(shares)}): the value is near "
        "the share of human ties, and carries little or no information about the metric"
        for measure, shares in found.items()
    ]


def _unequal(agreements: Sequence[Agreement]) -> list[str]:
    """Metrics evaluated on different data, whose values cannot be compared."""
    notes = []
    for level, what in (("system", "systems"), ("segment", "outputs")):
        points = {one.metric: one.points for one in agreements if one.measure.level == level}
        if len(set(points.values())) > 1:
            numbers = ", ".join(f"{number:,} for {metric}" for metric, number in points.items())
            notes.append(
                f"scores are missing, so metrics are evaluated on different {what} ({numbers}); the option 'common' "
                "keeps those that all metrics score"
            )
    return notes


def _reason(joined: JoinedScores, one: Agreement) -> str:
    tables = joined.tables(one.measure.level)
    sides = []
    for table in tables:
        for who, column in (("human", table.human), (one.metric, table.metric(one.metric))):
            values = column.systems() if one.measure.level == "system" else column.segments
            present = values[~np.isnan(values)]
            sides.append((who, len(present), len(np.unique(present))))
    for who in ("human", one.metric):
        own = [(points, different) for name, points, different in sides if name == who]
        if all(points == 0 for points, _ in own):
            return "there are no ratings" if who == "human" else "it has no score"
        if all(different <= 1 and points > 1 for points, different in own):
            return "all ratings are equal" if who == "human" else CONSTANT
    if all(len(table.systems) < 2 for table in tables) and one.measure.by not in ("system", "pooled"):
        return "there is only one system"
    if all(points < 2 for _, points, _ in sides):
        return "there is only one score"
    return "too few distinct scores, or annotators tie every pair"
