"""Measures of agreement between a metric and human ratings: a statistic, at system or segment level, in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..._version import __version__
from ...errors import InputError, SpecError, nearest
from ..score_table import Floats
from . import statistics as correlation
from .join_scores import JoinedScores
from .options import GROUPINGS, LEVELS, StatisticOptions
from .soft_accuracy import SWAPS


@dataclass(frozen=True, eq=False)
class Statistic:
    """A statistic of groups of points: it tallies each group (row), and turns tallies into values.

    The values of correlations are averaged over groups. Pair statistics add up the pairs of all groups.
    """

    name: str
    title: str
    about: str  #: one line: what it is, and how ties are treated
    tally: Callable[[Floats, Floats], Floats] = correlation.pair_counts
    value: Callable[[Floats], Floats] = field(default=lambda values: values[..., 0])
    adds_pairs: bool = False
    levels: tuple[str, ...] = LEVELS


#: What `kendall-...` does with ties of the metric.
_TIES = {
    "half": "a metric tie is half right, half wrong (Chen & Cherry 2014, = wmt14)",
    "wmt12": "a metric tie is wrong",
    "wmt13": "metric ties are dropped",
    "wmt14": "a metric tie counts in the denominator only",
}


def _statistics() -> Iterator[Statistic]:
    yield Statistic("pearson", "Pearson", "linear correlation", lambda x, y: correlation.pearson_rows(x, y)[:, None])
    ranked = "correlation of ranks; ties share a rank"
    yield Statistic("spearman", "Spearman", ranked, lambda x, y: correlation.spearman_rows(x, y)[:, None])
    yield Statistic("kendall-b", "Kendall τ-b", "corrected for ties on either side", value=correlation.tau_b)
    yield Statistic("kendall-c", "Kendall τ-c", "Stuart's form, for few distinct values", value=correlation.tau_c)
    for variant, function in correlation.VARIANTS.items():
        about = f"pairs not tied by annotators; {_TIES[variant]}"
        yield Statistic(f"kendall-{variant}", f"Kendall {variant}", about, value=function, adds_pairs=True)
    about = "share of the pairs not tied by annotators in the right order; a metric tie is wrong"
    yield Statistic("accuracy", "accuracy", about, value=correlation.accuracy, adds_pairs=True)
    about = "1 - mean difference of the human and the metric's p-values over system pairs"
    yield Statistic("soft-accuracy", "soft accuracy", about, levels=("system",))
    yield Statistic("accuracy-ties", "accuracy with ties", "share of all pairs that agree, ties calibrated (acc_eq)")


STATISTICS: dict[str, Statistic] = {one.name: one for one in _statistics()}


@dataclass(frozen=True)
class Measure:
    """A statistic, at a level, in groups.

    At segment level `by` says which points are compared with each other: those of one segment (all systems; the
    default), those of one system (all segments), or all of them (pooled).

    >>> Measure.parse("system pearson")
    Measure(level='system', statistic='pearson', by='')
    >>> str(Measure.parse("kendall-b by system"))
    'segment kendall-b by system'
    >>> Measure("segment", "pearson", "pooled") == Measure.parse("segment pearson pooled")
    True
    """

    level: str
    statistic: str
    by: str = ""

    def __post_init__(self) -> None:
        check_choice("level", self.level, LEVELS)
        check_choice("statistic", self.statistic, tuple(STATISTICS))
        if self.level == "segment":
            object.__setattr__(self, "by", self.by or "segment")
            check_choice("grouping", self.by, GROUPINGS)
        elif self.by:
            raise SpecError(f"{self.statistic} at system level has no groups; got by {self.by!r}")
        if self.level not in self.how.levels:
            raise SpecError(f"{self.statistic} is for {self.how.levels[0]} level only")

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read a text such as `system pearson`, `kendall-b by segment` or `segment pearson pooled`.

        The level defaults to segment with a grouping, and to system without.
        """
        words = [word for word in text.lower().split() if word != "by"]
        if words and words[0] in LEVELS:
            level, words = words[0], words[1:]
        else:
            level = "segment" if len(words) > 1 else "system"
        if not 1 <= len(words) <= 2:
            raise SpecError(
                f"expected a measure such as 'system pearson' or 'segment kendall-b by segment'; got {text!r}"
            )
        return cls(level, *words)

    @property
    def how(self) -> Statistic:
        """The statistic itself."""
        return STATISTICS[self.statistic]

    def __str__(self) -> str:
        grouping = {"": "", "pooled": " pooled"}.get(self.by, f" by {self.by}")
        return f"{self.level} {self.statistic}{grouping}"

    @property
    def settings(self) -> dict[str, str]:
        """The entries of its signature."""
        by = {"by": self.by} if self.by else {}
        swaps = {"swaps": str(SWAPS)} if self.statistic == "soft-accuracy" else {}
        return {"level": self.level, "stat": self.statistic, **by, **swaps}


