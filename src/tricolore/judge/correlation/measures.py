"""What can be measured of a metric and human ratings: statistics, at system or segment level, in groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ..._version import __version__
from ...errors import InputError, SpecError, nearest
from . import statistics as correlation
from .options import GROUPINGS, LEVELS
from .soft_accuracy import SWAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..score_table import Floats
    from .join_scores import JoinedScores
    from .options import StatisticOptions


@dataclass(frozen=True, eq=False)
class Statistic:
    """A statistic of groups of points: it tallies each group (a row), and makes a value of tallies.

    Correlations give a value for each group, and values are averaged. Pair statistics add the pairs of all groups.
    """

    name: str
    title: str
    about: str  #: one line: what it is, and what becomes of ties
    tally: Callable[[Floats, Floats], Floats] = correlation.pair_counts
    value: Callable[[Floats], Floats] = field(default=lambda values: values[..., 0])
    adds_pairs: bool = False
    levels: tuple[str, ...] = LEVELS


def _columns_of(function: Callable[[Floats, Floats], Floats]) -> Callable[[Floats, Floats], Floats]:
    return lambda x, y: function(x, y)[:, None]


def _statistics() -> Iterator[Statistic]:
    yield Statistic("pearson", "Pearson", "linear correlation", _columns_of(correlation.pearson_rows))
    yield Statistic(
        "spearman", "Spearman", "correlation of ranks; ties share a rank", _columns_of(correlation.spearman_rows)
    )
    yield Statistic("kendall-b", "Kendall τ-b", "ties on either side are corrected for", value=correlation.tau_b)
    yield Statistic("kendall-c", "Kendall τ-c", "Stuart's form, for few different values", value=correlation.tau_c)
    ties = {
        "half": "a metric tie is half right, half wrong (Chen & Cherry 2014, = wmt14)",
        "wmt12": "a metric tie is wrong",
        "wmt13": "metric ties are dropped",
        "wmt14": "a metric tie counts in the denominator only",
    }
    for variant, function in correlation.VARIANTS.items():
        about = f"pairs that annotators do not tie; {ties[variant]}"
        yield Statistic(f"kendall-{variant}", f"Kendall {variant}", about, value=function, adds_pairs=True)
    yield Statistic(
        "accuracy",
        "accuracy",
        "share of the pairs that annotators do not tie in the right order; a metric tie is wrong",
        value=correlation.accuracy,
        adds_pairs=True,
    )
    yield Statistic(
        "soft-accuracy",
        "soft accuracy",
        "1 - mean difference of the human and the metric's p-values over system pairs",
        levels=("system",),
    )
    yield Statistic("accuracy-ties", "accuracy with ties", "share of all pairs that agree, ties calibrated (acc_eq)")


STATISTICS: dict[str, Statistic] = {one.name: one for one in _statistics()}


@dataclass(frozen=True)
class Measure:
    """What is measured: a statistic, at a level, in groups.

    At segment level `by` says which points are compared with each other: those of one segment (all systems), those of
    one system (all segments), or all there are. It is by segment unless told.

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

        Without a level it is segment level where there is a grouping, and system level where there is none.
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
        """What a signature says of it."""
        by = {"by": self.by} if self.by else {}
        swaps = {"swaps": str(SWAPS)} if self.statistic == "soft-accuracy" else {}
        return {"level": self.level, "stat": self.statistic, **by, **swaps}


#: What is measured where nothing is asked for.
USUAL = {
    "system": ("pearson", "spearman", "kendall-b", "accuracy"),
    "segment": ("kendall-b pooled", "kendall-b by segment", "pearson pooled", "accuracy-ties by segment"),
    "one system": ("kendall-b pooled", "pearson pooled", "spearman pooled"),
    "rankings": ("kendall-wmt14", "kendall-wmt13", "kendall-wmt12", "accuracy"),
}


def measures_for(joined: JoinedScores, options: StatisticOptions) -> list[Measure]:
    """The measures that are asked for: statistics by name, at each level, or in full; or the usual ones.

    A level that there are no scores for is left out, unless it was asked for.
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
    """One statistic at all levels that it is for, or one measure that is written in full."""
    if len(text.split()) > 1:
        return [Measure.parse(text)]
    check_choice("statistic", text, tuple(STATISTICS))
    there = [level for level in levels if level in STATISTICS[text].levels]
    if not there:
        raise SpecError(f"{text} is for {' and '.join(STATISTICS[text].levels)} level only")
    groups = {"system": ("",), "segment": by or ("",)}
    return [Measure(level, text, group) for level in there for group in groups[level]]


def check_ranked(measure: Measure) -> None:
    """Reject what rankings cannot say: they order pairs of systems on a segment, and nothing else."""
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
    """Of the tallies of groups (last axis but one): their sum if pairs are added, else the mean of the values there."""
    if measure.how.adds_pairs:
        added: Floats = tallies.sum(axis=-2)
        return added
    return _mean(measure.how.value(tallies), axis=-1)[..., None]


def finish(measure: Measure, parts: Sequence[Floats]) -> Floats:
    """The value of the summaries of all tables."""
    if measure.how.adds_pairs:
        return measure.how.value(np.sum(parts, axis=0))
    return _mean(np.stack([part[..., 0] for part in parts]), axis=0)


def _mean(values: Floats, axis: int) -> Floats:
    """Mean of what is there; nan if nothing is."""
    present = ~np.isnan(values)
    number = present.sum(axis=axis)
    return np.where(number > 0, np.where(present, values, 0.0).sum(axis=axis) / np.maximum(number, 1), np.nan)


def signature_of(settings: dict[str, str], tables: int = 1) -> str:
    """Say how a number came about, in the form of the metrics' signatures."""
    shown = {**settings, **({"tables": str(tables)} if tables > 1 else {}), "version": f"tricolore-{__version__}"}
    return "|".join(f"{name}:{value}" for name, value in shown.items())


def check_choice(what: str, given: str, known: tuple[str, ...]) -> None:
    """Reject what there is not, with a hint."""
    if given not in known:
        raise SpecError(f"there is no {what} {given!r}{nearest(str(given), known)} (there are {', '.join(known)})")