#: Default measures.
USUAL = {
    "system": ("pearson", "spearman", "kendall-b", "accuracy"),
    "segment": ("kendall-b pooled", "kendall-b by segment", "pearson pooled", "accuracy-ties by segment"),
    "one system": ("kendall-b pooled", "pearson pooled", "spearman pooled"),
    "rankings": ("kendall-wmt14", "kendall-wmt13", "kendall-wmt12", "accuracy"),
}


def measures_for(joined: JoinedScores, options: StatisticOptions) -> list[Measure]:
    """The measures asked for, by statistic (at each level) or in full; or the default ones.

    A level without scores is skipped, unless it was asked for.
    """
    for level in options.levels or ():
        if not joined.tables(level):
            raise InputError(f"there is no {level} level{_because(joined)}")
    there = [level for level in options.levels or LEVELS if joined.tables(level)]
    if not options.levels and joined.most_systems < 2 and "segment" in there:
        there = ["segment"]
    if options.statistics is None:
        found = [Measure.parse(f"{level} {text}") for level in there for text in _usual(joined, level)]
        if options.by:
            names = dict.fromkeys(one.statistic for one in found if one.level == "segment")
            grouped = [Measure("segment", name, group) for name in names for group in options.by]
            found = [*(one for one in found if one.level == "system"), *grouped]
    else:
        found = [one for text in options.statistics for one in _asked(text, there, options.by)]
    for measure in found:
        if not joined.tables(measure.level):
            raise InputError(f"{str(measure)!r}: there is no {measure.level} level{_because(joined)}")
        if joined.rankings:
            check_ranked(measure)
    return list(dict.fromkeys(found))


def _because(joined: JoinedScores) -> str:
    why = [note for note in joined.notes if "whole systems only" in note]
    return f" ({why[0]})" if why else ""


def _usual(joined: JoinedScores, level: str) -> tuple[str, ...]:
    if level == "system":
        return USUAL["system"]
    if joined.rankings:
        return USUAL["rankings"]
    return USUAL["segment" if joined.most_systems > 1 else "one system"]


def _asked(text: str, levels: Sequence[str], by: Sequence[str] | None) -> list[Measure]:
    """A statistic at all levels that it supports, or a measure written in full."""
    if len(text.split()) > 1:
        return [Measure.parse(text)]
    check_choice("statistic", text, tuple(STATISTICS))
    there = [level for level in levels if level in STATISTICS[text].levels]
    if not there:
        raise SpecError(f"{text} is for {' and '.join(STATISTICS[text].levels)} level only")
    groups = {"system": ("",), "segment": by or ("",)}
    return [Measure(level, text, group) for level in there for group in groups[level]]


def check_ranked(measure: Measure) -> None:
    """Reject measures that rankings do not support: they only order pairs of systems on a segment."""
    if measure.statistic == "soft-accuracy":
        raise SpecError("soft-accuracy needs a score for each segment, but rankings order pairs")
    if measure.level != "segment":
        return
    able = [name for name, how in STATISTICS.items() if how.adds_pairs]
    if measure.statistic not in able or measure.by != "segment":
        raise SpecError(
            f"{str(measure)!r} needs a score for each segment, but rankings order pairs; at segment level there are "
            f"{', '.join(able)}, by segment"
        )


def summaries(measure: Measure, tallies: Floats) -> Floats:
    """Over groups (last axis but one): the sum of tallies if pairs are added up, else the mean of values."""
    if measure.how.adds_pairs:
        return np.asarray(tallies.sum(axis=-2))
    return mean_defined(measure.how.value(tallies), axis=-1)[..., None]


def finish(measure: Measure, parts: Sequence[Floats]) -> Floats:
    """The value over all tables, from their summaries."""
    if measure.how.adds_pairs:
        return measure.how.value(np.sum(parts, axis=0))
    return mean_defined(np.stack([part[..., 0] for part in parts]), axis=0)


def mean_defined(values: Floats, axis: int) -> Floats:
    """Mean without nan; nan if nothing else is there."""
    present = ~np.isnan(values)
    number = present.sum(axis=axis)
    return np.where(number > 0, np.where(present, values, 0.0).sum(axis=axis) / np.maximum(number, 1), np.nan)


def signature_of(settings: dict[str, str], tables: int = 1) -> str:
    """The signature of a value, in the form of the metrics' signatures."""
    shown = {**settings, **({"tables": str(tables)} if tables > 1 else {}), "version": f"tricolore-{__version__}"}
    return "|".join(f"{name}:{value}" for name, value in shown.items())


def check_choice(what: str, given: str, known: tuple[str, ...]) -> None:
    """Reject an unknown name, with a hint."""
    if given not in known:
        raise SpecError(f"there is no {what} {given!r}{nearest(str(given), known)} (there are {', '.join(known)})")
